"""What players are told when the moderator takes runs back, or plays for them."""

from collections.abc import Iterable

from pbem.language import _


def taken_back(runs: tuple[int, int], back_to: int, turn: int, label: str) -> str:
    """That the moderator took runs back; every reader is told."""
    goes_on = _(
        "The game goes on as it stood after run %(run)s; the turn is called %(label)s now, and "
        "its questions %(label)s.1 and so on. Orders sent before for turn %(turn)s or later are "
        "not used: send new ones.",
        run=back_to,
        label=label,
        turn=turn,
    )
    return f"{_took_back(runs)} {goes_on}"


def played_again(runs: tuple[int, int], until: str | None, label: str) -> str:
    """That the moderator took runs back and played them again; `until`: up to this question."""
    if until is None:
        again = _("All decisions taken back were played again.")
    else:
        again = _(
            "The decisions taken back were played again as far as they fit; the one at question "
            "%(until)s and those after it were not. The game goes on from there.",
            until=until,
        )
    called = _(
        "The turn is called %(label)s now, and its questions %(label)s.1 and so on.", label=label
    )
    return f"{_took_back(runs)} {again} {called}"


def _took_back(runs: tuple[int, int]) -> str:
    first, last = runs
    if first == last:
        return _("The moderator took back run %(run)s.", run=first)
    return _("The moderator took back runs %(first)s to %(last)s.", first=first, last=last)


def because(reason: str) -> str:
    """Why the moderator did something."""
    return _("The reason: %(reason)s", reason=reason)


def not_played_again(label: str, order: str, asked: str | None) -> str:
    """A decision that does not fit any more; `asked`: what its writer is asked now, if he is."""
    gone = _(
        "What you decided at question %(label)s, %(order)s, does not fit the mended game and was "
        "not played again.",
        label=label,
        order=order,
    )
    if asked is None:
        return gone
    anew = _("You are asked anew: %(asked)s.", asked=asked)
    return f"{gone} {anew}"


def no_longer_waits() -> str:
    """A file that waited when runs were played again, for a turn that has another name now."""
    return _(
        "An order file of yours that waited is not in force any more: the turn it was for has "
        "another name now. If you still want it, send it again with that name."
    )


def entered_for(decisions: Iterable[tuple[str, str]]) -> str:
    """That the moderator entered orders for the reader: questions with what was decided."""
    said = "; ".join(f"{label} {order}" for label, order in decisions)
    return _("The moderator entered this for you: %(said)s.", said=said)
