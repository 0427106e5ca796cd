"""`cranfield evaluate`: every way to ask, every way to answer."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield import formats
from cranfield.cli.outcomes import flag_spelling
from cranfield.engine.usual_measures import LABELS as DEFAULT_MEASURES
from cranfield.formats.cells import require_order
from cranfield.formats.registry import Expected
from cranfield.knowledge.relatedness.wordnet.installation import located

Cranfield = Callable[..., Result]

KEYS = ["run", "measure", "score", "units", "skipped", "notes", "signature"]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A truth of three items and two concepts, and a run of confidences."""
    (tmp_path / "truth.csv").write_text("item,cat,dog\na,1,0\nb,0,1\nc,1,1\n")
    (tmp_path / "run.csv").write_text("item,cat,dog\na,.9,.2\nb,.1,.8\nc,.7,.6\n")
    return tmp_path


# --- what is scored ---


def test_the_numbers_are_those_of_the_library(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", folder / "truth.txt", folder / "runs", "--json")
    collection = formats.read_collection(folder / "truth.txt")
    runs = [formats.read_run(path, collection) for path in sorted((folder / "runs").iterdir())]
    result = cf.evaluate(collection, runs, DEFAULT_MEASURES)
    assert json.loads(said.stdout) == json.loads(result.to_json())


def test_a_collection_folder_brings_its_runs(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", folder, "-m", "concept.AP", "--json")
    names = {score["run"] for score in json.loads(said.stdout)["scores"]}
    assert names == {path.stem for path in (folder / "runs").iterdir()}


def test_measures_are_named_canonically_whatever_the_spelling(
    tiny: Path, cranfield: Cranfield
) -> None:
    spellings = ["topic.map", "example.F( beta = 2 )", "concept.p@1", "concept.AP"]
    flags = [word for spelling in spellings for word in ("-m", spelling)]
    said = cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", *flags, "--json")
    named = [score["measure"] for score in json.loads(said.stdout)["scores"]]
    assert named == ["concept.AP", "example.F(beta=2)", "concept.P@1"]


def test_a_threshold_moves_the_decisions(tiny: Path, cranfield: Cranfield) -> None:
    def recall(*flags: str) -> float:
        words = ("evaluate", tiny / "truth.csv", tiny / "run.csv", "-m", "micro.R", "--json")
        found: float = json.loads(cranfield(*words, *flags).stdout)["scores"][0]["score"]
        return found

    assert recall() == 1.0
    assert recall("--threshold", "0.85") == 0.25


def test_missing_items_are_refused_or_absent(tiny: Path, cranfield: Cranfield) -> None:
    (tiny / "short.csv").write_text("item,cat,dog\na,.9,.2\nb,.1,.8\n")
    words = ("evaluate", tiny / "truth.csv", tiny / "short.csv", "-m", "micro.R", "--json")
    refused = cranfield(*words)
    assert refused.exit_code == 1
    assert "'c'" in refused.stderr
    assert "--missing absent" in refused.stderr
    assert refused.stdout == ""
    taken = cranfield(*words, "--missing", "absent")
    assert json.loads(taken.stdout)["scores"][0]["score"] == 0.5


def test_weights_shift_the_mean(tiny: Path, cranfield: Cranfield) -> None:
    (tiny / "run.csv").write_text("item,cat,dog\na,.9,.9\nb,.1,.8\nc,.7,.6\n")
    (tiny / "weights.csv").write_text("concept,weight\ncat,1\ndog,0\n")
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv", "-m", "concept.AP", "--json")
    plain = json.loads(cranfield(*words).stdout)["scores"][0]["score"]
    said = cranfield(*words, "--weights", tiny / "weights.csv")
    assert json.loads(said.stdout)["scores"][0]["score"] == 1.0 > plain


def test_concepts_can_be_named(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "truth.dat").write_text("a 1 0\nb 0 1\n")
    (tmp_path / "run.dat").write_text("a .9 .1\nb .2 .8\n")
    (tmp_path / "names").write_text("cat\ndog\n")
    words = ("evaluate", tmp_path / "truth.dat", tmp_path / "run.dat", "-m", "concept.AP")
    said = cranfield(*words, "--concepts", tmp_path / "names", "--per-unit", "--csv")
    assert [row["unit"] for row in csv.DictReader(io.StringIO(said.stdout))] == ["cat", "dog"]


def test_runs_of_one_name_keep_their_paths(tiny: Path, cranfield: Cranfield) -> None:
    (tiny / "other").mkdir()
    (tiny / "other" / "run.csv").write_bytes((tiny / "run.csv").read_bytes())
    said = cranfield(
        "evaluate", tiny / "truth.csv", tiny / "run.csv", tiny / "other", "-m", "micro.R", "--json"
    )
    names = [score["run"] for score in json.loads(said.stdout)["scores"]]
    assert names == [str(tiny / "run"), str(tiny / "other" / "run")]


# --- how it is shown ---


def test_json_is_all_there_is_on_standard_output(folder: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", folder, "--json")
    scores = json.loads(said.stdout)["scores"]
    assert list(scores[0]) == KEYS
    assert said.stderr == ""


def test_undefined_scores_are_null_dash_and_blank(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "truth.csv").write_text("item,cat\na,0\nb,0\n")
    (tmp_path / "run.csv").write_text("item,cat\na,.9\nb,.1\n")
    words = ("evaluate", tmp_path / "truth.csv", tmp_path / "run.csv", "-m", "concept.AP")
    assert json.loads(cranfield(*words, "--json").stdout)["scores"][0]["score"] is None
    table = cranfield(*words).stdout
    assert "–" in table
    assert "skipped as undefined: 1 of 1 concepts" in table
    assert next(csv.DictReader(io.StringIO(cranfield(*words, "--csv").stdout)))["score"] == ""
    assert "run & --" in cranfield(*words, "--latex").stdout


def test_the_table_puts_the_best_run_on_top_whichever_way_is_better(
    folder: Path, cranfield: Cranfield
) -> None:
    for measure, better in (("concept.AUC", max), ("example.ranking_loss", min)):
        scores = json.loads(cranfield("evaluate", folder, "-m", measure, "--json").stdout)["scores"]
        best = better(scores, key=lambda score: score["score"])
        rows = cranfield("evaluate", folder, "-m", measure).stdout.splitlines()
        first = next(row.split() for row in rows if row.split()[:1] == ["1"])
        assert first == ["1", best["run"], f"{best['score']:.4f}"]


def test_the_table_says_which_runs_were_ranked_by_decisions(
    folder: Path, cranfield: Cranfield
) -> None:
    said = cranfield("evaluate", folder / "truth.txt", folder / "runs" / "Random10.txt")
    assert "Random10: confidences take at most two values" in said.stdout


def test_csv_holds_every_score_at_full_precision(folder: Path, cranfield: Cranfield) -> None:
    rows = list(csv.DictReader(io.StringIO(cranfield("evaluate", folder, "--csv").stdout)))
    scores = json.loads(cranfield("evaluate", folder, "--json").stdout)["scores"]
    assert list(rows[0]) == KEYS
    assert [float(row["score"]) for row in rows] == [score["score"] for score in scores]


def test_by_a_property_of_the_truth_no_run_is_best(folder: Path, cranfield: Cranfield) -> None:
    done = cranfield("evaluate", folder, "-m", "concept.generality", "--latex")
    assert "generality" in done.stdout
    assert "textbf" not in done.stdout
    assert "arrow" not in done.stdout


def test_latex_is_escaped_with_the_best_in_bold(folder: Path, cranfield: Cranfield) -> None:
    page = cranfield("evaluate", folder, "-m", "example.ranking_loss", "--latex").stdout
    assert page.startswith("% \\usepackage{booktabs}\n\\begin{table}\n")
    assert "\\begin{tabular}{lr}\n\\toprule\n" in page
    assert r"example.ranking\_loss $\downarrow$" in page
    assert page.count(r"\textbf{") == 1
    assert r"Alder\_1" in page


def test_per_unit_scores_average_to_the_score(tiny: Path, cranfield: Cranfield) -> None:
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv", "-m", "concept.AP", "--per-unit")
    (score,) = json.loads(cranfield(*words, "--json").stdout)["scores"]
    assert list(score["by_unit"]) == ["cat", "dog"]
    assert sum(score["by_unit"].values()) / 2 == score["score"]
    assert "cat" in cranfield(*words).stdout
    assert r"\bottomrule" in cranfield(*words, "--latex").stdout


def test_micro_measures_have_no_units_to_show(tiny: Path, cranfield: Cranfield) -> None:
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv", "-m", "micro.F", "--per-unit")
    assert "pools all cells" in cranfield(*words).stdout
    assert json.loads(cranfield(*words, "--json").stdout)["scores"][0]["by_unit"] == {}


def test_latex_rows_never_begin_with_an_argument(tiny: Path, cranfield: Cranfield) -> None:
    for name in ("[2pt].csv", "*.csv"):
        (tiny / name).write_bytes((tiny / "run.csv").read_bytes())
    page = cranfield("evaluate", tiny / "truth.csv", tiny / "[2pt].csv", tiny / "*.csv", "--latex")
    assert "\n{[}2pt] & " in page.stdout
    assert "\n{*} & " in page.stdout


def test_latex_shows_the_signs_that_a_name_has(tiny: Path, cranfield: Cranfield) -> None:
    (tiny / "a<b>|c.csv").write_bytes((tiny / "run.csv").read_bytes())
    page = cranfield("evaluate", tiny / "truth.csv", tiny / "a<b>|c.csv", "--latex")
    assert "\na\\textless{}b\\textgreater{}\\textbar{}c & " in page.stdout


def test_remarks_are_not_padded(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "truth.csv").write_text("item,cat\na,0\nb,0\n")
    (tmp_path / "run.csv").write_text("item,cat\na,.9\nb,.1\n")
    said = cranfield("evaluate", tmp_path / "truth.csv", tmp_path / "run.csv", "-m", "concept.AP")
    (line,) = [line for line in said.stdout.splitlines() if "skipped as undefined" in line]
    assert line == line.rstrip()


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("scores.json", "{"),
        ("scores.csv", "run,measure,score"),
        ("table.tex", "% \\usepackage{booktabs}"),
        ("table.txt", "\n"),
    ],
)
def test_files_are_written_as_their_extension_says(
    tiny: Path, cranfield: Cranfield, name: str, begins: str
) -> None:
    said = cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", "-o", tiny / name)
    assert said.exit_code == 0
    assert said.stdout == ""
    assert name in said.stderr
    text = (tiny / name).read_text()
    assert text.startswith(begins)
    assert "concept" in text
    assert "\x1b" not in text
    assert not list(tiny.glob(".*"))


def test_a_flag_overrules_the_extension(tiny: Path, cranfield: Cranfield) -> None:
    cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", "--json", "-o", tiny / "scores.txt")
    assert "scores" in json.loads((tiny / "scores.txt").read_text())


# --- what is refused ---


def test_scores_outside_the_unit_interval_need_a_threshold(
    tiny: Path, cranfield: Cranfield
) -> None:
    (tiny / "run.csv").write_text("item,cat,dog\na,3,-2\nb,-1,2\nc,1,1\n")
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv")
    asked = cranfield(*words, "-m", "example.F")
    assert asked.exit_code == 1
    assert "--threshold" in asked.stderr
    unasked = cranfield(*words, "--json")
    assert unasked.exit_code == 0
    assert "without example.F" in unasked.stderr
    measures = {score["measure"] for score in json.loads(unasked.stdout)["scores"]}
    assert measures == set(DEFAULT_MEASURES) - {"example.F"}
    given = cranfield(*words, "--json", "--threshold", "0")
    assert len(json.loads(given.stdout)["scores"]) == len(DEFAULT_MEASURES)


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("item,cat,dog\na,3,-2\nb,-1,2\nc,1,1\n", ("-m", "example.F"), "run 'run' has scores"),
        ("item,cat,dog\na,3,-2\nb,-1,2\nc,1,1\n", (), "run 'run' has scores"),
        ("item,cat,dog\na,.9,.2\nb,.1,.8\n", (), "run 'run' lacks 1 item"),
    ],
)
def test_what_the_library_says_of_a_run_names_its_file(
    tiny: Path, cranfield: Cranfield, text: str, words: tuple[str, ...], says: str
) -> None:
    (tiny / "run.csv").write_text(text)
    said = cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", *words)
    assert f"{tiny / 'run.csv'}: {says}" in said.stderr


def test_what_the_library_says_of_weights_names_their_file(
    tiny: Path, cranfield: Cranfield
) -> None:
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv", "--weights", tiny / "weights.csv")
    for lines in ("cat,1\n", "cat,1\ndog,1\ncow,1\n", "cat,-1\ndog,1\n"):
        (tiny / "weights.csv").write_text(f"concept,value\n{lines}")
        said = cranfield(*words)
        assert said.exit_code == 1
        assert f"error: {tiny / 'weights.csv'}: weights" in said.stderr


def _unlabelled() -> Path:
    path = Path(tempfile.mkdtemp(), "x.arff")
    path.write_text("@relation r\n@attribute a {0,1}\n@data\n1\n")
    return path


def _without_wordnet() -> None:
    with (
        patch("cranfield.knowledge.relatedness.wordnet.installation._usual", return_value=iter(())),
        patch.dict("os.environ", {"WNHOME": "", "WNSEARCHDIR": ""}),
    ):
        located()


TINY = cf.Truth([[1, 0], [0, 1]])
OUTSIDE = cf.Run([[3.0, 1.0], [2.0, 1.0]], name="r")
SURE = cf.Run(labels=[[1, 0], [0, 1]], name="r")
COSTS = {"A": [[0, 1], [1, 0]]}
ADVICE: dict[tuple[str, str], Callable[[], object]] = {
    ('with missing="absent"', "with --missing absent"): lambda: cf.evaluate(
        cf.Truth([[1], [0]], items=["a", "b"]), [cf.Run([[1.0]], items=["a"])], "micro.F"
    ),
    ('with extra="drop"', "with --extra drop"): lambda: cf.evaluate(
        cf.Truth([[1]], items=["a"]), [cf.Run([[1.0], [0.0]], items=["a", "b"])], "micro.AP"
    ),
    ("leave threshold= out", "leave --threshold out"): (
        lambda: cf.Run([[1.0]], labels=[[1]], threshold=0.5)
    ),
    ("give concepts= or choose", "give --concepts or choose"): lambda: cf.evaluate(
        TINY, [OUTSIDE], "example.AP(ties=trec)"
    ),
    ("give concepts= in the order", "give --concepts in the order"): lambda: require_order(
        Expected(("cat", "dog"), in_order=False)
    ),
    ("name them: give concepts=", "name them: give --concepts"): (
        lambda: cf.read_truth(_unlabelled())
    ),
    ("give lossy=True", "give --lossy"): (
        lambda: cf.write_truth(cf.Truth(grades=[[2]]), "never_written.txt")
    ),
    ("name them with concepts=", "name them with --concepts"): lambda: cf.overlap(TINY, TINY),
    ('give normalise="max"', "give --normalise max"): (
        lambda: cf.RelatednessMap([[0, 2], [2, 0]]).costs()
    ),
    ('give normalise="minmax"', "give --normalise minmax"): (
        lambda: cf.RelatednessMap([[0, -2], [2, 0]]).costs()
    ),
    ("give threshold=", "give --threshold"): lambda: cf.evaluate(TINY, [OUTSIDE], "micro.F"),
    ("give ontology= or costs=", "give --ontology or --costs"): (
        lambda: cf.evaluate(TINY, [SURE], "OS")
    ),
    ("give ontology=", "give --ontology"): lambda: cf.evaluate(TINY, [SURE], "HS-DDMC"),
    ("there are 'A'; give costs=", "there are 'A'; give --costs"): lambda: cf.evaluate(
        TINY, [SURE], "OS-FTS", costs=COSTS
    ),
    ("give relatedness=", "give --relatedness"): lambda: cf.evaluate(TINY, [OUTSIDE], "SRP"),
    ("install it with cranfield relatedness", "install wordnet"): _without_wordnet,
}


def test_targets_are_scored_by_distances_unless_measures_are_named(
    tmp_path: Path, cranfield: Cranfield
) -> None:
    (tmp_path / "truth.csv").write_text("item targets,height\na,1.5\nb,-2\nc,40\n")
    (tmp_path / "run.csv").write_text("item,height\na,1\nb,-1\nc,40\n")
    done = cranfield("evaluate", tmp_path / "truth.csv", tmp_path / "run.csv", "--json")
    assert done.exit_code == 0, done.output
    scores = {row["measure"]: row["score"] for row in json.loads(done.stdout)["scores"]}
    assert list(scores) == ["concept.MAE", "concept.RMSE", "concept.R2"]
    assert scores["concept.MAE"] == 0.5


@pytest.mark.parametrize("words", ADVICE)
def test_advice_is_spelled_as_each_front_end_does(words: tuple[str, str]) -> None:
    with pytest.raises(cf.InputError) as refused:
        ADVICE[words]()
    assert words[0] in str(refused.value)
    assert words[1] in refused.value.message(flag_spelling)


def test_a_threshold_cannot_overrule_decisions(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "truth.txt").write_text("a 1 0\nb 0 1\n")
    (tmp_path / "run.txt").write_text("a .9 .1 1 0\nb .2 .8 0 1\n")
    said = cranfield("evaluate", tmp_path / "truth.txt", tmp_path / "run.txt", "--threshold", "0.5")
    assert said.exit_code == 1
    assert "leave --threshold out" in said.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "concept.nope"),
        ("-m", "AP"),
        ("-m", "example.F(beta=often)"),
        ("-m", "concept.AP(k="),
        ("--missing", "maybe"),
        ("--threshold", "half"),
        ("--threshold", "nan"),
        ("--threshold", "inf"),
        ("--format", "foo"),
        ("--json", "--csv"),
        ("-o", "scores.xyz"),
        ("--nonsense",),
    ],
)
def test_wrong_usage_exits_with_2_and_prints_no_result(
    tiny: Path, cranfield: Cranfield, words: tuple[str, ...]
) -> None:
    said = cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", *words)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert said.stderr.strip()
    assert "Traceback" not in said.stderr
    assert "Value error" not in said.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("item,cat,dog\na,.9,nan\nb,.1,.8\nc,.7,.6\n", "run.csv:2"),
        ("item,cat,dog\na,.9,.2\nb,.1\nc,.7,.6\n", "run.csv:3"),
        ("item,cat,dog\na,.9,.2\nb,.1,much\nc,.7,.6\n", "run.csv:3"),
        ("item,cat,dog\na,.9,.2\na,.1,.8\nc,.7,.6\n", "run.csv:3"),
        ("item,cat,cow\na,.9,.2\nb,.1,.8\nc,.7,.6\n", "cow"),
        ("", "run.csv"),
    ],
)
def test_bad_input_exits_with_1_and_one_paragraph(
    tiny: Path, cranfield: Cranfield, text: str, complaint: str
) -> None:
    (tiny / "run.csv").write_text(text)
    said = cranfield("evaluate", tiny / "truth.csv", tiny / "run.csv", "--json")
    assert said.exit_code == 1
    assert said.stdout == ""
    assert complaint in said.stderr
    assert said.stderr.startswith("error: ")
    assert said.stderr.count("\n") == 1


def test_files_that_are_not_there_are_bad_input(tiny: Path, cranfield: Cranfield) -> None:
    for words in (("nowhere.csv", "run.csv"), ("truth.csv", "nowhere.csv")):
        said = cranfield("evaluate", *(tiny / word for word in words))
        assert said.exit_code == 1
        assert "nowhere.csv" in said.stderr


def test_a_truth_without_runs_says_what_to_add(tiny: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", tiny / "truth.csv")
    assert said.exit_code == 1
    assert "no runs" in said.stderr


def test_a_file_that_cannot_be_written_is_an_error(tiny: Path, cranfield: Cranfield) -> None:
    words = ("evaluate", tiny / "truth.csv", tiny / "run.csv")
    said = cranfield(*words, "-o", tiny / "no" / "such" / "folder.json")
    assert said.exit_code == 1
    assert "its folder is not there" in said.stderr


def test_codes_of_concepts_are_explained_in_tables(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "truth.csv").write_text(
        "ImageID,Source,LabelName,Confidence\na,v,/m/01,1\na,v,/m/02,0\nb,v,/m/01,0\n"
    )
    (tmp_path / "class-descriptions.csv").write_text("/m/01,Cat\n/m/02,Dog\n")
    (tmp_path / "run.csv").write_text("item,/m/01,/m/02\na,.9,.1\nb,.2,.3\n")
    words = ("evaluate", tmp_path / "truth.csv", tmp_path / "run.csv", "-m", "concept.AP")
    assert "/m/01  Cat" in cranfield(*words, "--per-unit").stdout


@pytest.mark.parametrize(("run", "more"), [("r" * 200, ()), ("r", ("--per-unit",))])
def test_long_names_are_folded_and_scores_stay(
    run: str, more: tuple[str, ...], tmp_path: Path, cranfield: Cranfield
) -> None:
    path = tmp_path / f"{run}.csv"
    path.write_text(f"item,{'a' * 200}\nx,1\ny,0\n")
    said = cranfield("evaluate", path, path, "-m", "concept.AP", *more, columns=80)
    (row,) = [line.split() for line in said.stdout.splitlines() if "1.0000" in line]
    assert row[-1] == "1.0000"
    letters = sum(line.count("a" if more else "r") for line in said.stdout.splitlines())
    assert letters >= 200
