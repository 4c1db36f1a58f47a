"""How colours contrast (WCAG 2.2), for usual sight and for the kinds of colour-blind sight.

The matrices are those of Machado, Oliveira and Fernandes (2009), severity 1.0, in linear RGB.
"""

from typing import TypeAlias

Linear: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Linear, Linear, Linear]

SIGHTS: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "no colours": ((0.2126, 0.7152, 0.0722),) * 3,
}


def contrast(first: str, second: str, sight: str = "usual") -> float:
    """The contrast ratio of two colours like `#1f1a17`, from 1 to 21."""
    darker, lighter = sorted(luminance(seen(linear(each), sight)) for each in (first, second))
    return (lighter + 0.05) / (darker + 0.05)


def linear(colour: str) -> Linear:
    """A colour as linear RGB from 0 to 1."""
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return red, green, blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def seen(colour: Linear, sight: str) -> Linear:
    """The colour as eyes of this kind see it."""
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, colour, strict=True))))
        for row in SIGHTS[sight]
    )
    return red, green, blue


def luminance(colour: Linear) -> float:
    """The relative luminance of WCAG."""
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
