"""A game in one file: what may lie in it, and the list of its contents.

It is a zip file with README.txt, manifest.json, and the folder of the game as `game/`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.names import game_name_fault
from pbem.versions import RULES, SCHEMA

FORMAT = 1
README = "README.txt"
MANIFEST = "manifest.json"
GAME = "game/"
MAILS = "mails"
"""The folder of a game in which mails lie that came to another moderator."""

MOST_FILES = 100_000
LARGEST_FILE = 64 * 1024 * 1024
LARGEST = 256 * 1024 * 1024
"""So many bytes may all files have together."""

_LONGEST_NAME = 200
_DEEPEST = 4
_HASH = re.compile(r"[0-9a-f]{64}")
_KEYS = {"format", "schema", "rules", "program", "game", "run", "files"}


class Manifest(NamedTuple):
    """What lies in a parcel. `files`: the SHA-256 of each file, by its name in the parcel."""

    game: str
    run: int
    files: Mapping[str, str]
    program: str = ""


def write_manifest(manifest: Manifest) -> bytes:
    """The text of manifest.json; `read_manifest` reads it back."""
    data = {"format": FORMAT, "schema": SCHEMA, "rules": RULES, **manifest._asdict()}
    return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def read_manifest(data: bytes) -> Manifest | str:
    """What manifest.json says; or why it cannot be used."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return "it is no JSON"
    if not isinstance(found, dict) or found.keys() != _KEYS:
        return f"it should have the keys {', '.join(sorted(_KEYS))}"
    for key, known in (("format", FORMAT), ("schema", SCHEMA), ("rules", RULES)):
        if type(found[key]) is not int or found[key] < 1:
            return f"{key} should be a number"
        if found[key] > known:
            return f"{key} {found[key]} is newer than this program knows ({known}); update pbem"
    fault = _fault(found)
    return fault or Manifest(found["game"], found["run"], found["files"], found["program"])


def _fault(found: dict[str, Any]) -> str | None:
    """What is wrong with the values that are no versions."""
    game, run, files = found["game"], found["run"], found["files"]
    if not isinstance(game, str) or game_name_fault(game):
        return "game should be the name of a game"
    if type(run) is not int or run < 0 or not isinstance(found["program"], str):
        return "run should be a number, program a text"
    sound = isinstance(files, dict) and all(
        isinstance(sha256, str) and _HASH.fullmatch(sha256) for sha256 in files.values()
    )
    return None if sound else "files should have a SHA-256 for each name"


def file_name_fault(name: str) -> str | None:
    """Why no file may have this name in a parcel: it must be one on any machine, in its folder."""
    parts = name.split("/")
    if not name.isprintable() or any(sign in name for sign in '\\:*?"<>|'):
        return "a file's name has no control characters and none of \\ : * ? \" < > |"
    if any(not part or part[0] == "." or part[-1] in ". " for part in parts):
        return "a file's name does not begin with a dot, and does not end with one or with a space"
    if len(name) > _LONGEST_NAME or len(parts) > _DEEPEST:
        return f"a file's name has at most {_LONGEST_NAME} characters and {_DEEPEST} folders"
    return None
