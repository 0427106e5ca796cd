"""Reports: what stands in them, as tables, files and text."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.collections.collection import Collection
from cranfield.reports import TABLE_FILE, decisions, findings, units
from cranfield.reports.images import Images
from cranfield.show.csv import csv_text
from cranfield.show.graphics import Scale
from cranfield.show.html import table_html
from cranfield.show.latex import tabular


def rows_of(report: cf.Report, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(report.tables[table]))))


def test_the_leaderboard_has_every_score_and_interval(
    report: cf.Report, result: cf.Evaluation
) -> None:
    sure = cf.intervals(result)
    rows = rows_of(report, "leaderboard")
    assert [row["run"] for row in rows] == list(report.findings.standings.runs)
    for row in rows:
        for measure in result.measures:
            one = sure[row["run"], measure]
            assert float(row[str(measure)]) == one.score
            assert float(row[f"{measure} low"]) == one.low
            assert float(row[f"{measure} high"]) == one.high


def test_letters_of_the_beaten_are_those_of_the_comparison(
    report: cf.Report, result: cf.Evaluation
) -> None:
    found = cf.compare(result, "concept.AP")
    best, last = found.runs[0], found.runs[-1]
    assert last in found.beaten()[best]
    lines = tabular(report.tables["leaderboard"]).splitlines()
    line = next(line for line in lines if best[:5] in line)
    assert r"\textsuperscript{" in line
    verdicts = {row["run"]: row["verdict"] for row in rows_of(report, "contest")}
    assert verdicts[last] == "worse"
    assert len(verdicts) == len(found.runs) - 1


def test_every_concept_by_every_run_is_on_the_map(report: cf.Report, result: cf.Evaluation) -> None:
    rows = rows_of(report, "concepts-concept-AP")
    assert {row["concept"] for row in rows} == set(result.truth.concepts)
    means = [float(row["mean"]) for row in rows if row["mean"]]
    assert means == sorted(means)
    place = result.truth.concepts.index(rows[0]["concept"])
    run = result.runs[0]
    assert float(rows[0][run]) == result.units(run, "concept.AP")[place]


def test_the_hardest_item_is_the_worst_on_average_over_systems(
    report: cf.Report, result: cf.Evaluation
) -> None:
    systems = [run for run in result.runs if not run.startswith("Random")]
    mean = np.mean([result.units(run, "example.F") for run in systems], axis=0)
    first = rows_of(report, "hardest-items-example-F")[0]
    assert float(first["mean"]) == pytest.approx(mean.min())
    assert first["item"] == result.truth.items[int(mean.argmin())]


def test_violations_are_those_of_the_ontology(report: cf.Report, result: cf.Evaluation) -> None:
    ontology = cf.Ontology.load("pto2009")
    run = result.score(result.runs[0], "example.F").run
    broken = ontology.violations(run)
    row = next(row for row in rows_of(report, "rules-by-run") if row["run"] == run.name)
    assert int(row["violations"]) == len(broken)
    assert int(row["items"]) == len({one.item for one in broken})


def test_best_thresholds_are_those_of_tuning(report: cf.Report, result: cf.Evaluation) -> None:
    rows = rows_of(report, "thresholds")
    assert len(rows) > 3
    for row in rows[:3]:
        run = result.score(row["run"], "example.F").run
        tuned = cf.tune(result.truth, run, "example.F", per="run")
        assert float(row["best threshold"]) == tuned.values[0]
        assert float(row["best"]) == pytest.approx(tuned.score)
        assert float(row["score"]) == pytest.approx(result[run.name, "example.F"])


def test_a_part_of_a_large_collection_gives_thresholds_of_that_part(
    result: cf.Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "CELLS", 0)
    monkeypatch.setattr(decisions, "LEAST", 30)
    section = next(s for s in cf.Report(result).sections if s.name == "thresholds")
    assert "30 of 120 items" in section.body()


def test_a_run_without_a_threshold_is_told_a_good_one() -> None:
    random = np.random.default_rng(0)
    labels = random.random((50, 3)) < 0.4
    run = cf.Run(random.normal(2.0 * labels), name="log-odds")
    row = rows_of(cf.Report(cf.evaluate(cf.Truth(labels), run, "concept.AP")), "thresholds")[0]
    tuned = cf.tune(cf.Truth(labels), run, "example.F", per="run")
    assert (row["threshold"], row["score"]) == ("none", "")
    assert float(row["best threshold"]) == tuned.values[0]


def test_the_hills_of_items_are_histograms(result: cf.Evaluation) -> None:
    values = result.units(result.runs[0], "example.F")
    counts, _ = np.histogram(values, units.BINS, (0.0, 1.0))
    lone = cf.Evaluation(result.truth, [result.score(result.runs[0], "example.F")])
    page = cf.Report(lone).html
    hill = page.partition('class="hill" d="')[2].partition('"')[0]
    heights = [23 - float(step.partition("H")[0]) for step in hill.split("V")[1:-1]]
    assert np.allclose(heights, 21 * counts / counts.max(), atol=0.06)


def test_measures_agree_as_kendall_says(report: cf.Report, result: cf.Evaluation) -> None:
    from scipy.stats import kendalltau

    systems = [run for run in result.runs if not run.startswith("Random")]
    pair = [[result[run, m] for run in systems] for m in ("concept.AP", "example.ranking_loss")]
    row = rows_of(report, "measures")[0]
    assert float(row["example.ranking_loss"]) == pytest.approx(-kendalltau(*pair).statistic)


def test_signatures_sources_and_notes_are_there(report: cf.Report, result: cf.Evaluation) -> None:
    page = report.html
    assert len(rows_of(report, "signatures")) == len(result) + len(result.measures)
    assert (
        rows_of(report, "signatures")[0]["signature"] == cf.compare(result)["concept.AP"].signature
    )
    assert all(result.truth.digest[:8] in row["signature"] for row in rows_of(report, "signatures"))
    for measure in result.measures:
        assert measure.traits.source.split(";")[0] in page
    assert "decisions ranked as 0/1 scores" in page
    assert "@software{cranfield" in page


def test_the_same_evaluation_gives_the_same_file(report: cf.Report, result: cf.Evaluation) -> None:
    assert cf.Report(result, title="Small campaign").html == report.html


def test_nothing_is_loaded_from_elsewhere_and_nothing_hostile_is_left(
    hostile: cf.Report,
) -> None:
    page = hostile.html
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", page)
    assert page.count("<script") == 1
    assert page.count("</script>") == 1
    assert page.count("</style>") == 1
    assert "<img" not in page
    assert ' onerror="' not in page
    assert ' style="' not in page


def test_every_table_is_written_as_csv_and_latex(report: cf.Report, tmp_path: Path) -> None:
    report.write_tables(tmp_path / "new" / "tables")
    written = {path.name for path in (tmp_path / "new" / "tables").iterdir()}
    assert written == {f"{name}.{end}" for name in report.tables for end in ("csv", "tex")}
    assert all(map(TABLE_FILE.fullmatch, written))
    text = (tmp_path / "new" / "tables" / "leaderboard.tex").read_text()
    assert text.startswith(r"\begin{tabular}")
    report.write_tables(tmp_path / "new" / "tables")


def test_a_single_run_has_no_contest(result: cf.Evaluation) -> None:
    one = cf.Evaluation(result.truth, [s for s in result if s.run.name == result.runs[0]])
    names = [section.name for section in cf.Report(one).sections]
    assert "leaderboard" in names
    assert "contest" not in names
    assert "measures" not in names


def test_topics_of_open_truths_are_resampled(tmp_path: Path) -> None:
    qrels = "".join(f"{t} 0 d{d} {(t + d) % 2}\n" for t in range(1, 7) for d in range(8))
    (tmp_path / "qrels.txt").write_text(qrels)
    truth = cf.read_collection(tmp_path / "qrels.txt")
    for name, step in (("up", 1), ("down", -1)):
        lines = [
            f"{t} Q0 d{d} {rank} {9 - rank} {name}\n"
            for t in range(1, 7)
            for rank, d in enumerate(range(8)[::step], start=1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    runs = [cf.read_run(tmp_path / f"{n}.run", truth, name=n) for n in ("up", "down")]
    report = cf.Report(cf.evaluate(truth, runs, ["concept.AP", "example.F"]), collection=truth)
    assert report.findings.intervals is not None
    assert {one.resample for one in report.findings.intervals} == {"concepts"}
    assert "leaderboard" in report.html


def test_intervals_that_would_take_long_are_left_to_those_who_ask(
    result: cf.Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [result.score(name, "example.F").run for name in result.runs[:2]]
    few = cf.evaluate(result.truth, runs, ["example.F", "concept.P@5"])
    assert len(cf.Report(few).findings.intervals or ()) == 4
    monkeypatch.setattr(findings, "_DRAWN", 0)
    report = cf.Report(few)
    assert "no intervals by concept.P@5" in report.html
    assert len(report.findings.intervals or ()) == 2


def test_what_cannot_be_computed_is_told(result: cf.Evaluation) -> None:
    first = result.scores[0]
    undefined = [replace(first, value=float("nan"), by_unit=first.by_unit * np.nan)]
    report = cf.Report(cf.Evaluation(result.truth, undefined))
    assert "the score is undefined" in report.html


def test_slices_become_a_section(result: cf.Evaluation) -> None:
    halves = ["first" if place < 60 else "second" for place in range(120)]
    found = cf.slices(result, {"half": halves}, samples=200)
    report = cf.Report(result, slices=found)
    rows = rows_of(report, "slices-example-F")
    assert len(rows) == 2 * len(result.runs)
    one = next(row for row in rows if row["run"] == result.runs[0] and row["slice"] == "first")
    assert float(one["score"]) == found[result.runs[0], "example.F", "half", "first"].score


def test_reports_need_scores_and_the_name_of_a_page(
    report: cf.Report, result: cf.Evaluation, tmp_path: Path
) -> None:
    with pytest.raises(cf.InputError, match="no scores to report"):
        cf.Report(cf.Evaluation(result.truth, []))
    with pytest.raises(cf.InputError, match="alpha=2"):
        cf.Report(result, alpha=2)
    with pytest.raises(cf.FileError, match=r"name it \.html"):
        report.write(tmp_path / "report.pdf")
    with pytest.raises(cf.FileError, match="cannot be written"):
        report.write(tmp_path / "nowhere" / "report.html")


def test_concepts_are_shown_with_what_they_mean(result: cf.Evaluation) -> None:
    first = result.truth.concepts[0]
    known = Collection(result.truth, name="Photos", descriptions={first: "a very special thing"})
    assert f"{first} a very special thing" in cf.Report(result, collection=known).html


def test_scales_have_round_ends_around_all_values() -> None:
    scale = Scale.over([0.123, 0.487])
    assert scale.ticks == (0.1, 0.2, 0.3, 0.4, 0.5)
    assert Scale.over([3.0, 3.0]).at(3.0) == 500
    for value, other in ((0.5, 0.5 + 1e-13), (1e17, 1e17)):  # as good as equal
        assert 0 <= Scale.over([value, other]).at(value) <= 1000
    assert Scale.over([]).ticks[0] == 0.0


def test_a_pair_that_was_not_told_apart_is_not_called_alike(
    report: cf.Report, result: cf.Evaluation
) -> None:
    found = cf.compare(result)["concept.AP"]
    leader = found.runs[0]
    for row in rows_of(report, "contest"):
        significant = found[row["run"], leader].adjusted <= 0.05
        assert (row["verdict"] == "no significant difference") != significant
    assert "alike" not in report.sections[0].lead + table_html(report.tables["contest"])


def one_by_one(labels: list[list[int]], *names: str, **options: object) -> cf.Report:
    """A report of runs that differ in how many cells of a truth they get right."""
    truth = cf.Truth(np.array(labels), concepts=[*"ABCD"][: len(labels[0])])
    runs = []
    for place, name in enumerate(names):
        scores = np.where(truth.labels, 0.9, 0.1)
        scores[: 2 * place] = 1.0 - scores[: 2 * place]
        runs.append(cf.Run(scores, name=name, concepts=truth.concepts))
    return cf.Report(cf.evaluate(truth, runs, ["concept.F", "example.F"], **options))  # type: ignore[arg-type]


def findings_of(report: cf.Report) -> str:
    return " ".join(section.finding for section in report.sections)


def test_equally_hard_items_are_all_the_hardest() -> None:
    few = findings_of(one_by_one([[1, 0], [0, 1]] * 10, "a", "b"))
    assert "The hardest items are <b>0</b> and <b>1</b> (0.500 by example.F on average)." in few
    many = findings_of(one_by_one([[1, 0], [0, 1]] * 10, "a", "b", "c"))
    assert "The hardest items are <b>0</b> and <b>1</b> (0.333" in many
    report = one_by_one([[1, 0], [0, 1]] * 20, "perfectly right")
    assert "hardest items are 40 items, among them <b>0</b>, <b>1</b> and <b>2</b>" in findings_of(
        report
    )
    remarks = report.tables["hardest-items-example-F"].remarks
    assert remarks == ["15 more items as hard as the last; equals stand by id"]


def test_images_come_from_where_the_report_says(result: cf.Evaluation, tmp_path: Path) -> None:
    page = cf.Report(result, images="https://photos.org/a b/{item}.jpg?size=s").html
    item = rows_of(cf.Report(result), "hardest-items-example-F")[0]["item"]
    assert f'src="https://photos.org/a b/{item}.jpg?size=s"' in page
    assert "img-src https://photos.org/a%20b/;" in page
    odd = Images("https://photos.org/{item}.jpg")
    assert odd.address('../"><x>', Path("p.html")) == "https://photos.org/..%2F%22%3E%3Cx%3E.jpg"
    (tmp_path / "photos").mkdir()
    for name in ("a.JPG", "b c.png", "notes.txt"):
        (tmp_path / "photos" / name).touch()
    folder = Images(str(tmp_path / "photos"))
    beside, below = tmp_path / "page.html", tmp_path / "pages" / "page.html"
    assert folder.address("a", beside) == "photos/a.JPG"
    assert folder.address("b c.png", below) == "../photos/b%20c.png"
    assert folder.address("notes", beside) == folder.address("../photos/a", beside) == ""


def test_images_are_a_folder_or_an_address_with_an_item(result: cf.Evaluation) -> None:
    with pytest.raises(cf.FileError, match="neither a folder"):
        cf.Report(result, images="nowhere")
    for address in ("https://photos.org/all.jpg", "https://{item}.org/a.jpg"):
        with pytest.raises(cf.InputError, match="behind the host"):
            cf.Report(result, images=address)


def test_measures_that_all_agree_do_not_agree_least() -> None:
    said = findings_of(one_by_one([[1, 0], [0, 1]] * 10, "a", "b", "c", "d"))
    assert "agree least" not in said
    assert "All measures put the systems in the same order." in said


@pytest.mark.parametrize(
    ("share", "written"), [(0.0, "0%"), (0.25, "25%"), (199 / 200, "99.5%"), (1e-4, "0.01%")]
)
def test_a_share_is_none_or_all_only_if_it_is(share: float, written: str) -> None:
    assert decisions.percent(share) == written


def test_formulas_have_no_backticks(result: cf.Evaluation) -> None:
    truth, run = result.truth, result.scores[0].run
    found = cf.evaluate(truth, run, ["HS", "OS"], ontology=cf.Ontology.load("pto2009"))
    table = cf.Report(found).tables["conventions"]
    assert "`" not in table_html(table) + csv_text(table) + tabular(table)


def test_a_very_long_name_does_not_fill_the_summary() -> None:
    long = "x" * 5000
    said = findings_of(one_by_one([[1, 0], [0, 1]] * 10, long, "b", "c", "d"))
    text = re.sub(r"<[^>]*>", "", said)
    assert "x" * 70 in text
    assert "x" * 100 not in text


def test_curves_of_the_best_systems_are_those_of_the_library(
    report: cf.Report, result: cf.Evaluation
) -> None:
    section = next(section for section in report.sections if section.name == "curves")
    best = report.findings.systems[:5]
    runs = [result.score(run, "concept.AP").run for run in best]
    expected = cf.curves(result.truth, runs, average="recall")
    rows = rows_of(report, "curves")
    for curve in expected:
        column = [float(row[f"{curve.run} precision"]) for row in rows]
        assert column == pytest.approx(curve.precision.tolist())
    titles = [part.title for part in section.panels[""]]
    assert titles[:2] == ["Precision and recall", "ROC"]
    assert section.body().count('class="curve ') >= 2 * len(best)


def test_a_leader_of_two_beats_the_other_system() -> None:
    random = np.random.default_rng(1)
    labels = random.random((200, 3)) < 0.4
    runs = [
        cf.Run(scores=random.normal(skill * labels), name=name)
        for name, skill in (("good", 3.0), ("bad", 0.1))
    ]
    report = cf.Report(cf.evaluate(cf.Truth(labels), runs, ["concept.AP"]))
    assert "; it beats the other system significantly." in report.html


def test_an_item_that_nobody_gets_right_names_no_run_as_its_best() -> None:
    labels = np.array([[1, 0], [0, 1], [1, 1]])
    runs = {"a": np.array([[1, 0], [1, 0], [1, 1]]), "b": np.array([[0, 1], [1, 0], [1, 1]])}
    report = cf.Report(cf.evaluate(labels, runs, ["example.F"]))
    (items,) = (section for section in report.sections if section.name == "items")
    (table,) = (t for tables in items.panels.values() for t in tables if "hardest" in t.title)
    makers = {row["item"]: row["best run"] for row in table.rows}
    assert makers == {"1": "all", "0": "a", "2": "all"}
