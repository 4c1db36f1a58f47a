"""Files of the program that are sound, or named with everything that is wrong with them."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pbem import disk
from pbem.problem import Problem

Value = TypeVar("Value")
LARGEST_FILE = 16 * 1024 * 1024


class Damage(Exception):
    """A file of a game that cannot be used, and everything that is wrong with it."""

    def __init__(self, path: Path, problems: tuple[Problem, ...]) -> None:
        super().__init__(f"{path}: damaged")
        self.path = path
        self.problems = problems


def read_whole(path: Path) -> bytes:
    """What a file holds; Damage if it cannot be read."""
    data = disk.read_plain(path, LARGEST_FILE)
    if data is None or len(data) > LARGEST_FILE:
        raise damaged(
            path, "this is no file that can be read" if path.exists() else "it is missing"
        )
    return data


def sound(path: Path, read: Callable[[bytes], tuple[Value | None, tuple[Problem, ...]]]) -> Value:
    """What a file says; Damage, with all that is wrong, if it is not sound."""
    value, problems = read(read_whole(path))
    if value is None:
        raise Damage(path, problems)
    return value


def damaged(path: Path, message: str) -> Damage:
    """One thing that is wrong with a file."""
    return Damage(path, (Problem(None, "", message),))
