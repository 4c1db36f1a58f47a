"""Letters that wait: each is sent once, whatever breaks, and nothing of it is forgotten."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from pbem import disk
from pbem.mail.config import Addresses, Limits, MailConfig, Outgoing
from pbem.mail.dispatch import CRASHED, Dispatched, dispatch
from pbem.mail.faults import Fault, ServerFault
from pbem.mail.letters import Attachment, Kind, Letter, compose, report_key, subject
from pbem.mail.outbox import Entry, Outbox, read_entry, write_entry
from pbem.mail.transport import Answer, SendmailCarrier

US = Addresses("orders@example.org", domain="example.org")
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
CONFIG = MailConfig(US)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether files are synced matters only to a machine that loses its power."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


class Crash(BaseException):
    """The program is killed here."""


class Post:
    """A carrier without a server: keeps what was given, answers as it is told."""

    def __init__(self, answers: Callable[[str], Answer | None] = lambda _: None) -> None:
        self.arrived: list[tuple[str, bytes]] = []
        self.answers = answers
        self.closed = 0

    def open(self) -> None:
        """Always there."""

    def close(self) -> None:
        """Count it."""
        self.closed += 1

    def send(self, letter: Path, address: str, given: Callable[[], None]) -> Answer:
        """The other side has the letter from the moment `given` returns."""
        data = letter.read_bytes()
        answer = self.answers(address)
        if answer is None or answer.kind == "unsure":
            given()
            self.arrived.append((address, data))
        return answer or Answer("sent", "250 taken")

    @property
    def keys(self) -> list[str]:
        """The keys of all that arrived."""
        ids = (message_from_bytes(data)["Message-ID"] for _, data in self.arrived)
        return [str(each).partition("@")[0].removeprefix("<") for each in ids]


def letter(run: int, address: str, game: str = "ur-1", kind: Kind = "report") -> Letter:
    """A letter on a run."""
    words = subject(game, str(run), "yours" if run % 2 else "bull")
    form = (Attachment(f"{game}-archer.yaml", f"game: {game}\nturn: {run}\n"),)
    key, when = report_key(game, run, "archer"), NOON + timedelta(minutes=run)
    mine = run % 2 == 1
    return Letter(
        key, kind, address, "Ada", words, f"Text {run}\n", when, game, forms=form, mine=mine
    )


def put(games: Path, one: Letter) -> bool:
    """Lay it into the outbox of its game."""
    box = Outbox(games / str(one.game) / "outbox")
    return box.put(Entry(one.key, one.address, one.kind, one.written), compose(one, US))


def run(
    games: Path, post: Post, minutes: int = 60, config: MailConfig = CONFIG, **more: object
) -> Dispatched:
    """One run of `pbem mail out` some minutes after noon."""
    config = config._replace(**more)  # type: ignore[arg-type]
    folders = sorted(path for path in games.iterdir() if not path.name.startswith("_"))
    return dispatch(games, folders, config, post, lambda: NOON + timedelta(minutes=minutes))


def states(games: Path) -> dict[str, str]:
    """Every letter with its state, wherever it lies."""
    found: dict[str, str] = {}
    for path in games.glob("*/outbox/**/*.yaml"):
        entry, problems = read_entry(path.read_bytes(), path.stem)
        assert entry is not None, problems
        assert path.with_suffix(".eml").exists()
        found[entry.key] = entry.state
    return found


def test_a_letter_is_sent_once(tmp_path: Path) -> None:
    one, post = letter(1, "ada@example.org"), Post()
    assert put(tmp_path, one)
    done = run(tmp_path, post)
    assert (done.sent, done.waiting) == (1, 0)
    assert post.arrived == [("ada@example.org", compose(one, US))]
    assert states(tmp_path) == {one.key: "sent"}
    assert not put(tmp_path, one)
    assert run(tmp_path, post).sent == 0
    assert post.closed == 2


def test_the_same_letter_is_laid_in_once(tmp_path: Path) -> None:
    assert put(tmp_path, letter(1, "ada@example.org"))
    assert not put(tmp_path, letter(1, "ada@example.org")._replace(text="Other\n"))
    post = Post()
    run(tmp_path, post)
    assert b"Text 1" in post.arrived[0][1]


def test_letters_are_for_their_owner_only(tmp_path: Path) -> None:
    put(tmp_path, letter(1, "ada@example.org"))
    run(tmp_path, Post())
    for path in tmp_path.rglob("*"):
        if path.name != "ur-1":
            assert path.stat().st_mode & 0o077 == 0, path


def test_without_a_way_out_letters_stay(tmp_path: Path) -> None:
    put(tmp_path, letter(1, "ada@example.org"))
    done = dispatch(tmp_path, [tmp_path / "ur-1"], CONFIG, None, lambda: NOON)
    assert (done.sent, done.waiting) == (0, 1)
    found = {path.name for path in (tmp_path / "ur-1/outbox").iterdir()}
    assert found - {".lock"} == {"0001-archer-1.ur-1.eml", "0001-archer-1.ur-1.yaml"}


def test_a_try_that_failed_is_made_again_later_and_later(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    post = Post(lambda _: Answer("later", "451 greylisted"))
    tries = []
    for minutes in range(0, 24 * 60, 5):
        if run(tmp_path, post, minutes).later:
            tries.append(minutes)
    assert tries[:8] == [0, 5, 15, 35, 75, 155, 315, 635]
    assert tries[8] - tries[7] == 360
    (entry,) = Outbox(tmp_path / "ur-1/outbox").entries()
    assert (entry.state, entry.tries, entry.why) == ("waiting", len(tries), "451 greylisted")
    post.answers = lambda _: None
    assert run(tmp_path, post, 24 * 60 + 360).sent == 1


def test_a_letter_that_cannot_be_sent_for_days_is_given_up(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    post = Post(lambda _: Answer("later", "451 full"))
    run(tmp_path, post)
    (failed,) = run(tmp_path, post, 121 * 60).failed
    assert failed.why == "it waited for too long; 451 full"
    assert states(tmp_path) == {failed.key: "failed"}


def test_a_letter_that_is_refused_stops_nobody(tmp_path: Path) -> None:
    for number, name in enumerate(("ada", "nobody", "bo")):
        put(tmp_path, letter(number, f"{name}@example.org"))
    post = Post(lambda address: Answer("never", "550 no") if "nobody" in address else None)
    done = run(tmp_path, post)
    assert (done.sent, [entry.why for entry in done.failed]) == (2, ["550 no"])
    assert run(tmp_path, post).failed == ()


def test_a_server_that_is_gone_stops_the_run(tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path, letter(number, f"box{number}@example.org"))

    def gone(address: str) -> Answer | None:
        if address.startswith("box1"):
            raise ServerFault(Fault("refused", "here"))
        return None

    done = run(tmp_path, Post(gone))
    assert (done.sent, done.waiting) == (1, 2)
    assert done.fault == Fault("refused", "here")
    (one, _) = Outbox(tmp_path / "ur-1/outbox").entries()
    assert one.tries == 0


def test_a_letter_in_doubt_is_held_and_named(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    post = Post(lambda _: Answer("unsure", "no answer"))
    for _ in range(3):
        (doubtful,) = run(tmp_path, post).unsure
        assert doubtful.entry.why == "no answer"
    assert len(post.arrived) == 1


def test_a_letter_in_doubt_goes_again_if_that_is_wanted(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    post = Post(lambda _: Answer("unsure", "no answer"))
    again = CONFIG._replace(outgoing=Outgoing(unsure="again"))
    assert run(tmp_path, post, config=again).waiting == 1
    post.answers = lambda _: None
    assert run(tmp_path, post, 74, config=again).sent == 0
    assert run(tmp_path, post, 75, config=again).sent == 1
    assert len(set(post.keys)) == 1


def test_a_moderator_decides_what_is_in_doubt(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    post = Post(lambda _: Answer("unsure", "no answer"))
    (doubtful,) = run(tmp_path, post).unsure
    doubtful.box.change(doubtful.entry, "sent", NOON, "it has come")
    assert run(tmp_path, post).unsure == ()
    assert list(states(tmp_path).values()) == ["sent"]


STEPS = (
    (disk, "write_new"),
    (disk, "make_folder"),
    (disk, "sync_folder"),
    (Path, "replace"),
    (Path, "unlink"),
    (Path, "read_bytes"),
    (Post, "send"),
)


class Bomb:
    """Kills the program at the n-th step: before it, or just after it."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int, *, after: bool) -> None:
        self.left = at
        for owner, name in STEPS:
            patch.setattr(owner, name, self._around(getattr(owner, name), after=after))

    def _around(self, plain: Callable[..., object], *, after: bool) -> Callable[..., object]:
        def step(*args: object, **more: object) -> object:
            self.left -= 1
            if self.left == 0 and not after:
                raise Crash
            result = plain(*args, **more)
            if self.left == 0:
                raise Crash
            return result

        return step


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_every_step_of_sending(tmp_path: Path, after: bool) -> None:
    in_doubt = 0
    for at in range(1, 500):
        games = tmp_path / str(at)
        for number in range(3):
            put(games, letter(number, f"box{number}@example.org"))
        post = Post()
        with pytest.MonkeyPatch.context() as patch:
            bomb = Bomb(patch, at, after=after)
            with suppress(Crash):
                run(games, post)
        run(games, post, 61)
        done = run(games, post, 62)
        assert len(post.keys) == len(set(post.keys)), f"step {at}: sent twice"
        doubtful = [lying.entry.key for lying in done.unsure]
        assert all(lying.entry.why == CRASHED for lying in done.unsure)
        keys = {report_key("ur-1", number, "archer") for number in range(3)}
        assert keys == {*post.keys, *doubtful}, f"step {at}: lost"
        assert set(states(games)) == keys
        assert len(doubtful) <= 1
        in_doubt += len(doubtful)
        if bomb.left > 0:
            assert in_doubt
            return
    pytest.fail("the run never ended")


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_every_step_of_laying_in(tmp_path: Path, after: bool) -> None:
    for at in range(1, 100):
        games, post = tmp_path / str(at), Post()
        with pytest.MonkeyPatch.context() as patch:
            bomb = Bomb(patch, at, after=after)
            with suppress(Crash):
                put(games, letter(1, "ada@example.org"))
        put(games, letter(1, "ada@example.org"))
        assert run(games, post).sent == 1
        assert run(games, post).sent == 0
        assert [data for _, data in post.arrived] == [compose(letter(1, "ada@example.org"), US)]
        if bomb.left > 0:
            return
    pytest.fail("it never ended")


DAILY = CONFIG._replace(
    outgoing=Outgoing(digest_at=6 * 60, digest_for=frozenset({"ada@example.org"}))
)
MORNING = 18 * 60


def test_one_mail_a_day(tmp_path: Path) -> None:
    for number, game in enumerate(("ur-1", "ur-2", "ur-3")):
        put(tmp_path, letter(number, "Ada@example.org", game))
    put(tmp_path, letter(9, "bo@example.org"))
    post = Post()
    assert run(tmp_path, post, MORNING - 1, DAILY).sent == 1
    assert [address for address, _ in post.arrived] == ["bo@example.org"]
    done = run(tmp_path, post, MORNING, DAILY)
    assert (done.sent, done.bundled, done.waiting) == (1, 3, 0)
    digest = message_from_bytes(post.arrived[1][1], policy=default)
    assert isinstance(digest, EmailMessage)
    assert digest["Subject"] == "3 games: YOUR MOVE in one"
    body = digest.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert re.findall(r"Text \d", text) == ["Text 1", "Text 0", "Text 2"]
    assert text.index("ur-2, turn 1: YOUR MOVE") < text.index("ur-1, turn 0")
    forms = [part.get_filename() for part in digest.walk() if part.get_filename()]
    assert forms == ["ur-2-archer.yaml", "ur-1-archer.yaml", "ur-3-archer.yaml"]
    put(tmp_path, letter(20, "ada@example.org"))
    assert run(tmp_path, post, MORNING + 60, DAILY).sent == 0
    assert run(tmp_path, post, MORNING + 24 * 60, DAILY).sent == 1


def test_the_newest_letter_of_a_game_counts(tmp_path: Path) -> None:
    for number, game in ((1, "ur-1"), (2, "ur-1"), (3, "ur-2"), (4, "ur-3"), (5, "ur-3")):
        put(tmp_path, letter(number, "ada@example.org", game))
    post = Post()
    assert run(tmp_path, post, MORNING, DAILY).bundled == 5
    digest = message_from_bytes(post.arrived[0][1], policy=default)
    assert isinstance(digest, EmailMessage)
    assert digest["Subject"] == "3 games: YOUR MOVE in 2"
    body = digest.get_body(("plain",))
    assert body is not None
    assert re.findall(r"Text \d", body.get_content()) == [f"Text {n}" for n in (3, 4, 5, 1, 2)]
    forms = [part.get_content().decode() for part in digest.walk() if part.get_filename()]
    assert [form.split()[-1] for form in forms] == ["3", "5", "2"]


def test_answers_do_not_wait_for_the_digest(tmp_path: Path) -> None:
    put(tmp_path, letter(1, "ada@example.org", kind="answer"))
    assert run(tmp_path, Post(), 10, DAILY).sent == 1


def test_a_digest_leaves_when_a_game_that_it_tells_of_is_archived(tmp_path: Path) -> None:
    for number, game in enumerate(("ur-1", "ur-2")):
        put(tmp_path, letter(number, "ada@example.org", game))
    down = Post(lambda _: Answer("later", "450"))
    assert run(tmp_path, down, MORNING, DAILY).bundled == 2
    (tmp_path / "_archive").mkdir()
    moved = (tmp_path / "ur-1").rename(tmp_path / "_archive/ur-1")
    kept = moved / "outbox/sent" / f"{letter(0, '').key}.yaml"
    waits = kept.rename(moved / "outbox" / kept.name)
    assert run(tmp_path, Post(), MORNING + 60, DAILY).sent == 0
    waits.rename(kept)
    assert run(tmp_path, Post(), MORNING + 60, DAILY).sent == 1


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_every_step_of_a_digest(tmp_path: Path, after: bool) -> None:
    for at in range(1, 500):
        games, post = tmp_path / str(at), Post()
        for number, game in enumerate(("ur-1", "ur-2")):
            put(games, letter(number, "ada@example.org", game))
        with pytest.MonkeyPatch.context() as patch:
            bomb = Bomb(patch, at, after=after)
            with suppress(Crash):
                run(games, post, MORNING, DAILY)
        put(games, letter(5, "ada@example.org", "ur-1"))
        run(games, post, MORNING + 1, DAILY)
        run(games, post, MORNING + 24 * 60, DAILY)
        done = run(games, post, MORNING + 25 * 60, DAILY)
        told = re.findall(rb"Text \d", b"".join(data for _, data in post.arrived))
        held = [Path(lying.box.letter(lying.entry.key)).read_bytes() for lying in done.unsure]
        told += re.findall(rb"Text \d", b"".join(held)) if not post_has(post, done) else []
        assert sorted(told) == [b"Text 0", b"Text 1", b"Text 5"], f"step {at}"
        if bomb.left > 0:
            return
    pytest.fail("it never ended")


def post_has(post: Post, done: Dispatched) -> bool:
    """Whether what is in doubt has arrived."""
    return {lying.entry.key for lying in done.unsure} <= set(post.keys)


def test_limits_for_a_domain(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, letter(number, "ada@big.example.org"))
    put(tmp_path, letter(9, "bo@small.example.org"))
    limited = CONFIG._replace(limits=Limits(letters_per_hour=2))
    post = Post()
    assert [run(tmp_path, post, at, limited).sent for at in (60, 61, 119, 120, 121, 200)] == [
        3, 0, 0, 2, 0, 1,
    ]  # fmt: skip
    assert len(post.arrived) == 6


def test_a_count_that_cannot_be_read_does_no_harm(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    (tmp_path / "_outbox").mkdir()
    (tmp_path / "_outbox" / ".pace.yaml").write_text("sent: [")
    limited = CONFIG._replace(limits=Limits(letters_per_hour=2))
    done = run(tmp_path, Post(), config=limited)
    assert done.sent == 1
    assert done.damaged == ()


def test_only_one_run_at_a_time(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    (tmp_path / "_outbox").mkdir()
    with Outbox(tmp_path / "_outbox").locked():
        done = run(tmp_path, Post())
        assert (done.sent, done.busy) == (0, (tmp_path / "_outbox",))
        assert put(tmp_path, letter(1, "ada@example.org"))
    assert run(tmp_path, Post()).sent == 2


def test_a_state_that_cannot_be_read_stops_nobody(tmp_path: Path) -> None:
    for number in range(2):
        put(tmp_path, letter(number, "ada@example.org"))
    path = tmp_path / "ur-1/outbox/0000-archer-1.ur-1.yaml"
    path.write_text(path.read_text().replace("state: waiting", "state: wating\nx: 1"))
    done = run(tmp_path, Post())
    assert done.sent == 1
    (damaged,) = done.damaged
    assert damaged.path == path
    assert [problem.line for problem in damaged.problems] == [6, 7]


def test_a_letter_that_is_missing_is_named(tmp_path: Path) -> None:
    put(tmp_path, letter(0, "ada@example.org"))
    (tmp_path / "ur-1/outbox/0000-archer-1.ur-1.eml").unlink()
    (failed,) = run(tmp_path, Post()).failed
    assert "is missing" in failed.why


def test_what_is_written_is_read_again() -> None:
    entry = Entry(
        "a-1", "ada@example.org", "digest", NOON, "waiting", NOON, 3, NOON,
        'said: "450\u2028 ü" #', ("ur-1/outbox/k", "x y"),
    )  # fmt: skip
    again, problems = read_entry(write_entry(entry), "a-1")
    assert problems == ()
    assert again == entry._replace(why='said: "450\ufffd ü" #')


@pytest.mark.parametrize("key", ["", "../x", "a/b", ".x", "x\n", "x" * 200])
def test_keys_are_names_of_files(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="no key"):
        Outbox(tmp_path).put(Entry(key, "a@example.org", "report", NOON), b"")


FAKE = """#!/bin/sh
printf '%s\\n' "$@" > {folder}/words
cat > {folder}/letter
echo 'said this' >&2
exit {code}
"""


@pytest.mark.parametrize(
    ("code", "kind"), [(0, "sent"), (75, "later"), (67, "never"), (1, "later"), (64, "never")]
)
def test_the_sendmail_command(tmp_path: Path, code: int, kind: str) -> None:
    command = tmp_path / "send mail;x"
    command.write_text(FAKE.format(folder=tmp_path, code=code))
    command.chmod(0o700)
    (tmp_path / "l.eml").write_bytes(b"a\r\n.\r\n")
    given: list[int] = []
    carrier = SendmailCarrier((str(command), "-i"), "orders@example.org")
    answer = carrier.send(tmp_path / "l.eml", "o'neil$(x)@example.org", lambda: given.append(1))
    assert answer.kind == kind
    assert given == [1]
    assert (tmp_path / "letter").read_bytes() == b"a\r\n.\r\n"
    words = (tmp_path / "words").read_text().splitlines()
    assert words == ["-i", "-f", "orders@example.org", "--", "o'neil$(x)@example.org"]
    assert ("said this" in answer.said) == (code != 0)


def test_a_sendmail_command_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "l.eml").write_bytes(b"x")
    carrier = SendmailCarrier((str(tmp_path / "none"),), "orders@example.org")
    assert carrier.send(tmp_path / "l.eml", "a@example.org", lambda: None).kind == "later"
