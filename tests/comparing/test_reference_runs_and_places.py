"""Random runs are never tested as systems, equal scores share a place, only tests name winners."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from rich.console import Console, RenderableType
from scipy.stats import rankdata

import cranfield as cf
from cranfield.assessment.pools import leave_one_out
from cranfield.engine.standings import Standings, competition_ranks
from cranfield.reports import Report
from cranfield.show import rendered
from cranfield.show.csv import csv_text
from cranfield.show.terminal import renderable
from cranfield.studies.reference_runs import all_ones, perfect_run, random_run
from cranfield.studies.searching import QueryHits, study_searches
from cranfield.tasks.retrieval.queries import NamedQuery, as_queries
from cranfield.tasks.retrieval.searching import first_hits

RNG = np.random.default_rng(4)
LABELS = (RNG.random((90, 6)) < 0.3).astype(int)
TRUTH = cf.Truth(LABELS, concepts="abcdef")
SYSTEMS = [
    cf.Run(
        np.clip(RNG.normal(0.3 + 0.1 * (1 + k) * LABELS, 0.2), 0, 1),
        name=f"s{k}",
        concepts="abcdef",
    )
    for k in range(3)
]
REFERENCES = [
    *(random_run(TRUTH, percent, seed=0) for percent in (0, 50)),
    all_ones(TRUTH),
    perfect_run(TRUTH),
]
NAMES = ("AllOnes", "Random0", "Random50", "perfect")
RESULT = cf.evaluate(TRUTH, [*SYSTEMS, *REFERENCES], ["example.F", "concept.AP"])
ALONE = cf.evaluate(TRUTH, SYSTEMS, ["example.F", "concept.AP"])


# ── random runs ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("test", ["randomisation", "t", "nemenyi"])
@pytest.mark.parametrize("measure", ["example.F", "concept.AP"])
def test_random_runs_change_no_p_value_of_systems(measure: str, test: str) -> None:
    found, wanted = (
        cf.compare(one, measure, test=test, samples=500)  # type: ignore[arg-type]
        if not (test == "nemenyi" and measure == "concept.AP")
        else cf.compare(one, measure, test="nemenyi", resample="concepts")
        for one in (RESULT, ALONE)
    )
    assert [pair.row() for pair in found.pairs] == [pair.row() for pair in wanted.pairs]
    assert (found.left_out, wanted.left_out) == (NAMES, ())
    assert any("Random50" in remark for remark in found.remarks())
    told = json.loads(found.to_json())
    assert told["left_out"] == list(NAMES)
    assert {row["run"] for row in told["runs"]} == {"s0", "s1", "s2"}
    assert any("AllOnes" in remark for remark in found.result.remarks)


def test_one_system_beside_random_runs_is_too_few_to_compare() -> None:
    result = cf.evaluate(TRUTH, [SYSTEMS[0], *REFERENCES], "example.F")
    with pytest.raises(cf.InputError, match="there is 1 run of systems; compare at least two"):
        cf.compare(result, "example.F")


def test_searches_rank_systems_only() -> None:
    options = {"searched_by": "concept.AP", "annotated_by": ["example.F", "concept.AP"]}
    found = study_searches(TRUTH, [*SYSTEMS, *REFERENCES], ["a AND b", "c", "d OR e"], **options)
    wanted = study_searches(TRUTH, SYSTEMS, ["a AND b", "c", "d OR e"], **options)
    assert found.agreements == wanted.agreements
    assert {pair.runs for pair in found.agreements} == {3}
    assert sorted(found.left_out) == list(NAMES)
    (table,) = [table for table in found.result.tables if table.name == "agreement"]
    assert len(table.remarks) == 2


# ── places ────────────────────────────────────────────────────────────────────────────────────


def test_places_are_those_of_a_competition() -> None:
    merits = RNG.integers(0, 5, size=(20, 9)).astype(float)
    assert np.array_equal(competition_ranks(merits), rankdata(-merits, method="min", axis=-1))
    assert competition_ranks([0.5, 0.7, 0.7, 0.1]).tolist() == [3, 1, 1, 4]
    some = competition_ranks([np.nan, 0.2, np.inf, -np.inf, 0.2 + 1e-15, np.inf])
    assert np.array_equal(some, [np.nan, 3, 1, 5, 3, 1], equal_nan=True)


def tied() -> cf.Evaluation:
    best, twin = (
        cf.Run(SYSTEMS[2].scores, name=name, concepts="abcdef") for name in ("best", "twin")
    )
    return cf.evaluate(TRUTH, [SYSTEMS[0], twin, SYSTEMS[1], best], ["example.F", "concept.AP"])


def ranks_on_terminal(table: RenderableType) -> list[str]:
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(table)
    rows = (line.split() for line in console.export_text().splitlines())
    return [row[0] for row in rows if row and row[0].isdigit()]


def test_equal_scores_share_a_place_in_leaderboards_tables_and_exports() -> None:
    result = tied()
    standings = Standings(result)
    assert [standings.place(run) for run in standings.runs] == [1, 1, 3, 4]
    assert ranks_on_terminal(renderable(result.result)) == ["1", "1", "3", "4"]
    found = cf.compare(result, "example.F", samples=200)
    assert list(found.places.values()) == [1, 1, 3, 4]
    told = json.loads(found.to_json())
    assert [row["rank"] for row in told["runs"]] == [1, 1, 3, 4]
    assert rendered(found.result, "latex").count(r"\textbf") == 2
    page = Report(result)
    rows = csv_text(page.tables["leaderboard"]).splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["1", "1", "3", "4"]
    assert "share the lead by example.F" in page.html


def test_hits_of_equal_scores_share_a_place() -> None:
    run = cf.Run(np.array([[0.9], [0.4], [0.9], [0.2]]), concepts=["a"], items="wxyz")
    truth = cf.Truth(np.array([[1], [0], [1], [1]]), concepts=["a"], items="wxyz")
    (query,) = as_queries("a").values()
    hits = QueryHits(NamedQuery("a", query), "run", tuple(first_hits(truth, run, "a", 4)))
    assert [hit["rank"] for hit in hits.record()["hits"]] == [1, 1, 3, 4]


def test_groups_left_out_of_a_pool_share_places() -> None:
    qrels = cf.Truth(LABELS, items=[f"d{n}" for n in range(90)], concepts="abcdef")
    runs = [
        cf.Run(run.scores, name=name, items=qrels.items, concepts="abcdef", group=name)
        for name, run in (("x", SYSTEMS[2]), ("y", SYSTEMS[2]), ("z", SYSTEMS[0]))
    ]
    found = leave_one_out(qrels, runs, depth=10)
    places = {run.run: run.rank for group in found.groups for run in group.runs}
    assert places == {"x": 1, "y": 1, "z": 3}


# ── winners ───────────────────────────────────────────────────────────────────────────────────


def test_nobody_wins_where_runs_do_not_differ() -> None:
    found = cf.compare(tied(), "example.F", samples=500)
    for alpha in (0.001, 0.05, 0.5):
        for pair in found.pairs:
            wins = pair.adjusted < alpha
            assert bool(pair.winner_at(alpha)) == (wins and bool(pair.ahead))
            assert pair.row(alpha)["winner"] == pair.winner_at(alpha)
            assert (pair in found.significant(alpha)) == wins
    assert found["best", "twin"].winner == found["best", "twin"].ahead == ""
    beaten = {run for run, others in found.beaten(0.05).items() if others}
    assert beaten == {pair.winner for pair in found.pairs if pair.winner}
    rows = json.loads(found.to_json(alpha=1e-9))["pairs"]
    assert {row["winner"] for row in rows} == {""}
    assert set(found.frame["winner"]) == {pair.winner for pair in found.pairs}


def test_a_p_value_equal_to_alpha_names_no_winner() -> None:
    pair = cf.compare(ALONE, "example.F", samples=500).pairs[0]
    assert pair.ahead
    assert pair.winner_at(min(0.99, np.nextafter(pair.adjusted, 1))) == pair.ahead
    assert pair.winner_at(pair.adjusted) == ""
