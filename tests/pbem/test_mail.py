"""The sample mails: what becomes of each, whom we answer, and what the answer must mention.

`--mails DIR` judges other mails of the same form. A field that this file does not know is a
failure, never something to pass over.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.verdict import Verdict
from pbem.normalform import normal_data
from tests.notes import note
from tests.pbem.mail_world import KEY, MODERATOR, Office

OWN_DATA = Path(__file__).parents[1] / "data" / "mail"
FIELDS = {
    "file", "hazard", "outcome", "orders", "reply", "reply_must_mention", "gm_alert", "note",
}  # fmt: skip
OUTCOMES = {"accept", "accept_warn", "reject", "hold", "ignore", "duplicate"}
REPLIES = {None, "sender", "registered", "sender+registered", "sender+gm"}
ORDER_FIELDS = {"game", "player", "turn", "action", "actions", "answers", "press", "note"}


def index_of(folder: Path) -> list[dict[str, Any]]:
    """The index of a folder of mails, checked."""
    cases: list[dict[str, Any]] = json.loads((folder / "index.json").read_text("utf-8"))
    for case in cases:
        assert set(case) == FIELDS, f"{case.get('file')}: {set(case) ^ FIELDS}"
        assert case["outcome"] in OUTCOMES, case["outcome"]
        assert case["reply"] in REPLIES, case["reply"]
        assert isinstance(case["gm_alert"], bool), case["gm_alert"]
        for order in case["orders"] or ():
            assert set(order) <= ORDER_FIELDS, f"{case['file']}: {set(order) - ORDER_FIELDS}"
    return cases


def store_of(name: str) -> str:
    """A fresh store for every number; 24a, 24b and 25 share one."""
    number = re.match(r"\d+", name)
    assert number, f"{name}: the name of a mail begins with its number"
    return "24" if number[0] == "25" else number[0]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A case for each store."""
    if "mails" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--mails") or OWN_DATA)
        cases = index_of(folder)
        groups: dict[str, list[dict[str, Any]]] = {}
        for case in cases:
            groups.setdefault(store_of(case["file"]), []).append(case)
        metafunc.parametrize("mails", groups.values(), ids=groups.keys())
        left = {path.name for path in folder.glob("*.eml")} - {case["file"] for case in cases}
        note(metafunc.config, f"mails: {len(cases)} of {folder.name}, {len(left)} not in the index")


def test_sample_mails(
    mails: list[dict[str, Any]], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Every mail of the index comes out as it says."""
    folder = Path(pytestconfig.getoption("--mails") or OWN_DATA)
    office = Office(tmp_path)
    for case in mails:
        data = (folder / case["file"]).read_bytes()
        verdict = office.take(data)
        assert office.store.read(verdict.entry.number).data == data
        compare(verdict, case, data)


def compare(verdict: Verdict, case: dict[str, Any], data: bytes) -> None:
    """Outcome, orders, whom we answer, what is mentioned, the moderator."""
    name = case["file"]
    letters = "\n\n".join(f"{r.to} {r.subject}\n{r.text}" for r in verdict.replies)
    assert verdict.outcome == case["outcome"], f"{name}: {verdict.outcome}\n{letters}"
    stored = [normal_data(order.file) for order in verdict.orders]
    assert stored == (case["orders"] or []), name
    assert receivers(verdict) == expected_receivers(verdict, case["reply"], data), name
    assert bool(verdict.alerts) == case["gm_alert"], f"{name}: {verdict.alerts}"
    if case["reply"]:
        text = first_letter(verdict)
        for words in case["reply_must_mention"]:
            assert mentions(text, words), f"{name}: {words!r} is missing\n{letters}"
    assert KEY not in letters, name


def mentions(text: str, words: str) -> bool:
    """Whether the words stand there as whole words, in any case."""
    return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))


def first_letter(verdict: Verdict) -> str:
    """The letter to the sender; if there is none, the only one."""
    reply = next((r for r in verdict.replies if r.audience == "sender"), verdict.replies[0])
    return f"{reply.subject}\n{reply.text}"


def receivers(verdict: Verdict) -> set[str]:
    """Whom we answer."""
    assert len({reply.to for reply in verdict.replies}) == len(verdict.replies)
    return {reply.to for reply in verdict.replies}


def expected_receivers(verdict: Verdict, reply: str | None, data: bytes) -> set[str]:
    """The addresses that `reply` speaks of."""
    found = re.search(rb"^From:.*?([\w.+-]+@[\w.-]+)", data, re.MULTILINE | re.IGNORECASE)
    sender = found[1].decode().lower() if found else ""
    named = [*verdict.orders, *verdict.held]
    seats = [order.seat for order in named] + [s for alert in verdict.alerts for s in alert.seats]
    on_file = {seat.address or "" for seat in seats}
    match reply:
        case None:
            return set()
        case "sender":
            return {sender}
        case "registered":
            return on_file
        case "sender+registered":
            return {sender} | on_file
        case "sender+gm":
            return {sender, MODERATOR}
        case _:
            raise AssertionError(reply)
