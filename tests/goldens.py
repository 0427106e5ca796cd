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
    "demo": "demo",
    "evaluate": "evaluate campaign",
    "evaluate-per-unit": "evaluate campaign -m concept.AP -m example.F --per-unit",
    "evaluate-intervals": "evaluate campaign -m concept.AP -m example.F --intervals",
    "evaluate-slices": "slices campaign -m concept.AP --by frequency",
    "evaluate-explain": "explain campaign -m OS -m HS --item item001",
    "evaluate-bounds": "bounds gaps.csv campaign/runs -m example.F",
    "evaluate-estimate": "bounds gaps.csv campaign/runs -m example.F --estimate",
    "evaluate-trec": "evaluate qrels.txt search.run",
    "evaluate-trec-style": "evaluate qrels.txt search.run --style trec",
    "compare": "compare campaign -m concept.AP",
    "compare-measures": "compare campaign -m concept.AP -m example.F",
    "compare-nemenyi": "compare campaign -m concept.AP --test nemenyi",
    "compare-t": "compare campaign -m example.F --test t",
    "gate": "gate campaign/truth.txt campaign/runs/Alder_1.txt "
    "--baseline campaign/runs/Birch_1.txt -m example.F --margin 0.02",
    "gate-baseline": "gate campaign/truth.txt campaign/runs/Alder_1.txt -m example.F "
    "--write-baseline pool/baseline.json",
    "curves": "curves qrels.txt search.run",
    "curves-roc": "curves qrels.txt search.run --kind roc",
    "thresholds": "thresholds campaign/truth.txt campaign/runs/Alder_1.txt",
    "thresholds-limits": "thresholds campaign/truth.txt campaign/runs/Alder_1.txt --by R --per run "
    "--subject-to fallout<=0.2",
    "thresholds-table": "thresholds campaign/truth.txt campaign/runs/Alder_1.txt --table all",
    "confusion": "confusion confusion.csv",
    "confusion-classes": "confusion confusion.csv --by-class",
    "confusion-one-vs-rest": "confusion confusion.csv --one-vs-rest a",
    "confusion-intervals": "confusion confusion.csv --interval dirichlet --samples 50",
    "cross-validate": "cross-validate classes.csv --estimator majority --estimator naive_bayes "
    "--folds 2 --repeats 2",
    "describe": "describe campaign",
    "check": "check campaign/truth.txt",
    "split": "split campaign --folds 3",
    "split-file": "split campaign --shares 0.8,0.2 -o pool/splits.csv",
    "convert": "convert gaps.csv pool/gaps.npz",
    "measures": "measures",
    "measures-one": "measures OS",
    "plan": "plan campaign -m concept.AP",
    "query": "query 'Outdoor AND Day' --truth campaign",
    "query-more": "query --pairs 20 --truth campaign -m concept.AP --compare example.F --show 2 "
    "--per-unit",
    "ontology-show": "ontology show pto2009",
    "ontology-check": "ontology check pto2009 campaign/runs/Alder_1.txt --concepts "
    "campaign/concepts.txt",
    "ontology-check-itself": "ontology check pto2009",
    "ontology-costs": "ontology costs pto2009",
    "ontology-costs-check": "ontology costs pto2009 --tree flattest --check",
    "ontology-repair": "ontology repair pto2009 campaign/runs/Alder_1.txt --concepts "
    "campaign/concepts.txt",
    "ontology-close": "ontology close pto2009 gaps.csv",
    "relatedness-costs": "relatedness costs PATH campaign --check",
    "relatedness-map": "relatedness map gaps.csv gaps.csv --by 'PATH>=0.5' --open PATH",
    "relatedness-correlate": "relatedness correlate visual-concepts PATH LCH",
    "pool-make": "pool make search.run --depth 3 -o pool",
    "pool-assign": "pool assign pool --to anna,ben",
    "pool-progress": "pool progress pool",
    "pool-next": "pool next pool search.run",
    "pool-merge": "pool merge pool",
    "pool-reuse": "pool reuse qrels.txt search.run",
    "votes-show": "votes show votes.csv",
    "votes-agreement": "votes agreement votes.csv",
    "votes-merge": "votes merge votes.csv",
    "votes-quality": "votes quality votes.csv",
    "votes-agreement-crews": "votes agreement crowd.csv --ontology pto2009 --crews crews.csv "
    "--intervals --samples 50 -c fleiss -c percent --pairs",
    "votes-map": "votes map crowd.csv --ontology pto2009 -o pool/map.csv",
    "votes-merge-model": "votes merge crowd.csv --ontology pto2009 --method dawid_skene "
    "-o pool/truth.csv --graded pool/graded.csv --confidence pool/sure.csv "
    "--reliability pool/who.csv --map pool/map.csv",
    "votes-quality-rules": "votes quality crowd.csv --ontology pto2009 --same 5 "
    "--least-score 0.5 --gold gaps.csv",
    "votes-show-grouped": "votes show crowd.csv --ontology pto2009",
    "votes-effect": "votes effect crowd.csv campaign/runs --ontology pto2009 --concepts "
    "campaign/concepts.txt --crews crews.csv --draws 2 -m concept.AUC -m OS",
    "votes-report": "votes report crowd.csv --crews crews.csv --run campaign/runs --ontology "
    "pto2009 --concepts campaign/concepts.txt",
    "votes-filter": "votes filter tags.csv features.csv --gold gold.csv --list pool/list.csv "
    "-o pool/tags.csv",
    "votes-simulate": "votes simulate campaign -o pool/votes.csv --crews pool/crews.csv",
    "votes-hits-make": "votes hits make --ontology pto2009 --items items.csv -o pool/job "
    "--batches 2",
    "votes-hits-next": "votes hits next campaign --ontology pto2009 --items items.csv -o pool/job "
    "--ask Day,Night --where Sky",
    "votes-hits-screen": "votes hits screen campaign --concept Sky --concept Day "
    "--items items.csv -o pool/job",
    "votes-hits-read": "votes hits read job results.csv -o pool/votes.csv",
    "votes-hits-found": "votes hits found screening/Sky screened.csv",
    "votes-survey-relatedness": "votes survey relatedness pto2009 -o pool/survey",
    "votes-survey-ratings": "votes survey ratings words ratings.csv --judgements pool/people.csv",
    "votes-survey-measure": "votes survey measure campaign campaign/runs/Alder_1.txt "
    "campaign/runs/Birch_1.txt --tied example.F --split OS --ontology pto2009 -o pool/survey",
    "votes-survey-preferences": "votes survey preferences sets preferences.csv --samples 200",
    "study-correlate": "study correlate campaign -m concept.AP -m example.F -m example.AP",
    "study-stability": "study stability campaign -m concept.AP -m example.F --repeats 3",
    "study-random": "study random campaign -m concept.AP -m example.F -m concept.F",
    "study-density": "study density campaign -m concept.F -m example.F",
    "study-thresholds": "study thresholds campaign",
    "study-power": "study power campaign -m concept.AP -m example.F",
    "study-collection": "study collection campaign -m concept.AP",
    "study-collection-items": "study collection campaign -m example.F --table items",
    "study-progress": "study progress campaign campaign -m concept.AP -m example.F --samples 500 "
    "--earlier-run campaign/runs/Alder_1.txt --earlier-run campaign/runs/Birch_1.txt "
    "--later-run campaign/runs/Alder_3.txt --later-run campaign/runs/Birch_3.txt",
    "study-audit": "study audit example.F",
    "simulate": "simulate pool/small --items 20 --systems 2",
    "show": "show saved.json",
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
    _ask_people()
    Path("confusion.csv").write_text("truth,a,b,c\na,30,4,1\nb,5,22,3\nc,0,6,41\n")
    _table("classes.csv", ["x", "y", "class"], [[n % 7, n % 5, "ab"[n % 7 > 3]] for n in range(40)])
    _run("pool make search.run --method mtf --budget 12 --batch 4 -o judging")
    _run("pool assign judging --to anna,ben")
    _run("evaluate campaign -m concept.AP --save saved.json")


def _ask_people() -> None:
    """Votes of two crews, tags with features, crowd jobs and surveys with answers."""
    import csv

    from cranfield.assessment.surveys import read_measure_survey, read_relatedness_survey

    crews = "--crew expert=4 --crew worker=12/5,careless=0.2"
    _run(f"votes simulate campaign --ontology pto2009 {crews} -o crowd.csv --crews crews.csv")
    items = [f"item{n:03}" for n in range(40)]
    names = [row.split()[0] for row in Path("campaign/truth.txt").read_text().splitlines()]
    Path("items.csv").write_text(
        "item,image_url\n" + "".join(f"{n},https://example.org/{n}.jpg\n" for n in names)
    )
    _table(
        "tags.csv", ["item", "cat", "dog"], [[i, n % 2, n % 3 == 0] for n, i in enumerate(items)]
    )
    _table("gold.csv", ["item", "cat", "dog"], [[i, n % 4 == 1, n % 3 == 0] for n, i in
                                                enumerate(items)])  # fmt: skip
    _table("features.csv", ["item", "x", "y"], [[i, n % 7 / 7, n % 11 / 11 + (n % 4 == 1)] for n, i
                                                in enumerate(items)])  # fmt: skip
    _run("votes hits make --ontology pto2009 --items items.csv -o job")
    _run("votes hits screen campaign --concept Sky --annotated 8 --others 20 --per-hit 1 "
         "--items items.csv -o screening")  # fmt: skip
    for batch, target in (("job/batch1.csv", "results.csv"), ("screening/Sky/batch1.csv",
                                                              "screened.csv")):  # fmt: skip
        asked = [row["item"] for row in csv.DictReader(Path(batch).read_text().splitlines())]
        rows = [
            [f"w{w}", f"{target}{w}-{n}", item, "on" if (n * 7 + w) % 3 else ""]
            for w in range(3)
            for n, item in enumerate(asked)
        ]
        _table(target, ["WorkerId", "AssignmentId", "Input.item", "Answer.Sky"], rows)
    _run("votes survey relatedness pto2009 --count 12 --controls 2 -o words")
    _run("votes survey measure campaign campaign/runs/Alder_1.txt campaign/runs/Birch_1.txt "
         "--tied example.F --split OS --ontology pto2009 --tie 0.2 --count 8 -o sets")  # fmt: skip
    header = ["item", "annotator", "concept", "value"]
    pairs, people = read_relatedness_survey("words").pairs, ("ann", "bobby", "carlos", "eve")
    _table("ratings.csv", header, [
        [pair.id, who, "relatedness", 4 if pair.control and who != "eve" else (n + len(who)) % 4]
        for who in people for n, pair in enumerate(pairs)
    ])  # fmt: skip
    _table("preferences.csv", header, [
        [pair.id, who, "preference", ("left", "right", "equal")[(n * len(who) + n // 2) % 3]]
        for who in people for n, pair in enumerate(read_measure_survey("sets").pairings)
    ])  # fmt: skip


def _table(name: str, header: list[str], rows: list[list[object]]) -> None:
    lines = [header, *([str(int(c) if isinstance(c, bool) else c) for c in row] for row in rows)]
    Path(name).write_text("".join(",".join(line) + "\n" for line in lines))


def write_outputs(inputs: Path, folder: Path, prefix: str = "") -> None:
    """Every command whose name begins so, in every form; versions are scrubbed."""
    folder = folder.resolve()
    folder.mkdir(parents=True)
    os.chdir(inputs)
    for name in (name for name in COMMANDS if name.startswith(prefix)):
        for form, (flags, columns) in FORMS.items():
            renew_pool(name)
            text = _run(COMMANDS[name], *flags, columns=columns)
            (folder / f"{name}.{form}.txt").write_text(_VERSION.sub("version", text))


def renew_pool(name: str) -> None:
    """Empty the folder that commands write to; it is a pool for those that go on with one."""
    shutil.rmtree("pool", ignore_errors=True)
    if name in ("pool-assign", "pool-progress", "pool-next", "pool-merge"):
        shutil.copytree("judging", "pool")
    else:
        Path("pool").mkdir()


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
