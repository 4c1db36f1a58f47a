"""The colours of the pictures. Their contrasts are checked by tests (WCAG 2.2, 1.4.3, 1.4.11)."""

from engine.pieces import Colour, Dynasty

PAPER = "#fbf6e9"  # around the board, and the light side of pieces
INK = "#1f1a17"
LAND = "#efe4c5"
LAND_LINE = "#d8c9a1"
RIVER = "#bfe0ee"
RIVER_LINE = "#a9d3e4"
WAVE = "#86bfd8"
BANK = "#2b7699"
FRAME = "#8a5400"  # the framed squares, whose treasures have priority
BACK = "#6d6259"  # face-down tiles
BACK_LINE = "#9a8f84"
STONE = "#f3ead2"  # what monuments stand on
REALM = "#6a1b7e"  # outlines of kingdoms
CHART = "#fffdf6"
GOLD = "#ffcb2f"
GOLD_LINE = "#b57b00"
SCORCHED = "#43302a"
EMBER = "#ff9d3c"
FRESH = "#fff04a"  # what changed

TILES: dict[Colour, str] = {
    "red": "#b3241c", "blue": "#1c58a6", "green": "#25702f", "black": "#2a2a2e",
}  # fmt: skip
SHADES: dict[Colour, str] = {
    "red": "#821712", "blue": "#123c75", "green": "#174d1f", "black": "#0d0d10",
}  # fmt: skip
PLAYERS: dict[Dynasty, str] = {
    "archer": "#8a4b00", "bull": "#1f3f94", "lion": "#b0207c", "pot": "#0f6f66",
}  # fmt: skip

# Which colours lie beside each other so often that their edges shall be smooth.
_SIDES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (PAPER, (INK, REALM, STONE, *TILES.values(), *PLAYERS.values())),
    (CHART, tuple(PLAYERS.values())),
    (LAND, (INK, REALM, BANK, SCORCHED, FRAME, *TILES.values(), *SHADES.values())),
    (RIVER, (INK, WAVE, BANK, REALM, SCORCHED, TILES["blue"], SHADES["blue"])),
    (STONE, (INK, *TILES.values())),
    (INK, (GOLD, FRESH, *TILES.values())),
    (EMBER, (SCORCHED,)),
    (GOLD, (GOLD_LINE,)),
    (BACK, (BACK_LINE, LAND, RIVER)),
)


def palette() -> tuple[str, ...]:
    """Every colour of the pictures, and the steps between those that meet."""
    plain = (
        PAPER, CHART, INK, LAND, LAND_LINE, RIVER, RIVER_LINE, WAVE, BANK, FRAME, BACK,
        BACK_LINE, STONE, REALM, GOLD, GOLD_LINE, SCORCHED, EMBER, FRESH,
        *TILES.values(), *SHADES.values(), *PLAYERS.values(),
    )  # fmt: skip
    steps = [_between(a, b) for a, others in _SIDES for b in others]
    return tuple(dict.fromkeys((*plain, *steps)))


def _between(first: str, second: str) -> str:
    """The colour in the middle of two."""
    pairs = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{(a + b) // 2:02x}" for a, b in pairs)
