"""The items of an order file: each action and each answer, in the short and the long form."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from engine.orders import (
    Action,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from engine.squares import Square
from pbem.entries import Entries, Entry, entries_of, lines_of, one_text, unknown_key
from pbem.notation import PassAll, read_action, write_order
from pbem.problem import LONGEST_READ, Findings, Problem
from pbem.riders import NO_RIDERS, RIDER_KEYS, VARIANT_KEYS, Riders, read_at, read_riders
from pbem.splitting import MAX_ITEMS, split_actions
from pbem.suggest import choice, fold
from pbem.words import LEADERS, LEADERS_LONG, TILES, fault, read_word
from pbem.yamltext import Listing, Mapping, Node, Scalar

ACTIONS_A_TURN = 2


class ActionItem(NamedTuple):
    """One action of a turn. `origin` is where its leader is said to come from (`from`).

    `lines` say where each key of it stands.
    """

    order: Action | PassAll
    line: int
    origin: Square | Literal["hand"] | None = None
    riders: Riders = NO_RIDERS
    lines: tuple[tuple[str, int], ...] = ()

    def line_of(self, key: str) -> int:
        """The line in which a key of it stands; its first line if there is no such key."""
        return dict(self.lines).get(key, self.line)


def read_actions(node: Node, first: int, findings: Findings) -> tuple[ActionItem, ...]:
    """All actions of a file; `first` is the number of the action the list begins with."""
    items = [item for part in _parts(node, findings) for item in _read_part(part, findings)]
    used = first - 1
    for item in items:
        if item is not None and used >= ACTIONS_A_TURN:
            _too_many(item, first, findings)
        used = ACTIONS_A_TURN if item and isinstance(item.order, PassAll) else used + 1
    return tuple(item for item in items if item)


def _too_many(item: ActionItem, first: int, findings: Findings) -> None:
    message = f"a turn has {ACTIONS_A_TURN} actions and no action is left for this one"
    if first > 1:
        message += f"; the list begins with action {first}"
    findings.add(item.line, write_order(item.order), f"{message}; take it out")


def _parts(node: Node, findings: Findings) -> tuple[Node, ...]:
    if isinstance(node, Listing):
        return node.items[:MAX_ITEMS]
    if isinstance(node, Mapping):
        message = "each action begins with a hyphen and a space: write `- ` before the first key"
        findings.add(node.line, f"{node.items[0][0].text}:" if node.items else "", message)
    return (node,)


def _read_part(part: Node, findings: Findings) -> Iterator[ActionItem | None]:
    if isinstance(part, Mapping):
        yield _read_long(part, findings)
    elif isinstance(part, Listing):
        findings.add(part.line, "", "a list within the list: write one action in each item")
    else:
        for piece in split_actions(part.text):
            yield _read_short(piece, part.line, findings)


def _read_short(text: str, line: int, findings: Findings) -> ActionItem | None:
    order = read_action(text)
    if not isinstance(order, Problem):
        return ActionItem(order, line)
    several = (
        []
        if len(text) > LONGEST_READ
        else re.findall(r"\S+ +\S*[0-9](?= |$)", " ".join(text.split()))
    )
    if len(several) > 1 and not any(isinstance(read_action(s), Problem) for s in several):
        message = "here stand several actions: give each a line with `- `, or put commas between"
        order = order._replace(message=message, meant=", ".join(several))
    findings.put(order, line)
    return None


def _read_long(mapping: Mapping, findings: Findings) -> ActionItem | None:
    found = entries_of(mapping)
    verb = _verb(mapping, found, findings)
    if verb is None:
        return None
    kind = _VERBS[verb]
    known = (verb, *kind.keys, *kind.riders)
    _refuse_keys(found, verb, known, findings)
    order = kind.read(found, findings)
    riders = read_riders(found, kind.riders, findings)
    origin = _origin(found["from"], findings) if "from" in found and "from" in known else None
    return (
        None if order is None else ActionItem(order, mapping.line, origin, riders, lines_of(found))
    )


def _verb(mapping: Mapping, found: Entries, findings: Findings) -> str | None:
    """The key that says what kind of action this is; a misspelt one is reported."""
    if (verb := next((name for name in found if name in _VERBS), None)) is not None:
        return verb
    if not mapping.items or _is_short_with_colon(mapping, findings):
        if not mapping.items:
            findings.missing(mapping.line, f"this action is empty; write {choice(_VERBS)}")
        return None
    known = (*_VERBS, "at", "from", *RIDER_KEYS, *VARIANT_KEYS)
    for name in [name for name in found if name not in known]:
        unknown_key(name, found, known, findings)
    verb = next((name for name in found if name in _VERBS), None)
    if verb is None:
        findings.missing(mapping.line, f"this item names no action: it needs {choice(_VERBS)}")
    for name in [name for name in found if name not in known]:
        del found[name]
    return verb


def _is_short_with_colon(mapping: Mapping, findings: Findings) -> bool:
    key, value = mapping.items[0]
    if not isinstance(value, Scalar):
        return False
    order = read_action(f"{key.text} {value.text}")
    if isinstance(order, Problem):
        return False
    message = "an action in the short form has no colon, and no further keys"
    meant = write_order(order) if len(mapping.items) == 1 else None
    findings.add(key.line, f"{key.text}: {value.text}", message, meant)
    return True


def _refuse_keys(found: Entries, verb: str, known: tuple[str, ...], findings: Findings) -> None:
    """Refuses the keys that do not belong to this verb."""
    for name, entry in list(found.items()):
        if name in known:
            continue
        if name in _VERBS:
            message = f"{verb} and {name} are two actions: begin each with a hyphen, `- {name}:`"
            findings.add(entry.key.line, f"{entry.key.text}:", message)
        elif name in VARIANT_KEYS:
            findings.add(entry.key.line, f"{entry.key.text}:", variant_message(name))
        elif name in RIDER_KEYS or name in ("at", "from"):
            message = f"{name} does not belong to {verb}; take it out"
            findings.add(entry.key.line, f"{entry.key.text}:", message)
        else:
            unknown_key(name, found, known, findings)


def variant_message(name: str) -> str:
    """The polite refusal of a key of a variant."""
    return f"{name} belongs to a variant, and this game is played without it; take it out"


def _origin(entry: Entry, findings: Findings) -> Square | Literal["hand"] | None:
    if isinstance(entry.value, Scalar) and fold(entry.value.text) == "hand":
        return "hand"
    return read_at(entry, findings)


def _at(found: Entries, verb: str, findings: Findings) -> Square | None:
    if "at" in found:
        return read_at(found["at"], findings)
    line = found[verb].key.line
    findings.missing(line, f"the square of this {verb} is missing: add a line at: F4")
    return None


def _tile(found: Entries, findings: Findings) -> Action | None:
    return _placed(found, "tile", findings)


def _leader(found: Entries, findings: Findings) -> Action | None:
    return _placed(found, "leader", findings)


def _placed(found: Entries, verb: Literal["tile", "leader"], findings: Findings) -> Action | None:
    entry = found[verb]
    scalar = one_text(entry, findings)
    if scalar is not None and "at" not in found and _holds_square(entry, scalar, found, findings):
        return None
    at = _at(found, verb, findings)
    if scalar is None:
        return None
    words, others = (TILES, LEADERS) if verb == "tile" else (LEADERS_LONG, TILES)
    colour = read_word(scalar.text, words, f"a {verb}")
    if isinstance(colour, Problem):
        if fold(scalar.text) in others:
            other = "leader" if verb == "tile" else "tile"
            message = f"{scalar.text} is a {other}, not a {verb}"
            read, right = f"{entry.key.text}: {scalar.text}", f"{other}: {scalar.text}"
            colour = Problem(None, read, message, right)
        findings.put(colour, scalar.line)
        return None
    if at is None:
        return None
    return PlaceTile(colour, at) if verb == "tile" else PlaceLeader(colour, at)


def _holds_square(entry: Entry, scalar: Scalar, found: Entries, findings: Findings) -> bool:
    order = read_action(scalar.text)
    if not isinstance(order, PlaceTile | PlaceLeader):
        return False
    message = f"the square needs a line of its own: at: {order.at}"
    meant = write_order(order) if len(found) == 1 else None
    findings.add(scalar.line, f"{entry.key.text}: {scalar.text}", message, meant)
    return True


def _withdraw(found: Entries, findings: Findings) -> Action | None:
    scalar = one_text(found["withdraw"], findings)
    if scalar is None:
        return None
    colour = read_word(scalar.text, LEADERS_LONG, "a leader")
    if isinstance(colour, Problem):
        findings.put(colour, scalar.line)
        return None
    return WithdrawLeader(colour)


def _catastrophe(found: Entries, findings: Findings) -> Action | None:
    square = read_at(found["catastrophe"], findings)
    return PlaceCatastrophe(square) if square else None


def _swap(found: Entries, findings: Findings) -> Action | None:
    value = found["swap"].value
    if isinstance(value, Listing):
        texts = [item.text for item in value.items if isinstance(item, Scalar)]
        if len(texts) == len(value.items):
            value = Scalar(", ".join(texts), value.line)
    scalar = one_text(Entry(found["swap"].key, value), findings)
    if scalar is None:
        return None
    order = read_action(f"swap {scalar.text}")
    if isinstance(order, Problem):
        meant = order.meant.removeprefix("swap ") if order.meant else None
        findings.put(order._replace(meant=meant), scalar.line, scalar.text or "swap:")
        return None
    assert not isinstance(order, PassAll)
    return order


def _pass(found: Entries, findings: Findings) -> Action | PassAll | None:
    scalar = one_text(found["pass"], findings)
    if scalar is None:
        return None
    word = fold(scalar.text)
    if word not in ("", "all"):
        findings.put(fault(scalar.text, "pass stands alone, or write pass: all"), scalar.line)
        return None
    return PassAll() if word else Pass()


class _Verb(NamedTuple):
    """One kind of action in the long form: further keys, riders that can belong, its reader."""

    keys: tuple[str, ...]
    riders: tuple[str, ...]
    read: Callable[[Entries, Findings], Action | PassAll | None]


_VERBS: dict[str, _Verb] = {
    "tile": _Verb(("at",), RIDER_KEYS, _tile),
    "leader": _Verb(("at", "from"), ("support", "leave"), _leader),
    "withdraw": _Verb((), (), _withdraw),
    "catastrophe": _Verb((), (), _catastrophe),
    "swap": _Verb((), (), _swap),
    "pass": _Verb((), (), _pass),
}
