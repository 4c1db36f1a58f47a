"""YAML is read as text, with lines, and refuses what could hurt or surprise."""

import time
from itertools import pairwise

import pytest
import yaml

from pbem import yamltext
from pbem.problem import Problem
from pbem.yamltext import Listing, Mapping, Scalar, decode, read_yaml


def only_problem(text: str | bytes) -> Problem:
    """The one problem of a text."""
    (problem,) = read_yaml(text).problems
    return problem


def values(text: str) -> dict[str, str]:
    """Keys and values of a flat text."""
    reading = read_yaml(text)
    assert not reading.problems
    assert isinstance(reading.document, Mapping)
    return {k.text: v.text for k, v in reading.document.items if isinstance(v, Scalar)}


def test_every_scalar_stays_what_was_written() -> None:
    text = "a: no\nb: 010\nc: 1:30\nd:\ne: ~\nf: 1_000\ng: 2026-03-10\nh: '7'\ni: =\n"
    assert values(text) == {
        "a": "no", "b": "010", "c": "1:30", "d": "", "e": "~", "f": "1_000",
        "g": "2026-03-10", "h": "7", "i": "=",
    }  # fmt: skip


def test_every_node_knows_its_line() -> None:
    reading = read_yaml("# head\na: 1\nb:\n  - x\n  - y: 2\n")
    assert reading.document == Mapping(
        (
            (Scalar("a", 2), Scalar("1", 2)),
            (
                Scalar("b", 3),
                Listing(
                    (Scalar("x", 4), Mapping(((Scalar("y", 5), Scalar("2", 5)),), 5)),
                    4,
                ),
            ),
        ),
        2,
    )


def test_keys_are_found_without_case() -> None:
    document = read_yaml("Turn : 7").document
    assert isinstance(document, Mapping)
    assert document.get("turn") == Scalar("7", 1)
    assert document.get("game") is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems_and_a_byte_order_mark(end: str) -> None:
    data = b"\xef\xbb\xbf" + f"a: 1{end}b: 2{end}".encode()
    assert read_yaml(data) == read_yaml("a: 1\nb: 2\n")


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a: 1\nb: &x 2\n", 2, "&"),
        ("a: 1\nb: *x\n", 2, "*"),
        ("a: !!python/object/apply:os.system [x]\n", 1, "!!"),
        ("a: !x 1\n", 1, "!"),
        ("a: 1\nb: 2\nA : 3\n", 3, "line 1"),
        ("a: {b: 1, B: 2}\n", 1, "the key b"),
        ("a: [[[[[[[[1]]]]]]]]\n", 1, "8 levels"),
        ("a: 1\n---\nb: 2\n", 3, "second document"),
        ("a: 1\nb: \x07\n", 2, "U+0007"),
        ('a: 1\nb: "\\x07"\n', 2, "U+0007"),
        ("a: 1\u2028b: 2\n", 1, "U+2028"),
        ("a: x\x85\n", 1, "U+0085"),
        ("? [a]\n: 1\n", 1, "plain word"),
        ("%TAG ! tag:x,2000:\n---\na: 1\n", 1, "tags"),
        ("a:\n  - b: 1\n  -c: 2\n", 3, "hyphen"),
        ("Turn:7\na: 1\n", 1, "colon"),
        ("a:\n\t- b\n", 2, "tab"),
        ("a: 'x\nb: 1\n", 1, "never closed"),
        ("a: [x\nb: 1\n", 1, "bracket"),
        ("a:\n  b: 1\n c: 2\n", 3, "indentation"),
        ("a: @x\n", 1, "@"),
        ("a: * \n", 1, "*"),
        ("# a long\ncomment\na: 1\n", 2, "continues the comment of line 1"),
        ("a: b: c\n", 1, "quotes"),
    ],
)
def test_what_is_refused_names_line_and_cause(text: str, line: int, word: str) -> None:
    for parser in (yamltext._PARSER, yaml.SafeLoader):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yamltext, "_PARSER", parser)
            problems = read_yaml(text).problems
        assert [p.line for p in problems] == [line]
        assert word in f"{problems[0].read} {problems[0].message}"


def test_several_problems_are_found_at_once() -> None:
    problems = read_yaml("a: &x 1\nb: !y 2\na: 3\n").problems
    assert [problem.line for problem in problems] == [1, 2, 3]


def test_several_documents_where_they_are_allowed() -> None:
    reading = read_yaml("a: 1\n---\nb: 2\n", several=True)
    assert [document.line for document in reading.documents] == [1, 3]
    assert not reading.problems


def test_what_is_not_utf8_is_named_and_guessed() -> None:
    text, problems = decode(b"a: 1\nb: caf\xe9\n")
    assert text == "a: 1\nb: café\n"
    assert [(p.line, p.read) for p in problems] == [(2, "byte e9")]
    assert "UTF-8" in problems[0].message
    assert "UTF-16" in only_problem("a: 1\n".encode("utf-16")).message


@pytest.mark.parametrize("end", ["end", "end:", "END : ", "end # bye"])
def test_end_stops_the_reading_where_asked(end: str) -> None:
    text = f"a: 1\n{end}\nb: [\n".encode() + b"\xff"
    assert read_yaml(text, stop_at_end=True) == read_yaml("a: 1\n")
    assert read_yaml(text).problems


def test_an_indented_end_does_not_stop_the_reading() -> None:
    assert not read_yaml("a: |\n  end\nb: 1\n", stop_at_end=True).problems
    assert len(values("a: |\n  end\nb: 1\n")) == 2


@pytest.mark.parametrize("parser", [yamltext._PARSER, yaml.SafeLoader])
def test_bombs_cost_nothing(parser: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamltext, "_PARSER", parser)
    letters = "abcdefghi"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for before, letter in pairwise(letters):
        lines.append(f"{letter}: &{letter} [{','.join([f'*{before}'] * 9)}]")
    started = time.perf_counter()
    assert len(read_yaml("\n".join(lines)).problems) == len(lines)
    assert only_problem("a: 1\nb: " + "[" * 3000).line == 2
    assert read_yaml("b:\n" + "".join(" " * n + "- \n" for n in range(300))).problems
    assert time.perf_counter() - started < 5


def test_an_empty_text_has_no_document() -> None:
    assert read_yaml("") == read_yaml("# only a comment\n")
    assert read_yaml("").document is None
