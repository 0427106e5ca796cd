"""Measures of information: what a system's classes tell about the true ones, and what they make up.

Conventions
    Logarithms are natural unless `base` says otherwise, and 0·log 0 = 0. Classes need no match:
    renaming or swapping what a system says changes nothing. A perfect system here neither misses
    nor invents information. Only where all items have one class, H(T) = 0: completeness is then 1,
    and false_ratio 0, for a system that is always right, undefined for any other. ξ at I = 0 is
    infinite.

    Entropies of counted items come out too small, since classes and confusions that are rare stay
    unseen. bias=miller_madow adds (seen cells − 1) / 2n to each entropy (Miller 1955), and what
    follows for the others; it needs counts, not probabilities. Corrected information may then fall
    below 0 where there is none to be seen.

Source: Holt et al. 2010 §3; ξ is of §2.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield import kernels
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.measures.declare import ratio, tabulated
from cranfield.measures.definition import Base, NotNegative

Bias = Literal["none", "miller_madow"]

_ENTROPY = (0.0, np.inf)
_ROUNDING = 1e-14
"""Information in nats that rounding leaves where there is none."""


@tabulated(
    "confusion.xi",
    source="Holt et al. 2010 eq 16",
    range=_ENTROPY,
    better="lower",
)
def xi(
    table: Contingency, *, alpha: NotNegative = 1.0, base: Base = np.e, bias: Bias = "none"
) -> Floats:
    """ξ = α·(1 − Σ_k P(k, k)) / I(T; S): errors for each unit of information."""
    information = mutual_information(table, base=base, bias=bias)
    errors = alpha * (1.0 - table.right)
    ratios = ratio(errors, np.where(information > _ROUNDING, information, 0.0))
    return np.where(information <= _ROUNDING, np.inf, ratios)


@tabulated("confusion.H_T", source="Holt et al. 2010 eq 17", range=_ENTROPY, better="neither")
def true_entropy(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """H(T) = −Σ_i P_t(i)·log P_t(i): how much there is to know about the true class."""
    seen = _Seen(table, bias)
    return seen.corrected(_entropy(table.p_true), seen.true - 1, base)


@tabulated("confusion.H_S", source="Holt et al. 2010 eq 18", range=_ENTROPY, better="neither")
def said_entropy(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """H(S) = −Σ_j P_s(j)·log P_s(j): how much the system says."""
    seen = _Seen(table, bias)
    return seen.corrected(_entropy(table.p_said), seen.said - 1, base)


@tabulated("confusion.H_S_given_T", source="Holt et al. 2010 eq 19", range=_ENTROPY, better="lower")
def false_information(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """H(S|T) = −Σ_ij P(i, j)·log P(j|i): false information, which the system made up."""
    seen = _Seen(table, bias)
    value = _expected_log(table.joint, table.p_true[..., :, None])
    return seen.corrected(value, seen.cells - seen.true, base)


@tabulated("confusion.H_T_given_S", source="Holt et al. 2010 eq 20", range=_ENTROPY, better="lower")
def missed_information(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """H(T|S) = −Σ_ij P(i, j)·log P(i|j): information about the truth that the system missed."""
    seen = _Seen(table, bias)
    value = _expected_log(table.joint, table.p_said[..., None, :])
    return seen.corrected(value, seen.cells - seen.said, base)


@tabulated(
    "confusion.I",
    source="Holt et al. 2010 eq 21",
    range=_ENTROPY,
    aliases=("mutual_information",),
)
def mutual_information(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """I(T; S) = Σ_ij P(i, j)·log(P(i, j) / (P_t(i)·P_s(j))): what both sides have in common."""
    seen = _Seen(table, bias)
    by_chance = table.p_true[..., :, None] * table.p_said[..., None, :]
    value = -_expected_log(table.joint, by_chance)
    value = np.where(value < _ROUNDING, 0.0, value)
    return seen.corrected(value, seen.true + seen.said - seen.cells - 1, base)


@tabulated("confusion.S_I", source="Holt et al. 2010 eq 22", range=_ENTROPY, better="lower")
def erroneous_information(table: Contingency, *, base: Base = np.e, bias: Bias = "none") -> Floats:
    """S_I = H(T|S) + H(S|T): all information that is wrong, missed or made up."""
    missed = missed_information(table, base=base, bias=bias)
    return missed + false_information(table, base=base, bias=bias)


@tabulated("confusion.S_I_norm", source="Holt et al. 2010 eq 24", range=_ENTROPY, better="lower")
def normalised_error(table: Contingency, *, bias: Bias = "none") -> Floats:
    """S_I / H(T) = 1 − f(T; S) + r(S|T): erroneous information by what there is to know."""
    return _by_truth(erroneous_information(table, bias=bias), table, bias, perfect=0.0)


@tabulated("confusion.completeness", source="Holt et al. 2010 eq 25", range=(0.0, 1.0))
def completeness(table: Contingency, *, bias: Bias = "none") -> Floats:
    """f(T; S) = I(T; S) / H(T): truth information completeness, the share that was captured."""
    share = _by_truth(mutual_information(table, bias=bias), table, bias, perfect=1.0)
    return np.minimum(share, 1.0)  # where H(T) is small, rounding is not


@tabulated("confusion.false_ratio", source="Holt et al. 2010 eq 26", range=_ENTROPY, better="lower")
def false_ratio(table: Contingency, *, bias: Bias = "none") -> Floats:
    """r(S|T) = H(S|T) / H(T): false information ratio, made up by what there is to know."""
    return _by_truth(false_information(table, bias=bias), table, bias, perfect=0.0)


def class_entropies(table: Contingency, given: Literal["true", "said"]) -> Floats:
    """H(S|T = i) of each true class, or H(T|S = j) of each said one, in nats; NaN where the class
    never occurs (Holt et al. 2010 §4)."""
    counts = table.counts if given == "true" else np.swapaxes(table.counts, -1, -2)
    whole = kernels.row_sums(counts)[..., None]
    return _entropy(ratio(counts, np.broadcast_to(whole, counts.shape)))


def _entropy(shares: Floats) -> Floats:
    return kernels.row_sums(_surprises(shares, np.ones(1)))


def _expected_log(p: Floats, q: Floats) -> Floats:
    """Σ p·log(q / p) over a table, where 0·log 0 = 0; NaN where p is."""
    return kernels.row_sums(_surprises(p, q).reshape(*p.shape[:-2], -1))


def _surprises(p: Floats, q: Floats) -> Floats:
    """p·log(q / p)"""
    some = p > 0
    logs = np.zeros(p.shape)
    # A difference, since a drawn share may be so small that the ratio overflows. Numbers side by
    # side, since NumPy's logarithms of others may differ in the last bit.
    logs[some] = np.log(np.broadcast_to(q, p.shape)[some]) - np.log(p[some])
    return p * logs


class _Seen:
    """How many classes and confusions a table shows, by which its entropies are corrected."""

    def __init__(self, table: Contingency, bias: Bias) -> None:
        # Fractions that were drawn are what may be true, not what was seen: nothing to correct.
        is_truth = table.sampled and not table.holds_counts
        self.bias: Bias = "none" if is_truth else bias
        self.total = table.total
        if self.bias == "miller_madow" and not table.holds_counts:
            raise InputError(
                "bias=miller_madow needs counts of items; this matrix holds probabilities or other "
                "fractions: give counts, or leave bias= out"
            )
        self.cells = np.count_nonzero(table.counts, axis=(-2, -1))
        self.true = np.count_nonzero(table.counts.sum(axis=-1), axis=-1)
        self.said = np.count_nonzero(table.counts.sum(axis=-2), axis=-1)

    def corrected(self, nats: Floats, degrees: Floats, base: float) -> Floats:
        """Add half of these degrees of freedom by the number of items; then change the base."""
        if self.bias == "miller_madow":
            nats = nats + ratio(degrees, 2.0 * self.total)
        return np.asarray(nats / np.log(base))


def _by_truth(value: Floats, table: Contingency, bias: Bias, *, perfect: float) -> Floats:
    """By H(T); where that is 0, what is said of a perfect system, and nothing of others."""
    shares = ratio(value, true_entropy(table, bias=bias))
    one_class = np.count_nonzero(table.of_true, axis=-1) == 1
    all_right = table.right == 1.0 if table.has_matches else np.zeros(table.total.shape, np.bool_)
    return np.where(one_class, np.where(all_right, perfect, np.nan), shares)
