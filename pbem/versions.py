"""The numbers every file of a game says: its shape (`schema`) and the behaviour (`rules`)."""

from collections.abc import Callable

from pbem.fields import Fields
from pbem.yamltext import Mapping

SCHEMA = 1
RULES = 1

MIGRATIONS: dict[int, Callable[[Mapping], Mapping]] = {}
"""For each older schema of a history file the function that makes the next one of its tree."""


def read_versions(fields: Fields) -> tuple[int, int] | None:
    """Take `schema` and `rules`; None, with the problem noted, if this program is too old."""
    schema = fields.number("schema", low=1)
    rules = fields.number("rules", low=1)
    for key, found, known in (("schema", schema, SCHEMA), ("rules", rules, RULES)):
        if found > known:
            fields.wrong(key, f"{found} is newer than this program knows ({known}); update pbem")
    return (schema, rules) if schema <= SCHEMA and rules <= RULES else None


def migrate(tree: Mapping, migrations: dict[int, Callable[[Mapping], Mapping]]) -> Mapping:
    """The tree of an older file, step by step in the shape of today."""
    schema = schema_of(tree)
    while schema in migrations:
        tree = migrations[schema](tree)
        schema += 1
    return tree


def schema_of(tree: Mapping) -> int:
    """The shape that a file says it has; 0 if it says none."""
    words = [value for key, value in tree.items if key.text == "schema"]
    text = getattr(words[0], "text", "") if words else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
