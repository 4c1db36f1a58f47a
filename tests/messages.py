"""The catalogues of the words of reports: `make messages` brings them up to date.

The compiled files are kept beside them, so that a fresh clone and the wheel speak all languages.
"""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pbem.language import DOMAIN
from pbem.names import LOCALES

ROOT = Path(__file__).parents[1]
WIDTH = 96


def marked() -> Catalog:
    """All words that are marked for translation, as a catalogue without translations."""
    with (ROOT / "templates" / "locale" / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    found = Catalog(domain=DOMAIN, charset="utf-8", fuzzy=False)
    for folder in ("pbem", "templates"):
        shifted = [(pattern.partition("/")[2], method) for pattern, method in methods
                   if pattern.startswith(f"{folder}/")]  # fmt: skip
        own = {pattern.partition("/")[2]: each for pattern, each in options.items()}
        for name, _, message, _, context in extract_from_dir(ROOT / folder, shifted, own):
            found.add(message, locations=[(f"{folder}/{name}", 1)], context=context)
    return found


def catalogues() -> Iterator[Path]:
    """The files of all languages."""
    yield from sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read(path: Path) -> Catalog:
    """The catalogue in a file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=DOMAIN)


def compiled(catalogue: Catalog) -> bytes:
    """What programs read."""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def updated(path: Path) -> bytes:
    """The text of a catalogue with what is new, without what is gone."""
    catalogue = read(path)
    head = path.read_text("utf-8").partition("#: ")[0]
    catalogue.update(marked(), no_fuzzy_matching=True, update_creation_date=False)
    out = io.BytesIO()
    write_po(out, catalogue, width=WIDTH, ignore_obsolete=True, include_lineno=False)
    return (head + "#: " + out.getvalue().decode().partition("#: ")[2]).encode()


def main() -> None:
    """Update and compile all catalogues."""
    for path in catalogues():
        path.write_bytes(updated(path))
        catalogue = read(path)
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        left = [message.id for message in catalogue if message.id and not message.string]
        sys.stdout.write(
            f"{path.relative_to(ROOT)}: {len(catalogue)} messages, {len(left)} to do\n"
        )


if __name__ == "__main__":
    main()
