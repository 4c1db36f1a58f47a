"""Sentences of the mail templates: one macro each."""

from pbem.wording import environment


def say(template: str, macro: str, *values: object) -> str:
    """What a macro says, in one line."""
    text: str = getattr(environment().get_template(template).module, macro)(*values)
    return " ".join(text.split())
