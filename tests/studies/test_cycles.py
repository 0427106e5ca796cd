"""Did systems improve from one cycle to the next? Also Nowak 2011, Table 10.11 and §10.8.2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from small_campaign import shuffled, systems, world

import cranfield as cf
from cranfield.core.matrices import Floats
from cranfield.errors import InputError, MeasureError
from cranfield.statistics.comparing import one_way
from cranfield.studies.cycles import ConceptChanges, Cycle, CycleComparison, compare_cycles

MEASURES = ("concept.AP", "concept.EER", "example.AP")

# The best of each concept at ICPR and ImageCLEF 2010.
EER_ICPR, EER_2010, AUC_ICPR, AUC_2010 = (
    np.array(column.split(), dtype=float)
    for column in (
        """
.222 .216 .128 .178 .191 .222 .119 .290 .182 .201 .233 .184 .211 .248 .239 .238 .270 .181 .186
.158 .104 .099 .160 .163 .144 .115 .117 .222 .155 .229 .267 .084 .216 .238 .175 .244 .189 .260
.277 .179 .208 .220 .248 .249 .167 .209 .209 .169 .226 .375 .387 .421
""",
        """
.228 .222 .117 .181 .141 .225 .114 .293 .122 .161 .241 .157 .173 .257 .238 .160 .253 .181 .160
.159 .104 .089 .146 .163 .140 .102 .115 .200 .139 .207 .273 .072 .221 .234 .178 .213 .187 .258
.292 .220 .195 .211 .254 .256 .178 .203 .168 .148 .212 .375 .379 .419
""",
        """
.865 .858 .929 .903 .892 .850 .952 .781 .919 .862 .833 .882 .875 .822 .844 .843 .811 .903 .889
.916 .959 .963 .914 .912 .926 .947 .948 .866 .923 .856 .812 .962 .858 .841 .905 .832 .889 .811
.785 .905 .872 .861 .834 .827 .912 .874 .872 .916 .855 .671 .661 .614
""",
        """
.853 .853 .941 .898 .929 .853 .953 .768 .930 .914 .824 .923 .916 .820 .851 .923 .830 .904 .914
.919 .960 .969 .922 .911 .924 .959 .950 .884 .933 .874 .808 .980 .857 .841 .901 .851 .880 .818
.785 .846 .884 .874 .823 .818 .898 .879 .912 .929 .864 .670 .666 .614
""",
    )
)


def numbers(measure: str, earlier: Floats, later: Floats) -> ConceptChanges:
    names = tuple(map(str, range(len(earlier))))
    both = np.array([earlier, later])
    return ConceptChanges(cf.measure(measure), names, both, both, np.full(len(names), np.nan))


def test_table_10_11_has_as_many_gains_and_losses_as_nowak_2011_counts() -> None:
    errors = numbers("concept.EER", EER_ICPR, EER_2010)
    areas = numbers("concept.AUC", AUC_ICPR, AUC_2010)
    assert (errors.gained, errors.lost) == (32, 16)
    assert (areas.gained, areas.lost) == (32, 17)
    np.testing.assert_allclose(errors.best.mean(axis=1), (0.208, 0.199), atol=5e-4)
    np.testing.assert_allclose(areas.best.mean(axis=1), (0.866, 0.873), atol=5e-4)


def test_neither_improvement_of_table_10_11_is_significant_unpaired_but_both_are_paired() -> None:
    """§10.8.2 has a one-way analysis of variance, to which hard concepts are noise."""
    for one, other in ((EER_ICPR, EER_2010), (AUC_ICPR, AUC_2010)):
        found = one_way([one, other])
        assert found.p == pytest.approx(stats.f_oneway(one, other).pvalue)
        assert found.p > 0.4
        assert stats.ttest_rel(one, other).pvalue < 0.05


# ── a simulated campaign ──────────────────────────────────────────────────────────────────────


def cycle(
    rows: Sequence[int], runs: Sequence[cf.Run], name: str, columns: Sequence[int] = range(53)
) -> Cycle:
    truth = world().truth.part(rows).of_concepts(list(columns))
    left = [
        cf.Run(
            np.asarray(run.scores)[np.ix_(rows, columns)],
            name=run.name,
            items=truth.items,
            concepts=truth.concepts,
            threshold=0.5,
        )
        for run in runs
    ]
    return Cycle(truth, left, name)


@pytest.fixture(scope="module")
def found() -> CycleComparison:
    """200 of 300 items and 43 of 53 concepts are common."""
    earlier = cycle(range(250), systems()[:4], "2009", range(48))
    later = cycle(range(50, 300), systems()[3:], "2010", range(5, 53))
    return compare_cycles(earlier, later, MEASURES, samples=2000)


@pytest.fixture(scope="module")
def common() -> tuple[cf.Evaluation, cf.Evaluation]:
    rows, columns = range(50, 250), range(5, 48)
    sides = [cycle(rows, runs, "", columns) for runs in (systems()[:4], systems()[3:])]
    one, other = (cf.evaluate(side.truth, side.runs, MEASURES) for side in sides)
    return one, other


def test_cycles_are_scored_on_what_they_have_in_common(
    found: CycleComparison, common: tuple[cf.Evaluation, cf.Evaluation]
) -> None:
    assert (found.items, len(found.concepts)) == (200, 43)
    assert found.agreement == found.kappa == 1
    assert (found.names, found.judged_by) == (("2009", "2010"), "later")
    for name in MEASURES:
        pick = min if name == "concept.EER" else max
        best, mean, middle = (found.change(name, stand) for stand in ("best", "mean", "median"))
        for place, result in enumerate(common):
            scores = {run: result[run, name] for run in result.runs}
            assert best.scores[place] == pytest.approx(pick(scores.values()))
            assert scores[best.runs[place]] == pytest.approx(best.scores[place])
            assert mean.scores[place] == pytest.approx(np.mean(list(scores.values())))
            ordered = sorted(scores.values(), reverse=name != "concept.EER")
            assert middle.scores[place] == pytest.approx(ordered[(len(ordered) - 1) // 2])
        assert best.gain == pytest.approx(
            (best.scores[1] - best.scores[0]) * (-1 if name == "concept.EER" else 1)
        )


def test_paired_p_values_are_those_of_compare_and_of_scipy(
    found: CycleComparison, common: tuple[cf.Evaluation, cf.Evaluation]
) -> None:
    change = found.change("concept.AP")
    first, second = change.runs
    both = cycle(
        range(50, 250),
        [run for run in systems() if run.name in (first, second)],
        "",
        range(5, 48),
    )
    result = cf.evaluate(both.truth, both.runs, ["concept.AP"])
    pair = cf.compare(result, "concept.AP", correction="none", samples=2000)[first, second]
    assert change.p == pair.p
    one, other = (
        common[side].units(found.change("example.AP").runs[side], "example.AP") for side in (0, 1)
    )
    p = found.change("example.AP").p
    assert p == pytest.approx(stats.ttest_rel(one, other).pvalue, abs=0.01)
    unpaired = found.change("example.AP").unpaired_p
    assert unpaired == pytest.approx(stats.f_oneway(one, other).pvalue)


def test_the_best_of_each_concept_is_compared_over_concepts(
    found: CycleComparison, common: tuple[cf.Evaluation, cf.Evaluation]
) -> None:
    change = found.change("concept.AP", "best of each")
    best = [
        np.max([result.units(run, "concept.AP") for run in result.runs], axis=0)
        for result in common
    ]
    assert (change.units, change.resample) == (43, "concepts")
    np.testing.assert_allclose(change.scores, [each.mean() for each in best])
    assert change.unpaired_p == pytest.approx(stats.f_oneway(*best).pvalue)
    by_concept = found.by_concept[0]
    np.testing.assert_allclose(np.sort(by_concept.best, axis=1), np.sort(best, axis=1))
    assert by_concept.gained + by_concept.lost <= 43
    assert ((by_concept.p > 0) & (by_concept.p <= 1)).all()


def test_p_values_are_corrected_by_holm_over_all_comparisons(found: CycleComparison) -> None:
    ordered = sorted(found.changes, key=lambda one: one.p)
    assert len(ordered) == 4 * len(MEASURES)
    assert ordered[0].adjusted == pytest.approx(len(ordered) * ordered[0].p)
    assert all(one.adjusted >= one.p for one in ordered)


def test_without_common_items_concepts_are_two_groups() -> None:
    earlier = cycle(range(150), systems()[:4], "2009")
    later = cycle(range(150, 300), systems()[3:], "2010")
    found = compare_cycles(earlier, later, ["concept.AP", "example.AP"], samples=200)
    assert (found.items, found.judged_by) == (0, "own")
    assert np.isnan(found.agreement)
    change = found.change("concept.AP", "mean")
    assert not change.paired
    assert change.resample == "concepts"
    means = [
        np.mean([result.units(run, "concept.AP") for run in result.runs], axis=0)
        for result in (cf.evaluate(one.truth, one.runs, ["concept.AP"]) for one in (earlier, later))
    ]
    held = np.isfinite(means).all(axis=0)
    assert change.units == len(found.concepts) == held.sum() < 53
    means = [each[held] for each in means]
    np.testing.assert_allclose(change.scores, [each.mean() for each in means])
    assert change.p == change.unpaired_p == pytest.approx(stats.f_oneway(*means).pvalue)
    assert found.change("example.AP").resample == "items"
    assert np.isnan(found.by_concept[0].p).all()


def test_the_same_runs_have_made_no_progress() -> None:
    same = cycle(range(300), systems()[:4], "2009")
    found = compare_cycles(same, same, MEASURES, samples=200)
    assert all(one.gain == 0 and one.p == 1 for one in found.changes)
    assert all(one.gained == one.lost == 0 for one in found.by_concept)


def test_order_does_not_matter() -> None:
    earlier, later = (cycle(range(300), runs, "") for runs in (systems()[:3], systems()[3:6]))
    one = compare_cycles(earlier, later, ["concept.AP"], samples=300)
    turned = Cycle(shuffled(later.truth), list(later.runs)[::-1])  # type: ignore[arg-type]
    other = compare_cycles(earlier, turned, ["concept.AP"], samples=300)
    for mine, theirs in zip(one.changes, other.changes, strict=True):
        assert mine.p == theirs.p
        np.testing.assert_allclose(mine.scores, theirs.scores)


def test_whose_truth_judges_can_be_chosen_and_strange_truths_are_seen() -> None:
    truth = world().truth
    other = cf.Truth(truth.labels[::-1], items=truth.items, concepts=truth.concepts)
    earlier, later = Cycle(truth, systems()[:2]), Cycle(other, systems()[2:4])
    by = {
        judge: compare_cycles(earlier, later, ["example.AP"], judged_by=judge, samples=100)
        for judge in ("earlier", "later", "own")
    }
    assert by["own"].kappa < 0.4
    means = {judge: one.change("example.AP", "mean").scores for judge, one in by.items()}
    assert means["own"] == (means["earlier"][0], means["later"][1])
    assert means["earlier"][0] > means["later"][0]


def test_judgements_of_topics_that_are_the_same_are_paired() -> None:
    truth = world().truth
    open_truth = cf.Truth(truth.labels, items=truth.items, concepts=truth.concepts, open=True)
    found = compare_cycles(
        Cycle(open_truth, systems()[:2]), Cycle(open_truth, systems()[2:4]), ["concept.AP"],
        samples=100,
    )  # fmt: skip
    assert found.changes[0].paired
    assert found.changes[0].resample == "concepts"


def test_what_cannot_be_compared_is_told() -> None:
    earlier = cycle(range(300), systems()[:2], "2009", range(20))
    later = cycle(range(300), systems()[:2], "2010", range(20, 53))
    with pytest.raises(InputError, match="no concept in common"):
        compare_cycles(earlier, later)
    nameless = Cycle(cf.Truth(world().truth.labels), systems()[:2])
    with pytest.raises(InputError, match="no concept in common"):
        compare_cycles(nameless, later)
    with pytest.raises(InputError, match="at least 1"):
        compare_cycles(Cycle(later.truth, []), later)
    single = [cycle(rows, systems()[:2], "", [0]) for rows in (range(150), range(150, 300))]
    with pytest.raises(InputError, match="needs at least two"):
        compare_cycles(*single, ["concept.AP"])
    with pytest.raises(MeasureError, match="no run is better"):
        compare_cycles(earlier, earlier, ["concept.generality"])
    for wrong in ({"judged_by": "both"}, {"resample": "runs"}, {"samples": 1}, {"seed": -1}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            compare_cycles(earlier, earlier, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="there is no 'best'"):
        compare_cycles(earlier, earlier, ["concept.AP"], samples=100).change("OS")


def test_one_common_concept_is_compared_over_items() -> None:
    one = cycle(range(300), systems()[:2], "2009", [0])
    other = cycle(range(300), systems()[2:4], "2010", [0, 1])
    found = compare_cycles(one, other, ["concept.AP"], samples=200)
    assert [change.stand for change in found.changes] == ["best", "median", "mean"]
