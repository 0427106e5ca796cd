"""Measures of other tools, known by the scores of items that they gave.

Nothing is known of such a measure but what its user says: its name, which way is better, and
between which numbers it lies. It is a value like every measure, and never registered:
`latency(better=lower,low=0)` is a spelling of it wherever scores by `latency` are at hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.core.measured_run import MeasuredRun
from cranfield.core.truth import Truth
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.measures.definition import (
    Better,
    Definition,
    Option,
    Options,
    Traits,
    common_options,
)
from cranfield.measures.registry import Measure, measure

_SHAPE = re.compile(r"(?P<name>.*?)(?:\((?P<options>[^()]*)\))?", re.DOTALL)
_RESERVED = str.maketrans("()|", "[]/")
"""Brackets hold the options of measures, and bars part signatures."""


@dataclass(frozen=True)
class Reported(Measure):
    """A measure of another tool."""

    unit_range: bool = True
    """Whether it lies between 0 and 1, where its user does not say between which numbers."""
    scored: frozenset[str] | None = field(default=None, compare=False, repr=False)
    """The items that some run was scored on; None = all."""

    @property
    def definition(self) -> Definition:
        return self._definition

    @cached_property
    def _definition(self) -> Definition:
        low, high = (0.0, 1.0) if self.unit_range else (-math.inf, math.inf)
        options = common_options("skip") | {
            "better": Option("better", str, "higher", ("higher", "lower", "neither")),
            "low": Option("low", float, low),
            "high": Option("high", float, high),
        }
        chosen = {name: option.default for name, option in options.items()} | dict(self.settings)
        traits = Traits(
            direction="example",
            prediction="values",
            relevance="numeric",
            scoring="binary",
            range=(float(cast(float, chosen["low"])), float(cast(float, chosen["high"]))),
            better=cast(Better, chosen["better"]),
            source="",
            merges="items",
            heeds_unjudged=True,
        )
        return Definition(
            name=self.name,
            traits=traits,
            formula="the mean over items of scores from elsewhere, of each item over its repeats",
            options=options,
            units=self._units,
            needs=None,
            lists="example",
            aliases=(),
            notes=self._notes,
        )

    def on(self, truth: Truth) -> Measure:
        """Itself: no truth says more of it."""
        return self

    def spelled(self, spelling: str) -> Reported | None:
        """This measure with the options that a spelling names; None if it names another."""
        match = _SHAPE.fullmatch(spelling.strip())
        assert match is not None
        if spelling == self.name or reported_name(spelling) == self.name:
            return self
        if reported_name(match["name"].strip()) != self.name or not match["options"]:
            return None
        settings: dict[str, Any] = dict(self.settings)
        for part in match["options"].split(","):
            name, equals, value = (text.strip() for text in part.partition("="))
            option = self.definition.options.get(name)
            if not equals or option is None:
                raise MeasureError(
                    f"{spelling}: {self.name} is a measure from elsewhere; write options as "
                    f"{self.name}(better=lower,low=0,high=60)"
                )
            settings[name] = option.read(value, self.name)
        return replace(self, settings=tuple(sorted(settings.items())))

    def directed(self, better: Better) -> Reported:
        """The same measure, by which so much is said of which way is better."""
        return self if better == "higher" else replace(self, settings=(("better", better),))

    def _units(self, comparison: Comparison, options: Options) -> Floats:
        """The scores of items as they were reported; what a run lacks is refused, or the worst."""
        run = comparison.run
        scores = run.item_scores.get(self.name) if isinstance(run, MeasuredRun) else None
        values = comparison.of_items(
            np.full(run.shape[0], np.nan) if scores is None else scores.values
        )
        lacking = np.isnan(values)
        if self.scored is not None:
            lacking &= np.array([item in self.scored for item in comparison.truth.items])
        if not lacking.any():
            return values
        if comparison.missing == "error":
            rows = np.flatnonzero(lacking).tolist()
            raise InputError(
                f"run {run.name!r} has no score by {self.name} of {several(len(rows), 'item')}: "
                f"{first_ten(comparison.truth.items[row] for row in rows)}",
                mend="add them, or let them count as the worst score with {missing=absent}",
                about=("run", run.name),
            )
        worst = self.traits.range[self.traits.better == "lower"]
        if not math.isfinite(worst):
            end = "high" if self.traits.better == "lower" else "low"
            raise InputError(
                f"run {run.name!r} lacks {several(int(lacking.sum()), 'item')}, and no score by "
                f"{self.name} is known to be the worst; say which: {self.name}({end}=…)"
            )
        return np.where(lacking, worst, values)

    def repeat_variance(self, comparison: Comparison) -> float | None:
        """The part of the variance of a score that repeats make: Σ sᵢ²/kᵢ over items, by N²; sᵢ²
        of an item with one repeat is the mean of the others. None without repeats."""
        run = comparison.run
        scores = run.item_scores.get(self.name) if isinstance(run, MeasuredRun) else None
        if scores is None or np.isnan(scores.variances).all():
            return None
        known = ~np.isnan(scores.variances)
        usual = kernels.total(scores.variances[known]) / np.count_nonzero(known)
        variances = np.where(known, scores.variances, usual)
        scored = scores.repeats > 0
        noise = kernels.total(variances[scored] / scores.repeats[scored])
        return float(noise / comparison.truth.shape[0] ** 2)

    def _notes(self, comparison: Comparison, options: Options) -> list[str]:
        run = comparison.run
        scores = run.item_scores.get(self.name) if isinstance(run, MeasuredRun) else None
        if scores is None:
            return []
        terms = comparison.truth.terms
        counts = scores.repeats[scores.repeats > 0]
        most = int(counts.max(initial=1))
        notes = []
        if most > 1:
            fewest = int(counts.min())
            several_of = f"{most}" if fewest == most else f"{fewest} to {most}"
            notes.append(f"the score of each {terms.item} is the mean of {several_of} repeats")
        lacking = int(np.isnan(comparison.of_items(scores.values)).sum())
        if lacking and comparison.missing == "absent" and self.scored is None:
            items = terms.several(lacking, "item")
            notes.append(f"{items} that it lacks counted as the worst score")
        return notes


def reported_name(text: str) -> str:
    """What a measure of another tool is called here."""
    return text.translate(_RESERVED)


def reported_measures(runs: Any) -> tuple[Reported, ...]:
    """The measures by which runs were scored elsewhere; none of what holds predictions."""
    listed = runs if isinstance(runs, list | tuple) else [runs]
    measured = [run for run in listed if isinstance(run, MeasuredRun)]
    everything = {item for run in measured for item in run.items}
    measures = []
    for name in dict.fromkeys(name for run in measured for name in run.item_scores):
        own = {run: run.item_scores[name] for run in measured if name in run.item_scores}
        scored = {
            run.items[row]
            for run, scores in own.items()
            for row in np.flatnonzero(scores.repeats).tolist()
        }
        within = all(low >= 0.0 and high <= 1.0 for low, high in (s.ends for s in own.values()))
        items = None if scored == everything else frozenset(scored)
        measures.append(Reported(name, unit_range=within, scored=items))
    return tuple(measures)


def measure_among(
    spelling: str | Measure, among: Iterable[Measure], truth: Truth | None = None
) -> Measure:
    """The measure that a spelling names: one from elsewhere among these, or a registered one."""
    reported = [own for own in among if isinstance(own, Reported)]
    if isinstance(spelling, Reported):
        return spelling
    for own in reported:
        named = own.spelled(str(spelling))
        if named is not None:
            return named
    if reported:
        raise MeasureError(
            f"there are no scores by {spelling}: these scores come from elsewhere, and their "
            f"measures are {first_ten(own.name for own in reported)}"
        )
    registered = measure(spelling)
    return registered if truth is None else registered.on(truth)
