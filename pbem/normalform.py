"""The orders as they were understood: the long form, the same for every way of writing them."""

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

from engine.orders import Exchange, Pass, PlaceCatastrophe, PlaceLeader, PlaceTile, WithdrawLeader
from engine.pieces import LEADER, TILE
from pbem.notation import PassAll, write_tiles
from pbem.orderfile import OrderFile
from pbem.orderitems import ActionItem
from pbem.riders import Riders

Data: TypeAlias = "str | dict[str, Data] | list[Data]"

_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ,./+_-]*[A-Za-z0-9])?")


def normal_data(order_file: OrderFile) -> dict[str, Data]:
    """The orders as plain data, every value a text; the order key is not among them."""
    data: dict[str, Data] = {"game": order_file.game}
    if order_file.player:
        data["player"] = order_file.player
    if order_file.turn is not None:
        data["turn"] = order_file.turn
    if order_file.first_action > 1:
        data["action"] = str(order_file.first_action)
    if order_file.actions is not None:
        data["actions"] = [_action(item) for item in order_file.actions]
    if order_file.answers is not None:
        data["answers"] = [
            {"question": item.question, **_riders(item.riders)} for item in order_file.answers
        ]
    for name, text in (("press", order_file.press), ("note", order_file.note)):
        if text is not None:
            data[name] = text
    return data


def normal_form(order_file: OrderFile) -> str:
    """The orders as an order file in the long form."""
    return "".join(f"{line}\n" for line in _lines(normal_data(order_file), ""))


def _action(item: ActionItem) -> dict[str, Data]:
    data = _order(item)
    if item.origin is not None:
        data["from"] = item.origin
    return data | _riders(item.riders)


def _order(item: ActionItem) -> dict[str, Data]:
    match item.order:
        case PlaceTile(colour, at):
            return {"tile": TILE[colour], "at": at}
        case PlaceLeader(colour, at):
            return {"leader": LEADER[colour], "at": at}
        case WithdrawLeader(colour):
            return {"withdraw": LEADER[colour]}
        case PlaceCatastrophe(at):
            return {"catastrophe": at}
        case Exchange(tiles):
            return {"swap": write_tiles(tiles)}
        case Pass():
            return {"pass": ""}
        case PassAll():
            return {"pass": "all"}


def _riders(riders: Riders) -> dict[str, Data]:
    data: dict[str, Data] = {}
    if riders.support is not None:
        data["support"] = riders.support.text
    elif riders.support_in:
        data["support"] = {colour: wish.text for colour, wish in riders.support_in}
    if riders.wars:
        data["wars"] = ", ".join(riders.wars)
    if riders.monument is not None:
        data["monument"] = riders.monument.text
        if riders.monument.at is not None:
            data["square"] = riders.monument.at
    if riders.leave:
        data["leave"] = ", ".join(riders.leave)
    return data


def _lines(data: Mapping[str, Data], indent: str) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        if isinstance(value, str):
            lines.append(f"{indent}{key}: {_scalar(value)}".rstrip())
        elif isinstance(value, dict):
            lines.append(f"{indent}{key}:")
            lines += _lines(value, indent + "  ")
        else:
            lines.append(f"{indent}{key}:" if value else f"{indent}{key}: []")
            for item in value:
                assert isinstance(item, dict)
                first, *rest = _lines(item, indent + "    ")
                lines += [f"{indent}  - {first.lstrip()}", *rest]
    return lines


def _scalar(text: str) -> str:
    if not text or _PLAIN.fullmatch(text):
        return text
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub("[\xa0\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", escaped)
