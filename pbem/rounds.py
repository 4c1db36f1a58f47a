"""One run of a game: advance as far as the orders go. Values in, values out; no files."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import questions as q
from engine.advance import advance
from engine.default import default_order
from engine.orders import Order
from engine.pieces import Dynasty
from engine.state import State
from pbem import tidings
from pbem.answers import Unclear
from pbem.clock.bydefault import ByDefault
from pbem.judge import answers_too_early, is_for_this_turn, judge, judge_actions
from pbem.labels import question_label
from pbem.language import speaking_to
from pbem.leftover import fate_of, used_of, waits
from pbem.offers import Offer, offers, spoken_by, why_not
from pbem.problem import Problem
from pbem.recordparts import Fate
from pbem.replaced import what_was_replaced
from pbem.seats.dropped import waited_in_vain
from pbem.sheets import (
    Played,
    Sheet,
    Situation,
    actions_of,
    in_force,
    this_action,
    unserved,
)


class Told(NamedTuple):
    """A sentence for one player alone, about his own orders."""

    player: Dynasty
    text: str


class Closed(NamedTuple):
    """A file that needs to wait no longer, and why; `problems` if it was found to be illegal.

    Then it was "refused" as it came, or "dropped" when its turn began: what was to be seen only
    then is told to its writer alone. `repeated`: it had been used before and came once more.
    `lost`: what of it a newer file has replaced, in words for its writer.
    """

    sheet: Sheet
    fate: Fate
    problems: tuple[Problem, ...] = ()
    repeated: bool = False
    lost: str = ""


class Waiting(NamedTuple):
    """A file that still waits, and what of it has served: labels of questions, `PRESS`."""

    sheet: Sheet
    used: tuple[str, ...]


class Round(NamedTuple):
    """What one run comes to. `press`: the files whose press goes out with it."""

    state: State
    played: tuple[Played, ...]
    told: tuple[Told, ...]
    closed: tuple[Closed, ...]
    waiting: tuple[Waiting, ...]
    press: tuple[Sheet, ...]

    @property
    def visible(self) -> bool:
        """Whether something changed that all may see: then it is a run with a number."""
        return bool(self.played or self.press)

    @property
    def missed(self) -> tuple[tuple[Dynasty, str], ...]:
        """Who has missed his deadline, with the question; one who passes twice is named once."""
        late = (each for each in self.played if each.by == "deadline")
        return tuple({each.player: (each.player, each.label) for each in [*late][::-1]}.values())


def play_round(situation: Situation, sheets: Sequence[Sheet], late: str | None = None) -> Round:
    """Judge the new files, then play on while the player asked has an answer waiting.

    `sheets` are the readable files of all seats, of each seat the oldest first. `late`: the
    question whose time is over. Where no orders answer it, and for seats that were dropped, is
    decided what `default_order` says; an action that is let pass so takes the second with it.
    """
    return _Runner(situation, sheets, late).run()


class _Runner:
    """A run at work. `turn` holds the decisions of the turn in progress, old and new."""

    def __init__(self, situation: Situation, sheets: Sequence[Sheet], late: str | None) -> None:
        self.state = situation.state
        self.takes = situation.takes
        self.turn = list(situation.turn_so_far)
        self.absent = situation.dropped
        self.late = late
        self.sheets = list(sheets)
        self.replaced: dict[str, str] = {}
        self.closed: list[Closed] = []
        self.early: list[tuple[Sheet, tuple[Problem, ...]]] = []
        self.judged: set[str] = set()
        self.dropped: dict[str, list[str]] = {}
        self.tried: set[tuple[str, int, str]] = set()
        self.played: list[Played] = []
        self.told: list[Told] = []

    @property
    def now(self) -> Situation:
        """Where the game stands."""
        return Situation(self.state, self.takes, tuple(self.turn), self.absent)

    @property
    def label(self) -> str:
        """The name of the open question."""
        return question_label(self.state, self.takes)

    def run(self) -> Round:
        """Judge, play, and say what is left."""
        self._close_absent()
        for sheet in [sheet for sheet in self.sheets if sheet.fresh]:
            self._accept(sheet)
        self._put_in_force()
        while self._step() or self._accept_early():
            pass
        for sheet, problems in self.early:
            self.closed.append(Closed(sheet, "refused", problems))
        return self._result()

    def _close_absent(self) -> None:
        """What waits for a seat that nobody plays any more is not used; what is new is refused."""
        for sheet in [each for each in self.sheets if each.player in self.absent]:
            if not sheet.fresh:
                with speaking_to(sheet.player):
                    why = waited_in_vain()
                self.sheets.remove(sheet)
                self.closed.append(Closed(sheet, "dropped", lost=why))

    def _put_in_force(self) -> None:
        before = self.sheets
        self.sheets = in_force(before)
        for old, new in zip(before, self.sheets, strict=True):
            if old is not new:
                with speaking_to(old.player):
                    self.replaced[old.source] = what_was_replaced(old, self.sheets, self.now)

    def _accept(self, sheet: Sheet) -> None:
        """Leave a new file in force, or refuse it whole if it has faults."""
        with speaking_to(sheet.player):
            problems = judge(sheet, self.now)
        if problems and answers_too_early(sheet, self.now):
            self.sheets.remove(sheet)
            self.early.append((sheet, problems))
        elif problems:
            self._close(sheet, "refused", problems)
        elif is_for_this_turn(sheet, self.now):
            self.judged.add(sheet.source)

    def _accept_early(self) -> bool:
        """Take a file whose question has been opened by this run, as if it came only now."""
        for early in self.early:
            sheet = early[0]
            with speaking_to(sheet.player):
                fits = not judge(sheet, self.now)
            if fits:
                self.early.remove(early)
                self.sheets.append(sheet)
                if is_for_this_turn(sheet, self.now):
                    self.judged.add(sheet.source)
                self._put_in_force()
                return True
        return False

    def _close(self, sheet: Sheet, fate: Fate, problems: tuple[Problem, ...]) -> None:
        self.sheets.remove(sheet)
        self.closed.append(Closed(sheet, fate, problems))

    def _step(self) -> bool:
        """Answer the open question if somebody has said what; False: the game waits."""
        question = self.state.question
        if question is None:
            return False
        if isinstance(question, q.AskAction) and question.number == 1:
            self._turn_begins(question.player)
        offer = next(self._offers(question), None)
        if offer is None:
            return self._decide_for(question)
        with speaking_to(question.player):
            reason = why_not(question, offer, self.now)
        if reason is None:
            self._play(question, offer)
        else:
            self._drop(question.player, offer, reason)
        return True

    def _decide_for(self, question: q.Question) -> bool:
        """Decide for a player who has said nothing, if that is to be done now."""
        by = self._why_for(question)
        if by is not None:
            self._carry_out(question, default_order(self.state), by=by)
        return by is not None

    def _why_for(self, question: q.Question) -> ByDefault | None:
        """Why a player is decided for; None: the game waits for him, or nobody plays it."""
        if question.player in self.absent:
            return None if self.absent.issuperset(self.state.players) else "dropped"
        if self.label == self.late:
            return "deadline"
        before = self.turn[-1] if self.turn else None
        passes = before is not None and before.by == "deadline" and before.action is not None
        return "deadline" if passes and isinstance(question, q.AskAction) else None

    def _turn_begins(self, player: Dynasty) -> None:
        """A file that waited for this turn is judged now, and dropped whole if it has faults."""
        sheet = actions_of(player, self.sheets)
        if sheet and sheet.source not in self.judged and is_for_this_turn(sheet, self.now):
            self.judged.add(sheet.source)
            with speaking_to(player):
                problems = judge_actions(sheet, self.now).problems
            if problems:
                self._close(sheet, "dropped", problems)

    def _offers(self, question: q.Question) -> Iterator[Offer]:
        """What may be tried: nothing twice, and nothing that a run before has dropped."""
        for offer in offers(question, self.now, self.sheets):
            known = (offer.sheet.source, offer.line, self.label) in self.tried
            if not known and self.label not in offer.sheet.used:
                yield offer

    def _drop(self, player: Dynasty, offer: Offer, reason: str) -> None:
        self.tried.add((offer.sheet.source, offer.line, self.label))
        self.dropped.setdefault(offer.sheet.source, []).append(self.label)
        self.told.append(Told(player, reason))

    def _play(self, question: q.Question, offer: Offer) -> None:
        assert not isinstance(offer.answer, Unclear)
        self._carry_out(question, offer.answer, offer.sheet)

    def _carry_out(
        self,
        question: q.Question,
        order: Order,
        sheet: Sheet | None = None,
        by: ByDefault | None = None,
    ) -> None:
        before = self.state
        outcome = advance(before, question.player, order)
        sha = sheet.sha256 if sheet else None
        played = Played(self.label, before, order, outcome.events, sheet, sha, by)
        self.played.append(played)
        self.turn.append(played)
        if outcome.state.over or isinstance(outcome.state.question, q.AskAction):
            self._tell_what_lapsed()
        self.state = outcome.state
        if self.state.turn != before.turn:
            self.turn = []

    def _tell_what_lapsed(self) -> None:
        """An action is over: what was said ahead for it and never asked."""
        current = this_action(self.turn)
        for player in self.state.players:
            for spoken in spoken_by(player, self.now, self.sheets):
                if keys := unserved(spoken.riders, player, current):
                    with speaking_to(player):
                        text = tidings.lapsed(spoken.line, keys)
                    self.told.append(Told(player, text))

    def _result(self) -> Round:
        closed, waiting = list(self.closed), []
        for sheet in self.sheets:
            labels = [each.label for each in self.played if each.sheet is sheet]
            used = used_of(sheet, [*labels, *self.dropped.get(sheet.source, [])])
            if waits(sheet, used, self.now, self.sheets):
                waiting.append(Waiting(sheet, used))
            else:
                lost = self.replaced.get(sheet.source)
                tried = sheet.source in self.dropped
                replaced = lost is not None
                fate = fate_of(sheet, used, dropped=tried, replaced=replaced, now=self.now)
                closed.append(Closed(sheet, fate, lost=lost or ""))
        return Round(
            state=self.state,
            played=tuple(self.played),
            told=tuple(self.told),
            closed=tuple(closed),
            waiting=tuple(waiting),
            press=tuple(sheet for sheet in self.sheets if sheet.has_press),
        )
