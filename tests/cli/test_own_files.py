"""Our own files are read back: everything that a command writes, by every command for its kind.

`world` writes one file of each kind there is. `READ` says which commands take which; a path in
braces is one that the world wrote, OUT a new one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import cranfield as cf
from cranfield.cli.program import app
from cranfield.formats.registry import names as format_names
from cranfield.formats.thresholds import read_thresholds, write_thresholds

ENDINGS = {"coco": "json", "csv": "csv", "diversity": "dqrels", "long": "csv", "mulan": "arff",
           "npy": "npy", "npz": "npz",
           "openimages": "csv", "parquet": "parquet", "parquet-long": "parquet", "text": "txt",
           "trec": "txt", "tsv": "tsv", "voc": "voc"}  # fmt: skip


def call(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


def run(*words: object) -> None:
    done = call(*words)
    assert done.exit_code == 0, (words, done.stderr, done.exception)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of every kind."""
    here = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        run("simulate", "w", "--items", 300, "--systems", 2, "--random", "none")
        _write_labels()
        _write_knowledge()
        _write_by_item()
        _write_searches()
        _write_votes()
        _write_scores()
    return here


def _write_labels() -> None:
    for name in format_names():
        to = ("--to", name, "--lossy")
        run("convert", "w", f"truth-{name}.{ENDINGS[name]}", *to)
        run("convert", "w/runs/Alder_1.txt", f"run-{name}.{ENDINGS[name]}", *to)
    scores = np.random.default_rng(0).random((300, 53))
    cf.write_run(cf.Run(scores, items=_truth().items, concepts=_truth().concepts), "confident.csv")
    run("split", "w", "--shares", "train=0.5,test=0.5", "--into", "parts")
    run("ontology", "repair", "pto2009", "w/runs/Alder_1.txt", "-o", "repaired.csv", "--lossy",
        "--required")  # fmt: skip
    run("ontology", "close", "pto2009", "w", "-o", "closed.csv")
    for ending in ("ttl", "owl"):
        cf.Ontology.load("pto2009").write(f"ontology.{ending}")
    lines = (f"{item},https://example.org/{item}.jpg" for item in _truth().items)
    Path("items.csv").write_text("\n".join(["item,image_url", *lines]) + "\n")


def _write_knowledge() -> None:
    for ending in ("csv", "tsv", "npz", "csv.gz"):
        run("ontology", "costs", "pto2009", "-o", f"costs.{ending}")
        costs = cf.formats.read_costs(f"costs.{ending}")
        relatedness = cf.RelatednessMap(1 - costs.values, costs.concepts)
        cf.formats.write_map(relatedness, f"relatedness.{ending}")
        agreement = cf.AgreementMap([0.75] * 53, costs.concepts)
        cf.formats.write_map(agreement, f"agreement.{ending}")


def _write_by_item() -> None:
    run("split", "w", "--shares", "train=0.5,test=0.5", "-o", "splits.csv")
    for ending in ("csv", "json"):
        run("thresholds", "w", "confident.csv", "-o", f"thresholds.{ending}")
    run(
        "thresholds", "w", "confident.csv", "--apply", "confident.csv", "--decisions", "decided.npz"
    )
    write_thresholds(read_thresholds("thresholds.csv"), "thresholds.tsv")
    run("describe", "w", "-o", "described.csv")


def _write_searches() -> None:
    for to in ("trec", "long", "npz"):
        run("query", "--pairs", 4, "--truth", "w", "--write", f"search-{to}", "--to", to)
    run("pool", "make", "w", "--depth", 2, "-o", "pool")
    run("pool", "assign", "pool", "--to", "ann,ben")
    for sheet in Path("pool").glob("sheets/*/*.csv"):
        text = sheet.read_text()
        sheet.write_text(re.sub(r",$", ",1", text, flags=re.M))
    run("pool", "merge", "pool")
    run("pool", "merge", "pool", "-o", "merged.qrels")


def _write_votes() -> None:
    crew = ("--crew", "ann=3", "--crew", "crowd=4/3", "--ontology", "pto2009")
    run("votes", "simulate", "w", *crew, "-o", "votes.csv", "--crews", "crews.csv")
    run("votes", "show", "votes.csv", "-o", "shown.csv")
    run("votes", "quality", "votes.csv", "--accepted", "accepted.csv", "-o", "quality.csv")
    run("votes", "merge", "votes.csv", "--concepts", "w/concepts.txt", "-o", "merged.csv",
        "--graded", "graded.csv", "--map", "merged-agreement.csv",
        "--reliability", "reliability.csv")  # fmt: skip
    run("votes", "map", "votes.csv", "-o", "votes-agreement.csv")
    votes = cf.Votes.read("shown.csv")
    for path, form in VOTES.items():
        one = votes.only(questions=[question_of_choice(votes)]) if form == "choices" else votes
        one.write(path, format=form)


def question_of_choice(votes: cf.Votes) -> str:
    return next(question.name for question in votes.questions if question.kind == "choice")


def _write_scores() -> None:
    run("gate", "w", "w/runs/Alder_1.txt", "-m", "example.F", "--write-baseline", "gate.json")
    run("evaluate", "w", "w/runs/Alder_1.txt", "-m", "example.F", "--per-unit", "-o", "units.json")
    confusion = cf.Confusion([[3, 1], [0, 2]], ["Day", "Night"])
    for ending in ("csv", "tsv", "txt", "csv.gz"):
        cf.formats.write_confusion(confusion, f"confusion.{ending}")


def _truth() -> cf.Truth:
    return cf.read_collection("w").truth


MAPS = ("csv", "tsv", "npz", "csv.gz")
VOTES: dict[str, Any] = {
    "votes.tsv": "long", "votes.csv.gz": "long", "choices.csv": "choices",
    "votes.json": "label-studio", "mturk.csv": "mturk",
}  # fmt: skip
TRUTHS = [f"truth-{name}.{ending}" for name, ending in ENDINGS.items()]
RUNS = [f"run-{name}.{ending}" for name, ending in ENDINGS.items()]
READ = [
    *(f"check {path} --as truth" for path in TRUTHS),
    *(f"describe {path} --concepts w/concepts.txt" for path in TRUTHS),
    *(f"evaluate w {path} -m example.F -m concept.AP --missing absent" for path in RUNS),
    *(f"pool make {path} --depth 1 --concepts w/concepts.txt -o OUT" for path in RUNS),
    *(f"evaluate {path} w/runs -m concept.AP" for path in ("closed.csv", "merged.csv")),
    *(f"evaluate w {path} -m example.F" for path in ("repaired.csv", "decided.npz")),
    "evaluate parts/train.txt w/runs --extra drop --concepts w/concepts.txt",
    *(
        words
        for path in ("ontology.ttl", "ontology.owl")
        for words in (
            f"evaluate w --ontology {path} -m OS",
            f"ontology check {path} repaired.csv",
            f"ontology costs {path} -o OUT.csv",
            f"relatedness costs ontology:{path} {path}",
            f"votes hits next merged.csv --ontology {path} --items items.csv -o OUT "
            "--ask Sea --where Water",
            f"votes hits make --ontology {path} --items items.csv -o OUT",
        )
    ),
    "relatedness costs truth:truth-csv.csv w/concepts.txt",
    "votes hits make --concepts w/concepts.txt --items items.csv -o OUT",
    "votes merge votes.csv --method weighted_majority --weights reliability.csv -o OUT.csv",
    "votes hits screen merged.csv --concept Sky --items items.csv -o OUT",
    "votes simulate merged.csv -o OUT.csv",
    "votes effect votes.csv w/runs --extra drop -m example.F",
    "study progress w w --measure concept.AP",
    *(f"evaluate w --costs X=costs.{ending} -m OS(costs=X)" for ending in MAPS),
    *(f"evaluate w --relatedness X=relatedness.{e} -m SRP(relatedness=X)" for e in MAPS),
    *(f"evaluate w --agreement agreement.{ending} --ontology pto2009 -m OS" for ending in MAPS),
    *(f"evaluate w --weights agreement.{ending}" for ending in MAPS),
    *(f"relatedness costs map:relatedness.{e} w/concepts.txt" for e in MAPS),
    *(f"confusion confusion.csv --loss costs.{ending}" for ending in MAPS),
    *(f"confusion confusion.{ending}" for ending in ("csv", "tsv", "txt", "csv.gz")),
    *(f"ontology costs --from {kind}.{e}" for kind in ("costs", "relatedness") for e in MAPS),
    *(f"votes survey relatedness pto2009 --map {kind}.{e} -o OUT"
      for kind in ("costs", "relatedness") for e in MAPS),
    "evaluate w --agreement votes-agreement.csv --ontology pto2009 -m OS",
    "evaluate w --agreement merged-agreement.csv --weights merged-agreement.csv",
    *(f"evaluate w confident.csv --threshold thresholds.{e} -m example.F"
      for e in ("csv", "tsv", "json")),
    "study density w confident.csv --threshold thresholds.csv",
    *(f"evaluate w --intervals {option} splits.csv" for option in ("--clusters", "--strata")),
    "slices w --by splits.csv",
    "split w --folds 2 --groups splits.csv -o OUT.csv",
    "plan w --clusters splits.csv",
    "simulate OUT --items 30 --concepts described.csv",
    "votes survey relatedness w/concepts.txt -o OUT",
    *(
        words
        for to in ("trec", "long", "npz")
        for words in (
            f"evaluate search-{to}",
            f"check search-{to}",
            f"describe search-{to}",
            f"pool make search-{to} --depth 1 -o OUT",
            f"pool assign pool --to ann,ben --topics search-{to}/queries.csv",
            f"query --topics search-{to}/queries.csv --truth w",
            f"evaluate search-{to} --titles search-{to}/queries.csv --per-unit",
        )
    ),
    "evaluate pool w/runs",
    "evaluate merged.qrels w/runs --concepts w/concepts.txt",
    "pool reuse pool w/runs",
    "pool progress pool",
    "pool make w --method mtf --budget 20 --judge merged.qrels -o OUT",
    *(
        words
        for path in ("votes.csv", "shown.csv", "accepted.csv", *VOTES)
        for words in (
            f"votes show {path}",
            f"votes agreement {path} --crews crews.csv",
            f"votes merge {path} -o OUT.csv",
            f"votes quality {path} --gold merged.csv",
            f"votes quality votes.csv --gold {path}",
        )
    ),
    "evaluate graded.csv w/runs -m concept.nDCG",
    "study stability w --change annotators --levels 0.5 --annotator merged.csv "
    "--annotator closed.csv --annotator truth-csv.csv",
    *(f"gate w w/runs/Alder_2.txt --baseline {path} -m example.F --margin 0.9"
      for path in ("gate.json", "units.json")),
]  # fmt: skip


@pytest.mark.parametrize("words", READ)
def test_what_we_write_is_taken_by_what_is_for_it(
    words: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    done = call(*(word.replace("OUT", str(tmp_path / "new")) for word in words.split()))
    assert done.exit_code == 0, (done.stderr, done.exception)


def scores(*words: object) -> object:
    done = call(*words, "--json")
    assert done.exit_code == 0, done.stderr
    return [row["score"] for row in json.loads(done.stdout)["scores"]]


def test_an_agreement_map_weighs_as_a_plain_table_does(tmp_path: Path) -> None:
    truth, heavy = tmp_path / "truth.csv", tmp_path / "heavy.csv"
    truth.write_text("item,a,b\n1,1,0\n2,0,1\n3,1,1\n")
    (tmp_path / "run.csv").write_text("item,a,b\n1,0.9,0.2\n2,0.95,0.1\n3,0.3,0.6\n")
    heavy.write_text("concept,value\na,0.25\nb,1.0\n")
    agreed = cf.AgreementMap([0.25, 1.0], ["a", "b"])
    words = ("evaluate", truth, tmp_path / "run.csv", "-m", "concept.AP", "--weights")
    expected = scores(*words, heavy)
    for ending in MAPS:
        cf.formats.write_map(agreed, tmp_path / f"map.{ending}")
        assert scores(*words, tmp_path / f"map.{ending}") == expected
    cf.formats.write_map(cf.CostMap([[0, 1], [1, 0]], ["a", "b"]), tmp_path / "costs.csv")
    refused = call(*words, tmp_path / "costs.csv")
    assert (refused.exit_code, "agreement map needed" in refused.stderr) == (1, True)


def test_a_cost_map_prices_confusions_predicted_by_true(tmp_path: Path) -> None:
    """Of six items, one is Day by truth and Night by prediction."""
    cf.formats.write_confusion(cf.Confusion([[3, 1], [0, 2]], ["Day", "Night"]), tmp_path / "m.csv")
    for ending in MAPS:
        costs = cf.CostMap([[0.0, 0.2], [0.7, 0.0]], ["Day", "Night"])
        cf.formats.write_map(costs, tmp_path / f"costs.{ending}")
        words = ("confusion", tmp_path / "m.csv", "--loss", tmp_path / f"costs.{ending}")
        assert scores(*words, "-m", "loss(kind=custom)") == [pytest.approx(0.7 / 6)]
    cf.formats.write_map(cf.RelatednessMap([[1, 0], [0, 1]], ["Day", "Night"]), tmp_path / "r.csv")
    refused = call("confusion", tmp_path / "m.csv", "--loss", tmp_path / "r.csv")
    assert (refused.exit_code, "cost map needed" in refused.stderr) == (1, True)


def test_parts_of_a_split_are_clusters_like_any_groups(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    groups = tmp_path / "groups.csv"
    groups.write_text(Path("splits.csv").read_text().replace("item,split", "item,group"))
    words = ("evaluate", "w", "-m", "example.F", "--intervals", "--json", "--clusters")
    assert call(*words, "splits.csv").stdout == call(*words, groups).stdout


def test_queries_are_the_titles_of_what_they_search_for(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    queries = Path("search-trec/queries.csv")
    text = queries.read_text().splitlines()[1].split(",")[1]
    shown = call("evaluate", "search-trec", "--titles", queries, "--per-unit")
    assert text in shown.stdout


def test_runs_of_a_folder_go_with_judgements_in_any_order(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text runs name no concepts and qrels list topics as they come: the folder says the order."""
    monkeypatch.chdir(world)
    words = ("-m", "topic.AP", "--missing", "absent")
    named = scores("evaluate", "merged.qrels", "run-csv.csv", *words)
    assert scores("evaluate", "merged.qrels", "w/runs/Alder_1.txt", *words) == named
    assert scores("evaluate", "pool", "w/runs/Alder_1.txt", *words) == named


@pytest.mark.parametrize("path", [path for path, form in VOTES.items() if form != "choices"])
def test_votes_keep_their_items_in_every_form(
    path: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    back, votes = cf.Votes.read(path), cf.Votes.read("votes.csv")
    assert set(back.items) == set(votes.items)
    assert back.agreement("percent") == pytest.approx(votes.agreement("percent"))


def test_thresholds_of_json_decide_as_those_of_csv(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    words = ("evaluate", "w", "confident.csv", "-m", "example.F", "--threshold")
    assert scores(*words, "thresholds.json") == scores(*words, "thresholds.csv")
    for text in ("{}", "{", '{"thresholds": [{"concept": "a", "threshold": "x"}]}'):
        (tmp_path / "t.json").write_text(text)
        refused = call(*words, tmp_path / "t.json")
        assert (refused.exit_code, "t.json" in refused.stderr) == (1, True), refused.exception
