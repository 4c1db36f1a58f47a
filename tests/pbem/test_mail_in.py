"""`pbem mail in` on real games: stored, judged, laid into orders/, answered, entered last."""

import hashlib
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
import yaml

from pbem.origin import from_mail, origin_of
from tests.pbem.games import tree
from tests.pbem.mail_desk import Desk, mail, orders, text_of
from tests.pbem.test_kill import Killer

EVERY = 5
SAMPLES = Path(__file__).parents[1] / "data" / "mail"
BULL = "turn: 2\nactions: priest I6, farmer J7"
BOUNCE = (
    "--b\r\nContent-Type: text/plain\r\n\r\nSorry\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
    "Final-Recipient: rfc822; Bruno@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
)


def test_orders_come_to_the_game_and_are_played(desk: Desk) -> None:
    data = mail(f"Hello!\n\n{orders()}\nBest, Ada\n")
    said = desk.take(data)
    assert "mail 1 ur-1 archer: accepted" in said.out
    sha256 = hashlib.sha256(data).hexdigest()
    assert desk.placed().endswith(f"\n# mail 1, SHA-256 {sha256}\n")
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    assert raw.read_bytes() == data
    assert raw.name.startswith("000001.20260309T180200Z.")
    desk.turn()
    record = yaml.safe_load((desk.game / "history" / "0001.yaml").read_text())
    assert [each["order"] for each in record["decisions"]] == ["king F4", "trader G3"]
    assert {(each["source"], each["sha256"]) for each in record["decisions"]} == {
        ("mail 1", sha256)
    }
    assert desk.call("replay", "ur-1").code == 0


def test_the_receipt_says_what_check_foresees_and_what_is_open(desk: Desk) -> None:
    desk.take(mail(orders("turn: 1\nactions:\n  - king F4")))
    (answer,) = desk.answers()
    assert (answer["To"], answer["In-Reply-To"]) == ("Ada <ada@example.org>", "<1.ada@example.org>")
    text = text_of(answer)
    assert "- Archer places the king on F4." in text
    assert "Still open: action 2 of your turn" in text
    desk.take(mail(orders(BULL, "bull"), "bruno"))
    assert "are judged when turn 2 begins" in text_of(desk.answers()[1])


def test_every_way_in_and_the_default_folder(desk: Desk) -> None:
    inbox = desk.games / "_inbox"
    inbox.mkdir()
    (inbox / "one.eml").write_bytes(mail(orders()))
    assert "accepted" in desk.call("mail", "in").out
    assert [path.name for path in inbox.rglob("*.eml")] == ["one.eml"]
    assert "1 mail" not in desk.call("mail", "in").out
    said = desk.call("mail", "in", "-", stdin=mail(orders(BULL, "bull"), "bruno"))
    assert "mail 2 ur-1 bull: accepted" in said.out
    mbox = b"".join(
        b"From x Mon Mar  9 18:02:00 2026\n"
        + mail("status\n", number=n).replace(b"\r", b"")
        + b"\n"
        for n in (7, 8)
    )
    assert desk.take(mbox).out.count("accepted") == 2
    assert desk.call("mail", "in", "nowhere.eml").code == 2


def test_a_game_is_found_whatever_its_case(desk: Desk) -> None:
    desk.take(mail(orders(game="UR-1")))
    assert desk.placed().startswith("game: ur-1\n")


def test_without_configuration_nobody_is_proven_but_the_key_serves(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    (desk.games / "pbem.yaml").unlink()
    desk.start()
    desk.take(mail(orders()), code=1)
    assert desk.placed() == ""
    keyed = orders().replace("turn: 1", f"turn: 1\nkey: {desk.key()}")
    desk.take(mail(keyed, number=2))
    assert "king" in desk.placed()
    assert desk.key() not in desk.placed()


def test_a_newer_order_takes_the_place_and_other_parts_keep_waiting(desk: Desk) -> None:
    """Before any turn saw the first one: actions, then a note, then other actions."""
    desk.take(mail(orders(f"{BULL}\nnote: one", "bull"), "bruno"))
    desk.take(mail(orders("press: Hear me", "bull"), "bruno", number=2, when="18:03:00"))
    desk.take(
        mail(orders("turn: 2\nactions: pass all", "bull"), "bruno", number=3, when="18:04:00")
    )
    desk.take(mail(orders(), number=1))
    desk.turn()
    runs = sorted((desk.game / "history").iterdir())
    told = [yaml.safe_load(path.read_text()) for path in runs]
    assert [d["order"] for run in told for d in run.get("decisions", [])][2:] == ["pass", "pass"]
    assert any("Hear me" in str(run.get("press")) for run in told)
    assert any("one" in str(run.get("notes")) for run in told)
    kept = {path.read_text() for path in (desk.game / "received").glob("*-bull.yaml")}
    assert len(kept) == 3


def test_what_a_hand_laid_there_is_judged_before_it_gives_way(desk: Desk) -> None:
    path = desk.game / "orders" / "archer.yaml"
    path.write_text("game: ur-1\nplayer: archer\nturn: 99\nactions: pass\n")
    desk.take(mail(orders()))
    (kept,) = (desk.game / "received").iterdir()
    assert "turn: 99" in kept.read_text()
    desk.turn()
    (told,) = desk.letters("0000-archer-2.*.eml")
    assert "Your order file was refused" in text_of(told)


def test_a_refusal_changes_nothing_and_says_how_to_mend_it(desk: Desk) -> None:
    desk.take(mail(orders()))
    before = desk.placed()
    said = desk.take(
        mail(orders("turn: 1\nactions:\n  - king A1"), number=2, when="18:03:00"), code=1
    )
    assert "mail 2: refused" in said.err
    assert desk.placed() == before
    text = text_of(desk.answers()[1])
    assert "king A1" in text
    assert "king A1" not in said.out + said.err


def test_requests_are_answered_on_the_own_view(desk: Desk) -> None:
    desk.take(mail("status\n"), mail("report ur-1\n", number=2), mail("help\n", number=3))
    desk.take(mail("rules board\n", number=4), mail("rules english\n", number=5))
    status, report, guide, board, unknown = (text_of(each) for each in desk.answers())
    assert "ur-1: waits for archer (Ada), 1.1" in status
    mine = (desk.game / "reports" / "archer.txt").read_text()
    assert mine.strip() in report
    assert "HOW TO PLAY BY MAIL" in guide
    assert "`advanced`" in board
    assert "In ur-1 it is `standard`." in board
    assert "There is no option `english`" in unknown
    desk.take(mail("report ur-1 0\n", "bruno", number=6), mail("report ur-2\n", number=7))
    assert "for bull (Bruno)" in text_of(desk.answers()[5])
    assert "You have no seat in a game `ur-2`" in text_of(desk.answers()[6])


def test_check_by_mail_changes_nothing(desk: Desk) -> None:
    desk.take(mail(f"check\n\n{orders()}"))
    assert desk.placed() == ""
    text = text_of(desk.answers()[0])
    assert "NOTHING WAS STORED" in text
    assert "- Archer places the king on F4." in text


def test_absences_are_kept(desk: Desk) -> None:
    desk.take(mail("away 2026-07-01 to 2026-07-14\n"))
    assert [str(days["last"]) for days in desk.desk()["away"]["archer"]] == ["2026-07-14"]
    desk.take(mail("away 2026-08-01\n", "mallory", number=2, proven=False))
    assert list(desk.desk()["away"]) == ["archer"]
    desk.take(mail("away none\n", number=3, when="18:03:00"))
    assert "away" not in desk.desk()


def test_bounces_mark_the_address_and_reach_the_moderator(desk: Desk) -> None:
    kind = "MIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b"
    desk.take(mail(BOUNCE, "mailer-daemon", proven=False, more=kind))
    ((marked),) = desk.desk()["bounced"]
    assert (marked["address"], marked["status"]) == ("bruno@example.org", "5.1.1")
    status = desk.call("status")
    assert "letters to bull (Bruno) come back since 2026-03-09T18:10:00Z (5.1.1)" in status.out
    assert "1 notice lies in" in status.out
    (notice,) = desk.answers("notice-*.eml")
    assert notice["To"] == "gm@example.org"
    assert "bruno@example.org: 5.1.1, for good" in text_of(notice)
    assert desk.answers() == []


def test_robots_are_never_answered(desk: Desk) -> None:
    auto = mail("I am away.\n", more="Auto-Submitted: auto-replied")
    own = mail(orders(), number=2, more="X-PBEM-Loop: orders@example.org")
    listed = mail("hello all\n", number=3, more="List-Id: <x.example.org>")
    said = desk.take(auto, own, listed)
    assert said.out.count(": ignored") == 3
    assert desk.answers() == []
    assert desk.placed() == ""


def test_the_daily_cap(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (Desk(tmp_path / "x").games / "pbem.yaml").read_text()
                + "limits: {answers_per_day: 2}\n")  # fmt: skip
    desk.start()
    for number in range(4):
        desk.take(mail("status\n", number=number))
    assert len(desk.answers()) == 2
    assert [len(each["answered"]) for each in desk.ledger()] == [1, 1, 1, 1]
    desk.now = "2026-03-10T18:10:00Z"
    data = mail("status\n", number=9).replace(b"09 Mar", b"10 Mar").replace(b"Mon,", b"Tue,")
    desk.take(data)
    assert len(desk.answers()) == 3


def test_unproven_mail_is_held_until_the_moderator_vouches(desk: Desk) -> None:
    said = desk.take(mail(orders(), proven=False), code=1)
    assert "mail 1: held" in said.err
    assert desk.placed() == ""
    (asked,) = desk.answers()
    assert asked["To"].addresses[0].addr_spec == "ada@example.org"
    assert "king" not in text_of(asked)
    assert desk.call("mail", "in", "--again", "1").code == 1
    assert desk.placed() == ""
    done = desk.call("mail", "in", "--again", "1", "--admit")
    assert (done.code, "accepted" in done.out) == (0, True)
    assert "king" in desk.placed()
    assert len(desk.answers()) == 3
    assert desk.call("mail", "in", "--again", "9").code == 2
    assert desk.call("mail", "in", "--admit").code == 2


def test_again_never_undoes_what_is_newer(desk: Desk) -> None:
    desk.take(mail(orders(), proven=False), code=1)
    desk.take(mail(orders("turn: 1\nactions: pass all"), number=2, when="18:05:00"))
    said = desk.call("mail", "in", "--again", "1", "--admit")
    assert (said.code, "mail 2 is newer" in said.err) == (1, True)
    assert "pass" in desk.placed()


def test_again_after_the_orders_were_played_does_not_play_them_twice(desk: Desk) -> None:
    desk.take(mail(orders("turn: 1\nactions: king F4")))
    desk.turn()
    assert desk.call("mail", "in", "--again", "1").code == 0
    assert desk.placed() == ""
    assert "nothing new" in desk.turn().out


def test_a_damaged_game_keeps_its_mail_and_stops_no_other(desk: Desk) -> None:
    desk.start("ur-2")
    good = (desk.games / "ur-2" / "game.yaml").read_text()
    (desk.games / "ur-2" / "game.yaml").write_text("x: 1\n")
    said = desk.take(mail(orders(game="ur-2")), mail(orders(), number=2), code=3)
    assert "mail 1: " in said.err
    assert "mail 2 ur-1 archer: accepted" in said.out
    (desk.games / "ur-2" / "game.yaml").write_text(good)
    assert "mail 1 ur-2 archer: accepted" in desk.call("mail", "in").out


def test_a_mail_that_was_tampered_with_is_named(desk: Desk) -> None:
    assert desk.call("mail", "in", "--store", "-", stdin=mail(orders())).code == 0
    (raw,) = (desk.games / "_mail" / "raw").rglob("*.eml")
    raw.write_bytes(mail(orders(BULL)))
    said = desk.take(mail("status\n", number=2), code=3)
    assert "mail 1" in said.err
    assert "mail 2: accepted" in said.out


def test_an_unsound_configuration_is_named(desk: Desk) -> None:
    (desk.games / "pbem.yaml").write_text("schema: 1\nrules: 1\nadresses: x\n")
    assert "pbem.yaml, line 3" in desk.take(mail(orders()), code=3).err
    assert desk.call("turn", "--all").code in (0, 3)


def test_a_mailbox_that_cannot_be_opened_stops_no_other_source(desk: Desk) -> None:
    """Nothing listens there, and the password is not set either: a sentence, no traceback."""
    there = desk.games.parent / "maildir"
    for name in ("new", "cur", "tmp"):
        (there / name).mkdir(parents=True)
    (there / "new" / "1.mail").write_bytes(mail(orders()))
    servers = "[{host: 127.0.0.1, port: 1, user: orders, password_env: PBEM_NOT_SET}]"
    with (desk.games / "pbem.yaml").open("a") as config:
        config.write(f"in:\n  imap: {servers}\n  maildir: [{there}]\n")
    said = desk.call("mail", "in")
    assert said.code == 1
    assert "PBEM_NOT_SET" in said.err
    assert "Traceback" not in said.err
    assert "mail 1 ur-1 archer: accepted" in said.out


def test_the_private_goes_to_the_registered_address_only(desk: Desk) -> None:
    keyed = orders().replace("turn: 1", f"turn: 1\nkey: {desk.key()}")
    desk.take(mail(keyed, "work", proven=False))
    first, second = desk.answers()
    assert {str(first["To"]), str(second["To"])} == {"work@example.org", "Ada <ada@example.org>"}
    for each in (first, second):
        text = text_of(each)
        assert desk.key() not in text
        assert ("king" in text) == ("ada@" in str(each["To"]))
    desk.take(mail(orders(), "bruno", number=2), code=1)
    for each in desk.answers()[2:]:
        assert "king F4" not in text_of(each)


def test_the_owner_hears_of_refused_orders_that_came_with_his_key(desk: Desk) -> None:
    keyed = orders("turn: 1\nactions: king A1").replace("turn: 1", f"turn: 1\nkey: {desk.key()}")
    desk.take(mail(keyed, "work", proven=False), code=1)
    home = next(each for each in desk.answers() if "ada@example.org" in str(each["To"]))
    assert "work@example.org" in text_of(home)


def test_keys_stand_nowhere_but_in_letters_that_wait(desk: Desk) -> None:
    key = desk.key()
    keyed = orders().replace("turn: 1", f"turn: 1\nkey: {key}")
    desk.take(mail(keyed, "work", proven=False))
    desk.turn()
    holding = [
        name for name, data in tree(desk.games).items()
        if key.encode() in data and not name.startswith("_mail/raw/")
    ]  # fmt: skip
    assert holding == ["ur-1/outbox/0000-archer-1.ur-1.eml"]
    config = (desk.games / "pbem.yaml").read_text()
    sendmail = "out: {way: sendmail, sendmail: [/bin/true]}\n"
    (desk.games / "pbem.yaml").write_text(config + sendmail)
    assert desk.call("mail", "out").code == 0
    kept = {name: data for name, data in tree(desk.games).items() if "/outbox/sent/" in name}
    assert any(b"key: (order key)" in data for data in kept.values())
    assert not any(key.encode() in data for data in kept.values())


def test_origin() -> None:
    data = from_mail("game: ur-1\n", 12, "a" * 64)
    assert origin_of(data) == ("mail 12", "a" * 64)
    assert origin_of(data + b"x: 1\n") is None
    assert origin_of(b"note: # mail 12, SHA-256 " + b"a" * 64 + b"\n") is None


def scene(folder: Path) -> Desk:
    """A desk with all kinds of mail in its _inbox, orders waiting before it."""
    desk = Desk(folder)
    desk.start()
    desk.take(mail(orders(f"{BULL}\nnote: old", "bull"), "bruno"))
    inbox = desk.games / "_inbox"
    inbox.mkdir()
    kind = "MIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b"
    new = orders("turn: 2\nactions: pass all", "bull")
    for number, data in enumerate((
        mail(orders()),
        mail(new, "bruno", number=2, when="18:05:00"),
        mail("away 2026-07-01\nstatus\n", number=3),
        mail(BOUNCE, "mailer-daemon", proven=False, more=kind),
        mail(orders("turn: 9\nactions: pass"), number=5, when="18:06:00"),
    )):  # fmt: skip
        (inbox / f"{number}.eml").write_bytes(data)
    return desk


def copied(desk: Desk, folder: Path) -> Desk:
    """The same desk in another place."""
    shutil.copytree(desk.games, folder / "games")
    twin = Desk.__new__(Desk)
    twin.games, twin.now, twin.mails, twin.folder = folder / "games", desk.now, desk.mails, folder
    return twin


def result(desk: Desk) -> dict[str, object]:
    """All that matters: numbers of mails differ if one was stored and not marked as stored."""
    letters = [*desk.answers(), *desk.answers("notice-*.eml"), *desk.letters()]
    files = tree(desk.game)
    runs = [yaml.safe_load(files[name]) for name in sorted(files) if "history/" in name]
    number = re.compile(r"[Mm]ail \d+")
    return {
        "letters": sorted(number.sub("", f"{each['To']} {each['Subject']}") for each in letters),
        "outcomes": [e["outcome"] for e in desk.ledger() if e["outcome"] != "duplicate"],
        "desk": files["desk.yaml"],
        "orders": [number.sub("", data.decode()) for name, data in sorted(files.items())
                   if name.startswith(("orders/", "waiting/", "received/"))],
        "decisions": [each["order"] for run in runs for each in run.get("decisions", [])],
        "left": [name for name in files if ".tmp" in name or ".taking" in name],
    }  # fmt: skip


def test_killed_anywhere_the_next_run_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail in is killed before each change to the disk; `turn` may even run in between."""
    desk = scene(tmp_path / "scene")
    undisturbed = copied(desk, tmp_path / "undisturbed")
    copied(desk, tmp_path / "warm").call("mail", "in")  # templates are compiled once
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        moments = killer.moments(lambda: undisturbed.call("mail", "in"))
        killer.fatal = 0
        right = result(undisturbed)
        undisturbed.turn()
        after = result(undisturbed)
        for moment in range(1, moments + 1, EVERY):
            victim = copied(desk, tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(victim.call, "mail", "in"))
            victim.call("mail", "in")
            assert result(victim) == right, moment
            victim.turn()
            assert result(victim) == after, moment
            shutil.rmtree(victim.folder)


def test_a_turn_after_a_killed_run_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders that were laid down before the kill may have been played when it is made good."""
    desk = Desk(tmp_path / "one")
    desk.start()
    inbox = desk.games / "_inbox"
    inbox.mkdir()
    (inbox / "1.eml").write_bytes(mail(orders()))
    with monkeypatch.context() as patch:
        killer = Killer(patch)
        twin = copied(desk, tmp_path / "two")
        moments = killer.moments(lambda: twin.call("mail", "in"))
        for moment in range(1, moments + 1):
            victim = copied(desk, tmp_path / f"killed-{moment}")
            killer.kill(moment, partial(victim.call, "mail", "in"))
            victim.call("turn", "--all")
            assert victim.call("mail", "in").code == 0
            victim.turn()
            assert len(list((victim.game / "history").iterdir())) == 2, moment
            (answer,) = victim.answers()
            assert "orders received" in str(answer["Subject"])
            assert victim.placed() == ""
            assert len(list((victim.game / "received").iterdir())) == 1
            shutil.rmtree(victim.folder)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.eml")), ids=lambda path: path.name)
def test_no_sample_mail_breaks_the_product(tmp_path: Path, path: Path) -> None:
    """The same samples through the command, with a game that has these seats."""
    desk = Desk(tmp_path)
    desk.start()
    said = desk.call("mail", "in", str(path))
    assert said.code in (0, 1), said
    assert "Traceback" not in said.err
    assert len(desk.ledger()) == 1
