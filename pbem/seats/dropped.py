"""What the player of a seat that was dropped is told about his own orders."""

from pbem.language import _


def seat_dropped() -> str:
    """Orders for a seat that nobody plays any more."""
    return _(
        "this seat plays no more, because it did not answer in time too often; if you want to "
        "come back, write to the moderator"
    )


def waited_in_vain() -> str:
    """A file that waited when its seat was dropped."""
    return _(
        "Your order file that waited is not used any more: your seat plays no more, because it "
        "did not answer in time too often."
    )
