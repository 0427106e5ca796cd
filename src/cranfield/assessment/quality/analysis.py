"""Quality: what is to be thought of annotators, and which of their sheets are to be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield.assessment.quality import rules
from cranfield.assessment.quality.annotators import (
    Drift,
    Reference,
    Work,
    agreement_by,
    drift_of,
    right_answers,
    spammer_scores,
    work_of,
)
from cranfield.assessment.quality.duplicates import Repeated, Twins, repeated, twins
from cranfield.assessment.quality.rules import gold_answers
from cranfield.assessment.votes import Votes
from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Bools, Floats, Ints, ratio
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, require_whole, several

if TYPE_CHECKING:
    import polars

_SHOWN = 20
"""Annotators that a table lists."""
_DRAWN = 200
"""Bars that a chart has room for."""
_TWINS = 5
"""Pairs of annotators that remarks name."""
_TRUSTED = ("nothing rejected", "some sheets rejected")
Share = Annotated[float | None, Option(metavar="SHARE", minimum=0.0, maximum=1.0)]
Seconds = Annotated[float | None, Option(metavar="SECONDS", minimum=0.0)]


@dataclass(frozen=True, eq=False)
class Quality(Analysis):
    """Annotators and their sheets, held against each other and against rules.

    votes     all of them
    right     (votes,): what each is held against, −1: nothing
    rejected  by the name of a rule: sheets, as places in `votes.sheets`, and why
    remarks   what must be known to trust what votes are held against
    """

    title = "Quality of annotators"

    votes: Votes
    right: Ints
    rejected: Mapping[str, rules.Rejected]
    remarks: tuple[str, ...] = ()

    @property
    def terms(self) -> Terms:
        return self.votes.terms

    @cached_property
    def reasons(self) -> dict[int, str]:
        """Every rejected sheet, with all that speaks against it."""
        against: dict[int, list[str]] = {}
        for sheets in self.rejected.values():
            for sheet, reason in sheets.items():
                against.setdefault(sheet, []).append(reason)
        return {sheet: "; ".join(against[sheet]) for sheet in sorted(against)}

    @cached_property
    def refused(self) -> Bools:
        """(sheets,): which are rejected."""
        refused = np.zeros(len(self.votes.sheets), dtype=np.bool_)
        refused[list(self.reasons)] = True
        return refused

    @cached_property
    def accepted(self) -> Votes:
        """The votes without rejected sheets; items and annotators stay, voted on or not."""
        votes = self.votes
        # The last entry is for votes without a sheet, whose place is −1.
        part = ~np.append(self.refused, False)[votes.sheet]
        return Votes(
            votes.item[part],
            votes.annotator[part],
            votes.question[part],
            votes.answer[part],
            items=votes.items,
            annotators=votes.annotators,
            questions=votes.questions,
            batch=votes.batch[part],
            batches=votes.batches,
            sheets=votes.sheets.filter(~self.refused),
            terms=votes.terms,
        )

    # ── annotators ────────────────────────────────────────────────────────────────────────────

    @cached_property
    def work(self) -> Work:
        """How much each annotator did, and how fast."""
        return work_of(self.votes)

    @cached_property
    def agreement(self) -> Floats:
        """(annotators,): the share of votes that say what the others say."""
        votes = self.votes
        return agreement_by(votes.annotator, len(votes.annotators), votes, self.right)[0]

    @cached_property
    def scores(self) -> Floats:
        """(annotators,): spammer scores, 0 for whose answers do not depend on the item."""
        return spammer_scores(self.votes, self.right)

    @cached_property
    def drift(self) -> Drift:
        """Whether annotators get better or worse while they work."""
        return drift_of(self.votes, self.right)

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each annotator, the lowest spammer score first."""
        import polars

        work, drift = self.work, self.drift
        refused = np.bincount(
            self.votes.sheets.annotator[self.refused], minlength=len(self.votes.annotators)
        )
        frame = polars.DataFrame(
            {
                "annotator": list(self.votes.annotators),
                "sheets": work.sheets,
                "rejected": refused,
                "votes": work.votes,
                "agreement": self.agreement,
                "score": self.scores,
                "median_seconds": work.seconds,
                "hours": work.hours,
                "sheets_per_hour": work.per_hour,
                "slope": drift.slope,
                "p": drift.p,
                "first_half": drift.first,
                "second_half": drift.second,
            }
        ).fill_nan(None)
        return frame.sort("score", "agreement", "annotator", nulls_last=True)

    @cached_property
    def repeated(self) -> tuple[Repeated, ...]:
        """Annotators who saw items in several batches."""
        return repeated(self.votes)

    @cached_property
    def twins(self) -> tuple[Twins, ...]:
        """Pairs of annotators who depart from the majority together."""
        return twins(self.votes)

    # ── sheets ────────────────────────────────────────────────────────────────────────────────

    @property
    def rejections(self) -> polars.DataFrame:
        """One row for each rule that rejects a sheet."""
        import polars

        votes, sheets = self.votes, self.votes.sheets
        rows = [
            (
                votes.items[sheets.item[sheet]],
                votes.annotators[sheets.annotator[sheet]],
                votes.batches[sheets.batch[sheet]],
                sheets.assignments[sheet],
                rule,
                reason,
            )
            for rule, rejected in self.rejected.items()
            for sheet, reason in sorted(rejected.items())
        ]
        names = ("item", "annotator", "batch", "assignment", "rule", "reason")
        return polars.DataFrame(rows, schema=dict.fromkeys(names, polars.String), orient="row")

    @property
    def by_item(self) -> polars.DataFrame:
        """Items: sheets, and how many of them are rejected, most first (Nowak 2011, Fig. 6.3)."""
        import polars

        frame = polars.DataFrame({"item": list(self.votes.items), **self._counts("item")})
        return frame.sort("rejected", "item", descending=[True, False])

    @property
    def by_batch(self) -> polars.DataFrame:
        """Batches: annotators, sheets, the share rejected, and mean times (Nowak 2011 §6.2.2)."""
        import polars

        votes, sheets = self.votes, self.votes.sheets
        size = len(votes.batches)
        pairs = np.unique(sheets.batch * len(votes.annotators) + sheets.annotator)
        counts = self._counts("batch")
        columns: dict[str, Any] = {
            "batch": list(votes.batches),
            "annotators": np.bincount(pairs // max(len(votes.annotators), 1), minlength=size),
            **counts,
            "share": ratio(counts["rejected"], counts["sheets"]),
        }
        for name, some in (("mean_seconds", None), ("mean_seconds_rejected", self.refused)):
            timed = ~np.isnan(sheets.seconds) & (True if some is None else some)
            batch = sheets.batch[timed]
            total = np.bincount(batch, sheets.seconds[timed], minlength=size)
            columns[name] = ratio(total, np.bincount(batch, minlength=size))
        return polars.DataFrame(columns).fill_nan(None)

    def _counts(self, by: Literal["item", "batch"]) -> dict[str, Ints]:
        """How many sheets each has, and how many of them are rejected."""
        sheets, votes = self.votes.sheets, self.votes
        size = len(votes.items) if by == "item" else len(votes.batches)
        position = sheets.item if by == "item" else sheets.batch
        return {
            "sheets": np.bincount(position, minlength=size),
            "rejected": np.bincount(position[self.refused], minlength=size),
        }

    @property
    def drifting(self) -> list[str]:
        """Annotators whose agreement changes with time."""
        return [self.votes.annotators[index] for index in self.drift.drifting().tolist()]

    # ── as a result ───────────────────────────────────────────────────────────────────────────

    def _facts(self) -> dict[str, Any]:
        """Every annotator and every rejected sheet."""
        return {
            "remarks": list(self.remarks),
            "sheets": len(self.votes.sheets),
            "rejected": int(self.refused.sum()),
            "rules": {rule: len(rejected) for rule, rejected in self.rejected.items()},
            "annotators": self.frame.to_dicts(),
            "batches": self.by_batch.to_dicts(),
            "items": self._rejected_items(),
            "rejections": self.rejections.to_dicts(),
            "drifting": self.drifting,
            "repeated": list(map(vars, self.repeated)),
            "twins": list(map(vars, self.twins)),
        }

    def _rejected_items(self) -> list[dict[str, Any]]:
        return [row for row in self.by_item.iter_rows(named=True) if row["rejected"]]

    def _tables(self) -> list[Table]:
        rows = self.frame.to_dicts()
        tables = [self._annotators(rows), self._rules()]
        if len(self.votes.batches) > 1:
            tables.append(
                Table(
                    "batches",
                    self.by_batch.to_dicts(),
                    [
                        Column("batch"),
                        *map(Column, ("annotators", "sheets", "rejected")),
                        Column("share", kind="percent", digits=2),
                        Column("mean_seconds", "mean s", digits=1),
                        Column("mean_seconds_rejected", "of rejected", digits=1),
                    ],
                    title="Batches",
                    audience="people",
                )
            )
        return [*tables, Table("annotators", rows, audience="programs")]

    def _annotators(self, rows: list[dict[str, Any]]) -> Table:
        """Annotators, the lowest scores first."""
        drifting = set(self.drifting)
        shown = [
            row | {"drift": _halves_in_words(row), "_mark": "*" * (row["annotator"] in drifting)}
            for row in rows[:_SHOWN]
        ]
        columns = [Column("annotator"), Column("sheets"), Column("rejected")]
        columns += [Column("agreement"), Column("score")]
        if any(row["median_seconds"] is not None for row in shown):
            columns += [Column("median_seconds", "median s", digits=0)]
            columns += [Column("sheets_per_hour", "sheets/h", digits=0)]
        if any(row["slope"] is not None for row in shown):
            columns.append(Column("drift", mark="_mark", align="right"))
        hidden = len(rows) - _SHOWN
        remarks = [f"… and {several(hidden, 'more annotator')}: see CSV"] if hidden > 0 else []
        return Table("trust", shown, columns, remarks=remarks, audience="people")

    def _rules(self) -> Table:
        who = self.votes.sheets.annotator
        rows = [
            {
                "rule": rule,
                "sheets": len(rejected),
                "annotators": len({int(who[sheet]) for sheet in rejected}),
                "example": next(iter(rejected.values()), ""),
            }
            for rule, rejected in self.rejected.items()
        ]
        columns = [Column("rule"), Column("sheets"), Column("annotators")]
        columns.append(Column("example", "such as"))
        return Table("rules", rows, columns, title="Rejected", audience="people")

    def _remarks(self) -> list[str]:
        sheets, refused = len(self.votes.sheets), int(self.refused.sum())
        items = int((self.by_item["rejected"] > 0).sum())
        share = f" ({100 * refused / sheets:.1f} %)" if sheets else ""
        about = f", of {self.terms.several(items, 'item')}" if refused else ""
        remarks = [
            *self.remarks,
            f"{refused} of {several(sheets, 'sheet')} rejected{share}{about}",
            "agreement: share of votes that equal the majority of the others; score: 0 where "
            f"answers do not depend on the {self.terms.item}, 1 where they always follow the "
            "others (Raykar & Yu 2012)",
        ]
        if self.drifting:
            names = first_ten(self.drifting)
            remarks.append(f"* agreement changes with time (p < .05, Holm): {names}")
        if self.repeated:
            twice = sum(annotator.items for annotator in self.repeated)
            votes = sum(annotator.votes for annotator in self.repeated)
            same = sum(annotator.same for annotator in self.repeated)
            remarks.append(
                f"{several(len(self.repeated), 'annotator')} saw "
                f"{self.terms.several(twice, 'item')} in several batches, and answered the same "
                f"in {100 * same / votes:.1f} % of {several(votes, 'vote')}"
            )
        remarks += [
            f"{two.one!r} and {two.other!r} depart from the majority together in {two.shared} of "
            f"{several(two.departures, 'vote')}: the same person?"
            for two in self.twins[:_TWINS]
        ]
        if len(self.twins) > _TWINS:
            more = several(len(self.twins) - _TWINS, "more such pair")
            remarks.append(f"… and {more}: see JSON")
        return remarks

    def _charts(self) -> list[Chart]:
        """Rejections by item and sheets by annotator (Nowak 2011, Figure 6.3), and who agrees how
        far, with what score."""
        people, items = self.frame.to_dicts(), self._rejected_items()
        busiest = sorted(people, key=lambda row: (-row["sheets"], row["annotator"]))
        by_item = f"Rejections by {self.terms.item}"
        charts = [_bars("item", items, by_item, ("rejected",), self.terms)] if items else []
        kinds = ("accepted", "rejected")
        charts.append(_bars("annotator", busiest, "Sheets by annotator", kinds, self.terms))
        fields = ("annotator", "sheets", "rejected", "agreement", "score")
        trust = [
            {name: row[name] for name in fields} | {"kind": _TRUSTED[row["rejected"] > 0]}
            for row in people
            if row["agreement"] is not None and row["score"] is not None
        ]
        return [
            *charts,
            Chart(
                kind="dots",
                rows=trust,
                x=Axis("score", "spammer score", domain=(0.0, 1.0)),
                y=Axis("agreement", "agreement with the others", domain=(0.0, 1.0)),
                series="kind",
                order=_TRUSTED,
                size="sheets",
                tooltip=fields,
                title="Whom to trust",
                subtitle="agreement with the others, and how far answers depend on the "
                f"{self.terms.item}; the larger, the more sheets",
            ),
        ]


def _halves_in_words(row: dict[str, Any]) -> str:
    """Agreement in the first and the second half of the work."""
    if row["first_half"] is None or row["second_half"] is None:
        return "–"
    return f"{row['first_half']:.2f} → {row['second_half']:.2f}"


def _bars(
    unit: str, rows: list[dict[str, Any]], title: str, kinds: tuple[str, ...], terms: Terms
) -> Chart:
    """Sheets of each, those accepted below those rejected."""
    drawn = rows[:_DRAWN]
    total = sum(row["rejected"] for row in rows)
    counted = f"{total} rejected, {terms.several(len(rows), unit)}"
    return Chart(
        kind="bars",
        rows=[
            {
                unit: row[unit],
                "kind": kind,
                "sheets": row["rejected"]
                if kind == "rejected"
                else row["sheets"] - row["rejected"],
            }
            for row in drawn
            for kind in kinds
        ],
        x=Axis(unit, scale="names"),
        y=Axis("sheets"),
        series="kind",
        order=("accepted", "rejected"),
        title=title,
        subtitle=counted if drawn == rows else f"{counted}, of which the first {_DRAWN}",
    )


def quality(
    votes: Votes,
    *,
    require: Annotated[
        Sequence[str] | None, Option(metavar="QUESTION", default="every choice")
    ] = None,
    gold: Truth | Votes | None = None,
    limit: Annotated[float, Option(metavar="SHARE", minimum=0.0, maximum=1.0, needs="gold")] = 0.3,
    each: Annotated[Literal["annotator", "sheet"], Option(needs="gold")] = "annotator",
    controls: Mapping[str, object] | None = None,
    fastest: Seconds = None,
    fastest_share: Share = None,
    slowest: Seconds = None,
    same: Annotated[int | None, Option(minimum=2)] = None,
    least_agreement: Share = None,
    least_score: Share = None,
    reference: Annotated[Reference, Option()] = "others",
) -> Quality:
    """Tell whom to trust, and reject sheets by rules, each with a reason.

    A sheet is what an annotator handed in about an item. Without further options those are rejected
    that leave a choice open, such as a group of --ontology. A score near 0 means that what an
    annotator answers has nothing to do with the items.

    require          A question that every sheet must answer; may be repeated; an empty name: none.
    gold             answers that are known: a truth or votes on some of the items
    limit            Largest share of gold answers that may be wrong.
    each             Errors of an annotator reject all sheets, or those of a sheet itself.
    controls         the one right answer of control questions, or items
    fastest          Sheets done in less time are rejected.
    fastest_share    The same, as a share of the median time.
    slowest          Sheets that took more are rejected.
    same             The same answers on all sheets, N or more, or the same grade to N questions or
                     more of a sheet, are rejected.
    least_agreement  Annotators who agree less with the others are rejected.
    least_score      Annotators with a lower spammer score are rejected.
    reference        What votes are compared with: the majority of the others, or the decision of
                     the model of Dawid & Skene.
    """
    if require is not None:
        require = [name for name in require if name]
    if not len(votes):
        raise InputError("there are no votes; nobody can be trusted or distrusted")
    right, remarks = right_answers(votes, reference)
    made = Quality(votes, right, {})
    rejected: dict[str, rules.Rejected] = {"unanswered": rules.unanswered(votes, require)}
    if gold is not None:
        rejected["gold"] = rules.wrong_gold(
            votes, gold_answers(votes, gold), limit=limit, each=each
        )
    if controls:
        rejected["control"] = rules.wrong_control(votes, controls)
    if any(limit is not None for limit in (fastest, fastest_share, slowest)):
        rejected["pace"] = rules.wrong_pace(
            votes, fastest=fastest, fastest_share=fastest_share, slowest=slowest
        )
    if same is not None:
        require_whole("same", same, least=2)
        rejected["straight line"] = rules.straight_line(votes, made.right, least=same)
    if least_agreement is not None or least_score is not None:
        rejected["disagreement"] = rules.disagreeing(
            votes,
            made.right,
            made.scores,
            least_agreement=least_agreement,
            least_score=least_score,
        )
    return Quality(votes, right, rejected, remarks)
