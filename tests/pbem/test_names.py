"""What may be the name of a game, a player or an address, and what may not."""

import pytest

from pbem.names import (
    address_fault,
    game_name_fault,
    language_fault,
    player_name_fault,
    same_name,
)


@pytest.mark.parametrize("name", ["ur-1", "Ur_2.b", "7", "x" * 40, "console", "a.con"])
def test_good_names_of_games(name: str) -> None:
    assert game_name_fault(name) is None


@pytest.mark.parametrize(
    "name",
    ["", "x" * 41, "a b", "a/b", "..", ".", ".hidden", "_templates", "pbem.yaml", "PBEM.x", "a\n",
     "a\\b", "a:b", "ä", "con", "NUL", "nul.txt", "Com1", "lpt9.x", "-x", "x.", "a\x00", "a\u202e"],
)  # fmt: skip
def test_bad_names_of_games(name: str) -> None:
    fault = game_name_fault(name)
    assert fault is not None
    assert fault.isprintable()


def test_game_names_are_the_same_regardless_of_case() -> None:
    assert same_name("Ur-1", "uR-1")
    assert not same_name("ur-1", "ur-2")


@pytest.mark.parametrize(
    "name", ["Ana", "Ana María d'Ur", "李雷", "نم\u200cم", "x" * 80, "R2-D2 <3"]
)
def test_good_names_of_players(name: str) -> None:
    assert player_name_fault(name) is None


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 81, " Ana", "Ana ", "A\nB", "A\rB", "A\tB", "A\x1b[1m", "A\u202eB", "A\u2028B",
     "A\u2066B", "\ufeffA", "A\u200eB", "A\x85B", "A\ud800"],
)  # fmt: skip
def test_bad_names_of_players(name: str) -> None:
    fault = player_name_fault(name)
    assert fault is not None
    assert fault.isprintable()


@pytest.mark.parametrize(
    "address", ["ana@example.org", "a.b+c@mail.example.org", "x@localhost", "o'neil@example.org"]
)
def test_good_addresses(address: str) -> None:
    assert address_fault(address) is None


@pytest.mark.parametrize(
    "address",
    ["", "ana", "ana@", "@example.org", "a@b@c", "a b@example.org", "ana@example.org\nBcc: x",
     "ana@exa mple.org", "<ana@example.org>", "-oX@example.org", "ana@.org", "ana@example..org",
     "a,b@example.org", "a;b@example.org", "x" * 250 + "@x.org", "ana@example.org\x00",
     "ana\u202e@example.org", '"a b"@example.org'],
)  # fmt: skip
def test_bad_addresses(address: str) -> None:
    fault = address_fault(address)
    assert fault is not None
    assert fault.isprintable()


def test_languages() -> None:
    assert language_fault("en") is None
    assert language_fault("pt-BR") is None
    assert language_fault("xx") == "xx is no language of reports: en or pt"
    for wrong in ("", "English", "../en", "e", "en\n", "x" * 100):
        assert language_fault(wrong)
