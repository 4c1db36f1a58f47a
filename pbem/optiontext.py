"""The options of a game as words: one table for files and for the command line."""

from typing import Any, get_args, get_type_hints

from engine.options import Options
from pbem.fields import Fields

ALLOWED: dict[str, dict[str, Any]] = {
    name: ({"no": False, "yes": True} if hint is bool else {word: word for word in get_args(hint)})
    for name, hint in get_type_hints(Options).items()
}
"""Each option with the words for its values."""

FOR_GAMES = tuple(name for name in ALLOWED if not name.startswith("test_"))
_DEFAULT = Options()
_SWITCH = {"true": "yes", "on": "yes", "false": "no", "off": "no"}


def read_options(given: Fields, base: Options = _DEFAULT) -> Options:
    """The options of a file; what it does not name is as in `base`."""
    values: dict[str, Any] = {}
    for name, words in ALLOWED.items():
        default = _word(name, getattr(base, name))
        values[name] = words[given.choice(name, words, default)]
    given.end(", ".join(FOR_GAMES))
    return Options(**values)


def write_options(options: Options) -> list[str]:
    """One line an option; the test options only where they are not as usual."""
    return [
        f"{name}: {_word(name, value)}"
        for name in ALLOWED
        if (value := getattr(options, name)) != getattr(_DEFAULT, name) or name in FOR_GAMES
    ]


def parse_option(text: str) -> tuple[str, Any] | str:
    """An option as on the command line, `board=advanced`: its name and value, or what is wrong."""
    name, _, word = (part.strip().lower() for part in text.partition("="))
    if name not in FOR_GAMES:
        return f"`{text}`: options are {', '.join(FOR_GAMES)}"
    if "yes" in ALLOWED[name]:
        word = _SWITCH.get(word, word)
    if word not in ALLOWED[name]:
        return f"`{text}`: {name} is one of {', '.join(ALLOWED[name])}"
    return name, ALLOWED[name][word]


def _word(name: str, value: Any) -> str:
    return next(word for word, known in ALLOWED[name].items() if known == value)
