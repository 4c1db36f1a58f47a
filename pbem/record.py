"""history/NNNN.yaml: one run that changed the game, and the state after it.

What follows from these (events, reports, kingdoms) is not stored.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from engine.options import Options
from engine.pieces import DYNASTIES, Dynasty
from engine.state import State
from pbem.clock import write_time
from pbem.fields import Faults, Fields, scalar
from pbem.optiontext import read_options, write_options
from pbem.position import read_state, write_state
from pbem.problem import Problem
from pbem.versions import MIGRATIONS, RULES, SCHEMA, migrate, read_versions
from pbem.yamltext import Mapping as Tree
from pbem.yamltext import read_yaml

Kind: TypeAlias = Literal["start", "turn", "undo"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Entry = TypeVar("Entry")

Fate: TypeAlias = Literal["used", "refused", "dropped", "replaced", "withdrawn"]
FATES: tuple[Fate, ...] = get_args(Fate)
SERVED = ("press", "note")
"""What of a file can have served besides labels of questions."""

_LABEL = re.compile(r"[1-9][0-9]{0,5}[a-z]{0,3}\.[1-9][0-9]{0,5}")
_TURN = re.compile(r"[1-9][0-9]{0,5}")
_HASH = re.compile(r"[0-9a-f]{64}")
_KEYS = (
    "run, kind, when, schema, rules, start, decisions, undo_to, turn_takes, open_files, "
    "closed_files, press, "
    "messages, notes, state"
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
        lines += _write_texts(key, getattr(record, key))
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
    turn_takes = dict(_read_turn_takes(fields.child("turn_takes")))
    open_files = dict(_read_open_files(fields.child("open_files")))
    closed_files = dict(_read_closed_files(fields.child("closed_files")))
    press = tuple(_read_texts(fields, "press", Press))
    messages = tuple(_read_texts(fields, "messages", Message))
    notes = tuple(_read_texts(fields, "notes", Note))
    inner = fields.child("state")
    state = read_state(inner)
    fields.end(_KEYS)
    if state is None:
        return None
    record = Record(
        run, kind, when, state, decisions, start, undo_to, turn_takes, open_files,
        closed_files, press, messages, notes, schema, rules,
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
    texts = (*record.press, *record.messages, *record.notes)
    named = {*(each.player for each in record.decisions), *(player for player, _ in texts)}
    for player in sorted(named - {*state.players}):
        yield f"{player} is named in this run but does not play"


def _read_decision(fields: Fields) -> Decision:
    question = fields.text("question")
    _check_label(fields, "question", question)
    decision = Decision(
        player=fields.choice("player", DYNASTIES),
        question=question,
        order=fields.text("order"),
        when=fields.time("when"),
        source=fields.text("source", "") or None,
        sha256=fields.text("sha256", "") or None,
    )
    if decision.sha256 and not _HASH.fullmatch(decision.sha256):
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


def _read_turn_takes(fields: Fields) -> Iterator[tuple[int, int]]:
    for key in fields.names():
        if not _TURN.fullmatch(key):
            continue
        yield int(key), fields.number(key, low=1)
    fields.end("numbers of turns")


def _read_open_files(fields: Fields) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key in fields.names():
        if not _HASH.fullmatch(key):
            continue
        text = fields.text(key)
        labels = () if text == "none" else tuple(text.split())
        for label in labels:
            if label not in SERVED:
                _check_label(fields, key, label)
        yield key, labels
    fields.end("hashes of files, 64 digits 0-9 and a-f")


def _read_closed_files(fields: Fields) -> Iterator[tuple[str, Fate]]:
    for key in fields.names():
        if _HASH.fullmatch(key):
            yield key, fields.choice(key, FATES)
    fields.end("hashes of files, 64 digits 0-9 and a-f")


def _read_texts(fields: Fields, key: str, make: Callable[[Dynasty, str], Entry]) -> Iterator[Entry]:
    for each in fields.children(key):
        yield make(each.choice("player", DYNASTIES), each.text("text"))
        each.end("player, text")


def _write_texts(key: str, texts: tuple[tuple[Dynasty, str], ...]) -> list[str]:
    lines = [f"{key}:"] if texts else []
    for player, text in texts:
        lines += [f"  - player: {player}", f"    text: {scalar(text)}"]
    return lines


def _check_label(fields: Fields, key: str, label: str) -> None:
    if not _LABEL.fullmatch(label):
        fields.wrong(key, f"`{label}` should be the number of a question such as 7.3 or 7b.3")
