"""game.yaml and desk.yaml, and seats as the command line names them."""

import pytest

from engine.options import Options
from pbem.deskfile import DeskFile, read_desk, write_desk
from pbem.gamefile import (
    GameFile,
    SeatEntry,
    parse_seat,
    read_game,
    seat_faults,
    write_game,
)
from pbem.policies import Policies

GAME = GameFile(
    "ur-1",
    (
        SeatEntry("bull", 'Bo "the: bull" #1', None, "pt-BR"),
        SeatEntry("archer", "Ana", "ana@example.org"),
        SeatEntry("pot", "- no", "o'neil@example.org", "pt", "America/Sao_Paulo", "list", True),
    ),
    Options(board="advanced", open_scoring=True),
)


def messages(text: str | bytes) -> list[str]:
    game, problems = read_game(text)
    assert (game is None) == bool(problems)
    return [f"{problem.line}: {problem.message}" for problem in problems]


def test_what_is_written_is_read_again() -> None:
    assert read_game(write_game(GAME)) == (GAME, ())
    assert GAME.players == ("bull", "archer", "pot")
    assert GAME.seat("archer").name == "Ana"


def test_only_what_a_seat_likes_otherwise_is_written() -> None:
    text = write_game(GAME)
    assert text.count("zone:") == text.count("map:") == text.count("hints:") == 1
    assert "    zone: America/Sao_Paulo\n    map: list\n    hints: yes\n" in text


def test_a_moderator_may_leave_out_what_is_usual() -> None:
    text = (
        "schema: 1\nrules: 1\ngame: ur-1\nseats:\n"
        "- {dynasty: lion, name: Leo}\n- {dynasty: pot, name: Pia}\n"
    )
    game, problems = read_game(text)
    assert problems == ()
    assert game is not None
    assert game.options == Options()
    assert game.seat("lion") == SeatEntry("lion", "Leo", None, "en", "UTC", "map", False)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("schema: 1", "schema: 2", "1: $.schema: 2 is newer than this program knows"),
        ("rules: 1\n", "", "1: $: `rules` is missing"),
        ("game: ur-1", "game: ../ur", "3: $.game: `../ur`: a game's name has letters"),
        ("game: ur-1", "game: ur-1\nsecret: x", "4: $.secret: unknown key"),
        ("dynasty: bull", "dynasty: cow", "$.seats[0].dynasty: `cow` should be one of"),
        ("dynasty: bull", "dynasty: pot", "5: $.seats: pot has more than one seat"),
        ("zone: America/Sao_Paulo", "zone: Atlantis", "`Atlantis` is no time zone such as UTC"),
        ("zone: America/Sao_Paulo", "zone: ../passwd", "`../passwd` is no time zone"),
        ("zone: America/Sao_Paulo", "zone: America", "`America` is no time zone"),
        ("map: list", "map: globe", "`globe` should be one of map, list"),
        ("hints: yes", "hints: true", "`true` should be one of no, yes"),
        ("name: Ana", "nmae: Ana", "$.seats[1].nmae: unknown key"),
        ("name: Ana", "name:", "$.seats[1].name: the name of a player is empty"),
        ("ana@example.org", "ana", "$.seats[1].address: `ana`: an address has one `@`"),
        ("pt-BR", "Portuguese!", "$.seats[0].language: `Portuguese!` is no language"),
        ("board: advanced", "board: round", "$.options.board: `round` should be one of"),
        ("options:", "policies: {absence: wait}\noptions:", "$.policies.absence: unknown key"),
        ("options:", "options:\n  board: standard", "keep one of them"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    text = write_game(GAME)
    assert old in text
    assert any(expected in message for message in messages(text.replace(old, new, 1)))


@pytest.mark.parametrize("text", ["", "x", "- 1", b"\xff\xfe\x00", "seats: 3", "a: [", "null"])
def test_whatever_it_is_nothing_is_raised(text: str | bytes) -> None:
    assert messages(text)


def test_seats_of_the_command_line() -> None:
    assert parse_seat("archer=Ana <ana@example.org>") == (
        SeatEntry("archer", "Ana", "ana@example.org"),
        (),
    )
    assert parse_seat(" Bull = Bo Ek ") == (SeatEntry("bull", "Bo Ek"), ())


@pytest.mark.parametrize(
    ("text", "faults"),
    [("archer", 1), ("=Ana", 1), ("cow=Ana", 1), ("archer=Ana <ana>", 1), ("archer=<a@b>", 1),
     ("archer=A\nB <a\nb@example.org>", 2), ("cow= <x>", 3), ("", 2)],
)  # fmt: skip
def test_wrong_seats_of_the_command_line(text: str, faults: int) -> None:
    seat, found = parse_seat(text)
    assert seat is None
    assert len(found) == faults


def test_two_to_four_different_seats() -> None:
    ana, bo = SeatEntry("archer", "Ana"), SeatEntry("bull", "Bo")
    assert seat_faults((ana, bo)) == []
    assert seat_faults((ana,)) == ["1 seat; two to four can play"]
    assert seat_faults((ana, ana)) == ["archer has more than one seat"]


def test_the_desk_may_be_absent() -> None:
    assert read_desk(None) == (DeskFile(), ())
    assert read_desk(write_desk(DeskFile())) == (DeskFile(), ())
    desk, problems = read_desk("schema: 1\nrules: 1\npause: yes\n")
    assert desk is None
    assert [problem.message for problem in problems] == [
        "$.pause: unknown key; known are schema, rules, keys, away, bounced, "
        "announced, pauses, handovers, dropped, confirmed, rulings, back"
    ]


def test_a_seat_without_a_zone_has_that_of_its_game() -> None:
    policies = Policies(zone="Europe/Lisbon")
    game, _ = read_game(write_game(GAME._replace(policies=policies)))
    assert game is not None
    assert [seat.zone for seat in game.seats] == [
        "Europe/Lisbon", "Europe/Lisbon", "America/Sao_Paulo",
    ]  # fmt: skip
    assert write_game(game).count("zone:") == 2
