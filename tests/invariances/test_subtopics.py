"""Measures that count subtopics: what must hold for them where topics have several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessment.pools.qrels import Scoring
from cranfield.errors import InputError
from cranfield.studies.altered_truths import alteration
from cranfield.studies.sampled_judgements import sampled
from invariances.registered import ALL, PLAIN, all_same, all_scored, close, shuffled
from problems import Problem, problem, sparse

COUNTING = [name for name in ALL if cf.measure(name).traits.subtopics]
OTHERS = [name for name in PLAIN if name not in COUNTING]
CASE = problem(7, values=4)


def aspects(labels: Any, count: int = 3) -> dict[str, Any]:
    """Each relevant document has some of the subtopics, and at least one."""
    random = np.random.default_rng(11)
    first = random.integers(count, size=CASE.shape)
    more = random.random((count, *CASE.shape)) < 0.3
    return {f"s{n}": (labels & ((first == n) | more[n])).astype(int) for n in range(count)}


SUBTOPICS = aspects(CASE.labels)


def truth(**options: Any) -> cf.Truth:
    return cf.Truth(CASE.labels, **({"subtopics": SUBTOPICS} | CASE.ids | options))


def test_some_measures_count_subtopics_and_all_others_do_not_see_them() -> None:
    assert len(COUNTING) > 4
    all_same(all_scored(truth(), CASE.run(), OTHERS), all_scored(CASE.truth(), CASE.run(), OTHERS))
    with_them = all_scored(truth(), CASE.run(), COUNTING)
    without = all_scored(CASE.truth(), CASE.run(), COUNTING)
    assert not any(close(with_them[name].value, without[name].value) for name in COUNTING)


def test_the_order_of_documents_topics_and_subtopics_does_not_matter() -> None:
    rows, columns = shuffled(CASE, 0)
    ids = {"items": [CASE.items[i] for i in rows], "concepts": [CASE.concepts[j] for j in columns]}
    moved = {
        name: SUBTOPICS[old][np.ix_(rows, columns)]
        for name, old in zip(("z", "y", "x"), SUBTOPICS, strict=True)
    }
    other = cf.Truth(CASE.labels[np.ix_(rows, columns)], subtopics=moved, **ids)
    before, after = (all_scored(t, CASE.run(), COUNTING) for t in (truth(), other))
    for name, score in before.items():
        assert close(score.value, after[name].value), name


def test_the_form_of_subtopics_does_not_matter() -> None:
    stored = {name: sparse(matrix, None) for name, matrix in SUBTOPICS.items()}
    other = truth(subtopics=stored)
    all_same(*(all_scored(t, CASE.run(), COUNTING) for t in (truth(), other)))
    assert other.digest == truth().digest


def test_only_the_order_of_scores_matters() -> None:
    names = [name for name in COUNTING if "trec" not in name]
    cubes = Problem(CASE.labels, CASE.scores**3)
    all_same(*(all_scored(truth(), case.run(), names) for case in (CASE, cubes)))


def test_ties_are_noted_where_their_order_matters() -> None:
    """Two documents with one score: told apart by subtopics alone, which AP does not see."""
    items = ["a", "b", "c"]
    second = {"1": [[1], [1], [0]], "2": [[0], [0], [1]]}
    run = cf.Run([[0.5], [0.9], [0.5]], items=items, concepts=["t"])
    judged = cf.Truth(subtopics=second, items=items, concepts=["t"])
    score = cf.evaluate(judged, run, "concept.alpha_nDCG@3").score(run.name, "concept.alpha_nDCG@3")
    assert "equal scores matter in 1 list: ties=expected" in score.notes
    alike = cf.Truth(subtopics={"1": [[1], [1], [1]]}, items=items, concepts=["t"])
    score = cf.evaluate(alike, run, "concept.alpha_nDCG@3").score(run.name, "concept.alpha_nDCG@3")
    assert not any("equal scores" in note for note in score.notes)


def test_studies_keep_subtopics_or_say_why_they_cannot() -> None:
    ids = {"items": CASE.items, "concepts": CASE.concepts, "open": True}
    stored = np.ones(CASE.shape, dtype=bool)
    listed = cf.Truth(
        sparse(CASE.labels.astype(int), stored),
        subtopics={name: sparse(matrix, stored) for name, matrix in SUBTOPICS.items()},
        **ids,  # type: ignore[arg-type]
    )
    part = sampled(listed, 0.5, np.random.default_rng(0))
    assert part.subtopics is not None
    whole = listed.subtopics
    assert whole is not None
    for name, cells in part.subtopics.items():
        assert 0 < len(cells.codes) < len(whole[name].codes)
    with pytest.raises(InputError, match="no subtopic"):
        alteration(listed, "flip")
    with pytest.raises(InputError, match="counts subtopics"):
        Scoring(listed, [CASE.run()], "concept.alpha_nDCG@3")
