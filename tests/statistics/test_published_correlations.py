"""Correlations and their averages as Nowak 2011 prints them, with what her averages average."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.statistics import concordance, critical_shift, pearson, rank_shift, spearman, tau

THIRD_DIGIT = 0.0005 + 1e-12
SECOND_DIGIT = 0.005 + 1e-12


def upper(rows: str) -> np.ndarray:
    """The cells above the diagonal, NaN elsewhere."""
    values = [[float(cell) for cell in row.split()] for row in rows.strip().splitlines()]
    size = len(values) + 1
    out = np.full((size, size), np.nan)
    for place, row in enumerate(values):
        out[place, place + 1 :] = row
    return out


def whole(rows: str) -> np.ndarray:
    """A square of cells; - is the diagonal."""
    table = rows.strip().splitlines()
    return np.array([[np.nan if c == "-" else float(c) for c in row.split()] for row in table])


def above(matrix: np.ndarray) -> np.ndarray:
    return matrix[np.triu_indices(len(matrix), 1)]


def below(matrix: np.ndarray) -> np.ndarray:
    return above(matrix.T)


def mean_of(matrix: np.ndarray, place: int) -> float:
    """The mean of everything in the row and the column of one, in a triangle."""
    return float(np.nanmean(np.concatenate([matrix[place], matrix[:, place]])))


# ── Table 6.2: accuracy of annotators to each other and to their majority ─────────────────────

ACCURACY = upper("""
.900 .877 .905 .892 .914 .912 .890 .894 .900 .916 .929
.885 .913 .905 .916 .915 .903 .911 .909 .925 .939
.900 .873 .902 .884 .878 .886 .892 .904 .918
.897 .926 .918 .899 .914 .915 .932 .947
.900 .917 .902 .901 .900 .911 .928
.925 .902 .918 .925 .932 .952
.900 .916 .918 .929 .945
.887 .892 .909 .920
.918 .918 .941
.919 .941
.958
""")


def test_the_mean_of_table_6_2_takes_all_66_cells() -> None:
    cells = above(ACCURACY)
    assert len(cells) == 66
    assert abs(cells.mean() - 0.912) <= THIRD_DIGIT
    assert np.nanmean(ACCURACY[:11, :11]) == pytest.approx(0.9062, abs=5e-5)
    assert np.unravel_index(np.nanargmin(ACCURACY), (12, 12)) == (2, 4)
    assert np.unravel_index(np.nanargmax(ACCURACY), (12, 12)) == (10, 11)
    assert abs(np.nanmean(ACCURACY[:, 11]) - 0.94) <= SECOND_DIGIT


# ── Table 6.3: τ of runs by the truths of two annotators, OS above and EER below ──────────────

BY_ANNOTATOR = whole("""
- .938 .938 .914 .938 .884 .959 .952 .890 .816 .927 .890
.842 - .964 .960 .914 .939 .951 .898 .934 .869 .960 .947
.804 .890 - .969 .901 .942 .945 .897 .937 .872 .976 .948
.874 .898 .872 - .892 .967 .939 .878 .959 .892 .976 .973
.872 .892 .864 .892 - .859 .944 .950 .869 .792 .898 .866
.845 .927 .904 .908 .905 - .910 .846 .955 .918 .951 .978
.863 .880 .872 .893 .895 .906 - .928 .910 .841 .948 .917
.881 .884 .859 .896 .888 .889 .876 - .850 .777 .888 .851
.819 .868 .882 .888 .875 .880 .849 .861 - .892 .946 .958
.847 .867 .861 .919 .874 .881 .869 .851 .893 - .872 .914
.838 .915 .894 .890 .883 .919 .898 .861 .882 .891 - .954
.865 .925 .889 .919 .914 .946 .898 .905 .903 .890 .912 -
""")
BY_OS, BY_EER = np.triu(BY_ANNOTATOR, 1), np.triu(BY_ANNOTATOR.T, 1)
for _triangle in (BY_OS, BY_EER):
    _triangle[np.tril_indices(12)] = np.nan


@pytest.mark.parametrize(
    ("triangle", "everything", "merged"), [(BY_OS, 0.916, 0.927), (BY_EER, 0.883, 0.906)]
)
def test_means_of_table_6_3(triangle: np.ndarray, everything: float, merged: float) -> None:
    assert abs(np.nanmean(triangle) - everything) <= THIRD_DIGIT
    assert abs(mean_of(triangle, 11) - merged) <= THIRD_DIGIT


@pytest.mark.parametrize(
    ("triangle", "annotator", "printed"),
    [(BY_OS, 11, 0.9342), (BY_OS, 10, 0.8541), (BY_EER, 1, 0.8485), (BY_EER, 6, 0.8964)],
)
def test_annotators_of_table_6_3_are_averaged_without_the_merged_truth(
    triangle: np.ndarray, annotator: int, printed: float
) -> None:
    assert mean_of(triangle[:11, :11], annotator - 1) == pytest.approx(printed, abs=5e-5)


def test_erratum_annotator_4_agrees_more_than_annotator_11() -> None:
    means = [mean_of(BY_OS[:11, :11], place) for place in range(11)]
    assert (np.argmin(means), np.argmax(means)) == (9, 3)
    means = [mean_of(BY_EER[:11, :11], place) for place in range(11)]
    assert (np.argmin(means), np.argmax(means)) == (0, 5)


# ── Table 8.1: τ of runs by measures with two relatednesses; complete above, costs only below ─

RELATED = (
    *("www_G", "HSO", "JCN", "LCH", "LESK", "LIN", "HS/OS", "PATH"),
    *("RES", "VEC", "WIKI", "WUP", "www_Y", "FCS", "FTS", "F"),
)
BY_RELATEDNESS = whole("""
- .908 .859 .925 .859 .931 .860 .879 .941 .904 .906 .943 .933 .910 .893 .615
.855 - .946 .965 .925 .952 .826 .964 .953 .973 .958 .898 .935 .931 .918 .674
.813 .910 - .917 .932 .904 .775 .976 .902 .929 .930 .847 .893 .893 .889 .690
.889 .956 .890 - .901 .959 .831 .941 .959 .963 .966 .927 .958 .932 .919 .648
.933 .869 .832 .886 - .899 .803 .922 .899 .913 .914 .844 .900 .922 .930 .746
.882 .906 .836 .935 .877 - .858 .923 .987 .963 .954 .941 .944 .935 .916 .645
.662 .610 .539 .629 .648 .685 - .796 .859 .841 .831 .887 .853 .864 .850 .599
.835 .937 .968 .922 .850 .865 .565 - .922 .950 .950 .870 .915 .911 .902 .675
.885 .903 .835 .930 .881 .975 .673 .859 - .956 .952 .944 .945 .942 .922 .644
.884 .930 .866 .957 .880 .936 .651 .891 .921 - .959 .908 .931 .927 .917 .661
.876 .882 .859 .913 .873 .893 .639 .877 .876 .905 - .910 .940 .930 .920 .664
.856 .828 .757 .864 .827 .913 .721 .787 .913 .870 .824 - .922 .904 .887 .599
.902 .868 .809 .881 .910 .873 .699 .835 .870 .881 .859 .833 - .934 .922 .650
.929 .839 .779 .860 .934 .876 .698 .801 .885 .861 .847 .859 .916 - .978 .688
.916 .819 .767 .839 .922 .850 .708 .786 .857 .845 .836 .833 .910 .969 - .706
.921 .867 .847 .883 .975 .870 .629 .859 .874 .873 .861 .817 .899 .918 .906 -
""")


@pytest.mark.parametrize(
    ("triangle", "printed", "proper", "lowest"),
    [(above, 0.92, 0.914, "F"), (below, 0.86, 0.845, "HS/OS")],
)
def test_erratum_averages_of_table_8_1_include_the_unit_diagonal(
    triangle, printed: float, proper: float, lowest: str
) -> None:
    pairs = triangle(BY_RELATEDNESS[:15, :15])
    assert abs((2 * pairs.sum() + 15) / 225 - printed) <= SECOND_DIGIT
    assert abs(pairs.mean() - proper) <= THIRD_DIGIT
    first, second = np.triu_indices(15, 1)
    best = np.argmax(pairs)
    assert {RELATED[first[best]], RELATED[second[best]]} == {"RES", "LIN"}
    everyone = triangle(BY_RELATEDNESS)
    first, second = np.triu_indices(16, 1)
    means = [everyone[(first == place) | (second == place)].mean() for place in range(16)]
    assert RELATED[int(np.argmin(means))] == lowest


# ── Tables 9.1 and 9.2: τ of images and of systems by two measures, 2009 above and 2010 below ─

IMAGES = whole("""
- -0.246 0.162 -0.302 0.579 -0.288
-0.226 - -0.553 0.429 -0.352 0.409
0.149 -0.602 - -0.225 0.202 -0.214
-0.302 0.388 -0.238 - -0.494 0.859
0.560 -0.371 0.223 -0.558 - -0.442
-0.294 0.371 -0.230 0.864 -0.523 -
""")
SYSTEMS = whole("""
- -0.785 0.761 -0.814 0.911 -0.797
-0.684 - -0.819 0.896 -0.863 0.888
0.698 -0.915 - -0.755 0.778 -0.749
-0.717 0.907 -0.855 - -0.898 0.958
0.806 -0.866 0.817 -0.906 - -0.882
-0.707 0.914 -0.850 0.988 -0.896 -
""")


def test_average_correlations_of_tables_9_1_and_9_2_without_their_signs() -> None:
    assert abs(np.abs(above(IMAGES)).mean() - 0.38) <= SECOND_DIGIT
    assert abs(np.abs(above(SYSTEMS)).mean() - 0.837) <= THIRD_DIGIT
    assert abs(np.abs(below(SYSTEMS)).mean() - 0.835) <= THIRD_DIGIT


def test_erratum_the_average_of_images_in_2010_is_393_thousandths_and_not_40_hundredths() -> None:
    assert np.abs(below(IMAGES)).mean() == pytest.approx(0.3933, abs=5e-5)


def test_pairs_of_measures_that_section_9_4_1_names() -> None:
    coverage, map_ex, one_error, rp, loss, srp = range(6)
    both = (IMAGES[rp, srp] + IMAGES[srp, rp]) / 2
    assert abs(both - 0.86) <= SECOND_DIGIT  # a later sentence says .84
    for pair, printed in (((rp, srp), 0.97), ((one_error, map_ex), 0.87), ((coverage, loss), 0.86)):
        mean = np.abs([SYSTEMS[pair], SYSTEMS[pair[::-1]]]).mean()
        assert abs(mean - printed) <= SECOND_DIGIT


def test_measures_that_agree_least_are_those_that_section_9_4_1_names() -> None:
    coverage, map_ex, one_error, _, loss, srp = range(6)
    for matrix, wanted in (
        (symmetric(IMAGES, above), [None, coverage, coverage, one_error, one_error, one_error]),
        (symmetric(IMAGES, below), [None, coverage, coverage, one_error, one_error, one_error]),
        (symmetric(SYSTEMS, above), [one_error, coverage, srp, one_error, one_error, one_error]),
        # The text says one_error for the first.
        (symmetric(SYSTEMS, below), [map_ex, coverage, coverage, coverage, coverage, coverage]),
    ):
        least = np.nanargmin(np.abs(matrix), axis=1)
        assert all(want is None or want == found for want, found in zip(wanted, least, strict=True))
    for triangle in (above, below):
        most = np.nanargmax(np.abs(symmetric(IMAGES, triangle)), axis=1)
        assert (most[loss], most[one_error], most[map_ex]) == (coverage, map_ex, one_error)


def symmetric(matrix: np.ndarray, triangle) -> np.ndarray:
    out = np.full(matrix.shape, np.nan)
    places = np.triu_indices(len(matrix), 1)
    out[places] = triangle(matrix)
    out.T[places] = out[places]
    return out


# ── Section 8.4.2: the first 20 of 73 ranks after 1 % of noise ────────────────────────────────

BY_GOOGLE = [1, 2, 3, 7, 9, 4, 5, 12, 6, 10, 14, 8, 11, 15, 13, 17, 18, 16, 19, 32]
BY_YAHOO = [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12, 15, 13, 16, 14, 17, 19, 18, 20]


@pytest.mark.parametrize(("top", "concordant"), [(BY_GOOGLE, False), (BY_YAHOO, True)])
def test_the_largest_shift_among_20_ranks_decides_as_printed(
    top: list[int], concordant: bool
) -> None:
    ranking = np.array([*top, *(rank for rank in range(1, 74) if rank not in top)])
    found = concordance(np.arange(1, 74), ranking)
    assert found.critical == pytest.approx(0.159, abs=5e-4)
    assert found.concordant is concordant


# ── Table 7.2: 19 of 73 runs by EER and by OS ─────────────────────────────────────────────────

EER = [
    *(0.234, 0.250, 0.256, 0.267, 0.272, 0.292, 0.331, 0.342, 0.357, 0.384),
    *(0.440, 0.452, 0.454, 0.467, 0.479, 0.483, 0.486, 0.502, 0.527),
]
OS = [
    *(0.740, 0.731, 0.810, 0.811, 0.793, 0.613, 0.482, 0.368, 0.376, 0.261),
    *(0.716, 0.779, 0.396, 0.786, 0.690, 0.756, 0.744, 0.709, 0.385),
]
EER_RANKS = [1, 5, 11, 14, 15, 17, 24, 26, 31, 35, 40, 46, 48, 53, 54, 56, 59, 70, 73]
OS_RANKS = [21, 23, 2, 1, 9, 40, 53, 67, 66, 72, 28, 11, 62, 10, 32, 17, 20, 29, 65]


def test_rankings_of_table_7_2_follow_its_scores_and_disagree() -> None:
    eer, os, by_eer, by_os = map(np.array, (EER, OS, EER_RANKS, OS_RANKS))
    assert tau(eer, by_eer) == tau(-os, by_os) == 1
    assert spearman(eer, by_eer) == pytest.approx(1)
    # The two measures put these runs in almost unrelated orders, and no test calls them concordant.
    assert tau(-eer, os) == pytest.approx(tau(by_eer, by_os))
    assert abs(tau(by_eer, by_os)) < 0.2
    assert abs(pearson(-eer, os)) < 0.4
    assert np.abs(by_eer - by_os).max() / 73 > critical_shift(73)
    assert rank_shift(-eer, os) > critical_shift(19)
