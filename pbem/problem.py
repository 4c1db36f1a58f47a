"""What is wrong with something a person wrote, as a value."""

from typing import NamedTuple


class Problem(NamedTuple):
    """One fault of a file or a line, written for the person who has to mend it.

    `line` counts from the first line of the file, None where no single line is at fault.
    `read` is what stood there, `message` says what is wrong and what to do, and `meant` is the
    text that would stand right in the place of `read`, where only one can be meant.
    """

    line: int | None
    read: str
    message: str
    meant: str | None = None


def by_line(problem: Problem) -> int:
    """Sorts problems from the top of the file; those without a line come first."""
    return problem.line or 0


LONGEST_READ = 200
LONGEST_MESSAGE = 500


def clipped(problem: Problem) -> Problem:
    """The problem with a long text in it cut down; what was cut cannot be put right."""
    if problem.meant == problem.read:
        problem = problem._replace(meant=None)
    if len(problem.read) > LONGEST_READ:
        problem = problem._replace(read=problem.read[:LONGEST_READ] + " ..", meant=None)
    if len(problem.message) > LONGEST_MESSAGE:
        problem = problem._replace(message=problem.message[:LONGEST_MESSAGE] + " ..")
    return problem


class Findings:
    """The problems found so far in one file.

    While `guessing`, part of the file could not be read, and what is missing may stand there:
    then nothing is called missing.
    """

    def __init__(self, *, guessing: bool = False) -> None:
        self.problems: list[Problem] = []
        self._guessing = guessing

    def add(self, line: int | None, read: str, message: str, meant: str | None = None) -> None:
        """Something that stands there is wrong."""
        self.problems.append(clipped(Problem(line, read, message, meant)))

    def put(self, problem: Problem, line: int, read: str | None = None) -> None:
        """A problem found in one line of text, at the place of that line."""
        self.problems.append(clipped(problem._replace(line=line, read=read or problem.read)))

    def missing(self, line: int | None, message: str) -> None:
        """Something that had to stand there does not."""
        if not self._guessing:
            self.problems.append(Problem(line, "", message))
