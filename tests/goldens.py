"""What every command prints on fixed inputs, so that two versions can be compared line by line.

    python tests/goldens.py inputs INPUTS      make the inputs, once
    python tests/goldens.py outputs INPUTS OUT [PREFIX]  run every command in every form

Then change something, run `outputs` into another folder, and read `diff -r`. Forms that a command
does not have show as its message.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from typer.testing import CliRunner

FORMS = {
    "table-80": ((), 80),
    "table-120": ((), 120),
    "csv": (("--csv",), 200),
    "json": (("--json",), 200),
    "latex": (("--latex",), 200),
    "help": (("--help",), 100),
}
COMMANDS = {
    "evaluate": "evaluate campaign",
    "evaluate-per-unit": "evaluate campaign -m concept.AP -m example.F --per-unit",
    "evaluate-intervals": "evaluate campaign -m concept.AP -m example.F --intervals",
    "evaluate-slices": "evaluate campaign -m concept.AP --slices frequency",
    "evaluate-explain": "evaluate campaign -m OS -m HS --explain item001",
    "evaluate-bounds": "evaluate gaps.csv campaign/runs -m example.F --incomplete bounds",
    "evaluate-estimate": "evaluate gaps.csv campaign/runs -m example.F --incomplete estimate",
    "evaluate-trec": "evaluate qrels.txt search.run",
    "evaluate-trec-style": "evaluate qrels.txt search.run --style trec",
    "compare": "compare campaign -m concept.AP",
    "compare-t": "compare campaign -m example.F --test t",
    "gate": "gate campaign/truth.txt campaign/runs/Alder_1.txt "
    "--baseline campaign/runs/Birch_1.txt -m example.F --margin 0.02",
    "curves": "curves qrels.txt search.run",
    "thresholds": "thresholds campaign/truth.txt campaign/runs/Alder_1.txt",
    "confusion": "confusion confusion.csv",
    "describe": "describe campaign",
    "check": "check campaign/truth.txt",
    "measures": "measures",
    "measures-one": "measures OS",
    "plan": "plan campaign -m concept.AP",
    "query": "query 'Outdoor AND Day' --truth campaign",
    "ontology-show": "ontology show pto2009",
    "ontology-check": "ontology check campaign/truth.txt --ontology pto2009",
    "ontology-costs": "ontology costs pto2009",
    "relatedness-correlate": "relatedness correlate visual-concepts PATH LCH",
    "pool-make": "pool make search.run --depth 3 -o pool",
    "votes-show": "votes show votes.csv",
    "votes-agreement": "votes agreement votes.csv",
    "votes-merge": "votes merge votes.csv",
    "votes-quality": "votes quality votes.csv",
    "study-correlate": "study correlate campaign -m concept.AP -m example.F -m example.AP",
    "study-stability": "study stability campaign -m concept.AP -m example.F --repeats 3",
    "study-random": "study random campaign -m concept.AP -m example.F -m concept.F",
    "study-density": "study density campaign -m concept.F -m example.F",
    "study-thresholds": "study thresholds campaign",
    "study-power": "study power campaign -m concept.AP -m example.F",
    "study-collection": "study collection campaign -m concept.AP",
    "study-audit": "study audit example.F",
}
_VERSION = re.compile(r"version=[\w.+-]+|cranfield [\d.]+\w*")


def make_inputs(folder: Path) -> None:
    """A small campaign, a truth with gaps, a search, a confusion matrix and votes."""
    folder.mkdir(parents=True)
    os.chdir(folder)
    _run("simulate campaign --items 120 --systems 6 --random 0,10,50")
    _run("votes simulate campaign --crew expert=5 -o votes.csv")
    rows = Path("campaign/truth.txt").read_text().splitlines()
    names = Path("campaign/concepts.txt").read_text().split()
    cells = [
        ["" if (i + j) % 7 == 0 else value for j, value in enumerate(row.split()[1:])]
        for i, row in enumerate(rows)
    ]
    lines = [",".join(["item", *names])]
    lines += [",".join([row.split()[0], *line]) for row, line in zip(rows, cells, strict=True)]
    Path("gaps.csv").write_text("\n".join(lines) + "\n")
    documents = [f"d{n:02}" for n in range(20)]
    Path("qrels.txt").write_text(
        "".join(f"t{t} 0 {d} {int((n * 7 + t) % 5 == 0)}\n" for t in range(4)
                for n, d in enumerate(documents))
    )  # fmt: skip
    Path("search.run").write_text(
        "".join(f"t{t} Q0 {d} {n + 1} {1 / (n + 1 + (n * t) % 3):.4f} mine\n" for t in range(4)
                for n, d in enumerate(documents[t:]))
    )  # fmt: skip
    Path("confusion.csv").write_text("truth,a,b,c\na,30,4,1\nb,5,22,3\nc,0,6,41\n")


def write_outputs(inputs: Path, folder: Path, prefix: str = "") -> None:
    """Every command whose name begins so, in every form; versions are scrubbed."""
    folder = folder.resolve()
    folder.mkdir(parents=True)
    os.chdir(inputs)
    for name in (name for name in COMMANDS if name.startswith(prefix)):
        for form, (flags, columns) in FORMS.items():
            shutil.rmtree("pool", ignore_errors=True)
            text = _run(COMMANDS[name], *flags, columns=columns)
            (folder / f"{name}.{form}.txt").write_text(_VERSION.sub("version", text))


def _run(words: str, *flags: str, columns: int = 200) -> str:
    from shlex import split

    from cranfield.cli.program import app

    runner = CliRunner(env={"COLUMNS": str(columns)})
    result = runner.invoke(app, [*split(words), *flags])
    return f"{result.output}\nexit {result.exit_code}\n"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["inputs", target]:
            make_inputs(Path(target))
        case ["outputs", source, target, *prefix]:
            write_outputs(Path(source), Path(target), *prefix)
        case _:
            sys.exit(__doc__)
