"""Sources of relatedness held against what people said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.knowledge import Provenance
from cranfield.knowledge.relatedness import Source
from cranfield.statistics import steiger, williams
from cranfield.studies.judgements import Judgements, LookupWords, correlate, photo_concepts

PEOPLE = Judgements.load("gracia-mena")


class Noisy(Source):
    """What people said, with some noise; knows only some of the words."""

    def __init__(self, name: str, noise: float, unknown: frozenset[str] = frozenset()) -> None:
        self.name = name  # type: ignore[misc]
        rng = np.random.default_rng(3)
        self.said = {
            frozenset((pair.word, pair.other)): pair.score + noise * rng.normal()
            for pair in PEOPLE.pairs
        }
        self.unknown = unknown

    def covers(self, word: str) -> bool:
        return word not in self.unknown

    def relatedness(self, one: str, other: str) -> float:
        if {one, other} & self.unknown:
            return float("nan")
        return self.said.get(frozenset((one, other)), 0.0)

    @property
    def provenance(self) -> Provenance:
        return Provenance("a test")


def test_both_sets_of_table_8_3_are_there() -> None:
    visual = Judgements.load("visual-concepts")
    assert len(PEOPLE.pairs) == len(visual.pairs) == 30
    assert PEOPLE.pairs[1] == ("hour", "minute", 3.38)
    assert visual.pairs[-1] == ("sunset", "family", 0.10)
    # Two pairs of the first are judged again in the second (Nowak 2011 §8.5.2).
    assert {("river", "lake"), ("city", "river")} <= {pair[:2] for pair in visual.pairs}
    assert set(photo_concepts()) == set(visual.words)


def test_correlations_are_those_of_scipy_over_the_pairs_that_a_source_covers() -> None:
    source = Noisy("noisy", 1.0, frozenset({"river"}))
    (found,) = correlate(PEOPLE, [source]).agreements
    assert [pair[:2] for pair in found.unknown] == [("river", "lake"), ("city", "river")]
    known = ~np.isnan(found.values)
    people = PEOPLE.scores[known]
    assert found.covered == 28
    assert found.spearman == pytest.approx(stats.spearmanr(found.values[known], people).statistic)
    assert found.pearson == pytest.approx(stats.pearsonr(found.values[known], people).statistic)
    assert found.spearman_interval.low < found.spearman < found.spearman_interval.high


def test_the_source_that_agrees_most_comes_first_and_is_said_to_be_better() -> None:
    found = correlate(PEOPLE, [Noisy("bad", 50.0), Noisy("good", 0.3)])
    assert [one.source for one in found.agreements] == ["good", "bad"]
    (better,) = found.significant()
    assert (better.better, better.worse, better.pairs) == ("good", "bad", 30)


def test_sources_are_compared_by_the_test_that_is_chosen() -> None:
    sources = [Noisy("bad", 50.0), Noisy("good", 0.3)]
    for name, test in (("williams", williams), ("steiger", steiger)):
        found = correlate(PEOPLE, sources, test=name)  # type: ignore[arg-type]
        good, bad = found.agreements
        between = float(stats.spearmanr(good.values, bad.values).statistic)
        expected = test(good.spearman, bad.spearman, between, 30).p_value
        assert found.test == name
        assert found.comparisons[0].p_value == pytest.approx(expected)


def test_a_source_is_asked_by_other_words_where_it_is_told_so() -> None:
    class Upper(Noisy):
        def relatedness(self, one: str, other: str) -> float:
            known = one.isupper() and other.isupper()
            return super().relatedness(one.lower(), other.lower()) if known else float("nan")

    words = {word: (word.upper(),) for word in PEOPLE.words}
    source = Upper("upper", 0.1)
    assert (
        correlate(PEOPLE, [source], words={source.name: LookupWords(words, "here")})
        .agreements[0]
        .covered
        >= 29
    )
    assert correlate(PEOPLE, [source]).agreements[0].covered == 0


def test_a_source_that_knows_nothing_has_no_correlation_and_comes_last() -> None:
    nothing = Noisy("nothing", 1.0, frozenset(PEOPLE.words))
    found = correlate(PEOPLE, [nothing, Noisy("noisy", 1.0)])
    assert found.agreements[-1].source == "nothing"
    assert np.isnan(found.agreements[-1].spearman)
    assert found.comparisons == ()


def test_two_sources_of_the_same_name_are_refused() -> None:
    with pytest.raises(cf.InputError, match="several sources are called noisy"):
        correlate(PEOPLE, [Noisy("noisy", 1.0), Noisy("noisy", 2.0)])


def test_a_pair_that_was_judged_several_times_counts_once_with_its_mean(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("money cash 9\ncar bus 2\ncash money 8\nmoney cash 7\n")
    found = Judgements.load(path)
    assert found.pairs == (("money", "cash", 8.0), ("car", "bus", 2.0))
    assert found.repeated == 1
    assert PEOPLE.repeated == 0


def test_judgements_come_from_files_too(tmp_path: Path) -> None:
    for text in ("car automobile 3.92\nnoon string 0.08\n", "a,b,score\ncar,automobile,3.92\n"):
        path = tmp_path / "pairs.txt"
        path.write_text(text)
        assert Judgements.load(path).pairs[0] == ("car", "automobile", 3.92)
    with pytest.raises(cf.InputError, match="there are no judgements 'miller'; there are gracia"):
        Judgements.load("miller")
