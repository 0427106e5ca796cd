"""Small files by the names that the examples of help use, so that every example can be run.

`make` writes them once; `lay` copies those of an example into the current folder. The same name may
mean another file in another example: a.csv is a run here and a confusion matrix there.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import split
from typing import Any

import numpy as np
from typer.testing import CliRunner

import cranfield as cf
from cranfield import formats
from cranfield.cli.program import app

sys.path.insert(0, str(Path(__file__).parents[1]))
import score_logs

OWL = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://example.org/#> .
"""
ANNOTATED = ("a.csv", "b.csv", "c.csv", "merged.csv")


def make(folder: Path) -> None:
    """Write all files, each kind into a folder of its own; a few seconds."""
    folder.mkdir()
    before = Path.cwd()
    try:
        for kind, write in KINDS.items():
            (folder / kind).mkdir(exist_ok=True)
            os.chdir(folder / kind)
            write()
    finally:
        os.chdir(before)


def lay(made: Path, example: str) -> None:
    """Copy the files that an example needs into the current folder."""
    for kind in ("annotations", *kinds_of(example)):
        for path in (made / kind).iterdir():
            if path.is_dir():
                shutil.rmtree(path.name, ignore_errors=True)
                shutil.copytree(path, path.name)
            else:
                shutil.copy(path, path.name)


def kinds_of(example: str) -> Iterable[str]:
    """Which files replace those of annotations."""
    group = example.split()[1]
    kinds = {
        "pool": ("searches",),
        "votes": ("votes",),
        "relatedness": ("words",),
        "ontology": ("ontologies",),
        "confusion": ("confusions",),
        "cross-validate": ("confusions",),
        "convert": ("conversions",),
    }
    yield from kinds.get(group, ())
    words = split(example)
    if {"qrels.txt", "topics.qrels", "preferences.txt", "pool"} & set(words):
        yield "searches"
    if "pool" in words and example.split()[2] in ("pool", "reuse"):
        yield "judged"
    if "agreement.csv" in words or "people.csv" in words:
        yield "votes"
    if "sky" in words or "NOT person" in example or "big dog" in example:
        yield "photos"
    if example.startswith("cranfield evaluate campaign"):
        yield "campaign"
    if "study preferences" in example:
        yield "arena"
    if "study progress" in example:
        yield "cycles"
    if "--change items" in example:
        yield "larger"
    if "--annotator" in words:
        yield "annotators"
    if "survey measure" in example or "--run a.csv" in example:
        yield "two runs"
    if "openimages" in words:
        yield "openimages"
    if "hits next" in example and "--ask" not in words:
        yield "first stage"
    if "--gold truth.csv" in example:
        yield "tags"
    if "survey preferences" in example:
        yield "preferences"
    if example.startswith("cranfield relatedness correlate people.csv"):
        yield "ratings"


def _run(line: str, *words: str) -> None:
    answer = CliRunner().invoke(app, [*split(line), *words])
    assert answer.exit_code == 0, f"{line}\n{answer.output}"


def _table(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with Path(name).open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


# ── a truth with runs, and what is known about its concepts ───────────────────────────────────


def annotations() -> None:
    """A campaign of the photo ontology, as single files and as a collection."""
    _run("simulate collection --items 40 --systems 4 --random 0,50 --format csv")
    for path in filter(Path.is_file, Path("collection").rglob("*")):
        path.write_text(re.sub(r"\bitem0", "item", path.read_text()))
    _run("ontology costs pto2009 --kind DIMC -o collection/costs/DIMC.csv")
    shutil.copytree("collection/runs", "runs")
    truth = cf.read_truth("collection/truth.csv")
    runs = formats.read_runs(sorted(Path("runs").glob("[AB]*")), cf.Collection(truth))
    names, items = truth.concepts, truth.items
    for name in ("truth.csv", "train.csv", "test.csv", "dev.csv", "labels.csv", "truth.txt"):
        formats.write_truth(truth, name)
    for name in ("run.csv", "old.csv", "dev_run.csv", "test_run.csv", "run.txt", "new.csv"):
        run = runs[-1 if name == "new.csv" else 0]
        scores = cf.Run(run.scores, name=run.name, items=run.items, concepts=run.concepts)
        formats.write_run(scores, name)
    Path("concepts.txt").write_text("\n".join(names) + "\n")
    cells = truth.labels.astype(int).astype(str)
    cells[::7] = ""
    _table("gaps.csv", ["item", *names], ([i, *row] for i, row in zip(items, cells, strict=True)))
    drawn = np.round(np.random.default_rng(0).random((len(names), len(names))), 2)
    related = np.where(np.eye(len(names)), 1.0, (drawn + drawn.T) / 2)
    rows = ([name, *row] for name, row in zip(names, related.tolist(), strict=True))
    _table("r.csv", ["concept", *names], rows)
    Path("collection/relatedness").mkdir()
    shutil.copy("r.csv", "collection/relatedness/r.csv")
    _run("ontology costs --from r.csv -o flickr.csv")
    _table("thresholds.csv", ["concept", "threshold"], ([name, 0.4] for name in names))
    _table("groups.csv", ["run", "group"], ([p.stem, p.stem[0]] for p in Path("runs").iterdir()))
    _table(
        "photos.csv",
        ["item", "camera", "tags", "title"],
        ([i, "ab"[n % 2], f"sky {'sea' * (n % 3)}", "sky above the sea"] for n, i in
         enumerate(items)),
    )  # fmt: skip
    _table("photographers.csv", ["item", "group"], ([i, n // 2] for n, i in enumerate(items)))
    Path("topics.tsv").write_text("1\tSky AND Day\n2\tPlants\n")
    _table("topics.csv", ["id", "query", "title"], [[1, "Sky AND Day", "blue"], [2, "Plants", ""]])
    _scores()
    _run("gate truth.csv old.csv --write-baseline baseline.json")
    for name in ("random", "monday", "friday"):
        _run(f"study random collection/ -m concept.F --save {name}.json")
    Path("my_measures.py").write_text(
        "import numpy\n\n\ndef weighted_f(truth, predicted):\n"
        "    truth, predicted = numpy.asarray(truth) > 0, numpy.asarray(predicted) > 0\n"
        "    both = (truth & predicted).sum()\n"
        "    return 2 * both / max(1, truth.sum() + predicted.sum())\n\n\n"
        "def loss(truth, predicted):\n"
        "    wrong = numpy.asarray(truth, float) - numpy.asarray(predicted)\n"
        "    return float(numpy.abs(wrong).mean())\n"
    )


def _scores() -> None:
    """Scores from elsewhere: a table, and logs of a harness."""
    names = ("old", "new")
    right = {name: [(n * 7 + shift) % 5 > 1 for n in range(12)] for shift, name in enumerate(names)}
    rows = ([run, f"q{n}", int(hit), "accuracy"] for run, hits in right.items()
            for n, hit in enumerate(hits))  # fmt: skip
    _table("scores.csv", ["run", "item", "score", "measure"], rows)
    Path("logs").mkdir()
    for name, hits in zip("ab", right.values(), strict=True):
        samples = [
            {"id": n, "epoch": 1, "input": "?", "target": "!", "scores": {
                "match": {"value": "C" if hit else "I"}, "latency": {"value": 1 + n % 3}}}
            for n, hit in enumerate(hits)
        ]  # fmt: skip
        about = score_logs.INSPECT["eval"] | {"model": f"lab/{name}"}
        log = score_logs.INSPECT | {"eval": about, "samples": samples}
        Path(f"logs/{name}.eval").write_bytes(score_logs.inspect_archive(log))


def photos() -> None:
    """A small collection with names of its own."""
    rng = np.random.default_rng(3)
    names, items = ["sky", "sea", "person", "big dog"], [f"item{n}" for n in range(1, 31)]
    labels = rng.random((30, 4)) < 0.5
    scores = np.round(rng.random((30, 4)) * 0.6 + labels * 0.3, 3)
    Path("collection/runs").mkdir(parents=True)
    for name in ("truth.csv", "dev.csv", "collection/truth.csv"):
        formats.write_truth(cf.Truth(labels, items=items, concepts=names), name)
    for name in ("run.csv", "dev_run.csv", "collection/runs/one.csv"):
        formats.write_run(cf.Run(scores, name="one", items=items, concepts=names), name)


def two_runs() -> None:
    """Runs that name as many right labels, and other wrong ones, as files and as a collection."""
    shutil.copytree("../annotations/collection", "collection")
    shutil.rmtree("collection/runs")
    Path("collection/runs.csv").unlink()
    Path("collection/runs").mkdir()
    truth = cf.read_truth("../annotations/truth.csv")
    for name, side in (("a", 0), ("b", -1)):
        labels = truth.labels.copy()
        for row, right in enumerate(truth.labels):
            wrong = np.flatnonzero(~right)
            labels[row, np.flatnonzero(right)[0]] = False
            labels[row, wrong[side]] = True
        run = cf.Run(labels * 0.8 + 0.1, name=name, items=truth.items, concepts=truth.concepts)
        for path in (f"{name}.csv", f"collection/runs/{name}.csv"):
            formats.write_run(run, path)


def campaign() -> None:
    shutil.copytree("../annotations/collection", "campaign")


def annotators() -> None:
    truth = cf.read_truth("../annotations/truth.csv")
    for number, name in enumerate(ANNOTATED):
        labels = truth.labels.copy()
        labels[number::9] ^= True
        formats.write_truth(cf.Truth(labels, items=truth.items, concepts=truth.concepts), name)


def cycles() -> None:
    """Two campaigns, as folders and as files."""
    for year, seed in (("2009", 1), ("2010", 2)):
        _run(f"simulate {year} --items 40 --systems 3 --random none --format csv --seed {seed}")
    for name, year in (("old", "2009"), ("new", "2010")):
        shutil.copy(f"{year}/truth.csv", f"{name}.csv")
        shutil.copytree(f"{year}/runs", name)


def larger() -> None:
    """Enough items to leave out a hundredth of them."""
    _run("simulate larger --items 100 --concepts 12 --systems 3 --random none --format csv")
    shutil.copy("larger/truth.csv", "truth.csv")
    shutil.copytree("larger/runs", "runs")


def arena() -> None:
    rows = [
        [f"q{n}", *(("a", "b"), ("b", "c"), ("c", "a"))[n % 3], ("left", "right", "tie")[n % 7 % 3]]
        for n in range(30)
    ]
    _table("votes.csv", ["item", "left", "right", "winner"], rows)


# ── searches ──────────────────────────────────────────────────────────────────────────────────


def searches() -> None:
    """Judgements and runs as trec_eval has them, and a pool that people are judging."""
    documents = [f"d{n:02}" for n in range(30)]
    for name in ("qrels.txt", "topics.qrels", "old.qrels", "judged.qrels"):
        Path(name).write_text(
            "".join(f"t{t} 0 {d} {int((n * 7 + t) % 5 == 0)}\n" for t in range(4)
                    for n, d in enumerate(documents))
        )  # fmt: skip
    Path("preferences.txt").write_text(
        "".join(f"t{t} judge 1 {d} {3 - n}\n" for t in range(4)
                for n, d in enumerate(documents[:3]))
    )  # fmt: skip
    Path("runs").mkdir()
    single = ("run.txt", "run1.txt", "run2.txt", "a.run", "b.run")
    for shift, name in enumerate((*single, "runs/one.run", "runs/two.run", "runs/three.run")):
        Path(name).write_text(
            "".join(f"t{t} Q0 {d} {n + 1} {1 / (n + 1):.4f} {Path(name).stem}\n" for t in range(4)
                    for n, d in enumerate(documents[shift:]))
        )  # fmt: skip
    _table("groups.csv", ["run", "group"], [["one", "x"], ["two", "y"], ["three", "y"]])
    _table("topics.csv", ["topic", "title"], [[f"t{t}", f"topic {t}"] for t in range(4)])
    _run("pool make runs/ --method mtf --budget 40 --batch 20 -o pool")
    _run("pool assign pool --to anna,ben")
    for sheet in Path("pool/sheets").rglob("*.csv"):
        lines = sheet.read_text().splitlines()
        judged = (f"{line}{n % 2}" for n, line in enumerate(lines[1:]))
        sheet.write_text("\n".join([lines[0], *judged]) + "\n")
    shutil.copytree("pool", "../judged/pool")
    os.chdir("../judged")
    _run("pool merge pool")


# ── people ────────────────────────────────────────────────────────────────────────────────────


def votes() -> None:
    """Votes of two crews, jobs for them and surveys, with answers."""
    truth = "../annotations/truth.csv"
    crews = "--crew expert=4 --crew worker=6/3 --crews people.csv"
    _run(f"votes simulate {truth} --ontology pto2009 {crews} -o votes.csv")
    _run("votes map votes.csv --ontology pto2009 -o agreement.csv")
    lines = Path("votes.csv").read_text().splitlines(keepends=True)
    half = len(lines) // 2
    Path("batch1.csv").write_text("".join(lines[:half]))
    Path("batch2.csv").write_text("".join([lines[0], *lines[half:]]))
    _run("votes show votes.csv --as label-studio -o project.json")
    tasks = json.loads(Path("project.json").read_text())
    for task in tasks:
        task["data"]["image"] = task["data"]["item"]
    Path("project.json").write_text(json.dumps(tasks))
    known = cf.read_truth(truth)
    formats.write_truth(known, "known.csv")
    items = list(known.items)
    address = ([item, f"https://example.org/{item}.jpg"] for item in items)
    _table("items.csv", ["item", "image_url"], address)
    shutil.copy("items.csv", "images.csv")
    _run("votes hits make --ontology pto2009 --items items.csv -o job")
    _run(f"votes hits screen {truth} --concept Sky --annotated 8 --others 20 --per-hit 1 "
         "--items items.csv -o screening")  # fmt: skip
    _results("job/batch1.csv", "Batch_1_results.csv")
    _results("screening/Sky/batch1.csv", "Batch_7_results.csv")
    _run("votes survey relatedness pto2009 --count 12 --controls 2 -o survey")
    _answers("survey", "relatedness")
    _table("survey.csv", ["item", "annotator", "concept", "value"],
           ([pair, who, "relatedness", 4 - n - k] for k, who in enumerate(("ann", "bob"))
            for n, pair in enumerate(("night-night", "day-night", "sky-sea"))))  # fmt: skip
    tags = ([i, n % 2, int(n % 3 == 0)] for n, i in enumerate(items))
    _table("tags.csv", ["item", "cat", "dog"], tags)
    features = np.array([[n % 7 / 7, n % 11 / 11 + (n % 4 == 1)] for n in range(len(items))])
    rows = ([item, *row] for item, row in zip(items, features.tolist(), strict=True))
    _table("features.csv", ["item", "x", "y"], rows)
    formats.write_run(cf.Run(features, items=items, concepts=["x", "y"]), "features.npz")
    shutil.copytree("../annotations/collection", "photos")


def _results(batch: str, target: str) -> None:
    """What three workers of Mechanical Turk hand in."""
    rows = list(csv.DictReader(Path(batch).read_text().splitlines()))
    inputs = list(rows[0])
    answers = [
        [f"w{w}", f"{target}{w}-{n}", "Submitted", 30 + n, *row.values(),
         "on" if (n * 7 + w) % 3 else ""]
        for w in range(3) for n, row in enumerate(rows)
    ]  # fmt: skip
    header = ["WorkerId", "AssignmentId", "AssignmentStatus", "WorkTimeInSeconds"]
    _table(target, [*header, *(f"Input.{name}" for name in inputs), "Answer.Sky"], answers)


def _answers(folder: str, question: str) -> None:
    """Two files of answers to a survey, and the results of Mechanical Turk."""
    from cranfield.assessment.surveys import read_measure_survey, read_relatedness_survey

    if question == "relatedness":
        asked = [pair.id for pair in read_relatedness_survey(folder).pairs]
    else:
        asked = [pair.id for pair in read_measure_survey(folder).pairings]
    choices: tuple[Any, ...] = (
        (0, 2, 4) if question == "relatedness" else ("left", "right", "equal")
    )
    for number, people in enumerate((("ann", "bob"), ("cat",)), start=1):
        _table(
            f"answers{number}.csv",
            ["item", "annotator", "concept", "value"],
            ([pair, who, question, choices[(n * len(who) + n) % 3]] for who in people
             for n, pair in enumerate(asked)),
        )  # fmt: skip
    shutil.copy("answers1.csv", "Batch_results.csv")


def preferences() -> None:
    """A survey about measures instead of one about words."""
    shutil.copy("../annotations/truth.csv", "truth.csv")
    for name in ("a.csv", "b.csv"):
        shutil.copy(f"../two runs/{name}", name)
    _run("votes survey measure truth.csv a.csv b.csv --tied example.F --split OS "
         "--ontology pto2009 --count 8 -o survey")  # fmt: skip
    _answers("survey", "preference")


def first_stage() -> None:
    """A truth, and votes, that do not tell of what stands below other concepts."""
    later = ("Lake", "River", "Sea", "Clouds")
    truth = cf.read_truth("../annotations/truth.csv")
    early = [n for n, name in enumerate(truth.concepts) if name not in later]
    formats.write_truth(truth.of_concepts(early), "truth.csv")
    lines = Path("../votes/votes.csv").read_text().splitlines(keepends=True)
    Path("votes.csv").write_text("".join(x for x in lines if x.split(",")[2] not in later))


def tags() -> None:
    shutil.copy("../votes/tags.csv", "truth.csv")


def ratings() -> None:
    _table("people.csv", ["word", "other", "value"], [["night", "day", 3], ["sky", "sea", 2],
           ["dog", "cat", 1], ["tree", "flower", 2]])  # fmt: skip


# ── words, ontologies ─────────────────────────────────────────────────────────────────────────


def words() -> None:
    """What tells how words are related: texts and vectors."""
    concepts = Path("../annotations/concepts.txt").read_text().split()
    plain = [name.replace("_", " ").lower() for name in concepts]
    Path("captions.txt").write_text("".join(f"{a} and {b}\n" for a in plain for b in plain[::5]))
    rng = np.random.default_rng(0)
    known = dict.fromkeys([*concepts, *" ".join(plain).split(), "blue", "tree", "sea", "car"])
    Path("glove.txt").write_text(
        "".join(f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=5))}\n" for word in known)
    )
    Path("pairs.txt").write_text("sky,sea,3\ntree,car,1\nblue,sky,4\nsea,car,0\n")
    _table("words.csv", ["concept", "word"], zip(concepts, plain, strict=True))
    _table("mine.csv", ["concept", "word"], [["night", "night"], ["water", "lake"]])
    items = cf.read_truth("../annotations/truth.csv").items
    rows = [[item, ("blue", "Sky", "tree")[n % 3], 0.9] for n, item in enumerate(items)]
    _table("tags.csv", ["item", "concept", "value"], rows)


def ontologies() -> None:
    tree = ":Food a owl:Class . :Pizza a owl:Class ; rdfs:subClassOf :Food .\n"
    Path("pizza.owl").write_text(
        f"{OWL}{tree}:Margherita a owl:Class ; rdfs:subClassOf :Pizza .\n"
        ":Siciliana a owl:Class ; rdfs:subClassOf :Pizza .\n"
    )
    shutil.copy("../annotations/collection/ontology.owl", "photos.owl")
    Path("hierarchy.csv").write_text("child,parent\nplant,\ntree,plant\nflower,plant\nsky,\n")
    shutil.copy("../annotations/r.csv", "relatedness.csv")
    shutil.copy("../annotations/flickr.csv", "costs.csv")


def openimages() -> None:
    Path("hierarchy.json").write_text(
        '{"LabelName": "/m/0bl9f", "Subcategory": [{"LabelName": "/m/07j7r"}, '
        '{"LabelName": "/m/04hgtk"}]}'
    )
    Path("labels.csv").write_text(
        "ImageID,Source,LabelName,Confidence\na,verification,/m/04hgtk,0\n"
        "a,verification,/m/07j7r,1\nb,verification,/m/07j7r,0\n"
    )


# ── classes, other formats ────────────────────────────────────────────────────────────────────


def confusions() -> None:
    matrix = "truth,woman,man,child\nwoman,13,4,2\nman,2,15,1\nchild,5,1,57\n"
    for name in ("matrix", "a", "b", "fold1", "fold2"):
        Path(f"{name}.csv").write_text(matrix.replace("13", str(10 + len(name))))
    Path("caret.csv").write_text("predicted,woman,man\nwoman,13,4\nman,2,15\n")
    Path("costs.csv").write_text("0,1,2\n1,0,5\n2,5,0\n")
    classes = ("woman", "man", "child")
    for shift, name in enumerate(("labels", "system1", "system2")):
        rows = ([f"i{n}", classes[(n + (n % 5 < shift)) % 3]] for n in range(30))
        _table(f"{name}.csv", ["item", "class"], rows)
    _table("data.csv", ["x", "y", "class"], ([n % 7, n % 5, "ab"[n % 7 > 3]] for n in range(60)))


def conversions() -> None:
    Path("emotions.arff").write_text(
        "@relation 'emotions: -C -2'\n@attribute happy {0,1}\n@attribute sad {0,1}\n"
        "@attribute x numeric\n@data\n1,0,0.5\n0,1,0.7\n"
    )
    Path("instances_val.json").write_text(
        '{"images": [{"id": 1}, {"id": 2}], "categories": [{"id": 7, "name": "cat"}], '
        '"annotations": [{"id": 1, "image_id": 1, "category_id": 7}]}'
    )


KINDS = {
    "annotations": annotations,
    "photos": photos,
    "campaign": campaign,
    "two runs": two_runs,
    "annotators": annotators,
    "cycles": cycles,
    "larger": larger,
    "arena": arena,
    "searches": searches,
    "judged": lambda: None,
    "votes": votes,
    "preferences": preferences,
    "first stage": first_stage,
    "tags": tags,
    "ratings": ratings,
    "words": words,
    "ontologies": ontologies,
    "openimages": openimages,
    "confusions": confusions,
    "conversions": conversions,
}
