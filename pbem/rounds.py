"""One run of a game: advance as far as the orders go. Values in, values out; no files."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import questions as q
from engine.advance import advance
from engine.pieces import Dynasty
from engine.state import State
from pbem import tidings
from pbem.answers import Unclear
from pbem.judge import is_for_own_next_turn, is_for_this_turn, judge, judge_actions
from pbem.labels import question_label
from pbem.offers import Offer, offers, spoken_by, why_not
from pbem.problem import Problem
from pbem.record import Fate
from pbem.sheets import (
    PRESS,
    Played,
    Sheet,
    Situation,
    desk_of,
    item_for,
    this_action,
    unserved,
)


class Told(NamedTuple):
    """A sentence for one player alone, about his own orders."""

    player: Dynasty
    text: str


class Closed(NamedTuple):
    """A file that needs to wait no longer, and why; `problems` if it was refused."""

    sheet: Sheet
    fate: Fate
    problems: tuple[Problem, ...] = ()


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


def play_round(situation: Situation, sheets: Sequence[Sheet]) -> Round:
    """Judge the new files, then play on while the player asked has an answer waiting.

    `sheets` are the readable files of all seats, of each seat the oldest first.
    """
    return _Runner(situation, sheets).run()


class _Runner:
    """A run at work. `turn` holds the decisions of the turn in progress, old and new."""

    def __init__(self, situation: Situation, sheets: Sequence[Sheet]) -> None:
        self.state = situation.state
        self.takes = situation.takes
        self.turn = list(situation.turn_so_far)
        self.sheets = list(sheets)
        self.refused: list[Closed] = []
        self.dropped: set[tuple[str, int, str]] = set()
        self.played: list[Played] = []
        self.told: list[Told] = []

    @property
    def now(self) -> Situation:
        """Where the game stands."""
        return Situation(self.state, self.takes, tuple(self.turn))

    def run(self) -> Round:
        """Judge, play, and say what is left."""
        for sheet in [sheet for sheet in self.sheets if sheet.fresh]:
            self._accept(sheet, judge(sheet, self.now))
        while self._step():
            pass
        return self._result()

    def _accept(self, sheet: Sheet, problems: tuple[Problem, ...]) -> None:
        """Leave the file in force, or refuse it whole if it has faults."""
        if problems:
            self.sheets.remove(sheet)
            self.refused.append(Closed(sheet, "refused", problems))

    def _step(self) -> bool:
        """Answer the open question if somebody has said what; False: the game waits."""
        question = self.state.question
        if question is None:
            return False
        if isinstance(question, q.AskAction) and question.number == 1:
            self._turn_begins(question.player)
        offer = next(self._offers(question), None)
        if offer is None:
            return False
        reason = why_not(question, offer, self.now)
        if reason is None:
            self._play(question, offer)
        else:
            self.dropped.add(self._mark(offer.sheet, offer.line))
            self.told.append(Told(question.player, reason))
        return True

    def _turn_begins(self, player: Dynasty) -> None:
        """A file that waited for this turn is judged now."""
        sheet = desk_of(player, self.sheets).actions
        if sheet and is_for_this_turn(sheet, self.now):
            self._accept(sheet, judge_actions(sheet, self.now).problems)

    def _mark(self, sheet: Sheet, line: int) -> tuple[str, int, str]:
        """What a dropped part is known by: its file, its line, the question it was for."""
        return sheet.sha256, line, question_label(self.state, self.takes)

    def _offers(self, question: q.Question) -> Iterator[Offer]:
        for offer in offers(question, self.now, self.sheets):
            if self._mark(offer.sheet, offer.line) not in self.dropped:
                yield offer

    def _play(self, question: q.Question, offer: Offer) -> None:
        assert not isinstance(offer.answer, Unclear)
        before, label = self.state, question_label(self.state, self.takes)
        outcome = advance(before, question.player, offer.answer)
        sha256 = offer.sheet.sha256
        played = Played(label, before, offer.answer, outcome.events, offer.sheet, sha256)
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
        labels = {each.label for each in current}
        for player in self.state.players:
            for spoken in spoken_by(player, self.now, self.sheets):
                keys = unserved(spoken.riders, player, current)
                marks = {(spoken.sheet.sha256, spoken.line, label) for label in labels}
                if keys and not marks & self.dropped:
                    self.told.append(Told(player, tidings.lapsed(spoken.line, keys)))

    def _result(self) -> Round:
        closed, waiting = list(self.refused), []
        for sheet in self.sheets:
            used = self._used(sheet)
            if self._waits(sheet):
                waiting.append(Waiting(sheet, used))
            else:
                closed.append(Closed(sheet, self._fate(sheet, used)))
        return Round(
            state=self.state,
            played=tuple(self.played),
            told=tuple(self.told),
            closed=tuple(closed),
            waiting=tuple(waiting),
            press=tuple(sheet for sheet in self.sheets if _has_press(sheet)),
        )

    def _used(self, sheet: Sheet) -> tuple[str, ...]:
        labels = [each.label for each in self.played if each.sha256 == sheet.sha256]
        return (*sheet.used, *labels, *([PRESS] if _has_press(sheet) else []))

    def _waits(self, sheet: Sheet) -> bool:
        """Whether some part of a file may still be of use."""
        if self.state.over:
            return False
        if desk_of(sheet.player, self.sheets).actions is sheet and self._actions_wait(sheet):
            return True
        if isinstance(self.state.question, q.AskAction):
            return False
        current = this_action(self.turn)
        return any(
            unserved(spoken.riders, sheet.player, current)
            for spoken in spoken_by(sheet.player, self.now, self.sheets)
            if spoken.sheet is sheet
        )

    def _actions_wait(self, sheet: Sheet) -> bool:
        if is_for_own_next_turn(sheet, self.now):
            return True
        if not is_for_this_turn(sheet, self.now):
            return False
        done = sum(each.is_action for each in self.turn)
        left = [item_for(sheet, number) for number in (1, 2) if number > done]
        return any(item and self._mark(sheet, item.line) not in self.dropped for item in left)

    def _fate(self, sheet: Sheet, used: tuple[str, ...]) -> Fate:
        if not used and any(sha256 == sheet.sha256 for sha256, _, _ in self.dropped):
            return "dropped"
        has_orders = sheet.file.actions is not None or sheet.file.answers is not None
        replaced = has_orders and sheet not in desk_of(sheet.player, self.sheets)
        return "replaced" if replaced and not used else "used"


def _has_press(sheet: Sheet) -> bool:
    """Whether a file holds press that has not gone out yet."""
    return sheet.file.press is not None and PRESS not in sheet.used
