"""Every command: its result, saved and shown again, is what the command showed, in every form."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cranfield.cli.program import app
from cranfield.commands.catalogue import COMMANDS
from cranfield.commands.declaration import Command
from cranfield.commands.relatedness import Installed
from cranfield.core.result import Result, load
from cranfield.knowledge.relatedness.wordnet.installation import installed_folder

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "server"))
from photo_campaign import write_campaign

import goldens
from cranfield.server.submitting import Submission

FILES = {
    "free.csv": "item,concept,value\nx,Trees,0.9\ny,sky,0.8\nz,flowers,0.2\nz,nothing,0.7\n",
    "pairs.csv": "trees,flowers,3\ntrees,sky,1\nflowers,sky,2\n",
    "tree.csv": "child,parent\nplants,\ntrees,plants\nflowers,plants\nsky,\n",
    "plants.csv": "item,plants,trees,flowers\nx,0,1,0\ny,1,0,1\nz,0,0,1\n",
    "arena.csv": "item,left,right,winner,judge\nx,a,b,a,j\nx,b,a,tie,j\ny,a,b,right,k\n"
    "y,b,c,b,k\nz,c,a,left,j\nz,a,c,a,k\nz,c,b,c,j\nx,b,c,tie,j\n",
    "related.csv": "concept,trees,flowers,sky\ntrees,9,4,1\nflowers,4,9,2\nsky,1,2,9\n",
}
MORE = {
    "costs of a map": "relatedness costs map:related.csv related.csv --check",
    "pairs by a map": "relatedness correlate pairs.csv map:related.csv --resamples 20",
    "tags by a map": "relatedness map plants.csv free.csv --by 'map:related.csv>=0.2' "
    "--open map:related.csv",
    "preferences": "study preferences arena.csv",
    "flattest tree": "ontology show pto2010 --tree flattest",
    "broken rules": "ontology check tree.csv plants.csv",
    "repaired rules": "ontology repair tree.csv plants.csv",
    "costs of relatedness": "ontology costs --from related.csv --normalise max",
    "hits of queries": "query Sky 'Day AND NOT Sky' -t campaign --show 2 --per-unit",
}
CAMPAIGNS = {
    "campaign-init": "campaign init pool/photos --template retrieval",
    "serve": "serve campaign --port 0",
    "worker": "worker campaign",
    "submit": "submit run.csv --to http://localhost:8000",
    "campaign-backup": "campaign backup campaign backup.tar.gz",
    "campaign-restore": "campaign restore backup.tar.gz restored",
    "campaign-export": "campaign export campaign results.zip",
    "campaign-site": "campaign site campaign public",
    "campaign-rescore": "campaign rescore campaign --all",
    "campaign-correct": "campaign correct campaign i0 Sky 0 --reason 'a wall'",
    "campaign-user-list": "campaign user list campaign",
    "campaign-user-organiser": "campaign user organiser campaign",
    "campaign-user-reset": "campaign user reset campaign ida@example.org",
    "campaign-user-deactivate": "campaign user deactivate campaign ida@example.org",
}
INSTALL = "relatedness install wordnet --folder wordnet"
LINES = {**goldens.COMMANDS, **MORE, **CAMPAIGNS, "relatedness-install": INSTALL}
SLOW = {"thresholds-table"}
FORMS = ((), ("--json",), ("--csv",), ("--latex",), ("--markdown",))


def command_of(line: str) -> Command:
    words = shlex.split(line)
    return next(c for c in COMMANDS if words[: len(c.name.split())] == c.name.split())


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("goldens") / "inputs"
    before = Path.cwd()
    goldens.make_inputs(folder)
    os.chdir(before)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """What commands about a campaign return, in processes of their own, since Django serves one
    folder in a process; the server and the worker are stopped as soon as they run."""
    folder = tmp_path_factory.mktemp("campaigns")
    write_campaign(folder / "campaign")
    lines = dict(CAMPAIGNS)
    del lines["campaign-init"], lines["submit"]
    for name in ("serve", "worker"):
        words = [sys.executable, "-m", "cranfield", *shlex.split(lines.pop(name)), "--save", name]
        with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert "Ctrl-C" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0, process.stderr.read()
    script = [sys.executable, "-c", _SEVERAL_COMMANDS, json.dumps(lines)]
    subprocess.run(script, cwd=folder, check=True, timeout=120, stdout=subprocess.DEVNULL)
    return {name: load(folder / name) for name in (*lines, "serve", "worker")}


_SEVERAL_COMMANDS = """
import json, shlex, sys
from pathlib import Path
from cranfield.cli.program import app
from cranfield.server.serve import prepare
prepare(Path("campaign"))
from cranfield.server.people.models import User
User.objects.create_user("ida@example.org", name="Ida")
for name, line in json.loads(sys.argv[1]).items():
    app([*shlex.split(line), "--save", name], standalone_mode=False)
"""


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What commands return, by name; they compute it once and then show it in every form."""
    execute = Command.execute
    scores = {"concept.AP": 0.5, "example.F": None}
    submitted = {"name": "first", "state": "accepted", "address": "…/runs/1/", "scores": scores}
    computed: dict[str, Any] = {
        "relatedness install": Installed(Path("wordnet")), "submit": Submission(submitted)
    }  # fmt: skip

    def execute_once(self: Command, *arguments: Any, **options: Any) -> Any:
        if self.name == "show":
            return execute(self, *arguments, **options)
        if self.name not in computed:
            computed[self.name] = execute(self, *arguments, **options)
        return computed[self.name]

    monkeypatch.setattr(Command, "execute", execute_once)
    return computed


def test_no_command_is_forgotten() -> None:
    assert {command_of(line).name for line in LINES.values()} == {c.name for c in COMMANDS}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in LINES]
)
def test_a_saved_result_is_shown_as_the_command_shows_it(
    name: str,
    inputs: Path,
    computed: dict[str, Any],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if "PATH" in LINES[name] and not (installed_folder() / "data.noun").is_file():
        pytest.skip("WordNet 3.0 was not installed")
    if name in CAMPAIGNS.keys() - {"campaign-init", "submit"}:
        computed[command_of(LINES[name]).name] = request.getfixturevalue("campaign")[name]
    monkeypatch.chdir(inputs)
    runner = CliRunner(env={"COLUMNS": "80"})
    line, command = shlex.split(LINES[name]), command_of(LINES[name])
    saved, page, again = (tmp_path / file for file in ("saved.json", "page.html", "again.html"))

    def printed(*words: str | Path, codes: tuple[int, ...] = (0,)) -> str:
        goldens.renew_pool(name)
        answer = runner.invoke(app, list(map(str, words)))
        assert answer.exit_code in codes, answer.output
        return answer.stdout

    verdicts = (0, 1, 3, 4)  # of checks that find errors, and of gates
    printed(*line, "--save", saved, "--html", page, codes=verdicts)
    for form in FORMS:
        if form == ("--markdown",) and command.name == "gate":
            continue  # where it names a file
        assert printed("show", saved, *form) == printed(*line, *form, codes=verdicts), form
    printed("show", saved, "--html", again)
    assert again.read_text() == page.read_text()
    if command.name in computed:
        analysis = computed[command.name]
        assert repr(load(saved)) == repr(getattr(analysis, "result", analysis))
