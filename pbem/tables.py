"""The tables of a tournament: one list that makes many games.

Either `tables` says who sits where, or `players` are dealt to tables of so many `seats`. With a
`seed` they are shuffled by it first, else they sit down in the order of the list.
"""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from engine.options import Options
from engine.pieces import DYNASTIES
from pbem.fields import FORBIDDEN, Faults, Fields, read_fields
from pbem.gamefile import GameFile, SeatEntry, parse_person, read_seat, seat_faults
from pbem.names import game_name_fault
from pbem.optiontext import read_options
from pbem.policies import Policies, read_policies
from pbem.problem import Problem, by_line
from pbem.versions import RULES, SCHEMA
from pbem.yamltext import Mapping, Node, Scalar

LARGEST_LIST = 1024 * 1024
NUMBER = "{number}"
_FEWEST, _MOST = 2, 4


class Table(NamedTuple):
    """One game that is to be made. `line`: where it stands. `seed`: the secret of its shuffle."""

    file: GameFile
    line: int
    seed: str | None = None


class Tables(NamedTuple):
    """The games that a list makes. `left`: who has no table, as too few are left over."""

    tables: tuple[Table, ...]
    left: tuple[SeatEntry, ...] = ()


class _Common(NamedTuple):
    """What holds for all tables; `policies_node` as it stands in the file."""

    options: Options
    policies: Policies
    policies_node: Node | None


def read_tables(data: bytes) -> tuple[Tables | None, tuple[Problem, ...]]:
    """The tables of a list, None if anything in it is wrong; then all that is wrong."""
    fields, faults = read_fields(data)
    if fields is None:
        return None, tuple(faults.problems)
    found = _read(fields)
    for earlier, table in _twins(found.tables):
        message = f"`{table.file.game}` is the name of another table too, in line {earlier.line}"
        faults.add(table.line, "$.tables", message)
    problems = tuple(sorted(faults.problems, key=by_line))
    return (None if problems else found), problems


def _read(fields: Fields) -> Tables:
    for key, known in (("schema", SCHEMA), ("rules", RULES)):
        fields.number(key, known, low=1, high=known)
    common = _common(fields)
    dealt = "players" in fields
    if dealt == ("tables" in fields):
        fields.wrong(None, "either `tables` or `players` should stand here")
    if not dealt:
        tables = tuple(_table(each, common) for each in fields.children("tables"))
        fields.end("schema, rules, options, policies, and tables; or players, seats, name, seed")
        return Tables(tables)
    line, seats = fields.line_of("players"), fields.number("seats", 4, low=_FEWEST, high=_MOST)
    name, seed = _pattern(fields), _seed(fields) or ""
    players = _players(fields)
    fields.end("schema, rules, options, policies, players, seats, name, seed")
    return _dealt(players, seats, seed, name, common, line)


def _common(fields: Fields) -> _Common:
    """Options and policies for all tables. Policies with faults are those of nobody else."""
    options = read_options(fields.child("options"))
    whole = fields.node("policies") if "policies" in fields else None
    before = len(fields.faults.problems)
    policies = read_policies(Fields(whole, "$.policies", fields.faults)) if whole else Policies()
    sound = len(fields.faults.problems) == before
    return _Common(options, policies, whole if sound else None)


def _table(fields: Fields, common: _Common) -> Table:
    line = fields.line
    name = fields.text("name")
    if fault := game_name_fault(name):
        fields.wrong("name", fault, line)
    seats = tuple(_seats(fields.child("seats")))
    for fault in seat_faults(seats):
        fields.wrong("seats", fault, line)
    options = read_options(fields.child("options"), common.options)
    policies = common.policies
    if "policies" in fields:
        node = _merged(common.policies_node, fields.node("policies"), line)
        policies = read_policies(Fields(node, f"{fields.path}.policies", fields.faults))
    seed = _seed(fields)
    fields.end("name, seats, options, policies, seed")
    return Table(GameFile(name, seats, options, policies), line, seed)


def _merged(common: Node | None, own: Node | None, line: int) -> Node:
    """The policies for all, with those of one table over them."""
    if not isinstance(common, Mapping) or not isinstance(own, Mapping):
        return own or Mapping((), line)
    mine = {key.text for key, _ in own.items}
    return Mapping((*(e for e in common.items if e[0].text not in mine), *own.items), own.line)


def _seats(fields: Fields) -> Iterator[SeatEntry]:
    """The seats of a table in the order of the list, each behind its dynasty."""
    for key in fields.names():
        line = fields.line_of(key)
        node = fields.node(key)
        dynasty = next((each for each in DYNASTIES if each == key.lower()), None)
        if dynasty is None:
            fields.wrong(None, f"`{key}` should be one of {', '.join(DYNASTIES)}", line)
        elif node is not None:
            yield _person(node, f"{fields.path}.{key}", fields.faults)._replace(dynasty=dynasty)


def _players(fields: Fields) -> list[SeatEntry]:
    """Those who wait for a table; each has an address, and stands there once."""
    lines: dict[str, int] = {}
    found = []
    for path, node in fields.listing("players"):
        person = _person(node, path, fields.faults)
        address = (person.address or "").lower()
        if not address:
            fields.faults.add(node.line, path, "who waits for a table needs an address")
        elif address in lines:
            message = f"{address} stands in line {lines[address]} already"
            fields.faults.add(node.line, path, message)
        lines.setdefault(address, node.line)
        found.append(person)
    return found


def _person(node: Node, path: str, faults: Faults) -> SeatEntry:
    """Somebody in one line, `Ana <ana@example.org>`, or with keys; his dynasty comes later."""
    if not isinstance(node, Scalar):
        return read_seat(Fields(node, path, faults), DYNASTIES[0])
    name, address, wrong = parse_person(node.text)
    for fault in wrong:
        faults.add(node.line, path, fault)
    return SeatEntry(DYNASTIES[0], name, address)


def _pattern(fields: Fields) -> str:
    """How the games are called, with the place of their number."""
    line = fields.line_of("name")
    name = fields.text("name")
    if name.count(NUMBER) != 1:
        fields.wrong("name", f"`{name}` should hold {NUMBER} once, as in cup-{NUMBER}", line)
    elif fault := game_name_fault(name.replace(NUMBER, "1")):
        fields.wrong("name", fault, line)
    return name


def _seed(fields: Fields) -> str | None:
    if "seed" not in fields:
        return None
    line, seed = fields.line_of("seed"), fields.text("seed")
    if not seed or FORBIDDEN.search(seed):
        fields.wrong("seed", "should be a plain text", line)
    return seed


def _dealt(
    players: list[SeatEntry], seats: int, seed: str, name: str, common: _Common, line: int
) -> Tables:
    """The players at their tables, so many at each, and who is left over."""
    if seed:
        players = sorted(players, key=lambda each: _lot(seed, each))
    whole = len(players) - len(players) % seats
    tables = []
    for number, first in enumerate(range(0, whole, seats), start=1):
        sitting = zip(DYNASTIES, players[first : first + seats], strict=False)
        file = GameFile(
            name.replace(NUMBER, str(number)),
            tuple(person._replace(dynasty=dynasty) for dynasty, person in sitting),
            common.options,
            common.policies,
        )
        tables.append(Table(file, line))
    return Tables(tuple(tables), tuple(players[whole:]))


def _lot(seed: str, person: SeatEntry) -> str:
    """What a player has drawn: it depends on nothing but the seed and his address."""
    return hashlib.sha256(f"{seed}\n{(person.address or '').lower()}".encode()).hexdigest()


def _twins(tables: tuple[Table, ...]) -> Iterator[tuple[Table, Table]]:
    """Tables with the name of an earlier one, behind that one."""
    seen: dict[str, Table] = {}
    for table in tables:
        first = seen.setdefault(table.file.game.casefold(), table)
        if first is not table:
            yield first, table
