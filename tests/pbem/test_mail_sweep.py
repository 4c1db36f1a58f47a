"""Damaged mails: whatever is done to a mail, it ends somewhere, and it lies there as it came."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notes import note
from tests.pbem.mail_world import KEY, Office

SAMPLES = Path(__file__).parents[1] / "data" / "mail"
OUTCOMES = {"accept", "accept_warn", "reject", "hold", "ignore", "duplicate"}
HANGS = 10.0
SIGNS = ("\u00a0", "\u2028", "\u200b", "\t", "\r", "\x00", "\ufeff", "- ", "&a ", "!!x ", "> ")
WORDS = (
    b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"charset=utf-16", b"base64",
    b"=?utf-8?q?=80?=", b"game: ur-1\n", b"format=flowed", b"From: a@example.org\n", b"<!--",
)  # fmt: skip
Damage = Callable[[bytearray, int, random.Random], None]


def _noise(raw: bytearray, at: int, dice: random.Random) -> None:
    raw[at:at] = bytes(dice.choices(range(256), k=dice.randint(1, 8)))


def _gap(raw: bytearray, at: int, dice: random.Random) -> None:
    del raw[at : at + dice.randint(1, 40)]


def _slip(raw: bytearray, at: int, dice: random.Random) -> None:
    raw[at : at + 1] = bytes([dice.randrange(256)])


def _copy(raw: bytearray, at: int, dice: random.Random) -> None:
    other = dice.randrange(len(raw) + 1)
    raw[at:at] = raw[other : other + dice.randint(1, 200)]


def _row_twice(raw: bytearray, at: int, dice: random.Random) -> None:
    rows = bytes(raw).split(b"\n")
    rows.insert(at % len(rows), dice.choice(rows))
    raw[:] = b"\n".join(rows)


def _shuffled(raw: bytearray, _at: int, dice: random.Random) -> None:
    rows = bytes(raw).split(b"\n")
    if dice.random() < 0.1:
        dice.shuffle(rows)
    raw[:] = b"\n".join(rows)


def _cut(raw: bytearray, at: int, _dice: random.Random) -> None:
    del raw[at:]


def _sign(raw: bytearray, at: int, dice: random.Random) -> None:
    raw[at:at] = dice.choice(SIGNS).encode()


def _word(raw: bytearray, at: int, dice: random.Random) -> None:
    raw[at:at] = dice.choice(WORDS)


DAMAGES: tuple[Damage, ...] = (
    _noise, _gap, _slip, _copy, _row_twice, _shuffled, _cut, _sign, _word,
)  # fmt: skip


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The mail with some damage done."""
    raw = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        dice.choice(DAMAGES)(raw, dice.randrange(len(raw) + 1), dice)
    return bytes(raw)


def sweep(office: Office, number: int, seed: int) -> str:
    """Mutated mails: each ends somewhere, none breaks us, each lies there as it came."""
    mails = [path.read_bytes() for path in sorted(SAMPLES.glob("*.eml"))]
    dice = random.Random(seed)
    ends: dict[str, int] = {}
    for _ in range(number):
        data = mutated(dice.choice(mails), dice)
        start = time.perf_counter()
        verdict = office.take(data)
        assert time.perf_counter() - start < HANGS, data
        assert not any(alert.kind.startswith("broken") for alert in verdict.alerts), data
        assert verdict.outcome in OUTCOMES
        assert not any(KEY in letter.text for letter in verdict.replies), data
        assert office.store.read(verdict.entry.number).data == data
        ends[verdict.outcome] = ends.get(verdict.outcome, 0) + 1
    told = ", ".join(f"{ends[each]} {each}" for each in sorted(ends))
    return f"mutated mails: {number}; {told}"


def test_mutated_mails(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    note(pytestconfig, sweep(Office(tmp_path), 300, seed=4))


@pytest.mark.slow
def test_many_mutated_mails(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    note(pytestconfig, sweep(Office(tmp_path), 5000, seed=7))
