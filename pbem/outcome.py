"""What a command did: lines for people, and the same as data for `--json`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from pbem.problem import Problem

DONE, REFUSED, MISUSED, DAMAGED = 0, 1, 2, 3


class Settings(NamedTuple):
    """The global options. `named`: the games folder was named, it is not the usual one."""

    games: Path = Path("games")
    json: bool = False
    quiet: bool = False
    named: bool = False


class Outcome:
    """Collects the result of one call. `code` is the exit code; the highest one wins.

    `page`: what is printed as it is, byte for byte, and is no line for people. `wanted`: the
    lines are what was asked for, and are printed with --quiet too. `more`: what is not of one
    game, for --json.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self.problems: list[dict[str, Any]] = []
        self.games: list[dict[str, Any]] = []
        self.more: dict[str, Any] = {}
        self.page: bytes | None = None
        self.wanted = False
        self.code = DONE

    def say(self, *lines: str) -> None:
        """Lines for standard output."""
        self.lines += map(printable, lines)

    def complain(self, code: int, message: str, **data: Any) -> None:
        """A line for standard error, a problem in the data, and the exit code."""
        message = printable(message)
        self.complaints.append(message)
        told = {key: printable(v) if isinstance(v, str) else v for key, v in data.items()}
        self.problems.append({"message": message} | told)
        self.code = max(self.code, code)

    def damage(self, game: str, path: Path, problems: Iterable[Problem]) -> None:
        """A file of a game that cannot be used, and everything that is wrong with it."""
        for problem in problems:
            where = f", line {problem.line}" if problem.line else ""
            read = f"`{problem.read}`: " if problem.read else ""
            message = f"{game}: {path}{where}: {read}{problem.message}"
            self.complain(
                DAMAGED, message, game=game, file=str(path), line=problem.line, kind="damage"
            )

    def include(self, other: "Outcome") -> None:
        """Take in what another call has said."""
        self.lines += other.lines
        self.complaints += other.complaints
        self.problems += other.problems
        self.games += other.games
        self.code = max(self.code, other.code)

    def misuse(self, message: str, **data: Any) -> None:
        """The command was called in a way that cannot be."""
        self.complain(MISUSED, message, kind="use", **data)

    def as_json(self) -> str:
        """The result as one object."""
        found = {"ok": self.code == DONE, "problems": self.problems, "games": self.games}
        return json.dumps(found | self.more, indent=2, ensure_ascii=False)


def fault_of(fault: OSError, where: Path | str = "") -> str:
    """What the system says is wrong, and with which file; `where` if it does not name one."""
    return f"{fault.filename or where or 'a file'}: {fault.strerror or fault}"


def printable(text: str) -> str:
    """The text with control characters and broken ones as codes; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(
        f"<U+{ord(sign):04X}>" if category(sign) in ("Cc", "Cs") and sign not in "\n\t" else sign
        for sign in text
    )
