"""The documentation is true: its snippets run, and what they show is what comes out."""

import ast
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.formats import registry as formats
from cranfield.knowledge.relatedness.wordnet import is_there
from cranfield.measures import registry

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_SNIPPETS = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_SNIPPETS, ids=lambda page: page.name)
def test_snippets_of_a_page_run_and_show_what_they_say(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _provide(page)
    # Measures and formats that a page defines are gone again after it.
    monkeypatch.setattr(registry, "_definitions", dict(registry._definitions))
    monkeypatch.setattr(registry, "_spellings", dict(registry._spellings))
    monkeypatch.setattr(formats, "_formats", dict(formats._registered()))
    names: dict[str, object] = {}
    for kind, block in _blocks(page):
        first = block.partition("\n")[0].removeprefix("# ")
        if kind == "console":
            _run_commands(block)
        elif first.endswith(".py"):
            names |= _run_module(first, block, monkeypatch)
        else:
            _run_python(block, names)


def _provide(page: Path) -> None:
    """Lay out the data that a page says it is about; without them it cannot be tried."""
    first = page.read_text(encoding="utf-8").partition("\n")[0]
    if first == "<!-- needs: wordnet -->" and not is_there():
        pytest.skip("WordNet 3.0 could not be had")
    if first.startswith("<!-- data: "):
        name = first.removeprefix("<!-- data: ").removesuffix(" -->")
        if not (DATA / name).is_dir():
            pytest.skip(f"there is no {name} among the data to try things on")
        Path(name).symlink_to(DATA / name)


def _blocks(page: Path) -> Iterator[tuple[str, str]]:
    kind, lines = "", []
    for line in page.read_text(encoding="utf-8").splitlines():
        if not line.startswith("```"):
            lines.append(line)
        elif kind:
            if kind in ("python", "console"):
                yield kind, "\n".join(lines)
            kind = ""
        else:
            kind, lines = line.removeprefix("```") or "plain", []


def _run_commands(block: str) -> None:
    for line in block.splitlines():
        if line.startswith("$ "):
            command = shlex.split(line.removeprefix("$ "))
            assert command[0] == "cranfield"
            done = CliRunner().invoke(app, command[1:])
            assert done.exit_code == 0, (line, done.output, done.exception)


def _run_module(path: str, block: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """A block that begins with the path of a file is that module while the page is tried; tests in
    it are run."""
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    if "/" not in path:  # of the reader's own folder, where commands find it
        Path(path).write_text(block, encoding="utf-8")
        module.__file__ = str(Path(path).resolve())
    exec(compile(block, path, "exec"), module.__dict__)
    for test in [value for key, value in vars(module).items() if key.startswith("test_")]:
        test()
    return {key: value for key, value in vars(module).items() if not key.startswith("__")}


def _run_python(block: str, names: dict[str, object]) -> None:
    lines = block.splitlines()
    for node in ast.parse(block).body:
        source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        shown = source.partition("# → ")[2]
        if isinstance(node, ast.Expr) and shown:
            assert str(eval(source, names)) == shown
        else:
            start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            exec("\n".join(lines[start - 1 : node.end_lineno]), names)


def test_every_claimed_value_is_checked() -> None:
    """An arrow behind anything but an expression would be a claim nobody checks."""
    for page in WITH_SNIPPETS:
        for kind, block in _blocks(page):
            if kind == "python":
                claims = sum("# → " in line for line in block.splitlines())
                nodes = [node for node in ast.parse(block).body if isinstance(node, ast.Expr)]
                ends = {node.end_lineno for node in nodes}
                checked = sum(
                    "# → " in line and number in ends
                    for number, line in enumerate(block.splitlines(), start=1)
                )
                assert claims == checked, page


def test_measure_pages_say_what_the_registry_says() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "build.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in [part.partition(")")[0] for part in text.split("](")[1:]]:
            if not target.startswith(("http", "#")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
