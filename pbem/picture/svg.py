"""Painting a scene as SVG: a text that needs nothing from outside."""

from pbem.picture.shapes import Area, Disc, Line, Placed, Points, Ring, Scene, Shape, Symbol

_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def paint(scene: Scene, title: str, description: str) -> str:
    """The scene as an SVG document; symbols that occur again are written once."""
    named = {part.symbol.name: part.symbol for part in scene.parts if part.symbol.name}
    body = "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}"'
            f' width="{scene.width}" height="{scene.height}" role="img"'
            ' aria-labelledby="title desc">',
            f'<title id="title">{_text(title)}</title>',
            f'<desc id="desc">{_text(description)}</desc>',
            "<defs>",
            *(_definition(symbol) for symbol in named.values()),
            "</defs>",
            f'<rect width="{scene.width}" height="{scene.height}" fill="{scene.ground}"/>',
            *map(_part, scene.parts),
            "</svg>",
        )
    )
    return f"{_HEAD}{body}\n"


_written: dict[str, str] = {}


def _definition(symbol: Symbol) -> str:
    """A symbol with a name, written once."""
    if symbol.name not in _written:
        _written[symbol.name] = f'<g id="{symbol.name}">{_group(symbol)}</g>'
    return _written[symbol.name]


def _part(placed: Placed) -> str:
    if not placed.symbol.name:
        return f"<g>{_group(placed.symbol)}</g>"
    if placed.scale == 1:
        return f'<use href="#{placed.symbol.name}" x="{_n(placed.x)}" y="{_n(placed.y)}"/>'
    where = f"translate({_n(placed.x)} {_n(placed.y)}) scale({_n(placed.scale)})"
    return f'<use href="#{placed.symbol.name}" transform="{where}"/>'


def _group(symbol: Symbol) -> str:
    return "".join(map(_shape, symbol.shapes))


def _shape(shape: Shape) -> str:
    match shape:
        case Area(points, fill):
            return f'<path d="{_path(points)}Z" fill="{fill}"/>'
        case Disc(x, y, r, fill):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{fill}"/>'
        case Ring(x, y, r, colour, width):
            return (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="none" stroke="{colour}"'
                f' stroke-width="{_n(width)}"/>'
            )
        case Line(points, colour, width, dash):
            gaps = f' stroke-dasharray="{" ".join(map(_n, dash))}"' if dash else ""
            return (
                f'<path d="{_path(points)}" fill="none" stroke="{colour}"'
                f' stroke-width="{_n(width)}" stroke-linecap="round" stroke-linejoin="round"'
                f"{gaps}/>"
            )


def _path(points: Points) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """A number without needless digits."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))


def _text(words: str) -> str:
    """Text that is safe in XML: markup escaped, signs left out that XML has no place for."""
    plain = "".join(sign for sign in words if sign == "\n" or sign.isprintable())
    return plain.translate(_MARKUP)
