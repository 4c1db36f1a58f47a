"""`pbem trace`: what became of the orders of a seat for a turn, from raw mail to execution."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine.pieces import Dynasty
from pbem.clock import write_time
from pbem.commands.guard import chosen, guarded, seat_named
from pbem.language import when
from pbem.lines import quoted
from pbem.mail.config import MailConfig
from pbem.mail.inbox import reason
from pbem.mail.ledger import FOLDER
from pbem.mail.mailtrace import TracedMail, hashes_of, mails_of, settled
from pbem.mail.ruling import VOUCHED
from pbem.mail.sending import usable
from pbem.orderkey import hide_key
from pbem.origin import BY_MODERATOR
from pbem.outcome import DAMAGED, Outcome, Settings
from pbem.overview.tracing import Executed, Stored, decisions_of, files_of
from pbem.store import Game, GameFolder

_TURN = re.compile(r"[1-9][0-9]{0,5}[a-z]{0,3}")
_BY_ITSELF = {
    "deadline": "decided by the deadline, for the seat had not answered",
    "dropped": "decided for the seat, for nobody plays it",
    BY_MODERATOR: "entered by the moderator",
}


class Step(NamedTuple):
    """One thing that happened. `when` is None for what still waits."""

    when: datetime | None
    title: str
    lines: tuple[str, ...]
    data: dict[str, Any]
    fault: str = ""


class _Traced(NamedTuple):
    """The game that is looked at, and where its mails lie."""

    games: Path
    folder: GameFolder
    game: Game
    player: Dynasty
    turn: str
    config: MailConfig


def trace(settings: Settings, name: str, turn: str, seat: str) -> Outcome:
    """Tell all that is kept of the orders of a seat for a turn, in the order of time."""
    outcome = Outcome()
    config = usable(settings, outcome)
    for folder in chosen(settings, [name], outcome, archived=True) if config else []:
        with guarded(outcome, folder):
            game = folder.load()
            player = seat_named(outcome, folder, game, seat)
            if not _TURN.fullmatch(turn) or player is None:
                if player is not None:
                    outcome.misuse(f"`{turn}` should be the name of a turn such as 7 or 7b")
                continue
            games = folder.games if (folder.games / FOLDER).is_dir() else settings.games
            _trace(outcome, _Traced(games, folder, game, player, turn, config or MailConfig()))
    return outcome


def _trace(outcome: Outcome, traced: _Traced) -> None:
    name = traced.game.file.game
    steps = _steps(traced)
    outcome.wanted = True
    outcome.say(f"This page shows what {traced.player} ordered in {name}, turn {traced.turn}.")
    if not steps:
        outcome.say("", "Nothing is kept of it: no mail, no order file, no decision.")
    for step in steps:
        at = when(step.when) if step.when else "Now"
        outcome.say("", f"{at}: {step.title}", *(f"    {line}".rstrip() for line in step.lines))
    outcome.games.append(
        {"game": name, "player": traced.player, "turn": traced.turn,
         "steps": [{"when": write_time(s.when) if s.when else None, **s.data} for s in steps]}
    )  # fmt: skip
    for step in steps:
        if step.fault:
            outcome.complain(DAMAGED, f"{name}: {step.fault}", game=name, kind="trace")


def _steps(traced: _Traced) -> list[Step]:
    """All of it, oldest first; what happened at the same time in the order of its causes."""
    folder, player, turn = traced.folder, traced.player, traced.turn
    executed = decisions_of(folder, player, turn)
    stored = files_of(folder, player, turn, executed)
    name = traced.game.file.game
    mails = mails_of(traced.games, folder.path, name, player, turn, traced.config)
    steps = [step for mail in mails for step in _mail_steps(mail, traced)]
    steps += [_file_step(each) for each in stored]
    steps += [_decision_step(each, stored, traced) for each in executed]
    timed = sorted((step for step in steps if step.when), key=_time)
    return [*timed, *(step for step in steps if not step.when)]


def _time(step: Step) -> datetime:
    assert step.when is not None
    return step.when


def _mail_steps(mail: TracedMail, traced: _Traced) -> Iterator[Step]:
    """The arrival of a mail with how it was judged, then each letter that answered it."""
    last = mail.judged[-1]
    hidden = traced.game.file.policies.anonymous
    proven, _, sender = last.identity.partition(":")
    itself = proven == "proven" and not any(VOUCHED in each.why for each in mail.judged)
    who = "its sender" if hidden or not sender else sender
    known = "not shown, the game is anonymous" if hidden else last.message_id
    sure = "proven" if itself else "not proven"
    judged = [_judged(each) for each in mail.judged]
    lines = [
        f"from {who} ({sure}), dated {mail.date or 'not at all'}, Message-ID {known}",
        f"{mail.path or 'the mail itself is gone'}",
        f"SHA-256 {mail.sha256}: {_whole(mail)}" if mail.path else "",
        f"judged: {'; then '.join(judged)}",
    ]
    orders = [hide_key(file.text).strip("\n") for file in mail.files]
    lines += [row for text in orders for row in quoted(text).split("\n")]
    data = {
        "step": "mail", "mail": mail.number, "proven": itself,
        "date": mail.date, "message_id": known, "file": str(mail.path or ""),
        "sha256": mail.sha256, "whole": mail.whole, "orders": orders,
        "judged": [{"outcome": e.outcome, "why": list(e.why)} for e in mail.judged],
    }  # fmt: skip
    fault = "" if mail.whole else f"mail {mail.number} is not what was stored"
    title = f"mail {mail.number} arrived"
    yield Step(last.arrival, title, tuple(line for line in lines if line), data, fault)
    for letter in mail.letters:
        at, to = settled(letter), "the address on file" if hidden else letter.address
        title = f"letter {letter.key} to {to}: {letter.state}"
        state = {"step": "letter", "letter": letter.key, "state": letter.state}
        lines = [f"written {when(letter.written)}"]
        lines += [letter.why] if letter.why and not hidden else []
        yield Step(at or letter.written, title, tuple(lines), state)


def _judged(entry: Any) -> str:
    if entry.outcome == "hold":
        return f"held: {reason(entry)}"
    codes = f" ({', '.join(entry.why)})" if entry.why else ""
    words = {"accept": "accepted", "accept_warn": "accepted with a remark", "reject": "refused",
             "refused": "refused by the moderator", "ignore": "ignored",
             "duplicate": "the same as an earlier one"}  # fmt: skip
    return f"{words.get(entry.outcome, entry.outcome)}{codes}"


def _whole(mail: TracedMail) -> str:
    if not mail.expected:
        return "computed now, the mail was imported"
    return "as it was stored" if mail.whole else f"IT WAS STORED WITH {mail.expected}"


def _file_step(stored: Stored) -> Step:
    """An order file of the game."""
    source = f"from {stored.source}" if stored.source else "no mail: it was put into orders/"
    text = hide_key(stored.text).strip("\n")
    lines = [f"{source}; SHA-256 {stored.sha256}", *quoted(text).split("\n")]
    if stored.told:
        lines += ["its sender was told:", *quoted(hide_key(stored.told)).split("\n")]
    data = {"step": "file", "file": stored.name, "mail": stored.source, "fate": stored.fate,
            "sha256": stored.sha256, "orders": text}  # fmt: skip
    return Step(stored.when, f"{stored.name}: {stored.fate}", tuple(lines), data)


def _decision_step(each: Executed, stored: list[Stored], traced: _Traced) -> Step:
    """A decision that was carried out, and whether its hash is that of its source."""
    decision = each.decision
    fits, said = _fits(each, stored, traced)
    back = ", taken back since" if each.undone else ""
    title = f"run {each.run}{back}: question {decision.question}: {decision.order}"
    data = {"step": "decision", "run": each.run, "question": decision.question,
            "order": decision.order, "source": decision.source, "sha256": decision.sha256,
            "undone": each.undone, "fits": fits}  # fmt: skip
    fault = f"run {each.run}: {said}" if fits is False else ""
    return Step(decision.when, title, (said,), data, fault)


def _fits(each: Executed, stored: list[Stored], traced: _Traced) -> tuple[bool | None, str]:
    """Whether what a decision was read from still lies there; None if there is nothing to lie."""
    source, sha256 = each.decision.source, each.decision.sha256
    if sha256 is None:
        return None, _BY_ITSELF.get(source or "", f"from {source or 'no file'}")
    if source and source.startswith("mail "):
        number = int(source.removeprefix("mail "))
        fits = sha256 in hashes_of(traced.games, traced.folder.path, number)
    else:
        fits = any(file.sha256 == sha256 for file in stored)
    if fits:
        return True, f"from {source}; its hash fits"
    return False, f"from {source}; NOTHING THAT LIES HERE HAS ITS HASH {sha256}"
