"""JSON of the acceptance data, where a key that stands twice is a mistake."""

import json
from typing import Any


def read_json(text: str) -> Any:
    """The value of a text; ValueError for a key that an object holds twice."""
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"key {', '.join(twice)} stands twice in one object")
    return found
