"""A run survives its file, older files are brought up to date, and faults have their place."""

from datetime import UTC, datetime

import pytest

from engine.options import Options
from engine.setup import new_game
from pbem.clock import now, read_time, write_time
from pbem.record import Decision, Message, Note, Press, Record, Start, read_record, write_record
from pbem.versions import MIGRATIONS, RULES, SCHEMA
from pbem.yamltext import Mapping, Scalar

WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
STATE = new_game(("archer", "bull"), "a seed")
HASH = "0123456789abcdef" * 4

START = Record(
    0, "start", WHEN, STATE, start=Start(("archer", "bull"), Options(), "a: secret #1", "from x")
)
TURN = Record(
    run=12,
    kind="turn",
    when=WHEN,
    state=STATE,
    decisions=(
        Decision("archer", "7.1", "king F5", WHEN, "orders/archer.yaml", HASH),
        Decision("bull", "7b.12", "support: 2 # x", WHEN),
    ),
    turn_takes={7: 1, 9: 2},
    open_files={HASH: ("7.1", "7b.2"), HASH[::-1]: ()},
    press=(Press("archer", "Beware!\n\n  - the ides: of March #1\t\u00a0\ufeff\n"),),
    messages=(Message("bull", "farm F5 was dropped"),),
    notes=(Note("bull", "-"), Note("archer", "🙂 'x' \\ \"y\"")),
)
UNDO = Record(13, "undo", WHEN, STATE, undo_to=4, turn_takes={7: 2})


def messages(text: str) -> list[str]:
    record, problems = read_record(text)
    assert (record is None) == bool(problems)
    return [f"{problem.line}: {problem.message}" for problem in problems]


@pytest.mark.parametrize("record", [START, TURN, UNDO])
def test_what_is_written_is_read_again(record: Record) -> None:
    text = write_record(record)
    assert read_record(text) == (record, ())
    assert write_record(record) == text


def test_the_state_comes_last_and_the_head_first() -> None:
    lines = write_record(TURN).splitlines()
    keys = [line.split(":")[0] for line in lines if not line.startswith((" ", "-"))]
    assert keys == [
        "run", "kind", "when", "schema", "rules", "decisions", "turn_takes", "open_files", "press",
        "messages", "notes", "state",
    ]  # fmt: skip


def test_what_no_file_may_hold_is_replaced_when_written() -> None:
    record = UNDO._replace(press=(Press("bull", "a\x00b\u2028c\ud800"),))
    again, problems = read_record(write_record(record))
    assert problems == ()
    assert again is not None
    assert again.press == (Press("bull", "a\ufffdb\ufffdc\ufffd"),)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("run: 12", "run: -1", "1: $.run: `-1` should be a whole number from 0 on"),
        ("run: 12\n", "", "1: $: `run` is missing"),
        ("kind: turn", "kind: tern", "2: $.kind: `tern` should be one of start, turn, undo"),
        ("kind: turn", "kind: undo", "1: $: `undo_to` is missing"),
        ("kind: turn", "kind: start", "$.start: `players` is missing"),
        ("kind: turn", "kind: turn\nundo_to: 1", "3: $.undo_to: unknown key"),
        ("2026-03-01T", "2026-13-01T", "3: $.when: `2026-13-01T12:30:00Z` should be a time"),
        ("schema: 1", "schema: 9", "$.schema: 9 is newer than this program knows (1)"),
        ("rules: 1", "rules: 9", "$.rules: 9 is newer than this program knows (1)"),
        ("question: 7.1", "question: 7", "7: $.decisions[0].question: `7` should be the number"),
        ("player: archer", "player: ana", "8: $.decisions[0].player: `ana` should be one of"),
        ("player: archer", "player: pot", "$.state: pot is named in this run but does not play"),
        ("    order: king F5\n", "", "7: $.decisions[0]: `order` is missing"),
        ("order: king F5", "order: [king]", "9: $.decisions[0].order: should be a text"),
        ("source:", "sauce:", "11: $.decisions[0].sauce: unknown key"),
        (f"sha256: {HASH}", "sha256: 12", "$.decisions[0].sha256: should be 64 digits"),
        ("7: 1", "x: 1", "$.turn_takes.x: unknown key"),
        ("7: 1", "7: 0", "$.turn_takes.7: `0` should be a whole number from 1 on"),
        ("7.1 7b.2", "7.1 now", "`now` should be the number of a question"),
        ("    text: \"-\"", "    txt: x", "$.notes[0].txt: unknown key"),
        ("  turn: 1", "  turn: 0", "$.state.turn: `0` should be a whole number from 1 on"),
        ("r*", "r?", "$.state.map: K1: `r?` is no sign of a map"),
        ("state:", "sate:", "$.sate: unknown key"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_path_and_line(old: str, new: str, expected: str) -> None:
    text = write_record(TURN)
    assert old in text
    found = messages(text.replace(old, new, 1))
    assert any(expected in message for message in found), found


def test_a_start_must_agree_with_its_state() -> None:
    text = write_record(START).replace("players: archer bull", "players: bull archer")
    assert [m for m in messages(text) if "differ from those under `start`" in m]


def test_an_undo_goes_back() -> None:
    assert [m for m in messages(write_record(UNDO._replace(undo_to=13))) if "earlier run" in m]


def test_an_older_schema_is_migrated_step_by_step() -> None:
    def from_zero(tree: Mapping) -> Mapping:
        """As if schema 0 had called the run its number."""
        renamed = {"number": "run"}
        items = ((Scalar(renamed.get(k.text, k.text), k.line), v) for k, v in tree.items)
        return Mapping(
            tuple((k, Scalar("1", k.line) if k.text == "schema" else v) for k, v in items),
            tree.line,
        )

    text = write_record(TURN).replace("run: 12", "number: 12").replace("schema: 1", "schema: 0")
    assert read_record(text, {0: from_zero}) == (TURN, ())
    assert read_record(text)[0] is None
    assert set(MIGRATIONS) == set(range(1, SCHEMA))
    assert RULES == 1


@pytest.mark.parametrize("text", ["", "x", "- 1", "schema: 1", "schema: 1\nrules: 1\nstate: x"])
def test_whatever_it_is_nothing_is_raised(text: str) -> None:
    assert messages(text)


def test_the_clock_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-03-01T14:30:00+02:00")
    assert now() == WHEN
    monkeypatch.setenv("PBEM_NOW", "2026-03-01 12:30")
    assert now() == WHEN
    assert read_time(write_time(WHEN)) == WHEN
    monkeypatch.delenv("PBEM_NOW")
    assert now().microsecond == 0
    assert now().tzinfo is UTC
