"""What of a text is the writer's own: quotes, signatures, forwarded mails and rulers are told
apart row by row. What is quoted is never executed."""

import re
from typing import Literal, TypeAlias

Mark: TypeAlias = Literal["", "quote", "signature", "forward", "ruler"]
"""What a row is: "" the writer's own."""

_QUOTE = re.compile(r"[ \t\u00a0]{0,3}(?:[>\u00bb|]|[A-Za-z]{1,3}>)")
_QUOTE_SIGNS = re.compile(r"(?:[ \t\u00a0]{0,3}(?:[>\u00bb|]|[A-Za-z]{1,3}>))+[ \u00a0]?")
_ESCAPED_FROM = re.compile(r">+From ")
_SIGNATURE = re.compile(r"(?:--|\u2014|\u2013) ?")
_RULER = re.compile(r"[ \t]*(?:([-_=*~\u2500\u2014])\1{3,}|```.*|~~~.*|---|\.\.\.)[ \t]*")
_FORWARD = re.compile(
    r"[-_ ]{0,20}(?:begin forwarded message|forwarded message(?: from .*)?|forwarded by .*"
    r"|weitergeleitete nachricht|anfang der weitergeleiteten nachricht"
    r"|message transf\u00e9r\u00e9|d\u00e9but du message (?:transf|r\u00e9exp\u00e9di)\w+"
    r"|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|mensagem encaminhada"
    r"|vidarebefordrat meddelande|przekazana wiadomo\u015b\u0107"
    r"|\u041f\u0435\u0440\u0435\u0441\u044b\u043b\u0430\u0435\u043c\u043e\u0435"
    r" \u0441\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435) ?:?[-_ ]{0,20}",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    r"[-_ ]{2,20}(?:original message|urspr\u00fcngliche nachricht|message d'origine"
    r"|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original"
    r"|originalmeddelande|oryginalna wiadomo\u015b\u0107) ?:?[-_ ]{2,20}",
    re.IGNORECASE,
)
_FROM = (
    "From Von De Da Van Fr\u00e5n Fra Od L\u00e4hett\u00e4j\u00e4 \u041e\u0442 \u5dee\u51fa\u4eba"
)
_OTHERS = (
    "Sent Date To Cc Subject Gesendet Datum An Betreff Envoy\u00e9 Date \u00c0 Objet Enviado Fecha"
    " Para Asunto Inviato Data A Oggetto Verzonden Aan Onderwerp Skickat Till \u00c4mne Sendt Til"
    " Emne Wys\u0142ano Do Temat L\u00e4hetetty Vastaanottaja Aihe"
    " \u041e\u0442\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e \u041a\u043e\u043c\u0443"
    " \u0422\u0435\u043c\u0430 Assunto \u9001\u4fe1\u65e5\u6642 \u5b9b\u5148 \u4ef6\u540d"
)
_HEAD_FROM = re.compile(rf"[ \t*]*(?:{'|'.join(_FROM.split())})[ \t*]*[:\uff1a]", re.IGNORECASE)
_HEAD_OTHER = re.compile(rf"[ \t*]*(?:{'|'.join(_OTHERS.split())})[ \t*]*[:\uff1a]", re.IGNORECASE)
_WROTE = re.compile(
    r".*(?:wrote|schrieb.*|a \u00e9crit|escribi\u00f3|ha scritto|schreef.*|escreveu|skrev.*"
    r"|napisa\u0142.*|kirjoitti|\u043f\u0438\u0448\u0435\u0442|\u043d\u0430\u043f\u0438\u0441\u0430\u043b.*)"
    r"[ \u00a0]?[:\uff1a]",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:On|Am|Le|El|Il|Op|Em|Den|W dniu|Dnia|P\u00e5) .*\d", re.IGNORECASE)
_KEY_ROW = re.compile(r"[\w ]{1,20}:(?:\s|$)")
_ATTRIBUTION = 3


def marks(rows: list[str], *, forwards: bool = False) -> list[Mark]:
    """What each row is. `forwards`: the subject says that this mail forwards another."""
    found: list[Mark] = []
    rest: Mark = ""
    for index, row in enumerate(rows):
        if rest and not (rest == "signature" and _QUOTE.match(row)):
            found.append(rest)
            continue
        mark = _mark(row)
        if not mark:
            rest = _rest(rows, index, forwards=forwards)
        elif mark == "signature":
            rest = mark
        found.append(rest or mark)
    _attributions(rows, found)
    return found


def without_quote(row: str) -> str:
    """The row without its quote signs."""
    found = _QUOTE_SIGNS.match(row)
    return row[found.end() :] if found else row


def _mark(row: str) -> Mark:
    if _QUOTE.match(row) and not _ESCAPED_FROM.match(row):
        return "quote"
    if _SIGNATURE.fullmatch(row):
        return "signature"
    if _RULER.fullmatch(row) and not _ORIGINAL.fullmatch(row) and not _FORWARD.fullmatch(row):
        return "ruler"
    return ""


def _rest(rows: list[str], index: int, *, forwards: bool) -> Mark:
    """What all rows from here on are, if this one begins somebody else's mail."""
    row = rows[index]
    if not row.strip():
        return ""
    if _FORWARD.fullmatch(row.strip()):
        return "forward"
    if _ORIGINAL.fullmatch(row.strip()) or _outlook_head(rows, index):
        return "forward" if forwards else "quote"
    if _wrote(rows, index) and not _quote_follows(rows, index):
        return "quote"
    return ""


def _outlook_head(rows: list[str], index: int) -> bool:
    """From, Sent, To, Subject: at least three of them in the next rows."""
    if not _HEAD_FROM.match(rows[index]):
        return False
    return sum(1 for row in rows[index + 1 : index + 8] if _HEAD_OTHER.match(row)) >= 2


def _wrote(rows: list[str], index: int) -> bool:
    """`On Monday, somebody wrote:`, which may go over several rows."""
    if not _OPENING.match(rows[index]):
        return False
    for end in range(index, min(index + _ATTRIBUTION, len(rows))):
        if not rows[end].strip():
            return False
        if _WROTE.fullmatch(" ".join(rows[index : end + 1]).strip()):
            return True
    return False


def _quote_follows(rows: list[str], index: int) -> bool:
    """Whether marked quotes stand below an attribution."""
    ahead = [row for row in rows[index + 1 : index + 8] if row.strip()]
    return any(_QUOTE.match(row) for row in ahead[:_ATTRIBUTION])


def _attributions(rows: list[str], found: list[Mark]) -> None:
    """The one to three rows above a quote that say who wrote it belong to it."""
    for index in range(1, len(rows)):
        if found[index] != "quote" or found[index - 1] == "quote":
            continue
        end = index - 1
        while end > 0 and not rows[end].strip():
            end -= 1
        start = end
        while start > 0 and end - start < _ATTRIBUTION - 1 and _goes_on(rows[start - 1]):
            if re.search(r"\d", rows[start]):
                break
            start -= 1
        text = " ".join(rows[start : end + 1]).strip()
        says_who = text.endswith((":", "\uff1a")) and ("@" in text or _WROTE.fullmatch(text))
        if says_who and re.search(r"\d", text) and all(not found[i] for i in range(start, end + 1)):
            found[start : end + 1] = ["quote"] * (end + 1 - start)


def _goes_on(row: str) -> bool:
    """Whether a row may be the first part of an attribution that was wrapped."""
    return bool(row.strip()) and not row[:1].isspace() and not _KEY_ROW.match(row)
