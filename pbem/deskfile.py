"""desk.yaml: what commands change in a running game. It is the program's and may be absent.

Nothing stands in it yet but its versions; replaced players, hashes of order keys, pauses and
absences come with the commands that need them.
"""

from dataclasses import dataclass

from pbem.fields import read_fields
from pbem.problem import Problem
from pbem.versions import RULES, SCHEMA, read_versions


@dataclass(frozen=True, slots=True)
class DeskFile:
    """What desk.yaml says."""


def read_desk(data: bytes | str | None) -> tuple[DeskFile | None, tuple[Problem, ...]]:
    """What the text of a desk.yaml says, None if there are problems; no file is an empty one."""
    if data is None:
        return DeskFile(), ()
    fields, faults = read_fields(data)
    if fields is not None and read_versions(fields):
        fields.end("schema, rules")
    return (None if faults.problems else DeskFile()), tuple(faults.problems)


def write_desk(desk: DeskFile) -> str:  # noqa: ARG001 - nothing stands in it yet
    """The text of a desk.yaml; `read_desk` reads it back."""
    return f"schema: {SCHEMA}\nrules: {RULES}\n"
