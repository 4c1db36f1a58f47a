"""The moderator's digest: as a function of facts, and from real games."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from pbem.commands.digest import post_digest
from pbem.deskfile import Stop
from pbem.health import Health, load_health, save_health
from pbem.mail.config import load_config
from pbem.mail.outbox import Outbox
from pbem.overview.digest import MOST, digest_of, page_of
from pbem.overview.digestvalues import Bouncing, DamagedGame, Facts, GameFacts, HeldMail, OddLetter
from tests.pbem.mail_desk import Desk, mail, orders, text_of
from tests.pbem.test_kill import Killer

NOW = datetime(2026, 3, 10, 6, tzinfo=UTC)
DAY = timedelta(days=1)
WELL = Facts(NOW, NOW - DAY, last_run=NOW - timedelta(minutes=10))


def game(name: str = "ur-1", **more: object) -> GameFacts:
    """A game that waits for bull since yesterday."""
    usual = GameFacts(name, "bull (Ben)", "bull", "7.3", "support as defender", NOW - DAY)
    return usual._replace(**more)  # type: ignore[arg-type]


def page(*games: GameFacts, facts: Facts = WELL) -> str:
    """The digest of these games."""
    return page_of(digest_of(facts._replace(games=games)))


def test_all_is_well() -> None:
    assert page(game(), game("ur-2", until=NOW + 2 * DAY)).splitlines() == [
        "[te] Tue 10 Mar: 0 moves, 0 need you, 0 late, 0 broken",
        "",
        "Health: last run Tuesday 10 March 2026, 05:50 UTC; 2 games are played; 0 mails since the "
        "last digest; 0 letters wait. More: pbem doctor",
    ]


def test_the_whole_page() -> None:
    facts = WELL._replace(
        damaged=(DamagedGame("ur-9", "history/0003.yaml, line 7"),),
        mails=(
            HeldMail(17, "17: .., for ur-1 lion: unproven", False, ("pbem release 17",)),
            HeldMail(18, "18: ..: failed", True, ("pbem release 18",)),
        ),
        letters=(
            OddLetter("0012-bull-1.ur-1", "ben@example.org", True, "a run broke off"),
            OddLetter("0013-bull-1.ur-1", "ben@example.org", False, "no such user"),
        ),
        outage=Stop(NOW - DAY, None, "the disk was full"),
        unjudged=3,
        moves=412,
        waiting=14,
    )
    games = (
        game("a", since=NOW - 9 * DAY),
        game("b", until=NOW - DAY),
        game("c", until=NOW + timedelta(hours=5)),
        game("d", bouncing=(Bouncing("d", "bull", "ben@example.org", NOW - DAY, "5.1.1"),)),
        game("e", deserted=True),
        game("f", late="stand-in", replaceable=False, judged=NOW, until=NOW - DAY),
        GameFacts("g", over=True),
    )
    found = page(*games, facts=facts)
    assert found.startswith("[te] Tue 10 Mar: 412 moves, 8 need you, 2 late, 2 broken\n")
    for command in (
        "pbem resume --all",
        "pbem inbox show 17; then pbem release 17",
        "pbem mail in",
        "pbem mail out --sent 0012-bull-1.ur-1 or pbem mail out --again 0012-bull-1.ur-1",
        "pbem mail out --again 0013-bull-1.ur-1",
        "pbem status ur-9",
        "pbem seat e bull --give 'NAME <ADDRESS>' or pbem archive e --unfinished",
        "pbem seat f bull --give 'NAME <ADDRESS>' or pbem extend f --by 2d",
        "pbem extend b --by 2d or pbem seat b bull --give 'NAME <ADDRESS>'",
        "pbem seat d bull --give 'NAME <ADDRESS>'",
        "pbem status c",
    ):
        assert f"   {command}\n" in found, found
    numbers = [line.partition(".")[0] for line in found.splitlines() if line[:1].isdigit()]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7", "8"]


@pytest.mark.parametrize(
    ("more", "remark", "command"),
    [
        ({}, "", "pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
        ({"paused": NOW - 8 * DAY}, "; paused since", "pbem resume ur-1"),
        ({"unconfirmed": ("bull", "lion")}, "bull, lion to confirm",
         "pbem seat ur-1 bull --confirm or pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
        ({"reachable": False}, "; this seat has no address", "pbem report ur-1 --for bull"),
        ({"deserted": True}, "; nobody plays this seat",
         "pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
        ({"dropped": True}, "; nobody plays this seat",
         "pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
        ({"until": NOW - DAY}, "; late",
         "pbem extend ur-1 --by 2d or pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
        ({"until": NOW + 9 * DAY}, "; it has time until", "pbem status ur-1"),
        ({"orders_lie": True}, "; orders lie there", "pbem turn ur-1"),
        ({"bouncing": (Bouncing("ur-1", "bull", "", NOW, ""),)}, "; letters to this seat come back",
         "pbem seat ur-1 bull --give 'NAME <ADDRESS>'"),
    ],
)  # fmt: skip
def test_no_game_is_stuck_without_being_named(
    more: dict[str, Any], remark: str, command: str
) -> None:
    stuck = digest_of(WELL._replace(games=(game(since=NOW - 8 * DAY, **more),))).stalled
    assert [line.command for line in stuck] == [command]
    assert remark in stuck[0].text
    assert digest_of(WELL._replace(games=(game(since=NOW - 6 * DAY, **more),))).stalled == ()


def test_long_lists_are_cut_and_say_so() -> None:
    games = tuple(game(f"g{n:03}", since=NOW - 9 * DAY) for n in range(MOST + 13))
    found = page(*games)
    assert found.count("it waits for bull") == MOST
    assert ".. and 13 more: pbem digest --all" in found
    whole = page_of(digest_of(WELL._replace(games=games)), None)
    assert whole.count("it waits for bull") == MOST + 13


def test_one_address_is_named_once() -> None:
    def bouncing(name: str, address: str = "ben@example.org") -> GameFacts:
        return game(name, bouncing=(Bouncing(name, "bull", address, NOW, ""),))

    lines = digest_of(
        WELL._replace(games=(bouncing("a"), bouncing("b"), bouncing("c", "")))
    ).bounces
    assert [line.text.partition(":")[0] for line in lines] == [
        "ben@example.org, bull in a, bull in b",
        "bull in c",
    ]


# ---- from real games


def policies(desk: Desk, *lines: str, name: str = "ur-1") -> None:
    """Write policies into a game.yaml."""
    path = desk.games / name / "game.yaml"
    path.write_text(path.read_text() + "policies:\n" + "".join(f"  {line}\n" for line in lines))


def test_a_day_of_real_games(desk: Desk) -> None:
    for name in ("ur-2", "ur-3", "ur-4", "ur-5"):
        desk.start(name)
    policies(desk, "turn_time: 3d")
    policies(desk, "turn_time: 3d", name="ur-2")
    (desk.games / "ur-3" / "game.yaml").write_text("x: 1\n")
    policies(desk, "anonymous: yes", name="ur-5")
    (desk.games / "ur-4" / "desk.yaml").write_text(
        (desk.games / "ur-4" / "desk.yaml").read_text()
        + "bounced:\n  - address: bruno@example.org\n    since: 2026-03-09T12:00:00Z\n"
        + "    status: 5.1.1\n"
    )
    desk.take(mail(orders()), mail(orders(game="ur-2"), proven=False, number=2), code=1)
    desk.call("turn", "--all")
    desk.now = "2026-03-20T06:00:00Z"
    said = desk.call("digest")
    assert said.code == 3
    assert "ur-3 is damaged" in said.err
    head, *_ = said.out.splitlines()
    assert head == "[te] Fri 20 Mar: 0 moves, 2 need you, 2 late, 1 broken"
    for words in (
        "Mail 2: Monday 9 March 2026, 18:02 UTC, from ada@example.org (not proven), for ur-2 "
        "archer: it is not proven who sent it",
        "ur-1: since Monday 9 March 2026, 18:10 UTC it waits for bull (Bruno), 2.1, an action",
        "ur-5: since Monday 9 March 2026, 18:10 UTC it waits for archer, 1.1, an action",
        "bruno@example.org, bull in ur-4: letters come back",
    ):
        assert words in said.out, said.out
    for secret in ("king", "trader", "F4", "Ada)\n", "hand"):
        assert secret not in said.out
    desk.now = "2026-03-09T18:20:00Z"
    assert desk.call("digest").out.startswith("[te] Mon 9 Mar: 2 moves, 2 need you, 0 late")
    assert desk.call("digest", "--stalled", "soon").code == 2


def test_a_stand_in_who_plays_already_is_none(desk: Desk) -> None:
    """What `turn` cannot do by itself needs the moderator."""
    policies(desk, "turn_time: 3d", "late: stand-in", "stand_in: Bruno <bruno@example.org>")
    desk.call("turn")
    desk.now = "2026-03-14T08:00:00Z"
    desk.call("turn")
    said = desk.call("digest").out
    assert "1 needs you, 1 late" in said
    assert "archer (Ada) is late with 1.1, and there is no stand-in for it" in said


def test_orders_that_lie_there_are_not_missing(desk: Desk) -> None:
    policies(desk, "turn_time: 3d")
    desk.now = "2026-03-12T08:00:00Z"
    assert "Late, or due in the next 24 hours" in desk.call("digest").out
    desk.take(mail(orders()))
    assert "Late, or due" not in desk.call("digest").out


def test_letters_that_were_given_up_go_again(desk: Desk) -> None:
    box = Outbox(desk.game / "outbox")
    (entry,) = [each for each in box.entries() if "archer" in each.key]
    box.change(entry, "failed", datetime(2026, 3, 9, 18, tzinfo=UTC), "no such user")
    assert f"pbem mail out --again {entry.key}" in desk.call("digest").out
    assert desk.call("mail", "out", "--again", entry.key).code == 0
    assert "was given up" not in desk.call("digest").out
    (again,) = [each for each in box.entries() if each.key == entry.key]
    assert (again.state, again.tries) == ("waiting", 0)
    assert box.letter(entry.key).is_file()
    assert desk.call("mail", "out", "--again", entry.key).code == 2


def test_letters_that_a_handover_stopped_need_nobody(desk: Desk) -> None:
    assert desk.call("seat", "ur-1", "archer", "--give", "Eve <eve@example.org>").code == 0
    assert list((desk.game / "outbox" / "failed").iterdir())
    assert "was given up" not in desk.call("digest").out


def test_names_that_clash_are_damage(desk: Desk) -> None:
    (desk.games / "ur-1").rename(desk.games / "other")
    said = desk.call("digest")
    assert (said.code, "is called `ur-1` in its game.yaml" in said.out) == (3, True)


def test_it_is_laid_once_a_day_and_names_the_moves_since(desk: Desk) -> None:
    config = load_config(desk.games)
    assert post_digest(desk.games, config, NOW)
    assert not post_digest(desk.games, config, NOW + timedelta(hours=23))
    assert load_health(desk.games).digest == NOW
    desk.take(mail(orders()))
    desk.now = "2026-03-10T18:00:00Z"
    desk.turn()
    assert post_digest(desk.games, config, NOW + DAY)
    first, second = desk.answers("moderator-*.eml")
    assert (first["To"], second["Subject"]) == (
        "gm@example.org",
        "[te] Wed 11 Mar: 2 moves, 0 need you, 0 late, 0 broken",
    )
    assert "0 moves" in first["Subject"]
    assert "king" not in text_of(second)


def test_killed_anywhere_it_is_laid_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(desk.games)
    save_health(desk.games, Health())
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        for number in range(12):
            at = NOW + number * DAY
            killer.kill(number + 1, partial(post_digest, desk.games, config, at))
            post_digest(desk.games, config, at)
            assert len(desk.answers("moderator-*.eml")) == number + 1
            assert load_health(desk.games).digest == at


def test_without_a_moderator_there_is_no_letter(desk: Desk) -> None:
    (desk.games / "pbem.yaml").unlink()
    assert not post_digest(desk.games, load_config(desk.games), NOW)
    assert load_health(desk.games).digest is None
