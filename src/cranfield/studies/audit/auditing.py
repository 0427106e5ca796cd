"""The audit: every requirement held against tables of scores, the smallest collections first.

Cases of small collections are all looked at, so the first counterexample is the smallest there is;
what is left is looked for in larger collections drawn at random. A failing measure that knows an
ontology is looked at again with truths that follow its rules. Time limits what is looked at, never
what is found: the same cases give the same counterexamples.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from cranfield.core.options import Argument, Option, Seed
from cranfield.core.progress import Progress, silent
from cranfield.errors import MOST_DRAWS, InputError
from cranfield.kernels.threads import limited_to
from cranfield.measures import Measure
from cranfield.measures import measure as named_measure
from cranfield.measures import measures as registered_measures
from cranfield.studies.audit.cards import AuditCard, Audits, Extent, Finding
from cranfield.studies.audit.invariances import HIERARCHICAL, INVARIANCES, hierarchy_tables
from cranfield.studies.audit.kinds import Counterexample, Lists
from cranfield.studies.audit.requirements import METRIC, QUALITY, Requirement
from cranfield.studies.audit.sensitivity import EXPERIMENTS, Experiment
from cranfield.studies.audit.spaces import Space, Table, drawn_spaces, every_case, shrunk
from cranfield.studies.audit.subjects import (
    Better,
    Function,
    Said,
    Subject,
    TimeUpError,
    subject_of,
)

_ALWAYS = 2
"""Cells of collections that are looked at however little time there is."""
_UNTIL_DEFINED = 6
"""Cells up to which a first score is looked for, also if less was asked for."""
_FOR_ALL = 0.6
"""Of the time; larger collections show what small ones cannot."""
_GRACE = 5.0
"""Seconds after its time that an audit ends; what must always be looked at takes about one."""
_REPEATED = 300
"""Scores of a table that is scored again in other forms, for invariances."""
_CUTOFF = "@3"
"""Of measures that need one, where all are audited: small collections have few ranks."""
_NO_TIME = "there was no time to look; give more"
_LOOKED_AT = (*QUALITY, *METRIC, *INVARIANCES)
REQUIREMENTS: tuple[Requirement | Experiment, ...] = (*_LOOKED_AT, *HIERARCHICAL, *EXPERIMENTS)
"""Everything that is asked, in the order of a card."""


def audit(
    measure: str | Measure | Function,
    *,
    prediction: Said | None = None,
    range: tuple[float, float] | None = None,
    better: Better | None = None,
    lists: Lists | None = None,
    seconds: float = 5.0,
    cells: int = 6,
    drawn: int = 40,
    seed: int = 0,
) -> AuditCard:
    """Which requirements a measure meets, with the smallest counterexample to those it does not.

    measure     a spelling such as "example.F(beta=2)", a function, or "module:function". A function
                takes two (N, C) arrays, the truth and what was said, and returns a score, or unit
                scores whose mean counts; NaN is undefined
    seconds     when to stop looking for more; a few seconds later a slow function is not asked any
                more, and what was not looked at is "unknown"
    cells       the largest collections of which every case is looked at, as far as there are few
    drawn       larger collections to draw

    For functions only:
    prediction  what it looks at: "decisions" (booleans, default), "confidences" of which only the
                order counts, or "values" from 0 to 1
    range       the lowest and the highest score; default: 0 and 1
    better      "higher" (default), "lower" or "neither"
    lists       whose confidences are ranked: those of each "concept" (default), of each item
                ("example"), or of all cells ("micro")
    """
    if not seconds >= 0 or min(cells - 1, drawn, seed) < 0:
        raise InputError(
            f"seconds={seconds:g}, cells={cells}, drawn={drawn}, seed={seed}: give at least one "
            "cell, and else numbers that are not negative"
        )
    subject = subject_of(measure, prediction=prediction, range=range, better=better, lists=lists)
    start = time.monotonic()
    subject = replace(subject, until=start + seconds + _GRACE)
    with limited_to(1):  # collections this small are not worth a second thread
        return _Audit(subject, start, seconds, cells, drawn, seed).card()


def audits(
    measures: Annotated[
        Sequence[str] | None, Argument(metavar="MEASURE|MODULE:FUNCTION", suggest="measures")
    ] = None,
    *,
    every: Annotated[bool, Option(name="all")] = False,
    seconds: Annotated[float, Option(minimum=0)] = 5.0,
    cells: Annotated[int, Option(minimum=1)] = 6,
    drawn: Annotated[int, Option(minimum=0, maximum=MOST_DRAWS)] = 40,
    seed: Seed = 0,
    prediction: Annotated[
        Literal["decisions", "confidences", "values"] | None, Option(default="decisions")
    ] = None,
    better: Annotated[
        Literal["higher", "lower", "neither"] | None, Option(default="higher")
    ] = None,
    low: Annotated[float | None, Option(default="0")] = None,
    high: Annotated[float | None, Option(default="1")] = None,
    lists: Annotated[Literal["concept", "example", "micro"] | None, Option(default="concept")] = (
        None
    ),
    cards: Annotated[bool, Option()] = False,
    progress: Progress = silent,
) -> Audits:
    """Audit measures: which requirements do they meet?

    Best and worst scores, monotony (King 2003), metric axioms, invariances, hierarchies
    (Kiritchenko 2005), runs that know nothing, density. Every case of small collections is looked
    at, then larger ones are drawn; what fails is shown by its smallest counterexample. One measure
    gets a card, several a matrix.

    measures    Measures, or functions of your own: two arrays of items by concepts, the truth and
                the prediction, in; a score, or unit scores, out.
    every       Audit every registered measure.
    seconds     When to stop looking, per measure.
    cells       Every case of collections of so many cells, where few.
    drawn       Larger collections.
    prediction  What a function looks at.
    better      Which scores of a function are good.
    low         Lowest score of a function.
    high        Highest score of a function.
    lists       Whose confidences a function ranks: of a concept, of an item, all.
    cards       Of several measures the cards as well.
    """
    if every == bool(measures):
        raise InputError(
            "nothing is named, or everything twice",
            mend="name measures or functions, or give {every}",
            parameter="measures",
        )
    if not math.isfinite(seconds):
        raise InputError(f"{seconds} is not finite; give a finite number", parameter="seconds")
    declared: dict[str, Any] = {"prediction": prediction, "better": better, "lists": lists}
    declared = {name: value for name, value in declared.items() if value is not None}
    ends = {name: end for name, end in (("low", low), ("high", high)) if end is not None}
    chosen = _all_measures() if every else list(measures or ())
    if (declared or ends) and not any(":" in spelling for spelling in chosen):
        raise InputError(
            "it is for functions: MODULE:FUNCTION", parameter=next(iter(declared | ends))
        )
    if ends:
        declared["range"] = (ends.get("low", 0.0), ends.get("high", 1.0))
        if not declared["range"][0] < declared["range"][1]:
            raise InputError(
                "scores from {:g} to {:g}".format(*declared["range"]),
                mend="give {low} the lowest score and {high} the highest",
                parameter=next(iter(ends)),
            )
    for spelling in chosen:  # a misspelt name is refused before the work begins
        if ":" not in spelling:  # a function may take booleans only, and is looked at as it is
            named_measure(spelling)
    done = []
    with progress("auditing", len(chosen)) as step:
        for spelling in chosen:
            about: dict[str, Any] = declared if ":" in spelling else {}
            options = {"cells": cells, "drawn": drawn, "seed": seed, **about}
            done.append(audit(spelling, seconds=seconds, **options))
            step(1)
    return Audits(tuple(done), cards)


def _all_measures() -> list[str]:
    return [measure.name.replace("@k", _CUTOFF) for measure in registered_measures()]


@dataclass
class _State:
    """What is known of one requirement so far."""

    requirement: Requirement
    failure: Counterexample | None = None
    among_lawful: Counterexample | None = None
    """The smallest whose truth follows the rules."""
    looked: bool = False
    """Whether any collection was looked at."""


@dataclass
class _Audit:
    """One audit under way."""

    subject: Subject
    start: float
    seconds: float
    most_cells: int
    to_draw: int
    seed: int
    scores: int = 0
    defined: bool = False
    cells: int = 0
    drawn: int = 0
    cut_short: bool = False
    states: dict[str, _State] = field(default_factory=dict)

    def card(self) -> AuditCard:
        subject = self.subject
        self.states = {
            requirement.name: _State(requirement)
            for requirement in (*_LOOKED_AT, *HIERARCHICAL)
            if requirement.bar(subject) is None
        }
        self._look_everywhere()
        findings = tuple(self._finding(requirement) for requirement in REQUIREMENTS)
        return AuditCard(
            subject.name,
            subject.kind.name,
            subject.better,
            subject.range,
            findings,
            Extent(self.scores, self.cells, self.drawn, self.cut_short),
            "" if subject.ontology is None else subject.ontology.name,
        )

    def _look_everywhere(self) -> None:
        """At small collections, hierarchies and larger collections, until time is up."""
        subject = self.subject
        try:
            with np.errstate(invalid="ignore"):  # scores may be infinite
                self._look_at_all()
                if not self.defined:
                    why = f" ({subject.complaints[0]})" if subject.complaints else ""
                    raise InputError(
                        f"{subject.name} has no score for any small collection{why}; it takes two "
                        "(N, C) arrays, the truth and what was said, and returns a number"
                    )
                self._look_at_hierarchy()
                self._search()
        except TimeUpError:
            self.cut_short = True
            if not self.defined:
                raise InputError(
                    f"{subject.name} is too slow: {self.seconds:g} seconds were not enough for the "
                    "smallest collections",
                    mend="give {seconds} a larger number",
                ) from None

    def _late(self, share: float = 1.0) -> bool:
        """Whether this share of the time is over."""
        return time.monotonic() > self.start + share * self.seconds

    def _look_at_all(self) -> None:
        """Every case of small collections."""
        for space in every_case(self.subject, max(self.most_cells, _UNTIL_DEFINED)):
            cells = len(space.items) * len(space.concepts)
            if cells > self.most_cells and self.defined:
                break
            if cells > _ALWAYS and self.defined and self._late(_FOR_ALL):
                self.cut_short, self.cells = True, cells - 1
                return
            table = self._table(space)
            for state in self.states.values():
                self._look(state, table)
            self.cells = cells

    def _look_at_hierarchy(self) -> None:
        states = [s for s in self.states.values() if s.requirement in HIERARCHICAL]
        if states:
            tables = hierarchy_tables(self.subject)
            self.scores += sum(table.scores.size for table in tables)
            for state in states:
                failures = [state.requirement.look(table) for table in tables]
                state.failure = None if None in failures else failures[-1]
                state.looked = True

    def _search(self) -> None:
        """Larger collections, for what no small one has shown."""
        for space in drawn_spaces(self.subject, self.to_draw, self.seed):
            if self._late():
                self.cut_short = True
                return
            table = self._table(space)
            self.drawn += 1
            for state in self.states.values():
                before = state.failure, state.among_lawful
                self._look(state, table)
                shrink = partial(shrunk, self.subject, state.requirement.look, enough=self._late)
                if state.failure is not None and before[0] is None:
                    state.failure = shrink(state.failure, lawful=False)
                if state.among_lawful is not None and before[1] is None:
                    state.among_lawful = shrink(state.among_lawful, lawful=True)

    def _table(self, space: Space) -> Table:
        table = Table.of(self.subject, space)
        self.scores += table.scores.size
        self.defined = self.defined or not np.isnan(table.scores).all()
        return table

    def _look(self, state: _State, table: Table) -> None:
        requirement = state.requirement
        if requirement in HIERARCHICAL:
            return
        if requirement in INVARIANCES and self._spared(table):
            state.looked = True
            return
        if state.failure is None:
            state.failure = requirement.look(table)
        lawless = self.subject.ontology is not None and state.failure is not None
        if lawless and state.among_lawful is None:
            lawful = table.lawful
            state.among_lawful = None if lawful is None else requirement.look(lawful)
        state.looked = True

    def _spared(self, table: Table) -> bool:
        """Whether a table is too large, or time too short, to score it in other forms."""
        if table.scores.size > _REPEATED:
            return True
        late = table.space.truths[0].size > _ALWAYS and self._late()
        self.cut_short = self.cut_short or late
        return late

    def _finding(self, requirement: Requirement | Experiment) -> Finding:
        about = partial(
            Finding, requirement.name, requirement.says, requirement.source, requirement.group
        )
        bar = requirement.bar(self.subject)
        if bar is not None:
            return about("inapplicable", note=bar)
        if isinstance(requirement, Experiment):
            try:
                outcome = requirement.run(self.subject, self.seed)
            except TimeUpError:
                self.cut_short = True
                return about("unknown", note=_NO_TIME)
            if outcome.counterexample is None:
                return about("holds", scores=outcome.scores)
            return about("fails", outcome.counterexample, scores=outcome.scores)
        state = self.states[requirement.name]
        if state.failure is None:
            return about("holds") if state.looked else about("unknown", note=_NO_TIME)
        return about("fails", state.failure, note=self._where_it_holds(state))

    def _where_it_holds(self, state: _State) -> str:
        """Measures that know rules may only fail where the truth breaks them."""
        if self.subject.ontology is None or state.requirement in HIERARCHICAL:
            return ""
        if state.among_lawful is None:
            return "holds where the truth follows the rules of the ontology"
        if str(state.among_lawful) == str(state.failure):
            return ""
        return f"where the truth follows the rules, {state.among_lawful}"
