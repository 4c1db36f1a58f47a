"""The policies of game.yaml and what desk.yaml holds: written, read back, every fault named."""

from datetime import UTC, date, datetime, time

import pytest

from pbem.clock.spans import Days, DaysOff, HoursOff, Span
from pbem.deskfile import (
    Announced,
    Bounced,
    DeskFile,
    Handover,
    Ruling,
    Stop,
    read_desk,
    write_desk,
)
from pbem.fields import read_fields
from pbem.health import Health, read_health, write_health
from pbem.policies import Person, Policies, read_policies, write_policies

WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
HASH = "scrypt:" + "0" * 32 + ":" + "0" * 64


def read(lines: list[str] | str) -> tuple[Policies, list[str]]:
    """Policies, and what is wrong with them: line and message."""
    text = lines if isinstance(lines, str) else "\n".join(lines)
    fields, faults = read_fields(text)
    assert fields is not None, faults.problems
    found = read_policies(fields)
    return found, [f"{each.line} {each.message}" for each in faults.problems]


@pytest.mark.parametrize(
    "policies",
    [
        Policies(),
        Policies(turn_time=Span(3)),
        Policies(
            turn_time=Span(3, 12),
            question_time=Span(0, 36),
            days_off=DaysOff(frozenset({5, 6}), (Days(date(2026, 12, 24), date(2026, 12, 26)),)),
            hours_off=HoursOff(time(22), time(7, 30)),
            zone="Europe/Lisbon",
            grace=Span(0, 12),
            late="drop",
            misses=2,
            stand_in=Person("Eve", "eve@example.org"),
            reminders=(Span(2), Span(0, 6)),
            away_days=0,
            observers=("a@example.org", "b@example.org"),
            observer_delay=3,
            moderator_letters="turn",
            anonymous=True,
            confirm=True,
        ),
        Policies(turn_time=Span(0, 1), reminders=()),
        Policies(turn_time=Span(1), days_off=DaysOff(frozenset({0}))),
    ],
)
def test_policies_are_read_back(policies: Policies) -> None:
    assert read(write_policies(policies) or "") == (policies, [])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("turn_time: soon", "1 $.turn_time: `soon` should be a time of at most a year"),
        ("turn_time: 0h", "1 $.turn_time: the time to answer should be longer"),
        ("turn_time: 3d\nquestion_time: 0d", "2 $.question_time: the time to answer should"),
        ("turn_time: [3d]", "1 $.turn_time: should be a text, not a list"),
        ("turn_time: 3d\ndays_off: satan", "2 $.days_off: `satan` should be a day such as sat"),
        ("turn_time: 3d\nhours_off: 0-24", "2 $.hours_off: `0-24` should be hours such as"),
        ("turn_time: 3d\nzone: Europe/Lisboa", "2 $.zone: "),
        ("grace: 12h", "1 $.grace: it needs `turn_time`"),
        ("question_time: 12h", "1 $.question_time: it needs `turn_time`"),
        ("turn_time: 3d\nlate: sometimes", "2 $.late: `sometimes` should be one of wait, pass"),
        ("misses: 0", "1 $.misses: `0` should be a whole number from 1 to 100"),
        ("stand_in: Eve", "1 $.stand_in: "),
        ("reminders: 24h never", "1 $.reminders: `never` should be a time before the deadline"),
        ("away_days: 367", "1 $.away_days: `367` should be a whole number from 0 to 366"),
        ("observers: nobody", "1 $.observers: "),
        ("observer_delay: -1", "1 $.observer_delay: `-1` should be a whole number"),
        ("moderator_letters: some", "1 $.moderator_letters: `some` should be one of"),
        ("anonymous: maybe", "1 $.anonymous: `maybe` should be one of no, yes"),
        ("confirm: maybe", "1 $.confirm: `maybe` should be one of no, yes"),
        ("days_off: mon tue wed thu fri sat sun\nturn_time: 1d", "1 $.days_off: a week needs"),
        ("pause: yes", "1 $.pause: unknown key; known are turn_time, question_time"),
    ],
)
def test_every_wrong_policy_is_named_with_its_line(text: str, wrong: str) -> None:
    _, faults = read(text)
    assert len(faults) == 1
    assert faults[0].startswith(wrong)


def test_all_wrong_policies_are_named_at_once() -> None:
    _, faults = read("turn_time: x\ngrace: y\nzone: z\nhours_off: w\nlate: v")
    assert [each.partition(":")[0] for each in faults] == [
        "1 $.turn_time", "4 $.hours_off", "3 $.zone", "2 $.grace", "5 $.late",
    ]  # fmt: skip


def test_the_desk_is_read_back() -> None:
    person = Person("Eve", "eve@example.org")
    desk = DeskFile(
        keys={"archer": HASH},
        away={
            "bull": (
                Days(date(2026, 7, 1), date(2026, 7, 14)),
                Days(date(2026, 8, 1), date(2026, 8, 1)),
            )
        },
        bounced={"ana@example.org": Bounced(WHEN, "5.1.1")},
        announced=Announced("7b.1", WHEN, WHEN),
        pauses=(Stop(WHEN, WHEN, 'hospital: "soon" back'), Stop(WHEN)),
        handovers=(Handover("lion", person, 7, WHEN, Person("Lea")),),
        dropped={"pot": WHEN},
        confirmed={"bull": WHEN},
        rulings=(Ruling(3, WHEN, "Read\nthe rules."),),
    )
    assert read_desk(write_desk(desk)) == (desk, ())
    told = DeskFile(announced=Announced("7.1", WHEN))
    assert read_desk(write_desk(told)) == (told, ())


def test_health_is_read_back() -> None:
    health = Health(WHEN, WHEN, (Stop(WHEN, WHEN, "the disk"), Stop(WHEN)))
    assert read_health(write_health(health)) == (health, ())
    assert read_health(write_health(Health())) == (Health(), ())


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("announced: {question: '7.1', until: soon}", "$.announced.until: `soon` should be a time"),
        ("announced: {until: 2026-03-01T12:30:00Z}", "$.announced: `question` is missing"),
        ("announced: {question: '7.1', until: 2026-03-01, at: x}", "$.announced.at: unknown key"),
        ("pauses: [{until: 2026-03-01}]", "$.pauses[0]: `since` is missing"),
        ("pauses: [{since: now}]", "$.pauses[0].since: `now` should be a time"),
        ("away: {bull: [{first: 2026-07-02, last: 2026-07-01}]}", "$.away.bull[0]: 2026-07-01 is"),
    ],
)
def test_every_fault_of_a_desk_is_named(text: str, wrong: str) -> None:
    desk, problems = read_desk(f"schema: 1\nrules: 1\n{text}\n")
    assert desk is None
    assert [each.line for each in problems] == [3]
    assert problems[0].message.startswith(wrong)
