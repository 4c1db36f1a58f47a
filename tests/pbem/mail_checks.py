"""What tests of mail say again and again: accepted, or refused with these words."""

from pbem.mail.verdict import Verdict
from pbem.normalform import normal_data

ACTIONS = [{"tile": "temple", "at": "F4"}, {"leader": "king", "at": "F5"}]


def words_of(verdict: Verdict) -> str:
    """All letters of a verdict."""
    return "\n".join(f"{r.to} {r.subject}\n{r.text}" for r in verdict.replies)


def accepted(verdict: Verdict, *, warned: bool | None = None, note: str | None = None) -> None:
    """The usual orders were stored."""
    assert verdict.outcome in ("accept", "accept_warn"), words_of(verdict)
    if warned is not None:
        assert (verdict.outcome == "accept_warn") == warned, words_of(verdict)
    (order,) = verdict.orders
    data = normal_data(order.file)
    assert data["actions"] == ACTIONS
    assert note is None or data["note"] == note


def refused(verdict: Verdict, *words: str) -> None:
    """Nothing was stored, and the letter says why."""
    assert verdict.outcome == "reject", (verdict.outcome, words_of(verdict))
    assert verdict.orders == ()
    for word in words:
        assert word.lower() in words_of(verdict).lower(), words_of(verdict)
