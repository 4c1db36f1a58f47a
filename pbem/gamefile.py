"""game.yaml: who plays, and how. `new` writes it; from then on it is the moderator's."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

from engine.options import Options
from engine.pieces import DYNASTIES, Dynasty
from pbem.counted import counted
from pbem.fields import Fields, read_fields, scalar
from pbem.names import (
    address_fault,
    game_name_fault,
    language_fault,
    player_name_fault,
    zone_fault,
)
from pbem.optiontext import read_options, write_options
from pbem.policies import LETTERS, ZONE, Letters, Policies, read_policies, write_policies
from pbem.problem import Problem
from pbem.versions import RULES, SCHEMA, read_versions

MapStyle: TypeAlias = Literal["map", "list"]

LANGUAGE = "en"
MAP_STYLES: tuple[MapStyle, ...] = get_args(MapStyle)
_PLAYERS = range(2, 5)


class SeatEntry(NamedTuple):
    """One seat: the dynasty, who plays it, where letters go, and how he likes his reports.

    `zone`: the time zone (`Europe/Lisbon`) in which times are told, if it is not that of the
    game; `map`: as a drawing or as a list; `hints`: whether the report lists what his pieces
    could do; `letters`: which ones.
    """

    dynasty: Dynasty
    name: str
    address: str | None = None
    language: str = LANGUAGE
    zone: str = ZONE
    map: MapStyle = "map"
    hints: bool = False
    letters: Letters = "turn"


class GameFile(NamedTuple):
    """What game.yaml says. Seats stand in turn order."""

    game: str
    seats: tuple[SeatEntry, ...]
    options: Options
    policies: Policies = Policies()

    @property
    def players(self) -> tuple[Dynasty, ...]:
        """The dynasties in turn order."""
        return tuple(seat.dynasty for seat in self.seats)

    @property
    def gets_letters(self) -> bool:
        """Whether there is anybody that letters of this game could go to."""
        return bool(self.policies.observers or any(seat.address for seat in self.seats))

    def seat(self, dynasty: Dynasty) -> SeatEntry:
        """The seat of one player; KeyError if he does not play."""
        for seat in self.seats:
            if seat.dynasty == dynasty:
                return seat
        raise KeyError(dynasty)


def read_game(data: bytes | str) -> tuple[GameFile | None, tuple[Problem, ...]]:
    """What the text of a game.yaml says, None if there are problems."""
    fields, faults = read_fields(data)
    if fields is None:
        return None, tuple(faults.problems)
    game = _read(fields) if read_versions(fields) else None
    return (None if faults.problems else game), tuple(faults.problems)


def write_game(game: GameFile) -> str:
    """The text of a game.yaml; `read_game` reads it back."""
    lines = [
        f"schema: {SCHEMA}",
        f"rules: {RULES}",
        f"game: {scalar(game.game)}",
        "# The seats, in turn order.",
        "seats:",
    ]
    for seat in game.seats:
        lines += [f"  - dynasty: {seat.dynasty}", f"    name: {scalar(seat.name)}"]
        if seat.address is not None:
            lines.append(f"    address: {scalar(seat.address)}")
        lines.append(f"    language: {scalar(seat.language)}")
        lines += _preferences(seat, game.policies.zone)
        if seat.letters != LETTERS[0]:
            lines.append(f"    letters: {seat.letters}")
    lines += ["# The options are binding from the start on.", "options:"]
    lines += [f"  {line}" for line in write_options(game.options)]
    if policies := write_policies(game.policies):
        lines += ["policies:", *(f"  {line}" for line in policies)]
    return "\n".join(lines) + "\n"


def _preferences(seat: SeatEntry, usual: str) -> list[str]:
    """What a seat likes otherwise than usual."""
    lines = []
    if seat.zone not in (ZONE, usual):
        lines.append(f"    zone: {scalar(seat.zone)}")
    if seat.map != MAP_STYLES[0]:
        lines.append(f"    map: {seat.map}")
    if seat.hints:
        lines.append("    hints: yes")
    return lines


def parse_seat(text: str) -> tuple[SeatEntry | None, tuple[str, ...]]:
    """A seat as on the command line, `archer=Ana <ana@example.org>`, and what is wrong with it."""
    dynasty, _, person = (part.strip() for part in text.partition("="))
    known = next((each for each in DYNASTIES if each == dynasty.lower()), None)
    wrong = [] if known else [f"`{dynasty}` should be one of {', '.join(DYNASTIES)}"]
    name, address, faults = parse_person(person)
    wrong += faults
    if wrong or known is None:
        return None, tuple(f"--seat {fault}" for fault in wrong)
    return SeatEntry(known, name, address), ()


def parse_person(text: str) -> tuple[str, str | None, list[str]]:
    """The name and address in `Ana <ana@example.org>` or `Ana`, and what is wrong with them."""
    name, address = text.strip(), None
    if name.endswith(">") and "<" in name:
        name, _, rest = name.partition("<")
        name, address = name.strip(), rest[:-1].strip()
    faults = (player_name_fault(name), None if address is None else address_fault(address))
    return name, address, [fault for fault in faults if fault]


def seat_faults(seats: tuple[SeatEntry, ...]) -> list[str]:
    """What is wrong with the seats together: too few, too many, a dynasty twice."""
    found = []
    if len(seats) not in _PLAYERS:
        number = counted(len(seats), "seat")
        found.append(f"{number}; two to four can play")
    dynasties = [seat.dynasty for seat in seats]
    twice = [each for each in DYNASTIES if dynasties.count(each) > 1]
    return found + [f"{each} has more than one seat" for each in twice]


def _read(fields: Fields) -> GameFile:
    name = _checked(fields, "game", game_name_fault)
    seats = tuple(
        read_seat(each, each.choice("dynasty", DYNASTIES), "dynasty, ")
        for each in fields.children("seats")
    )
    for fault in seat_faults(seats):
        fields.wrong("seats", fault)
    options = read_options(fields.child("options"))
    policies = read_policies(fields.child("policies"))
    seats = tuple(s._replace(zone=policies.zone) if s.zone == ZONE else s for s in seats)
    fields.end("schema, rules, game, seats, options, policies")
    return GameFile(name, seats, options, policies)


def read_seat(fields: Fields, dynasty: Dynasty, more: str = "") -> SeatEntry:
    """A seat as its keys say; `more` are the keys that were taken before."""
    name = _checked(fields, "name", player_name_fault)
    address = _checked(fields, "address", address_fault) if "address" in fields else None
    language = _checked(fields, "language", language_fault, LANGUAGE)
    zone = _checked(fields, "zone", zone_fault, ZONE)
    style = fields.choice("map", MAP_STYLES, MAP_STYLES[0])
    hints = fields.choice("hints", ("no", "yes"), "no") == "yes"
    letters = fields.choice("letters", LETTERS, LETTERS[0])
    fields.end(f"{more}name, address, language, zone, map, hints, letters")
    return SeatEntry(dynasty, name, address, language, zone, style, hints, letters)


def _checked(
    fields: Fields, key: str, check: Callable[[str], str | None], default: str | None = None
) -> str:
    present = key in fields
    text = fields.text(key, default)
    fault = check(text) if present else None
    if fault:
        fields.wrong(key, fault)
    return text
