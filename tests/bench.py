"""The figures of `make bench`: one JSON object on standard output, progress on standard error.

`python -m tests.bench` takes two to three minutes. Each figure stands beside its goal.
"""

import compileall
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench_engine import engine_figures
from tests.bench_files import file_figures
from tests.bench_mail import mail_figures
from tests.bench_moderator import moderator_figures
from tests.bench_reports import report_figures

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure everything and print it."""
    began = time.perf_counter()
    for folder in ("engine", "pbem"):
        compileall.compile_dir(ROOT / folder, quiet=2)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for measure in (
            file_figures, report_figures, mail_figures, moderator_figures, engine_figures,
        ):  # fmt: skip
            for name, figure in measure(Path(folder)):
                figures[name] = figure.as_data()
                sys.stderr.write(f"{name}: {json.dumps(figures[name])}\n")
    facts = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "seconds": round(time.perf_counter() - began),
        "all_goals_met": all(figure.get("met", True) for figure in figures.values()),
        "figures": figures,
    }
    sys.stdout.write(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    main()
