"""Hierarchical measures of label sets: what stands above and below a label counts along with it.

Conventions
    Sets are widened by concepts that have a column; categories cannot be assigned and are stepped
    over, and the root is never added. Depths are those of the whole hierarchy, root = 0.
    hP, hR, hF: both sets empty = 1; otherwise 0/0 = 0. Losses are 0 when the sets are equal.
    average=micro sums over all items before it divides, so there are no scores of single items.
    With unjudged=exclude, unjudged cells enter no set, not even as ancestors.

Sources: Nowak 2011 §4.4.2 and §7.4, and the papers it cites. Of its Table 7.1, hF .66 of Ipeirotis
is the arithmetic mean of hP and hR.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield import kernels
from cranfield.collections.comparison import Comparison, Direction, LabelBlock
from cranfield.core.matrices import Bools, Floats, Ints, total
from cranfield.knowledge.lineage import Lineage
from cranfield.measures.declare import Sums, measured, ratio
from cranfield.measures.definition import Exponent, ItemSums, Options, Share

Expand = Literal["ancestors", "descendants", "pairwise"]
Average = Literal["example", "micro"]
Singles = NDArray[np.float32]

# ── losses ────────────────────────────────────────────────────────────────────────────────────


@measured(
    "example.hloss",
    source="Cesa-Bianchi et al. 2006; Nowak 2011 §7.4",
    prediction="decisions",
    better="lower",
    knowledge=("ontology",),
)
def hierarchical_loss(comparison: Comparison) -> Floats:
    """Wrong decisions about concepts none of whose ancestors was decided wrongly, divided by C: a
    mistake further down the same branch costs nothing more."""
    lineage = comparison.known.lineage("example.hloss")

    def first_mistakes(block: LabelBlock) -> Ints:
        wrong = block.true ^ block.assigned
        return total(wrong & ~lineage.below(wrong), axis=1)

    return ratio(comparison.by_item(first_mistakes)[0], comparison.counts("example").cells)


@measured(
    "example.maxloss",
    source="Cai & Hofmann 2007; Nowak 2011 §7.4",
    prediction="decisions",
    better="lower",
    knowledge=("ontology",),
    bounds="hierarchical loss",
)
def maximal_loss(comparison: Comparison) -> Floats:
    """|Ŷ Δ Ẑ| / C, where Ŷ and Ẑ are the two sets with all their ancestors but the root: Hamming
    loss of widened sets."""
    lineage = comparison.known.lineage("example.maxloss")

    def differing(block: LabelBlock) -> Ints:
        true, assigned = widened(block, lineage, "ancestors")
        return total(true ^ assigned, axis=1)

    return ratio(comparison.by_item(differing)[0], comparison.counts("example").cells)


@measured(
    "example.weuclid",
    source="Struyf et al. 2005; Nowak 2011 §7.4",
    prediction="decisions",
    range=(0.0, np.inf),
    better="lower",
    knowledge=("ontology",),
    bounds="cells",
)
def weighted_euclidean_distance(comparison: Comparison, *, base: Share = 0.75) -> Floats:
    """√(Σ over c ∈ Y Δ Z of base^depth(c)): a mistake costs less the deeper it is. The sets are
    taken as they are, as in Nowak 2011; Struyf et al. assume that they hold all ancestors."""
    weights = base ** comparison.known.lineage("example.weuclid").depths.astype(np.float64)
    squares = comparison.by_item(
        lambda block: kernels.marked_sums(block.true ^ block.assigned, weights[:, None])[:, 0]
    )[0]
    return np.where(comparison.counts("example").cells > 0, np.sqrt(squares), np.nan)


# ── precision and recall ──────────────────────────────────────────────────────────────────────


def _sums(kind: Literal["hP", "hR", "hF"]) -> Sums:
    """What average=micro sums over items before it divides."""

    def sums(comparison: Comparison, options: Options, direction: Direction) -> ItemSums:
        def formula(totals: Floats) -> Floats:
            right, assigned, result, true = totals
            precision = np.nan_to_num(ratio(right, assigned))
            recall = np.nan_to_num(ratio(result, true))
            if kind == "hF":
                return combined(precision, recall, mean=options["mean"], beta=options["beta"])
            return precision if kind == "hP" else recall

        by_item = overlap(comparison, f"example.{kind}", options["expand"], "example")
        return ItemSums(formula, np.array(by_item))

    return sums


@measured(
    "example.hP",
    source="Kiritchenko et al. 2005; Ipeirotis et al. 2001; Verspoor et al. 2006",
    prediction="decisions",
    undefined="empty",
    knowledge=("ontology",),
    sums=_sums("hP"),
    bounds="hierarchical precision",
)
def hierarchical_precision(
    comparison: Comparison, *, expand: Expand = "ancestors", average: Average = "example"
) -> Floats:
    """|Ŷ ∩ Ẑ| / |Ẑ|, where Ŷ and Ẑ are the two sets with all their ancestors (Kiritchenko, with
    average=micro) or descendants (Ipeirotis). expand=pairwise: each assigned label's best share
    of ancestors in common with a true one, max over y of |up(z) ∩ up(y)| / |up(z)|, up holding
    the label itself (Verspoor)."""
    right, assigned, _, _ = overlap(comparison, "example.hP", expand, average)
    return ratio(right, assigned)


@measured(
    "example.hR",
    source="Kiritchenko et al. 2005; Ipeirotis et al. 2001; Verspoor et al. 2006",
    prediction="decisions",
    undefined="empty",
    knowledge=("ontology",),
    sums=_sums("hR"),
    bounds="hierarchical recall",
)
def hierarchical_recall(
    comparison: Comparison, *, expand: Expand = "ancestors", average: Average = "example"
) -> Floats:
    """|Ŷ ∩ Ẑ| / |Ŷ|, with sets widened as for hP. expand=pairwise: each true label's best share of
    ancestors in common with an assigned one, max over z of |up(y) ∩ up(z)| / |up(y)|."""
    _, _, result, true = overlap(comparison, "example.hR", expand, average)
    return ratio(result, true)


@measured(
    "example.hF",
    source="Kiritchenko et al. 2005; Ipeirotis et al. 2001; Verspoor et al. 2006",
    prediction="decisions",
    undefined="empty",
    knowledge=("ontology",),
    sums=_sums("hF"),
    bounds="hierarchical F",
)
def hierarchical_f_measure(
    comparison: Comparison,
    *,
    expand: Expand = "ancestors",
    average: Average = "example",
    mean: Literal["harmonic", "arithmetic"] = "harmonic",
    beta: Exponent = 1.0,
) -> Floats:
    """hP and hR in one number, hR with the weight β²: (1 + β²)·hP·hR / (β²·hP + hR), or the
    arithmetic mean (hP + β²·hR) / (1 + β²)."""
    right, assigned, result, true = overlap(comparison, "example.hF", expand, average)
    scores = combined(ratio(right, assigned), ratio(result, true), mean=mean, beta=beta)
    return np.where(assigned + true > 0, scores, np.nan)


def combined(
    precision: Floats, recall: Floats, *, mean: str = "harmonic", beta: float = 1.0
) -> Floats:
    """Precision and recall in one number; what is undefined counts as 0."""
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    heavy = 1.0 - 1.0 / (1.0 + beta * beta)
    if mean == "arithmetic":
        return (1.0 - heavy) * p + heavy * r
    return np.nan_to_num(ratio(p * r, heavy * p + (1.0 - heavy) * r))


class Overlap(NamedTuple):
    """How far the two sets of an item overlap, by the labels of each."""

    right: Floats
    """Assigned labels that are right, or the shares of them that are."""
    assigned: Floats
    found: Floats
    """True labels that were found, likewise."""
    true: Floats


def overlap(comparison: Comparison, measure: str, expand: Expand, average: Average) -> Overlap:
    """By item, or summed over all of them."""
    lineage = comparison.known.lineage(measure)
    look = _shares if expand == "pairwise" else _in_common
    numbers = comparison.once(
        ("overlap", expand),
        lambda: comparison.by_item(lambda block: look(block, lineage, expand), numbers=4),
    )
    return Overlap(*(kernels.row_sums(numbers)[:, None] if average == "micro" else numbers))


def widened(block: LabelBlock, lineage: Lineage, expand: Expand) -> tuple[Bools, Bools]:
    """The true and the assigned sets with all above or below them, as far as it counts."""
    widen = lineage.with_ancestors if expand == "ancestors" else lineage.with_descendants
    return block.less(widen(block.true)), block.less(widen(block.assigned))


def _in_common(block: LabelBlock, lineage: Lineage, expand: Expand) -> Floats:
    true, assigned = widened(block, lineage, expand)
    both, predicted, real = (total(sets, axis=1) for sets in (true & assigned, assigned, true))
    return np.array([both, predicted, both, real], dtype=np.float64)


def _shares(block: LabelBlock, lineage: Lineage, expand: Expand) -> Floats:
    true, assigned, counted = block.true, block.assigned, block.counted
    return np.array(
        [
            _best_shares(assigned, true, counted, lineage.lines),
            total(assigned, axis=1),
            _best_shares(true, assigned, counted, lineage.lines),
            total(true, axis=1),
        ]
    )


def _best_shares(given: Bools, wanted: Bools, counted: Bools | None, lines: Bools) -> Floats:
    """Σ over the given labels of the largest share of their line that a wanted one has too."""
    shares = np.zeros(given.shape)
    for label in np.flatnonzero(given.any(axis=0)):
        here = np.flatnonzero(given[:, label])
        among = None if counted is None else counted[here]
        shared, whole = in_line(lines[label], wanted[here], among, lines)
        shares[here, label] = shared.max(axis=1).astype(np.float64) / whole
    return kernels.row_sums(shares)


def in_line(
    line: Bools, wanted: Bools, counted: Bools | None, lines: Bools
) -> tuple[Singles, Singles]:
    """(n, C) and (n,): how many of a line each wanted label has too, and how many there are."""
    members = np.flatnonzero(line)
    # Numbers this small are exact in float32.
    present = np.ones((1, len(members)), np.float32)
    if counted is not None:
        present = counted[:, members].astype(np.float32)
    return wanted * (present @ lines[:, members].T.astype(np.float32)), present.sum(axis=1)
