"""Consensus: one truth from the votes on all questions, and how sure each of its cells is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.merging.models import (
    Fitted,
    Stopping,
    dawid_skene,
    glad,
    mace,
    majority,
    one_coin,
    weighted_majority,
)
from cranfield.assessment.votes import Ballot, Votes
from cranfield.assessment.votes.sheets import places_by_name
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats
from cranfield.core.options import Option, Seed
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.errors import (
    MOST_DRAWS,
    InputError,
    first_ten,
    require_draws,
    require_whole,
    several,
)

if TYPE_CHECKING:
    import polars

Method = Literal["majority", "weighted_majority", "one_coin", "dawid_skene", "mace", "glad"]
METHODS: tuple[Method, ...] = get_args(Method)

_TENTHS = 10
_MOST = 6
"""The lowest grade of what more than half of the annotators chose."""
_ROUNDING = 1e-9
"""What sums of shares may be off by."""
_SHOWN = 10
"""Annotators at either end that a table lists."""


@dataclass(frozen=True, eq=False)
class Consensus(Analysis):
    """What annotators are believed to say together."""

    title = "Merged votes"

    votes: Votes
    method: str
    fits: tuple[Fitted, ...]
    """One for each question."""

    @property
    def terms(self) -> Terms:
        return self.votes.terms

    @cached_property
    def truth(self) -> Truth:
        """Labels, and grades where such were asked; cells that nobody voted on are unjudged."""
        judged = self._cells(lambda ballot, fit: ballot.answered)
        graded = any(question.kind == "grade" for question in self.votes.questions)
        marked = self._cells(_grade)
        return self._truth(
            labels=None if graded else marked > 0,
            grades=np.maximum(marked, 0).astype(np.int64) if graded else None,
            judged=judged.astype(np.bool_),
        )

    def _truth(self, *, judged: Bools, **content: Any) -> Truth:
        truth = Truth(
            judged=None if judged.all() else judged,
            items=self.votes.items,
            concepts=self.votes.concepts,
            terms=None if self.terms == CONCEPTS else self.terms,
            **content,
        )
        # Columns stand as questions were first asked, which runs without names cannot know.
        truth.concept_axis.in_order = False
        return truth

    @cached_property
    def belief(self) -> Floats:
        """(items, concepts): how likely each concept holds; NaN where nobody voted."""
        return self._cells(_belief)

    @property
    def confidence(self) -> Floats:
        """(items, concepts): how likely what the truth says is right; NaN where nobody voted."""
        holds = self._cells(_grade) > 0
        return np.asarray(np.where(holds, self.belief, 1.0 - self.belief))

    @cached_property
    def shares(self) -> Floats:
        """(items, concepts): the share of annotators who chose each, whatever the method."""
        return self._cells(lambda ballot, fit: _holding(ballot, ballot.shares))

    @property
    def graded(self) -> Truth:
        """A truth with grades 0 to 10, tenths of the annotators. It is relevant from 6 on, which is
        exactly more than half of them."""
        shares = self.shares
        tenths = np.ceil(np.nan_to_num(shares) * _TENTHS - 0.5 - _ROUNDING).astype(np.int64)
        most = shares > 0.5 + _ROUNDING
        return self._truth(
            grades=np.where(most, np.maximum(tenths, _MOST), np.minimum(tenths, _MOST - 1)),
            judged=~np.isnan(shares),
            level=_MOST,
        )

    @cached_property
    def reliability(self) -> polars.DataFrame:
        """Annotators: votes, and the share of them believed to be right, over all questions."""
        import polars

        work = np.stack([ballot.work for ballot in self.votes.ballots])
        right = np.stack([np.nan_to_num(fit.reliability) for fit in self.fits])
        total = work.sum(axis=0)
        with np.errstate(invalid="ignore"):
            share = (work * right).sum(axis=0) / total
        return polars.DataFrame(
            {"annotator": list(self.votes.annotators), "votes": total, "reliability": share}
        ).fill_nan(None)

    @property
    def frame(self) -> polars.DataFrame:
        """Questions: items voted on, even splits, iterations, log-likelihood, convergence."""
        import polars

        rows = [
            {
                "question": ballot.question.name,
                "items": int(ballot.answered.sum()),
                "ties": int(ballot.tied.sum()),
                "iterations": len(fit.likelihoods),
                "log_likelihood": fit.likelihoods[-1] if fit.likelihoods else None,
                "converged": fit.converged,
            }
            for ballot, fit in zip(self.votes.ballots, self.fits, strict=True)
        ]
        return polars.DataFrame(rows)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be known to trust this: models whose iterations ran out."""
        stuck = [
            ballot.question.name
            for ballot, fit in zip(self.votes.ballots, self.fits, strict=True)
            if not fit.converged
        ]
        if not stuck:
            return ()
        most = max(len(fit.likelihoods) for fit in self.fits)
        return (
            f"{self.method} did not converge within {several(most, 'iteration')} on "
            f"{several(len(stuck), 'question')} ({first_ten(stuck)}): beliefs or parameters still "
            "changed; allow more iterations",
        )

    @property
    def ties(self) -> int:
        """How many decisions of the majority are so by rule only: the votes are evenly split."""
        return sum(int(ballot.tied.sum()) for ballot in self.votes.ballots)

    # ── as a result ───────────────────────────────────────────────────────────────────────────

    def _facts(self) -> dict[str, Any]:
        known = self.confidence[~np.isnan(self.confidence)]
        return {
            "method": self.method,
            "items": len(self.votes.items),
            "concepts": len(self.votes.concepts),
            "ties": self.ties,
            "mean_confidence": float(known.mean()) if known.size else None,
            "remarks": list(self.remarks),
            "questions": self.frame.to_dicts(),
            "annotators": self.by_reliability(),
        }

    def by_reliability(self) -> list[dict[str, Any]]:
        """A record for each annotator, the least reliable first."""
        rows = self.reliability.to_dicts()
        return sorted(rows, key=lambda row: (row["reliability"] is None, row["reliability"] or 0.0))

    def by_cell(self) -> Iterator[dict[str, Any]]:
        """A record for each judged cell: what is decided, and how sure it is."""
        confidence, labels = self.confidence, self.truth.labels
        for row, item in enumerate(self.votes.items):
            for column, concept in enumerate(self.votes.concepts):
                if not np.isnan(self.belief[row, column]):
                    yield {
                        "item": item,
                        "concept": concept,
                        "value": int(labels[row, column]),
                        "belief": self.belief[row, column],
                        "confidence": confidence[row, column],
                        "share": self.shares[row, column],
                    }

    def _tables(self) -> list[Table]:
        columns = [Column("question"), Column("items"), Column("ties", "even splits")]
        if any(fit.likelihoods for fit in self.fits):
            columns.append(Column("iterations"))
            columns.append(Column("log_likelihood", "log-likelihood", digits=1))
        questions = self.frame.to_dicts()
        rows = [row for row in self.by_reliability() if row["votes"]]
        hidden = len(rows) - 2 * _SHOWN
        remarks = []
        if hidden > 0:
            rows = [*rows[:_SHOWN], *rows[-_SHOWN:]]
            remarks = [f"the least and the most reliable; {hidden} between them: see JSON"]
        people = [Column("annotator"), Column("votes"), Column("reliability")]
        return [
            Table("decisions", questions, columns, audience="people"),
            Table("annotators", rows, people, remarks=remarks, audience="people"),
            Table("questions", questions, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        remarks = ["reliability: estimated share of an annotator's votes that are right"]
        renamed = self.votes.renamed
        if renamed:
            remarks.append(
                f"{several(len(renamed), 'label')} that other questions ask about too: called "
                f"{first_ten(renamed)}"
            )
        if self.ties:
            majority = self.method == "majority"
            remarks.append(
                f"{several(self.ties, 'even split')}: "
                f"{'' if majority else 'where the method does not decide, '}"
                f"{self.terms.concepts} are not assigned, the lowest grade counts, and of a choice "
                "the first of its answers (by alphabet or number, unless the file lists them in "
                "another order)"
            )
        return [*remarks, *self.remarks]

    def _cells(self, of_question: Callable[[Ballot, Fitted], NDArray[Any]]) -> Floats:
        """A number for each item and concept, question after question."""
        columns = []
        for ballot, fit in zip(self.votes.ballots, self.fits, strict=True):
            part = np.asarray(of_question(ballot, fit), dtype=np.float64)
            if part.ndim == 1:
                part = np.repeat(part[:, None], len(ballot.question.concepts), axis=1)
            columns.append(part)
        return np.concatenate(columns, axis=1)


def _grade(ballot: Ballot, fit: Fitted) -> Floats:
    """1 for what holds; of graded concepts the grade."""
    if ballot.question.kind == "choice":
        return np.asarray(fit.answer[:, None] == np.arange(ballot.question.size), dtype=np.float64)
    return np.where(ballot.answered, ballot.question.values[fit.answer], 0).astype(np.float64)[
        :, None
    ]


def _belief(ballot: Ballot, fit: Fitted) -> Floats:
    return _holding(ballot, fit.belief)


def _holding(ballot: Ballot, by_answer: Floats) -> Floats:
    """From a number for each answer to one for each concept: that it holds."""
    if ballot.question.kind == "choice":
        return by_answer
    return np.asarray(by_answer[:, ballot.question.values >= 1].sum(axis=1, keepdims=True))


def consensus(
    votes: Votes,
    method: Annotated[Method, Option(metavar="NAME")] = "majority",
    *,
    weights: Mapping[str, float] | None = None,
    smoothing: Annotated[float, Option(minimum=0.0)] = 0.01,
    tolerance: float = Stopping.tolerance,
    iterations: Annotated[int, Option(minimum=1)] = Stopping.iterations,
    restarts: Annotated[int, Option(minimum=1, maximum=MOST_DRAWS)] = 10,
    seed: Seed = 0,
    progress: Progress = silent,
) -> Consensus:
    """Merge votes to a truth, and tell whom it relies on.

    Concepts that exclude each other are one choice when --ontology or --group says so, or when the
    file asks for one label: exactly one of them wins then. An even split leaves an optional concept
    out, and gives a choice to the smallest label.

    method      majority, weighted_majority, one_coin, dawid_skene, mace or glad.
    weights     of annotators, for weighted_majority; default: how often each is with the majority
    smoothing   Added to each count of one_coin and dawid_skene.
    tolerance   a model stops when no belief and no parameter changes by more than this
    iterations  The most that a model may take; a remark says so where it takes more.
    restarts    Starts of mace.
    seed        Seed of mace.
    """
    if method not in METHODS:
        raise InputError(f"method {method!r}", mend=f"choose one of {', '.join(METHODS)}")
    if weights is not None and method != "weighted_majority":
        raise InputError(
            f"method {method!r} takes no weights",
            mend="choose {method=weighted_majority}",
            parameter="weights",
        )
    if smoothing < 0 or not np.isfinite(smoothing):
        raise InputError(
            f"smoothing={smoothing!r}", mend="give a number from 0 up", parameter="smoothing"
        )
    require_whole("iterations", iterations, least=1)
    require_draws("restarts", restarts)
    stopping = Stopping(tolerance, iterations)
    # Models stop near an optimum; where exactly must not depend on who was mentioned first.
    ordered = votes if method == "majority" else votes.by_name
    methods: dict[str, Callable[[Ballot], Fitted]] = {
        "majority": majority,
        "weighted_majority": partial(weighted_majority, weights=_weights(ordered, weights)),
        "one_coin": partial(one_coin, smoothing=smoothing, stopping=stopping),
        "dawid_skene": partial(dawid_skene, smoothing=smoothing, stopping=stopping),
        "mace": partial(mace, restarts=restarts, seed=seed, stopping=stopping),
        "glad": partial(glad, stopping=stopping),
    }
    fits = []
    with progress("merging", len(ordered.ballots)) as step:
        for ballot in ordered.ballots:
            # Without any vote there is nothing to fit, and majority says so.
            fits.append(methods[method if len(ballot) else "majority"](ballot))
            step(1)
    if ordered is not votes:
        items, annotators = places_by_name(votes.items), places_by_name(votes.annotators)
        fits = [fit.moved(items, annotators) for fit in fits]
    return Consensus(votes, method, tuple(fits))


def _weights(votes: Votes, given: Mapping[str, float] | None) -> Floats | None:
    if given is None:
        return None
    missing = [name for name in votes.annotators if name not in given]
    if missing:
        raise InputError(f"no weight is given for annotators {first_ten(missing)}; weigh everybody")
    weights = np.array([float(given[name]) for name in votes.annotators])
    if (weights < 0).any() or not np.isfinite(weights).all():
        raise InputError("weights of annotators must be finite and not negative")
    return weights
