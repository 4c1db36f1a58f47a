"""The cage in which templates run, and where their compiled forms are kept."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jinja2.compiler
from jinja2 import nodes
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

MOST_STEPS = 200_000
"""How much a page may read and call: ours take two thousand steps."""


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, quicker for the values that views are made of: tuples cannot be changed."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a template reads when it says `obj.attribute`."""
        if isinstance(obj, tuple) and not attribute.startswith("_"):
            value = getattr(obj, attribute, self)
            if value is not self:
                return value
        return super().getattr(obj, attribute)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """What a template calls; its words and macros need no look, and no context either."""
        if isinstance(__obj, Macro):
            args = (__context.eval_ctx, *args)
        elif __obj not in __self.words:
            return super().call(__context, __obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __obj(*args, **kwargs)

    def speak(self, words: dict[str, Callable[..., str]]) -> None:
        """Make these functions all that a template can call by name."""
        self.words = set(words.values())
        self.globals.clear()
        self.globals.update(words)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Only who compiles a template needs to know what `{% trans %}` means."""
        if not self.extensions:
            words = dict(self.globals)
            self.add_extension("jinja2.ext.i18n")
            self.extend(newstyle_gettext=True)
            self.newstyle_gettext = True
            self.globals.clear()
            self.globals.update(words)
        return super()._parse(source, name, filename)


class Watched(Sandbox):
    """The sandbox of a moderator's own templates: nothing in it can grow or go on for ever."""

    intercepted_binops = frozenset(("*", "**", "%"))
    steps = 0

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a template reads, counted."""
        self._step()
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """What a template takes out of a table, counted."""
        self._step()
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """What a template calls, counted."""
        __self._step()
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """What a template multiplies: numbers of a sensible size, and no texts."""
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "**" or not numbers or max(abs(left), abs(right)) > MOST_STEPS:
            raise SecurityError(f"{operator} works on small numbers only")
        return super().call_binop(context, operator, left, right)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise SecurityError(f"it takes more than {MOST_STEPS} steps")


def bytecode_cache() -> "_Cache | None":
    """A folder that only this user can write to; None if there is no such folder."""
    for folder in _cache_folders():
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = folder.lstat()
            private = found.st_uid == os.getuid() and not found.st_mode & 0o022
            if private and os.access(folder, os.W_OK):
                return _Cache(str(folder), "%s.template")
    return None


def _cache_folders() -> Iterator[Path]:
    """Where compiled templates may lie: the user's folder; if it is read-only, a temporary one."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    if base.is_absolute():
        yield base / "pbem"
    elif home := os.environ.get("HOME"):
        yield Path(home) / ".cache" / "pbem"
    yield Path(tempfile.gettempdir()) / f"pbem-{os.getuid()}"


class _Cache(FileSystemBytecodeCache):
    """Compiled templates; whatever goes wrong with the folder is not an error."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the compiled template if it is there and whole."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # a damaged file can make pickle and marshal raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the compiled template if that is possible."""
        try:
            super().dump_bytecode(bucket)
        except OSError:
            return

    def get_source_checksum(self, source: str) -> str:
        """Changes with the template, with the compiler and with the filters."""
        return _stamp() + hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


@cache
def _stamp() -> str:
    """When the compiler, this file and the one with the filters were installed."""
    here = Path(__file__)
    files = (
        Path(jinja2.__file__),
        Path(jinja2.compiler.__file__),
        here,
        here.with_name("wording.py"),
    )
    return "".join(f"{path.stat().st_mtime_ns:x}-" for path in files)
