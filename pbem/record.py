"""history/NNNN.yaml: one run that changed the game, and the state after it.

What follows from these (events, reports, kingdoms) is not stored.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

from engine.options import Options
from engine.pieces import DYNASTIES, Dynasty
from engine.state import State
from pbem.clock import write_time
from pbem.fields import Faults, Fields, scalar
from pbem.optiontext import read_options, write_options
from pbem.position import read_state, write_state
from pbem.problem import Problem
from pbem.recordparts import (
    HASH,
    Fate,
    check_label,
    read_closed_files,
    read_open_files,
    read_texts,
    read_turn_takes,
    write_texts,
)
from pbem.versions import MIGRATIONS, RULES, SCHEMA, migrate, read_versions
from pbem.yamltext import Mapping as Tree
from pbem.yamltext import read_yaml

Kind: TypeAlias = Literal["start", "turn", "undo"]
KINDS: tuple[Kind, ...] = get_args(Kind)

ALL = "all"
"""Of an undo: everything that was taken back was played again."""

_KEYS = (
    "run, kind, when, schema, rules, start, decisions, undo_to, again, because, turn_takes, "
    "open_files, closed_files, press, messages, notes, state, seal"
)


class Decision(NamedTuple):
    """One decision that was used: whose, the question `7.3` it answers, the order in one line.

    `source` is the file or mail it came in, `sha256` the hash of that. If nobody has
    sent it, `source` is as in `bydefault` and there is no hash.
    """

    player: Dynasty
    question: str
    order: str
    when: datetime
    source: str | None = None
    sha256: str | None = None


class Start(NamedTuple):
    """How the game began: seats, binding options, the secret of the shuffle, a remark."""

    players: tuple[Dynasty, ...]
    options: Options
    secret: str
    note: str = ""


class Press(NamedTuple):
    """What a player says to all."""

    player: Dynasty
    text: str


class Message(NamedTuple):
    """What only this player is told, about what became of his own orders."""

    player: Dynasty
    text: str


class Note(NamedTuple):
    """What a player says to the moderator."""

    player: Dynasty
    text: str


class Record(NamedTuple):
    """One run.

    `turn_takes` says how often a turn was taken back (labels 7b, 7c). `open_files` are the
    files that still wait, by hash, with what of them has served already: labels of questions,
    `press`, `note`. `closed_files` are those that this run was done with, and their fate.

    An undo may play again what it took back: then `decisions` are those that were played,
    `again` is `ALL` or the first question, `7.3`, whose decision was not, and `state` is the
    state after them. `because`: why the moderator went back, told to all.
    """

    run: int
    kind: Kind
    when: datetime
    state: State
    decisions: tuple[Decision, ...] = ()
    start: Start | None = None
    undo_to: int | None = None
    turn_takes: Mapping[int, int] = MappingProxyType({})
    open_files: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    closed_files: Mapping[str, Fate] = MappingProxyType({})
    press: tuple[Press, ...] = ()
    messages: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    again: str | None = None
    because: str = ""
    schema: int = SCHEMA
    rules: int = RULES


def read_record(
    data: bytes | str, migrations: dict[int, Callable[[Tree], Tree]] = MIGRATIONS
) -> tuple[Record | None, tuple[Problem, ...]]:
    """The record in a text, None if there are problems. An older schema is migrated first."""
    reading = read_yaml(data)
    if reading.problems:
        return None, reading.problems
    tree = reading.document
    tree = migrate(tree, migrations) if isinstance(tree, Tree) else Tree((), 1)
    faults = Faults()
    fields = Fields(tree, "$", faults)
    versions = read_versions(fields)
    record = _read(fields, versions) if versions else None
    return (None if faults.problems else record), tuple(faults.problems)


def write_record(record: Record) -> str:
    """The text of a record, the state last; `read_record` gives the same record back."""
    lines = [
        f"run: {record.run}",
        f"kind: {record.kind}",
        f"when: {write_time(record.when)}",
        f"schema: {record.schema}",
        f"rules: {record.rules}",
    ]
    if record.start is not None:
        lines += _write_start(record.start)
    if record.undo_to is not None:
        lines.append(f"undo_to: {record.undo_to}")
    lines += [f"again: {record.again}"] if record.again else []
    lines += [f"because: {scalar(record.because)}"] if record.because else []
    lines += _write_decisions(record.decisions)
    if record.turn_takes:
        lines += ["turn_takes:", *(f"  {turn}: {n}" for turn, n in record.turn_takes.items())]
    if record.open_files:
        lines.append("open_files:")
        for digest, labels in record.open_files.items():
            lines.append(f"  {digest}: {' '.join(labels) or 'none'}")
    if record.closed_files:
        lines.append("closed_files:")
        lines += [f"  {digest}: {fate}" for digest, fate in record.closed_files.items()]
    for key in ("press", "messages", "notes"):
        lines += write_texts(key, getattr(record, key))
    lines.append("state:")
    lines += [f"  {line}" for line in write_state(record.state).splitlines()]
    return "\n".join(lines) + "\n"


def _read(fields: Fields, versions: tuple[int, int]) -> Record | None:
    schema, rules = versions
    run = fields.number("run")
    kind = fields.choice("kind", KINDS)
    start = _read_start(fields.child("start")) if kind == "start" else None
    undo_to = fields.number("undo_to") if kind == "undo" else None
    when = fields.time("when")
    decisions = tuple(_read_decision(each) for each in fields.children("decisions"))
    turn_takes = dict(read_turn_takes(fields.child("turn_takes")))
    open_files = dict(read_open_files(fields.child("open_files")))
    closed_files = dict(read_closed_files(fields.child("closed_files")))
    press = tuple(read_texts(fields, "press", Press))
    messages = tuple(read_texts(fields, "messages", Message))
    notes = tuple(read_texts(fields, "notes", Note))
    again = _read_again(fields) if kind == "undo" else None
    because = fields.text("because", "") if kind == "undo" else ""
    inner = fields.child("state")
    state = read_state(inner)
    fields.text("seal", "")  # seal.py: it says whether the file was edited by hand
    fields.end(_KEYS)
    if state is None:
        return None
    record = Record(
        run, kind, when, state, decisions, start, undo_to, turn_takes, open_files,
        closed_files, press, messages, notes, again, because, schema, rules,
    )  # fmt: skip
    for fault in _contradictions(record):
        inner.wrong(None, fault)
    return record


def _contradictions(record: Record) -> Iterator[str]:
    """What does not fit together in one record."""
    start, state = record.start, record.state
    if start is not None and (start.players, start.options) != (state.players, state.options):
        yield "seats and options differ from those under `start`"
    if record.undo_to is not None and record.undo_to >= record.run:
        yield f"undo_to should be an earlier run than {record.run}"
    if record.kind == "undo" and record.decisions and record.again is None:
        yield "an undo holds decisions only if it says `again`"
    texts = (*record.press, *record.messages, *record.notes)
    named = {*(each.player for each in record.decisions), *(player for player, _ in texts)}
    for player in sorted(named - {*state.players}):
        yield f"{player} is named in this run but does not play"


def _read_again(fields: Fields) -> str | None:
    again = fields.text("again", "") or None
    if again is not None and again != ALL:
        check_label(fields, "again", again)
    return again


def _read_decision(fields: Fields) -> Decision:
    question = fields.text("question")
    check_label(fields, "question", question)
    decision = Decision(
        player=fields.choice("player", DYNASTIES),
        question=question,
        order=fields.text("order"),
        when=fields.time("when"),
        source=fields.text("source", "") or None,
        sha256=fields.text("sha256", "") or None,
    )
    if decision.sha256 and not HASH.fullmatch(decision.sha256):
        fields.wrong("sha256", "should be 64 digits 0-9 and a-f")
    fields.end("question, player, order, when, source, sha256")
    return decision


def _read_start(fields: Fields) -> Start:
    words = fields.text("players").split()
    players = tuple(each for word in words for each in DYNASTIES if each == word)
    if len(players) != len(words):
        fields.wrong("players", f"`{' '.join(words)}` should be of {', '.join(DYNASTIES)}")
    options = read_options(fields.child("options"))
    start = Start(players, options, fields.text("secret"), fields.text("note", ""))
    fields.end("players, options, secret, note")
    return start


def _write_start(start: Start) -> list[str]:
    lines = ["start:", f"  players: {' '.join(start.players)}", "  options:"]
    lines += [f"    {line}" for line in write_options(start.options)]
    lines.append(f"  secret: {scalar(start.secret)}")
    return [*lines, f"  note: {scalar(start.note)}"] if start.note else lines


def _write_decisions(decisions: tuple[Decision, ...]) -> list[str]:
    lines = ["decisions:"] if decisions else []
    for decision in decisions:
        lines += [
            f"  - question: {decision.question}",
            f"    player: {decision.player}",
            f"    order: {scalar(decision.order)}",
            f"    when: {write_time(decision.when)}",
        ]
        if decision.source is not None:
            lines.append(f"    source: {scalar(decision.source)}")
        if decision.sha256 is not None:
            lines.append(f"    sha256: {decision.sha256}")
    return lines
