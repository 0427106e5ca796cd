"""Agreement over all questions: a coefficient for each, their mean, intervals and a reading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.assessment.agreement.coefficients import (
    COEFFICIENTS,
    Coefficient,
    krippendorff,
    krippendorff_of_sets,
)
from cranfield.assessment.votes import Votes
from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats
from cranfield.errors import InputError, require_draws
from cranfield.measures.declare import mean_of_known
from cranfield.statistics.intervals.limits import Limits, percentile
from cranfield.statistics.resampling import Sampling

if TYPE_CHECKING:
    import polars


_READING = (
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (np.inf, "almost perfect"),
)
"""Landis & Koch 1977: from 0 up to this value, it is called so."""

BY_QUESTION: dict[str, Coefficient] = {
    **COEFFICIENTS,
    "krippendorff_nominal": partial(krippendorff, difference="nominal"),
    "krippendorff_ordinal": partial(krippendorff, difference="ordinal"),
    "krippendorff_interval": partial(krippendorff, difference="interval"),
}
OF_SETS = {"krippendorff_jaccard": "jaccard", "krippendorff_masi": "masi"}
"""Coefficients of whole sets of labels, which have one value for all questions together."""
ALL = (*BY_QUESTION, *OF_SETS)


class Agreement(float):
    """A coefficient of agreement: the mean over questions where it is defined.

    by_question  its value for each, NaN where it is undefined
    dropped      for each question, items with fewer than two votes, which say nothing
    repeated     votes left out, since their annotators voted on the same again in a later batch
    """

    coefficient: str
    by_question: Mapping[str, float]
    dropped: Mapping[str, int]
    repeated: int

    def __new__(
        cls, votes: Votes, coefficient: str, by_question: Floats, overall: float
    ) -> Agreement:
        made = super().__new__(cls, overall)
        made._votes = votes.latest
        made.repeated = len(votes) - len(votes.latest)
        made.coefficient = coefficient
        names = [question.name for question in votes.questions]
        made.by_question = dict(zip(names, by_question.tolist(), strict=False))
        made.dropped = {
            ballot.question.name: int((ballot.voters == 1).sum()) for ballot in votes.latest.ballots
        }
        return made

    _votes: Votes

    @property
    def exclusive(self) -> float:
        """The mean over groups of concepts that exclude each other; NaN if there are none."""
        return self._mean(exclusive=True)

    @property
    def optional(self) -> float:
        """The mean over concepts that hold or not by themselves; NaN if there are none.

        Nowak 2011 §6.4.3 averages both kinds apart, since chance agrees less often on groups.
        """
        return self._mean(exclusive=False)

    def _mean(self, *, exclusive: bool) -> float:
        values = [
            self.by_question[question.name]
            for question in self._votes.questions
            if (question.kind == "choice") == exclusive and question.name in self.by_question
        ]
        return float(mean_of_known(np.array(values, dtype=np.float64)))

    @property
    def undefined(self) -> tuple[str, ...]:
        """Questions on which chance explains everything, or which nobody answered twice."""
        return tuple(name for name, value in self.by_question.items() if np.isnan(value))

    @property
    def reading(self) -> str:
        """What Landis & Koch call it."""
        return reading(self)

    def interval(self, level: float = 0.95, *, samples: int = 1000, seed: int = 0) -> Limits:
        """The interval of the mean, from a bootstrap of items."""
        return self.intervals(level, samples=samples, seed=seed)[""]

    def intervals(
        self, level: float = 0.95, *, samples: int = 1000, seed: int = 0
    ) -> dict[str, Limits]:
        """The interval of each question and, called "", of their mean."""
        require_draws("samples", samples)
        if not 0.0 < level < 1.0:
            raise InputError(f"level={level!r}; give a share between 0 and 1, such as 0.95")
        sampling = Sampling.of(Axis("item", len(self._votes.items), self._votes.items), seed=seed)
        drawn = [_values(self._votes, self.coefficient, one) for one in sampling.draws(samples)]
        by_question = np.concatenate([one for one, _ in drawn])
        overall = np.concatenate([one for _, one in drawn])
        found = {
            name: percentile(column, level)
            for name, column in zip(self.by_question, by_question.T, strict=True)
        }
        return {"": percentile(overall, level), **found}

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each question."""
        import polars

        return polars.DataFrame(
            {
                "question": list(self.by_question),
                self.coefficient: list(self.by_question.values()),
                "reading": [reading(value) for value in self.by_question.values()],
                "dropped": [self.dropped[name] for name in self.by_question],
            }
        ).fill_nan(None)


def agreement(votes: Votes, coefficient: str = "krippendorff") -> Agreement:
    """How far annotators agree by a coefficient; see `coefficients` for what each is.

    Nobody agrees with themselves: who voted again counts with the answer of the last batch.
    """
    if coefficient not in ALL:
        raise InputError(f"coefficient {coefficient!r}; choose one of {', '.join(ALL)}")
    if not len(votes):
        raise InputError("there are no votes; nobody agrees or disagrees")
    by_question, overall = _values(votes.latest, coefficient, np.ones((1, len(votes.items))))
    return Agreement(votes, coefficient, by_question[0], float(overall[0]))


def reading(value: float) -> str:
    """What Landis & Koch call a value."""
    if np.isnan(value):
        return "undefined"
    if value < 0:
        return "poor"
    return next(word for limit, word in _READING if value <= limit)


def _values(votes: Votes, coefficient: str, times: Floats) -> tuple[Floats, Floats]:
    """(b, questions) and (b,) overall; sets have no values for single questions."""
    if coefficient in OF_SETS:
        distance: Any = OF_SETS[coefficient]
        return np.empty((len(times), 0)), krippendorff_of_sets(votes, times, distance)
    function = BY_QUESTION[coefficient]
    by_question = np.stack([function(ballot, times) for ballot in votes.ballots], axis=1)
    return by_question, mean_of_known(by_question)
