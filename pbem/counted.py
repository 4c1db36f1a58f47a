"""How many there are of a thing, in words: `1 game`, `2 games`."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """The number with its noun; `many`: where the plural is not made with an s."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
