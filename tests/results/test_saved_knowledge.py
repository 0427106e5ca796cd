"""Commands about ontologies and relatedness: saved, loaded and shown again they say the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.core.result import load
from cranfield.show import rendered

FILES = {
    "tags.csv": "item,concept,value\nx,Trees,0.9\ny,sky,0.8\nz,flowers,0.2\nz,nothing,0.7\n",
    "pairs.csv": "trees,flowers,3\ntrees,sky,1\nflowers,sky,2\n",
    "tree.csv": "child,parent\nplants,\ntrees,plants\nflowers,plants\nsky,\n",
    "truth.csv": "item,plants,trees,flowers\nx,0,1,0\ny,1,0,1\nz,0,0,1\n",
    "gaps.csv": "item,concept,value\nx,trees,1\ny,plants,0\nz,plants,0\nz,trees,1\n",
    "related.csv": "concept,trees,flowers,sky\ntrees,9,4,1\nflowers,4,9,2\nsky,1,2,9\n",
}
COMMANDS = (
    "ontology show tree.csv",
    "ontology show pto2010 --tree flattest",
    "ontology check pto2009",
    "ontology check tree.csv truth.csv",
    "ontology costs tree.csv --check",
    "ontology costs --from related.csv --normalise max",
    "ontology repair tree.csv truth.csv",
    "ontology close tree.csv gaps.csv",
    "relatedness costs map:related.csv related.csv --check",
    "relatedness correlate pairs.csv map:related.csv --resamples 20",
    "relatedness map truth.csv tags.csv --by map:related.csv>=0.2 --open map:related.csv",
)
FORMS = {"json": "--json", "csv": "--csv", "latex": "--latex", "text": "", "markdown": "--markdown"}


@pytest.mark.parametrize("words", COMMANDS)
def test_a_saved_result_is_shown_as_the_command_shows_it(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    runner = CliRunner(env=os.environ | {"COLUMNS": "200"})
    saved = runner.invoke(app, [*words.split(), "--save", "saved.json", "--html", "page.html"])
    assert saved.exit_code in (0, 1), saved.output
    result = load("saved.json")
    assert Path("page.html").read_text() == rendered(result, "html")
    for form, flag in FORMS.items():
        shown = runner.invoke(app, [*words.split(), *flag.split()]).stdout
        assert shown.split() == rendered(result, form).split()
        assert shown == runner.invoke(app, ["show", "saved.json", *flag.split()]).stdout
