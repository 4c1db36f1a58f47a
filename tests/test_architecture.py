"""Who may import whom, and how long things may be: read off the syntax trees."""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "engine").glob("**/*.py"))
PBEM = sorted((ROOT / "pbem").glob("**/*.py"))
LONGEST_FILE = 300
LONGEST_FUNCTION = 40
LONGEST_MATCH = 60

# The engine reads nothing and asks nobody: no files, no clock, no chance but the shuffle.
OUTSIDE_WORLD = {
    "asyncio", "builtins", "ctypes", "datetime", "fileinput", "glob", "importlib", "io", "locale",
    "logging", "multiprocessing", "os", "pathlib", "platform", "pickle", "random", "secrets",
    "select", "selectors", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys",
    "tempfile", "threading", "time", "urllib", "uuid", "warnings",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}
MAY_SHUFFLE = {"setup.py"}
# What reports are made of: what one may see, and the values that occur in it.
FOR_REPORTS = {
    f"engine.{name}"
    for name in ("view", "events", "hintview", "tally", "pieces", "squares", "maps", "options")
}


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(path: Path) -> Iterator[str]:
    """The modules a file imports, with what they are imported from in full."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            for alias in node.names:
                submodule = ROOT.joinpath(*module.split("."), f"{alias.name}.py")
                yield f"{module}.{alias.name}" if submodule.exists() else module


def name_of(path: Path) -> str:
    """The name by which a file is imported; a package has that of its folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def named(paths: list[Path]) -> list[object]:
    """Cases with the names of the files."""
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


@pytest.mark.parametrize("path", named(ENGINE))
def test_the_engine_knows_the_standard_library_and_itself(path: Path) -> None:
    """Nothing else, nothing that reaches outside, and chance only where tiles are shuffled."""
    for module in imports(path):
        top = module.partition(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, module
        allowed = {"random"} if path.name in MAY_SHUFFLE else set()
        assert top not in OUTSIDE_WORLD - allowed, module


@pytest.mark.parametrize("path", named(ENGINE))
def test_the_engine_reads_and_writes_nothing(path: Path) -> None:
    """No call that opens, prints or asks."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in IMPURE_CALLS, f"line {node.lineno}"


@pytest.mark.parametrize("folder", ["engine", "pbem"])
def test_no_circles(folder: str) -> None:
    """Modules can be put in an order in which each imports earlier ones only."""
    paths = ENGINE if folder == "engine" else PBEM
    names = {name_of(path): path for path in paths}
    graph = {name: names.keys() & set(imports(path)) for name, path in names.items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", named([*ENGINE, *PBEM]))
def test_nothing_hides_a_circle(path: Path) -> None:
    """No import for type checkers only."""
    assert "TYPE_CHECKING" not in path.read_text("utf-8")


REPORTS = [path for path in PBEM if path.relative_to(ROOT / "pbem").parts[0].startswith("reports")]


@pytest.mark.parametrize("path", named(REPORTS))
def test_reports_see_views_only(path: Path) -> None:
    """What a report cannot import it cannot tell."""
    modules = {module for module in imports(path) if module.startswith("engine")}
    assert modules <= FOR_REPORTS


@pytest.mark.parametrize("path", named(REPORTS))
def test_reports_have_no_helper_that_sees_a_state(path: Path) -> None:
    """Nor does anything else of `pbem` that a report is made with import the state."""
    seen: set[str] = set()
    ahead = [path]
    while ahead:
        modules = set(imports(ahead.pop()))
        assert "engine.state" not in modules
        fresh = {name for name in modules - seen if name.startswith("pbem.")}
        seen |= fresh
        ahead += [path for path in PBEM if name_of(path) in fresh]


@pytest.mark.parametrize("path", named([*ENGINE, *PBEM]))
def test_files_and_functions_are_short(path: Path) -> None:
    """A file is read in one sitting, a function at one glance, a `match` case by case."""
    assert len(path.read_text("utf-8").splitlines()) < LONGEST_FILE
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            limit = LONGEST_MATCH if is_one_match(node) else LONGEST_FUNCTION
            assert lines(node) <= limit, f"{node.name}: {lines(node)} lines"


def lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The length of a function, from `def` to its end."""
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def is_one_match(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does nothing but tell the cases of a closed union apart."""
    _docstring, *body = node.body
    return len(body) == 1 and isinstance(body[0], ast.Match)
