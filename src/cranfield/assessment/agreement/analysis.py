"""Agreement of annotators on each question and on average, of groups of them, and of pairs.

Coefficients of groups are drawn question by question (Nowak 2011, Figures 6.5 and 6.6), agreement
with the majority by concept and by item in both paradigms (Figure 6.4); pairs are its Table 6.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np

from cranfield.assessment.agreement.cells import (
    MERGED,
    CellCounts,
    CellMeans,
    PairAgreement,
    Paradigm,
    agreement_map,
    cell_counts,
    compared,
    pair_agreement,
)
from cranfield.assessment.agreement.coefficients import (
    READINGS,
    WORDS,
    Agreement,
    agreement,
    reading,
)
from cranfield.assessment.votes import Votes
from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats, mean_of_defined
from cranfield.core.options import Option, Seed
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import MOST_DRAWS, several
from cranfield.knowledge import AgreementMap
from cranfield.statistics.intervals.limits import Limits

CoefficientName = Literal[
    "percent",
    "fleiss",
    "free_marginal",
    "krippendorff",
    "gwet",
    "cohen",
    "krippendorff_nominal",
    "krippendorff_ordinal",
    "krippendorff_interval",
    "krippendorff_jaccard",
    "krippendorff_masi",
]
DEFAULTS: tuple[CoefficientName, ...] = ("fleiss", "free_marginal", "krippendorff", "percent")
MEAN = "mean over questions"
_PAIRS_SHOWN = 12
"""Annotators that a table of pairs has room for."""
_REASONS = {"no {item} has two votes": True, "everybody always gave the same answer": False}
"""Why a coefficient is undefined: whether it is for want of votes."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are drawn."""

    level: float = 0.95
    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Coefficients of some votes, with intervals if a bootstrap is requested."""

    votes: Votes
    names: tuple[str, ...]
    bootstrap: Bootstrap | None = None

    @cached_property
    def values(self) -> dict[str, Agreement]:
        return {name: agreement(self.votes, name) for name in self.names}

    @cached_property
    def intervals(self) -> dict[str, dict[str, Limits]]:
        """By coefficient and question; "" is the mean."""
        draws = self.bootstrap
        if draws is None:
            return {}
        return {
            name: value.intervals(draws.level, samples=draws.samples, seed=draws.seed)
            for name, value in self.values.items()
        }

    @property
    def questions(self) -> list[str]:
        return [question.name for question in self.votes.questions]

    @cached_property
    def means_by_kind(self) -> dict[str, dict[str, float]]:
        """Means over either kind of question, by coefficient, if there are both kinds."""
        means = {
            "exclusive groups": {name: value.exclusive for name, value in self.values.items()},
            f"optional {self.votes.terms.concepts}": {
                name: value.optional for name, value in self.values.items()
            },
        }
        kinds = {question.kind == "choice" for question in self.votes.questions}
        return means if len(kinds) == 2 else {}

    @cached_property
    def cells(self) -> CellCounts:
        return cell_counts(self.votes)

    @cached_property
    def cell_means(self) -> CellMeans:
        return self.cells.means()

    def value(self, coefficient: str, question: str) -> float:
        """Of a question or, called "", the mean."""
        overall = self.values[coefficient]
        return overall.by_question.get(question, np.nan) if question else float(overall)

    def limits(self, coefficient: str, question: str) -> dict[str, float]:
        """The ends of the interval, if there are intervals."""
        if self.bootstrap is None:
            return {}
        ends = self.intervals[coefficient].get(question)
        return {"low": np.nan, "high": np.nan} if ends is None else ends._asdict()

    def rows(self) -> Iterator[dict[str, Any]]:
        """A record for each question and coefficient; the mean has no question."""
        for question in ("", *self.questions):
            for name in self.names:
                value = self.value(name, question)
                yield {
                    "question": question,
                    "coefficient": name,
                    "value": value,
                    **self.limits(name, question),
                    "reading": "" if name == "percent" else reading(value),
                }

    def facts(self) -> dict[str, Any]:
        """All values by name."""
        values, means = self.values, self.cell_means
        facts: dict[str, Any] = {
            "overall": {name: float(value) for name, value in values.items()},
            "concepts": {
                question: {name: self.value(name, question) for name in self.names}
                for question in self.questions
            },
            "exclusive": {name: value.exclusive for name, value in values.items()},
            "optional": {name: value.optional for name, value in values.items()},
            "majority": {"concepts": means.by_concept, "items": means.by_item},
            "accuracy_ex": means.accuracy_ex,
        }
        if self.repeated:
            facts["repeated"] = self.repeated
        if self.bootstrap is not None:
            facts["intervals"] = vars(self.bootstrap) | {
                "overall": {name: list(ends[""]) for name, ends in self.intervals.items()},
                "concepts": {
                    question: {
                        name: list(ends[question])
                        for name, ends in self.intervals.items()
                        if question in ends
                    }
                    for question in self.questions
                },
            }
        return facts

    @property
    def repeated(self) -> int:
        """Votes that a later one of the same annotator replaces."""
        return next((value.repeated for value in self.values.values()), 0)

    @property
    def corrected(self) -> str:
        """The first coefficient that is corrected for chance; "": none."""
        return next((name for name in self.names if name != "percent"), "")

    def remarks(self) -> Iterator[str]:
        means, terms = self.cell_means, self.votes.terms
        for what, by_paradigm in (
            (f"agreement with the majority, mean over {terms.concepts}", means.by_concept),
            (f"agreement with the majority, mean over {terms.items}", means.by_item),
            (f"mean agreement of two annotators of one {terms.item}", means.accuracy_ex),
        ):
            yield (
                f"{what}: {_number(by_paradigm['all'])} of all cells, "
                f"{_number(by_paradigm['selected'])} of those that somebody selected"
            )
        if means.never_selected:
            yield (
                f"nobody selected {terms.several(means.never_selected, 'concept')}, left out of "
                f"the mean over {terms.concepts} of selected cells"
            )
        if self.corrected:
            name, mean = WORDS.get(self.corrected, self.corrected), self.value(self.corrected, "")
            yield f"{name} of {_number(mean)} is {reading(mean)} (Landis & Koch 1977: {READINGS})"
        ballots = self.votes.latest.ballots
        single = {b.question.name for b in ballots if b.voters.max(initial=0) < 2}
        for name, value in self.values.items():
            for reason, for_want_of_votes in _REASONS.items():
                names = [q for q in value.undefined if (q in single) == for_want_of_votes]
                if names:
                    words, count = WORDS.get(name, name), several(len(names), "question")
                    why = reason.format(**terms.to_dict())
                    yield f"{words} is undefined for {count}: {why}"
        if self.repeated:
            yield (
                f"{several(self.repeated, 'vote')} left out: the same annotator voted again in a "
                "later batch, which counts"
            )
        dropped = sum(next(iter(self.values.values())).dropped.values()) if self.values else 0
        if dropped:
            times = several(dropped, "time")
            yield f"{times} a question had one vote only on some {terms.item}: left out"
        if self.bootstrap is not None:
            draws = self.bootstrap
            yield (
                f"{100 * draws.level:.4g} % confidence intervals: percentiles of {draws.samples} "
                f"bootstrap samples of {terms.items}, seed {draws.seed}"
            )


@dataclass(frozen=True, eq=False)
class AgreementAnalysis(Analysis):
    """Coefficients of everybody and of groups, and who agrees with whom."""

    title = "Agreement of annotators"

    everybody: Coefficients
    groups: Mapping[str, Coefficients] = field(default_factory=dict)
    """By name; "majorities" are what the groups decide."""
    pairs: PairAgreement | None = None

    @property
    def terms(self) -> Terms:
        return self.everybody.votes.terms

    def _facts(self) -> dict[str, Any]:
        facts = self.everybody.facts()
        if self.groups:
            facts["groups"] = {name: group.facts() for name, group in self.groups.items()}
        if self.pairs is not None:
            facts["pairs"] = _pair_facts(self.pairs)
        return facts

    def _tables(self) -> list[Table]:
        tables = [
            self._questions(),
            *map(self._compared, self.everybody.names if self.groups else ()),
        ]
        if self.pairs is not None:
            tables.append(_pair_table(self.pairs, self.terms))
        rows: list[dict[str, Any]] = list(self.everybody.rows())
        if self.groups:
            parts = {"": self.everybody, **self.groups}
            rows = [{"group": name} | row for name, part in parts.items() for row in part.rows()]
        if self.pairs is not None:
            tables.append(Table("all pairs", list(_pair_rows(self.pairs)), audience="programs"))
        return [*tables, Table("coefficients", rows, audience="programs")]

    def _questions(self) -> Table:
        """Questions by coefficients, the means on top."""
        part = self.everybody
        rows = _lines(part, {name: (part, name) for name in part.names})
        columns = [_QUESTION, *(_cell(name, part) for name in part.names)]
        return Table("questions", rows, columns, audience="people", emphasis="_emphasis")

    def _compared(self, coefficient: str) -> Table:
        """Groups side by side."""
        first = next(iter(self.groups.values()))
        cells = {name: (group, coefficient) for name, group in self.groups.items()}
        columns = [_QUESTION, *(_cell(name, group) for name, group in self.groups.items())]
        return Table(
            f"groups by {coefficient}",
            _lines(first, cells),
            columns,
            title=f"{WORDS.get(coefficient, coefficient)} of groups",
            audience="people",
            emphasis="_emphasis",
        )

    def _remarks(self) -> list[str]:
        remarks = list(self.everybody.remarks())
        if self.groups:
            remarks.append("majorities: how far the majorities of the groups agree with each other")
        return remarks

    def _charts(self) -> list[Chart]:
        votes, cells = self.everybody.votes, self.everybody.cells
        return [
            *map(self._coefficient_chart, self.everybody.names),
            _paradigm_chart("concept", votes.concepts, cells.by_concept("all"),
                            cells.by_concept("selected"), self.terms),
            _paradigm_chart("item", votes.items, cells.by_item("all"), cells.by_item("selected"),
                            self.terms),
        ]  # fmt: skip

    def _coefficient_chart(self, coefficient: str) -> Chart:
        parts = self.groups or {"all": self.everybody}
        rows = [
            {"question": question, "group": name, "value": part.value(coefficient, question)}
            | part.limits(coefficient, question)
            for question in self.everybody.questions
            for name, part in parts.items()
            if np.isfinite(part.value(coefficient, question))
        ]
        low = min([0.0, *(value for row in rows for value in row.values()
                          if isinstance(value, float) and np.isfinite(value))])  # fmt: skip
        return Chart(
            kind="ranges",
            rows=rows,
            x=Axis("value", WORDS.get(coefficient, coefficient), domain=(low, 1.0)),
            y=Axis("question", scale="names"),
            series="group",
            order=tuple(parts),
            ends=None if self.everybody.bootstrap is None else ("low", "high"),
            rules=(0.6, 0.8),
            tooltip=("question", "group", "value"),
            title=WORDS.get(coefficient, coefficient),
            subtitle="agreement on each question",
        )


_QUESTION = Column("question", " ", key=True)


def _cell(name: str, part: Coefficients) -> Column:
    ends = None if part.bootstrap is None else (f"{name} low", f"{name} high")
    return Column(name, WORDS.get(name, name), interval=ends)


def _lines(
    part: Coefficients, cells: Mapping[str, tuple[Coefficients, str]]
) -> list[dict[str, Any]]:
    """A line for each question, means above them; of cells: field, votes and coefficient."""
    lines: list[dict[str, Any]] = []
    for question in ("", *part.questions):
        line: dict[str, Any] = {
            "question": question or MEAN,
            "_question": question,
            "_emphasis": "" if question else "strong",
        }
        for name, (votes, coefficient) in cells.items():
            limits = votes.limits(coefficient, question)
            line[name] = votes.value(coefficient, question)
            line |= {f"{name} {end}": value for end, value in limits.items()}
        lines.append(line)
        for kind in () if question else part.means_by_kind:
            means = {
                name: votes.means_by_kind[kind][coefficient]
                for name, (votes, coefficient) in cells.items()
            }
            lines.append({"question": f"mean over {kind}", "_question": None, **means})
    return lines


def _pair_table(pairs: PairAgreement, terms: Terms) -> Table:
    """Who agrees with whom, as Table 6.2 of Nowak 2011."""
    shown = pairs.annotators[:_PAIRS_SHOWN]
    rows = [
        {
            "number": number + 1,
            "annotator": name,
            **{
                str(other + 1): float(pairs.pairs[number, other]) if other > number else ""
                for other in range(1, len(shown))
            },
            MERGED: float(pairs.merged[number]),
        }
        for number, name in enumerate(shown)
    ]
    columns = [Column("number", " ", key=True, align="right"), Column("annotator", key=True)]
    columns += [Column(str(other + 1), align="right") for other in range(1, len(shown))]
    remarks = [
        f"share of cells tagged alike; mean of pairs {_number(pairs.mean)}, with "
        f"the majority included {_number(pairs.mean_with_merged)}",
        f"mean over pairs of annotators of one {terms.item}: {_number(pairs.mean_by_item)} of all "
        f"cells, {_number(pairs.mean_by_item_selected)} of those that somebody selected",
    ]
    if len(pairs.annotators) > _PAIRS_SHOWN:
        remarks.append(f"… and {len(pairs.annotators) - _PAIRS_SHOWN} more annotators: see --csv")
    return Table(
        "pairs",
        rows,
        [*columns, Column(MERGED)],
        title="Pairs of annotators",
        remarks=remarks,
        audience="people",
    )


def _pair_rows(pairs: PairAgreement) -> Iterator[dict[str, Any]]:
    """A record for each pair, and for each annotator beside the majority."""
    for number, name in enumerate(pairs.annotators):
        for other in range(number + 1, len(pairs.annotators)):
            accuracy = float(pairs.pairs[number, other])
            yield {"annotator": name, "other": pairs.annotators[other], "accuracy": accuracy}
        yield {"annotator": name, "other": MERGED, "accuracy": float(pairs.merged[number])}


def _pair_facts(pairs: PairAgreement) -> dict[str, Any]:
    return {
        "annotators": list(pairs.annotators),
        "accuracy": pairs.pairs,
        "merged": pairs.merged,
        "mean": pairs.mean,
        "mean_with_merged": pairs.mean_with_merged,
        "items": dict(zip(pairs.items, pairs.by_item.tolist(), strict=True)),
        "mean_by_item": pairs.mean_by_item,
        "items_selected": dict(zip(pairs.items, pairs.by_item_selected.tolist(), strict=True)),
        "mean_by_item_selected": pairs.mean_by_item_selected,
    }


def _paradigm_chart(
    unit: str, names: Sequence[str], every: Floats, selected: Floats, terms: Terms
) -> Chart:
    """Lines of both paradigms, from the unit that people agree on most to the least."""
    order = np.argsort(-np.nan_to_num(every), kind="stable").tolist()
    rows = [
        {unit: names[index], "rank": rank, "counted": paradigm, "agreement": float(shares[index])}
        for paradigm, shares in (
            ("all decisions", every),
            (f"selected {terms.concepts}", selected),
        )
        for rank, index in enumerate(order, 1)
        if not np.isnan(shares[index])
    ]
    named = unit == "concept"
    return Chart(
        kind="lines",
        rows=rows,
        x=Axis(unit, scale="names") if named else Axis("rank", f"{terms.items}, in their order"),
        y=Axis("agreement", domain=(0.0, 1.0)),
        series="counted",
        tooltip=(unit, "counted", "agreement"),
        title=f"Agreement with the majority, by {terms.word(unit)}",
        subtitle=f"mean {_number(mean_of_defined(every))} over all decisions, "
        f"{_number(mean_of_defined(selected))} where somebody chose the {terms.concept}",
    )


def _number(value: float | Floats) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def analyse_agreement(
    votes: Votes,
    coefficients: Annotated[
        Sequence[CoefficientName],
        Option(name="coefficient", short="-c", metavar="NAME", default=", ".join(DEFAULTS)),
    ] = (),
    *,
    intervals: Annotated[bool, Option()] = False,
    level: Annotated[
        float, Option(metavar="SHARE", minimum=0.5, maximum=0.999, needs="intervals")
    ] = 0.95,
    samples: Annotated[int, Option(minimum=10, maximum=MOST_DRAWS, needs="intervals")] = 1000,
    groups: Mapping[str, Sequence[str]] | None = None,
    pairs: Annotated[bool, Option()] = False,
    seed: Seed = 0,
    progress: Progress = silent,
) -> AgreementAnalysis:
    """Tell how far annotators agree: on each question, and on average.

    Concepts that exclude each other are one question when --ontology or --group says so. With
    --crews, groups of annotators are compared with each other, and so are their majorities.

    coefficients  percent, fleiss, free_marginal, krippendorff, gwet, cohen, krippendorff_nominal,
                  …_ordinal, …_interval; of whole sets of labels …_jaccard, …_masi; may be repeated.
    intervals     Bootstrap items: confidence intervals of all values.
    level         Of the intervals.
    samples       Bootstraps of the intervals.
    groups        names of groups of annotators, and their members
    pairs         Who agrees with whom, and with the majority of everybody; --csv lists pairs then.
    seed          Seed of the bootstraps.
    """
    names = tuple(coefficients) or DEFAULTS
    bootstrap = Bootstrap(level, samples, seed) if intervals else None
    parts = {"": votes} | (compared(votes, groups) if groups else {})
    analysed = {}
    with progress("comparing", len(parts)) as step:
        for name, part in parts.items():
            analysed[name] = Coefficients(part, names, bootstrap)
            analysed[name].facts()  # computes everything
            step(1)
    everybody = analysed.pop("")
    return AgreementAnalysis(everybody, analysed, pair_agreement(votes) if pairs else None)


@dataclass(frozen=True, eq=False)
class ConceptAgreement(Analysis):
    """How far annotators agree with the majority on each concept."""

    map: AgreementMap
    paradigm: Paradigm
    terms: Terms = CONCEPTS

    @property
    def title(self) -> str:  # type: ignore[override] # that of others is the same for all
        return f"Agreement by {self.terms.concept}"

    def _facts(self) -> dict[str, Any]:
        return {
            "paradigm": self.paradigm,
            "counts": dict(self.map.provenance.counts) if self.map.provenance else {},
            "concepts": {row["concept"]: row["value"] for row in self._rows()},
        }

    def _rows(self) -> list[dict[str, Any]]:
        names = zip(self.map.concepts, np.asarray(self.map.values).tolist(), strict=True)
        return [{"concept": name, "value": value} for name, value in names]

    def _tables(self) -> list[Table]:
        return [Table("concepts", self._rows(), [Column("concept"), Column("value", "agreement")])]

    def _charts(self) -> list[Chart]:
        return [
            Chart(
                kind="bars",
                rows=sorted(self._rows(), key=lambda row: -row["value"]),
                x=Axis("value", "agreement", domain=(0.0, 1.0)),
                y=Axis("concept", scale="names"),
                title=self.title,
            )
        ]


def concept_agreement(
    votes: Votes, *, paradigm: Annotated[Paradigm, Option()] = "all"
) -> ConceptAgreement:
    """Tell how far annotators agree with the majority on each concept, as OS can weigh it.

    paradigm  Every decision counts, or only items where somebody chose the concept.
    """
    return ConceptAgreement(agreement_map(votes, paradigm), paradigm, votes.terms)
