"""The picture of the board: what is on it, where, and that all get the same."""

import hashlib
import io
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engine import view as v
from engine.maps import BoardName
from engine.pieces import COLOURS, DYNASTIES, LEADERS, PAIRS
from engine.sight import view
from engine.squares import SQUARES
from engine.state import State
from pbem.picture import board_png, board_svg
from pbem.picture.board import corner
from pbem.picture.colours import EMBER, FRESH, GOLD, INK, LAND, PAPER, REALM, RIVER, TILES
from pbem.picture.emblems import badge, emblem
from pbem.picture.png import SHARP, paint
from pbem.picture.scene import board_scene, facts
from pbem.picture.shapes import Placed, Scene, Shape, Symbol, bounds_of
from pbem.picture.tiles import CELL, glyph
from tests.pbem.picture.boards import fighting, full_board, states, views
from tests.pbem.test_reports import redeal

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("kingdom-", "attack-", "defence-", "name-", "legend-")
BOARDS: tuple[BoardName, ...] = ("standard", "advanced")


def opened(png: bytes) -> Image.Image:
    """The picture in a PNG file."""
    return Image.open(io.BytesIO(png))


def names(scene: Scene) -> list[str]:
    """The names of the symbols on a scene."""
    return [part.symbol.name for part in scene.parts]


def scene_of(state: State, changed: Iterable[str] = ()) -> Scene:
    return board_scene(facts(view(state, "public")), set(changed))


@pytest.mark.parametrize("name", BOARDS)
def test_every_kind_of_piece_appears(name: BoardName) -> None:
    state = full_board(name)
    found = names(scene_of(state, ["E9"]))
    wanted = [
        f"board-{name}", "tile-back", "catastrophe", "treasure", "frame", "changed",
        *(f"tile-{colour}" for colour in COLOURS),
        *(f"leader-{leader.dynasty}-{leader.colour}" for leader in LEADERS),
        *(f"monument-{'-'.join(pair)}" for pair in PAIRS),
    ]  # fmt: skip
    assert set(wanted) <= set(found)
    assert found.count("treasure") == len(view(state, "public").treasures)


def test_every_sign_looks_different() -> None:
    """Drawn on the same square, no two signs give the same pixels, nor grey ones that are close."""
    known = facts(view(full_board(), "public"))
    signs = [
        "..", "##", "xx", "x*", *(f"{c}{g}" for c in "rbgk" for g in ".*"),
        *(f"{d}{c}" for d in "ABLP" for c in "rbgk"),
    ]  # fmt: skip
    left, top = (int(SHARP * place) for place in corner("H11"))
    crops = {}
    for sign in signs:
        rows = [list(row) for row in known.cells]
        rows[10][7] = sign
        cells = tuple(map(tuple, rows))
        scene = board_scene(known._replace(cells=cells, kingdoms=()))
        crops[sign] = painted(scene).crop((left, top, left + 2 * CELL, top + 2 * CELL))
    for one, other in combinations(signs, 2):
        difference = ImageChops.difference(crops[one].convert("L"), crops[other].convert("L"))
        changed = sum(difference.point(lambda value: 255 * (value > 60)).histogram()[128:])
        assert changed > 40, (one, other)


def painted(scene: Scene) -> Image.Image:
    """A scene as an image in colours."""
    return opened(paint(scene)).convert("RGB")


def test_tiles_and_dynasties_differ_by_shape_alone() -> None:
    """In one colour, any two signs share well under their whole area."""
    glyphs = {colour: shape_of(glyph(colour, "#000000", PAPER)) for colour in COLOURS}
    emblems = {dynasty: shape_of(emblem(dynasty, "#000000", PAPER)) for dynasty in DYNASTIES}
    for kind in (glyphs, emblems):
        for (one, first), (other, second) in combinations(kind.items(), 2):
            both = area(ImageChops.darker(first, second))
            either = area(ImageChops.lighter(first, second))
            assert both / either < 0.72, (one, other)


def shape_of(shapes: tuple[Shape, ...]) -> Image.Image:
    """What is dark, as white on black."""
    scene = Scene(40, 40, PAPER, (Placed(Symbol("", shapes), 1, 1),))
    return painted(scene).convert("L").point(lambda value: 255 * (value < 128))


def area(image: Image.Image) -> int:
    return image.histogram()[255]


def test_labels_never_hide_each_other() -> None:
    for shown in views():
        scene = board_scene(facts(shown), frozenset(SQUARES[::5]))
        labels = [
            (part.symbol.name, bounds_of(part))
            for part in scene.parts
            if part.symbol.name.startswith(LABELS)
        ]
        for (one, here), (other, there) in combinations(labels, 2):
            assert not here.meets(there), (one, other)


def test_nothing_hangs_over_the_edge() -> None:
    for shown in views():
        scene = board_scene(facts(shown), SQUARES)
        for part in scene.parts:
            left, top, right, bottom = bounds_of(part)
            assert left >= 0, part.symbol.name
            assert top >= 0, part.symbol.name
            assert right <= scene.width, part.symbol.name
            assert bottom <= scene.height, part.symbol.name


def test_kingdoms_have_their_number_and_one_outline_each() -> None:
    for shown in views():
        found = names(board_scene(facts(shown)))
        numbers = [name for name in found if name.startswith("kingdom-")]
        assert numbers == [f"kingdom-{i}" for i in range(1, len(shown.kingdoms) + 1)]
        assert found.count("") == len(shown.kingdoms)


def test_both_strengths_stand_beside_the_leaders() -> None:
    """One pair for each conflict that is open; in a war the uniting tile is marked."""
    tried = set()
    for shown in filter(fighting, views()):
        scene = board_scene(facts(shown))
        asked = shown.asked
        assert isinstance(asked, v.SupportAsked | v.WarAsked)
        conflicts = asked.wars if isinstance(asked, v.WarAsked) else (asked.conflict,)
        tried.add((type(asked), conflicts[0].union is None))
        for conflict in conflicts:
            sent = getattr(asked, "sent", None)
            more = "" if sent is None else f"and{sent}"
            near(scene, f"attack-{conflict.attack.strength}{more}", conflict.attack.at)
            near(scene, f"defence-{conflict.defence.strength}", conflict.defence.at)
        assert names(scene).count("union") == (conflicts[0].union is not None)
    assert len(tried) == 3


def near(scene: Scene, name: str, square: str) -> None:
    """Fails unless a symbol of this name reaches into the square."""
    around = bounds_of(Placed(Symbol("", (badge("lion", "#000000").shapes[0],)), *corner(square)))
    places = [bounds_of(part) for part in scene.parts if part.symbol.name == name]
    assert any(place.meets(around) for place in places), name


def test_changed_squares_are_marked() -> None:
    scene = scene_of(full_board(), ["A1", "P11", "Z9"])
    marks = [(part.x, part.y) for part in scene.parts if part.symbol.name == "changed"]
    assert marks == [corner("A1"), corner("P11")]


def test_a_name_stands_for_one_drawing() -> None:
    """What is kept under a name is the same in every picture."""
    drawn: dict[str, Symbol] = {}
    for shown in views():
        for part in board_scene(facts(shown)).parts:
            if part.symbol.name:
                assert drawn.setdefault(part.symbol.name, part.symbol) == part.symbol


@pytest.mark.parametrize("name", BOARDS)
def test_png(name: BoardName) -> None:
    """Twice the width of a mail, small, in a palette that keeps the colours as they are."""
    png = board_png(view(full_board(name), "public"), frozenset({"E9"}))
    image = opened(png)
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1280, 960))
    assert len(png) < 90_000
    colours = image.convert("RGB").getcolors(256) or []
    found = {"#" + bytes(colour).hex() for _, colour in colours if isinstance(colour, tuple)}
    wanted = {PAPER, LAND, RIVER, INK, REALM, FRESH, GOLD, EMBER, *TILES.values()}
    assert wanted <= found


def test_usual_sizes() -> None:
    """No position of a game needs more than 80 kB."""
    sizes = [len(board_png(shown)) for shown in list(views())[::8]]
    assert max(sizes) < 80_000
    assert max(len(board_svg(shown)) for shown in views()) < 120_000


def test_svg_is_whole() -> None:
    """XML that refers to nothing but itself, and has title and description."""
    text = board_svg(view(full_board(), "public"), {"E9"}, title="<b>&\x00\x1b[2J", description="d")
    root = ET.fromstring(text)
    assert root.findtext(f"{SVG}title") == "<b>&[2J"
    assert root.findtext(f"{SVG}desc") == "d"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    for element in root.iter():
        assert element.tag in {SVG + tag for tag in TAGS}, element.tag
        href = element.get("href")
        assert href is None or href.removeprefix("#") in ids
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


TAGS = ("svg", "title", "desc", "defs", "g", "path", "circle", "rect", "use")


def test_svg_tells_what_lies_where() -> None:
    """Without other words the description is the map, kingdom by kingdom."""
    shown = view(full_board(), "public")
    words = ET.fromstring(board_svg(shown)).findtext(f"{SVG}desc") or ""
    for square, sign in zip(SQUARES, (sign for row in shown.cells for sign in row), strict=True):
        assert (f"{square} {sign}" in words) == (sign not in ("..", "~~"))


def test_all_seats_get_the_same_bytes() -> None:
    """Whatever is dealt, and whoever looks on; a redeal of the hidden things changes nothing."""
    rng = random.Random(3)
    for state in states()[::11]:
        public = view(state, "public")
        png, svg = board_png(public), board_svg(public)
        viewers: tuple[v.Viewer, ...] = (*state.players, "public")
        for viewer in viewers:
            other, _ = redeal(state, {viewer: []}, viewer, rng)
            shown = view(other, viewer)
            assert (board_png(shown), board_svg(shown)) == (png, svg)


def test_the_same_bytes_in_another_process() -> None:
    """No order of a set, no clock, no font of the machine."""
    script = (
        "import hashlib, sys\n"
        "from engine.sight import view\n"
        "from pbem.picture import board_png, board_svg\n"
        "from tests.pbem.picture.boards import full_board\n"
        "shown = view(full_board(), 'public')\n"
        "data = board_png(shown, {'A1', 'E9'}) + board_svg(shown, {'A1', 'E9'}).encode()\n"
        "print(hashlib.sha256(data).hexdigest())\n"
    )
    shown = view(full_board(), "public")
    data = board_png(shown, {"E9", "A1"}) + board_svg(shown, {"E9", "A1"}).encode()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True, timeout=120,
        )  # fmt: skip
        assert run.stdout.strip() == hashlib.sha256(data).hexdigest()


def test_the_moderators_picture_is_the_same() -> None:
    """It is drawn once a run for everybody, though he sees everything."""
    for state in states()[::30]:
        assert board_png(view(state, "moderator")) == board_png(view(state, "public"))


def test_no_kept_drawing_changes_a_later_picture() -> None:
    """The first picture of a process and a later one are the same."""
    from pbem.picture import png

    first = view(full_board(), "public")
    before = board_png(first)
    for shown in list(views())[::20]:
        board_png(shown)
    png._kept.clear()
    assert board_png(first) == before


def test_an_empty_board() -> None:
    """Nothing but the map."""
    state = full_board()
    bare = state.board._replace(tiles=type(state.board.tiles)(), treasures=0, facedown=0,
                   catastrophes=0, leaders=(0,) * len(LEADERS))  # fmt: skip
    scene = scene_of(state._replace(board=bare, monuments=()))
    assert "" not in names(scene)
    assert names(scene).count("frame") == 4


def test_pillow_is_imported_only_for_a_png() -> None:
    """Start-up time matters."""
    script = (
        "import sys, pbem.picture\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'PIL']\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=60)
