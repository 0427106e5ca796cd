"""Measures of meaning: a wrong label that is nearly right costs less, and one that contradicts the
others costs more.

Conventions
    HS and OS: both sets empty = 1. A label that breaks a rule costs 1; the cost of any other wrong
    label is that of the nearest one on the other side, or 1 if there is none. Among several that
    are equally near, the one on which annotators agree most counts.
    SRP: items without a true label are skipped. Concepts of equal confidence at the cut are told
    apart by id, and the number of such items is noted. A concept that is not retrieved matches
    none.

Sources: Nowak & Lukashevich 2009; Nowak 2011 chapters 7 to 9. Table 7.1 prints OS .45 and HS .84,
which follow from no tree that also gives its other numbers: .4554 and .8125 do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats, Ints
from cranfield.kernels import Rules, Words
from cranfield.knowledge.ontology import Tree
from cranfield.measures.declare import measured, ratio
from cranfield.measures.definition import Exponent, Options
from cranfield.measures.example_sets import forgiven
from cranfield.measures.hierarchical_distances import paired_off

_BLOCK = 50_000
"""Items that a thread takes at once: few turns, since each hands the interpreter's lock over."""


def _asked(options: Options) -> tuple[str, ...]:
    agreed = ("agreement",) if options["agreement"] == "given" else ()
    return ("ontology", "costs", *agreed)


def _without_agreement(comparison: Comparison, options: Options) -> list[str]:
    if options["agreement"] == "given" or comparison.known.agreement is None:
        return []
    return ["agreement map not used; HS(agreement=given) uses it"]


@measured(
    "HS",
    source="Nowak 2011 §7.4, §8.3; Nowak et al. 2010 §2.5",
    prediction="decisions",
    undefined="empty",
    aliases=("HS",),
    knowledge=("ontology", "costs", "agreement"),
    asks=_asked,
    notes=_without_agreement,
    bounds="matches",
)
def hierarchical_score(
    comparison: Comparison,
    *,
    costs: str | None = None,
    tree: Tree = "flat",
    alpha: Exponent = 1.0,
    agreement: Literal["none", "given"] = "none",
) -> Floats:
    """(1 − (Σ over z ∈ Z∖Y of cost(z, nearest y ∈ Y) + Σ over y ∈ Y∖Z of cost(nearest z ∈ Z, y)) /
    |Y ∪ Z|)^α: accuracy in which every wrong label costs as much as it is away from the nearest
    label of the other set. `agreement=given` multiplies costs by the annotators' agreement, as
    Nowak et al. 2010 do and Nowak 2011 §8.3 does not."""
    scale = comparison.known.agreement if agreement == "given" else None
    between = comparison.known.costs(costs, tree, "HS")

    def look(rows: slice) -> Floats:
        true, predicted = comparison.true_sets[rows], comparison.assigned_sets[rows]
        return forgiven(
            ratio(_matched(true, predicted, between, scale), union_size(true, predicted)), alpha
        )

    return _by_item(comparison, look)


def _without_ontology(comparison: Comparison, options: Options) -> list[str]:
    return ["no ontology: no rules"] if comparison.known.rules is None else []


@measured(
    "OS",
    source="Nowak 2011 eq 7.1–7.3; Nowak & Lukashevich 2009",
    prediction="decisions",
    undefined="empty",
    aliases=("OS",),
    knowledge=("ontology", "costs", "agreement"),
    asks=_asked,
    notes=_without_ontology,
    bounds="matches",
)
def ontology_score(
    comparison: Comparison,
    *,
    costs: str | None = None,
    tree: Tree = "flat",
    alpha: Exponent = 1.0,
    agreement: Literal["given", "none"] = "given",
    violators: Literal["keep", "drop"] = "keep",
    penalise: Literal["all", "false_positives"] = "all",
) -> Floats:
    """HS with rules: a label of Z that breaks one costs 1 and leaves Z∖Y and Y. It stays in Z as
    something to match (`violators=keep`) or leaves it too (`drop`); `penalise=false_positives`
    spares labels that are right. Costs are multiplied by the agreement of annotators on the true
    label, if there is an agreement map."""
    known = comparison.known
    between = known.costs(costs, tree, "OS")
    scale = known.agreement if agreement == "given" else None
    rules, decided = known.rules, comparison.decided_sets

    def look(rows: slice) -> Floats:
        true, predicted = comparison.true_sets[rows], comparison.assigned_sets[rows]
        broken = _broken(decided[rows], rules, true, predicted, penalise)
        lost = _matched(true, predicted, between, scale, broken, drop=violators == "drop")
        return forgiven(ratio(lost, union_size(true, predicted)), alpha)

    return _by_item(comparison, look)


def broken_labels(comparison: Comparison, penalise: str) -> Words | None:
    """The assigned labels that OS penalises for the rules they break; None without rules."""
    true, predicted = comparison.true_sets, comparison.assigned_sets
    return _broken(comparison.decided_sets, comparison.known.rules, true, predicted, penalise)


def _broken(
    decided: Words, rules: Rules | None, true: Words, said: Words, penalise: str
) -> Words | None:
    # A label that nobody judged does not count, but others may need it, or be at odds with it.
    if rules is None:
        return None
    broken = kernels.violators(decided, rules) & said
    return broken & ~true if penalise == "false_positives" else broken


def _by_item(comparison: Comparison, look: Callable[[slice], Floats]) -> Floats:
    """What `look` says of each item; a thread takes as many at once as it can."""
    items = len(comparison.assigned_sets)
    out = np.empty(len(comparison.true_sets))

    def work(rows: range) -> None:
        part = slice(rows.start, rows.stop)
        out[part] = look(part)

    kernels.share(items, max(1, min(-(-items // kernels.worker_count()), _BLOCK)), work)
    return out


def _matched(
    true: Words,
    said: Words,
    costs: Floats,
    agreement: Floats | None,
    broken: Words | None = None,
    *,
    drop: bool = False,
) -> Floats:
    """What the wrong labels of each item cost (Nowak 2011 eq 7.1)."""
    lost = np.zeros(len(true))
    false, missed = said & ~true, true & ~said
    if broken is not None:
        lost += np.bitwise_count(broken).sum(axis=1)
        false, true = false & ~broken, true & ~broken
        said = said & ~broken if drop else said
    lost += kernels.nearest(false, true, costs, target_scale=agreement)
    return lost + kernels.nearest(missed, said, costs.T, source_scale=agreement)


def union_size(one: Words, other: Words) -> Ints:
    """How many labels two sets have together."""
    sizes: Ints = np.bitwise_count(one | other).sum(axis=1, dtype=np.int64)
    return sizes


def _told_apart(comparison: Comparison, options: Options) -> list[str]:
    _, by_id = comparison.top_sets
    count = int(np.count_nonzero(by_id))
    terms = comparison.truth.terms
    items = terms.several(count, "item")
    return [f"ties at the cut of {items} broken by {terms.concept} id"] if count else []


@measured(
    "SRP",
    source="Nowak 2011 eq 9.1–9.4",
    prediction="confidences",
    aliases=("SRP",),
    knowledge=("relatedness",),
    notes=_told_apart,
    bounds="assignments",
)
def semantic_r_precision(comparison: Comparison, *, relatedness: str | None = None) -> Floats:
    """SR-Precision: the |Y| concepts of the highest confidence, each assigned to a true one of its
    own so that the sum of their relatedness, 1 for equal ones, is largest; divided by |Y|."""
    related = comparison.known.relatedness(relatedness, "SRP")
    chosen, _ = comparison.top_sets
    lost = paired_off(comparison, chosen, 1.0 - related, np.ones(len(related)))
    return 1.0 - ratio(lost, comparison.totals("example").positives)
