"""One figure of the benchmark, with its goal."""

from typing import Any, NamedTuple


class Figure(NamedTuple):
    """A number and its unit. `at_most` or `at_least` is the goal, if there is one."""

    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    more: dict[str, float] | None = None

    def as_data(self) -> dict[str, Any]:
        """The figure for printing; `met` says whether the goal is reached."""
        data: dict[str, Any] = {"value": rounded(self.value), "unit": self.unit}
        if self.at_most is not None:
            data |= {"goal": f"at most {self.at_most:g}", "met": self.value <= self.at_most}
        if self.at_least is not None:
            data |= {"goal": f"over {self.at_least:g}", "met": self.value > self.at_least}
        return data | {name: rounded(value) for name, value in (self.more or {}).items()}


def rounded(value: float) -> float:
    """Three digits that count."""
    return float(f"{value:.3g}") if abs(value) < 1000 else round(value)
