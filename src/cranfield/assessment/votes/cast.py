"""Votes: what annotators answered, item by item and question by question.

A vote is an answer of an annotator to a question about an item; what nobody was asked is simply not
there. Who is asked again in another batch votes again. Items, annotators and questions stand as
they were first mentioned; whatever the order of a draw or a sum could change goes by their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from cranfield.assessment.votes.questions import Ballot, Kind, Question
from cranfield.assessment.votes.sheets import (
    Sheets,
    checked_places,
    chosen_places,
    distinct,
    named,
    place_of,
    places_by_name,
)
from cranfield.caching import cached_property
from cranfield.core.arguments import FormerName
from cranfield.core.axes import as_ids
from cranfield.core.frames import is_a
from cranfield.core.matrices import Bools, Ints, stable_order
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import FileError, InputError, several

if TYPE_CHECKING:
    import polars

    from cranfield.assessment.agreement import Agreement
    from cranfield.assessment.agreement.cells import Paradigm
    from cranfield.assessment.merging import Consensus
    from cranfield.assessment.merging.consensus import Method
    from cranfield.assessment.quality import Quality
    from cranfield.assessment.votes.columns import VoteFormat
    from cranfield.assessment.votes.grouping import Grouped
    from cranfield.core.truth import Truth
    from cranfield.knowledge import AgreementMap, Ontology


class Votes:
    """The votes of annotators on items.

    item, annotator, question, answer  one place for each vote: in items, annotators, questions, and
                                       among the answers of its question
    batch      the batch of each vote, where there are several
    sheets     what is known beside the answers: times, comments
    terms      what people call concepts and items: "class,photo"
    """

    def __init__(
        self,
        item: ArrayLike,
        annotator: ArrayLike,
        question: ArrayLike,
        answer: ArrayLike,
        *,
        items: Iterable[object],
        annotators: Iterable[object],
        questions: Iterable[Question],
        batch: ArrayLike | None = None,
        batches: Iterable[object] = ("1",),
        sheets: Sheets | None = None,
        terms: str | Terms = CONCEPTS,
    ) -> None:
        self.items = as_ids("item", items)
        self.annotators = as_ids("annotator", annotators)
        self.questions = tuple(questions)
        self.batches = as_ids("batch", batches)
        as_ids("question", [question.name for question in self.questions])
        if batch is None:
            batch = np.zeros(len(np.asarray(item)), dtype=np.int64)
        columns = {
            "question": (question, len(self.questions)),
            "item": (item, len(self.items)),
            "annotator": (annotator, len(self.annotators)),
            "batch": (batch, len(self.batches)),
        }
        places = {
            name: checked_places(name, given, size) for name, (given, size) in columns.items()
        }
        self.question, self.item, self.annotator, self.batch = places.values()
        sizes = np.array([question.size for question in self.questions], dtype=np.int64)
        self.answer = checked_places("answer", answer, int(sizes.max(initial=0)))
        lengths = {len(column) for column in (*places.values(), self.answer)}
        if len(lengths) > 1:
            raise InputError("items, annotators, questions, answers and batches differ in number")
        if (self.answer >= sizes[self.question]).any():
            raise InputError("an answer lies beyond those of its question")
        self._put_in_order()
        self._sheets = sheets
        self.terms = Terms.of(terms)
        self.problems: tuple[FileError, ...] = ()
        """What was wrong with the files that votes were read from, and so is left out."""
        self.notes: tuple[str, ...] = ()
        """What else is to be known about these files."""

    def _put_in_order(self) -> None:
        """By question, item, annotator and batch; each vote once."""
        shape = (len(self.questions), len(self.items), len(self.annotators), len(self.batches))
        codes = np.ravel_multi_index(
            (self.question, self.item, self.annotator, self.batch), tuple(max(n, 1) for n in shape)
        ).astype(np.int64, copy=False)
        if not (codes[1:] > codes[:-1]).all():
            order = stable_order(codes, int(np.prod(shape)))
            codes = codes[order]
            for column in ("question", "item", "annotator", "batch", "answer"):
                setattr(self, column, getattr(self, column)[order])
        twice = np.flatnonzero(codes[1:] == codes[:-1])
        if len(twice):
            names = [self.name_of(index) for index in twice[:10]]
            raise InputError(
                f"{several(len(twice), 'vote')} cast twice: {'; '.join(names)}; "
                "keep one of each, or say in which batch each was cast"
            )

    # ── where votes come from, and where they go ──────────────────────────────────────────────

    @classmethod
    def read(cls, *paths: str | PathLike[str], **options: Any) -> Votes:
        """Read votes: long CSV, single choices, Label Studio JSON, MTurk results, packed or not.

        options  those of `assessment.files.read_votes`: format, keep_going, absent, batches, item,
                 rejected, kinds, ignore
        """
        from cranfield.assessment.files import read_votes

        return read_votes(*paths, **options)

    def write(self, path: str | PathLike[str], *, format: VoteFormat = "long") -> None:
        """Write votes as long CSV (or TSV), one choice as `item,annotator,<group>` ("choices"), or
        as platforms export them: "label-studio", "mturk"."""
        from cranfield.assessment.files import write_votes

        write_votes(self, path, format=format)

    @classmethod
    def from_columns(
        cls,
        item: Iterable[object],
        annotator: Iterable[object],
        concept: Iterable[object],
        value: Iterable[object],
        *,
        kinds: Mapping[str, Kind] | None = None,
    ) -> Votes:
        """Votes from columns, as a long table has them; values tell what kind a question is."""
        from cranfield.assessment.votes.columns import from_columns

        return from_columns(item, annotator, concept, value, kinds=kinds or {})

    @classmethod
    def from_choices(
        cls,
        item: Iterable[object],
        annotator: Iterable[object],
        label: Iterable[object],
        *,
        group: str = "label",
    ) -> Votes:
        """Votes for one of several labels that exclude each other."""
        labels: Any = label if is_a(label, "pandas", "Series") else list(label)
        return cls.from_columns(
            item, annotator, [group] * len(labels), labels, kinds={group: "choice"}
        )

    @classmethod
    def from_array(
        cls,
        votes: Any,
        *,
        items: Sequence[object] | None = None,
        annotators: Sequence[object] | None = None,
        concepts: Sequence[object] | None = None,
    ) -> Votes:
        """Votes from an array (items, annotators, concepts) of 0 and 1; NaN or −1: not asked."""
        from cranfield.assessment.votes.columns import from_array

        return from_array(votes, items=items, annotators=annotators, concepts=concepts)

    # ── what there is ─────────────────────────────────────────────────────────────────────────

    def __len__(self) -> int:
        return len(self.answer)

    def __repr__(self) -> str:
        return (
            f"<{several(len(self), 'vote')} of {several(len(self.annotators), 'annotator')} on "
            f"{self.terms.several(len(self.items), 'item')}, "
            f"{several(len(self.questions), 'question')}>"
        )

    def name_of(self, index: int) -> str:
        """What to call a vote in messages."""
        return (
            f"{self.annotators[self.annotator[index]]!r} on item {self.items[self.item[index]]!r}, "
            f"{self.questions[self.question[index]].name!r}"
        )

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """Every concept that was asked about, question after question.

        A label of a choice that another question asks about too is called by its own question as
        well, `Season: Sky`; what is asked by itself keeps its name.
        """
        often = Counter(name for question in self.questions for name in question.concepts)
        return as_ids(
            "concept",
            [
                f"{question.name}: {name}"
                if question.kind == "choice" and often[name] > 1
                else name
                for question in self.questions
                for name in question.concepts
            ],
        )

    @property
    def renamed(self) -> tuple[str, ...]:
        """Concepts that are called by their questions as well."""
        labels = [name for question in self.questions for name in question.concepts]
        return tuple(
            name for name, label in zip(self.concepts, labels, strict=True) if name != label
        )

    @cached_property
    def ballots(self) -> tuple[Ballot, ...]:
        """The answers to each question."""
        edges = np.searchsorted(self.question, np.arange(len(self.questions) + 1))
        return tuple(
            Ballot(
                question,
                self.item[start:stop],
                self.annotator[start:stop],
                self.answer[start:stop],
                len(self.items),
                len(self.annotators),
            )
            for question, start, stop in zip(self.questions, edges[:-1], edges[1:], strict=True)
        )

    def ballot(self, question: str) -> Ballot:
        """The answers to one question."""
        return self.ballots[place_of("question", question, self._names_of_questions)]

    @cached_property
    def _names_of_questions(self) -> tuple[str, ...]:
        return tuple(question.name for question in self.questions)

    @cached_property
    def sheets(self) -> Sheets:
        """What was handed in: one for each item, annotator and batch that has votes."""
        if self._sheets is not None:
            return self._sheets
        codes = distinct(self._codes_of_sheets(self.item, self.annotator, self.batch))
        shape = (len(self.items), len(self.annotators), len(self.batches))
        return Sheets.of(*np.unravel_index(codes, tuple(max(n, 1) for n in shape)))

    @cached_property
    def sheet(self) -> Ints:
        """The sheet of each vote, as a place in `sheets`; −1 where none was given."""
        sheets = self.sheets
        known = self._codes_of_sheets(sheets.item, sheets.annotator, sheets.batch)
        order = np.argsort(known)
        codes = self._codes_of_sheets(self.item, self.annotator, self.batch)
        found = np.searchsorted(known, codes, sorter=order).clip(max=max(len(known) - 1, 0))
        places = order[found] if len(known) else np.zeros(len(codes), dtype=np.int64)
        return np.where(known[places] == codes, places, -1) if len(known) else places - 1

    def _codes_of_sheets(self, item: Ints, annotator: Ints, batch: Ints) -> Ints:
        return (item * len(self.annotators) + annotator) * len(self.batches) + batch

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each vote: item, annotator, question, value, and batch if there are some."""
        import polars

        values = [answer for question in self.questions for answer in question.answers]
        starts = np.cumsum([0, *(question.size for question in self.questions)])
        columns = {
            "item": named(self.items, self.item),
            "annotator": named(self.annotators, self.annotator),
            "question": named(self._names_of_questions, self.question),
            "value": named(values, starts[self.question] + self.answer),
        }
        if len(self.batches) > 1:
            columns["batch"] = named(self.batches, self.batch)
        return polars.DataFrame(columns)

    def in_terms(self, terms: str | Terms) -> Votes:
        """The same votes, which tables and sentences call by other words: "class,photo"."""
        new = copy(self)
        new.terms = Terms.of(terms)
        for derived in ("by_name", "latest"):
            new.__dict__.pop(derived, None)
        return new

    # ── some of them ──────────────────────────────────────────────────────────────────────────

    def filter(self, keep: Bools) -> Votes:
        """Some of the votes; items, annotators and questions stay, voted on or not."""
        return Votes(
            self.item[keep],
            self.annotator[keep],
            self.question[keep],
            self.answer[keep],
            items=self.items,
            annotators=self.annotators,
            questions=self.questions,
            batch=self.batch[keep],
            batches=self.batches,
            sheets=self._sheets,
            terms=self.terms,
        )

    kept = FormerName("filter")

    @cached_property
    def by_name(self) -> Votes:
        """The same votes, with items, annotators and batches in the order of their names."""
        names = {"item": self.items, "annotator": self.annotators, "batch": self.batches}
        moved = {kind: places_by_name(ids) for kind, ids in names.items()}
        if all((np.diff(places) == 1).all() for places in moved.values()):
            return self
        return Votes(
            moved["item"][self.item],
            moved["annotator"][self.annotator],
            self.question,
            self.answer,
            items=sorted(self.items),
            annotators=sorted(self.annotators),
            questions=self.questions,
            batch=moved["batch"][self.batch],
            batches=sorted(self.batches),
            sheets=None if self._sheets is None else self._sheets.moved(*moved.values()),
            terms=self.terms,
        )

    @cached_property
    def latest(self) -> Votes:
        """Every annotator once on an item and question: with the answer of the last batch."""
        whose = (self.question, self.item, self.annotator)
        last = np.ones(len(self), dtype=np.bool_)
        last[:-1] = np.logical_or.reduce([column[1:] != column[:-1] for column in whose])
        return self if last.all() else self.filter(last)

    def only(
        self,
        *,
        items: Iterable[str] | None = None,
        annotators: Iterable[str] | None = None,
        questions: Iterable[str] | None = None,
        batches: Iterable[str] | None = None,
    ) -> Votes:
        """The votes on some items, of some annotators, on some questions, of some batches.

        The others are gone altogether: they are no longer listed.
        """
        chosen = {
            "item": chosen_places("item", items, self.items),
            "annotator": chosen_places("annotator", annotators, self.annotators),
            "question": chosen_places("question", questions, self._names_of_questions),
            "batch": chosen_places("batch", batches, self.batches),
        }
        moved = {name: places[getattr(self, name)] for name, (_, places) in chosen.items()}
        keep = np.logical_and.reduce([index >= 0 for index in moved.values()])
        kept = {name: index[keep] for name, index in moved.items()}
        return Votes(
            kept["item"],
            kept["annotator"],
            kept["question"],
            self.answer[keep],
            items=[self.items[i] for i in chosen["item"][0]],
            annotators=[self.annotators[i] for i in chosen["annotator"][0]],
            questions=[self.questions[i] for i in chosen["question"][0]],
            batch=kept["batch"],
            batches=[self.batches[i] for i in chosen["batch"][0]],
            sheets=None
            if self._sheets is None
            else self._sheets.moved(*(chosen[n][1] for n in ("item", "annotator", "batch"))),
            terms=self.terms,
        )

    # ── what they say ─────────────────────────────────────────────────────────────────────────

    def agreement(self, coefficient: str = "krippendorff") -> Agreement:
        """How far annotators agree: a number, the mean over questions, that knows each of them.

        percent, fleiss, free_marginal, gwet, cohen, krippendorff (ordinal for grades), or
        krippendorff_nominal, …_ordinal, …_interval, …_jaccard, …_masi (whole sets of labels).
        """
        from cranfield.assessment.agreement import agreement

        return agreement(self, coefficient)

    def agreement_map(self, paradigm: Paradigm = "all") -> AgreementMap:
        """How far annotators agree with the majority on each concept, as OS takes it.

        all       every decision counts
        selected  only items where somebody chose the concept
        """
        from cranfield.assessment.agreement import agreement_map

        return agreement_map(self, paradigm)

    def consensus(self, method: Method = "majority", **options: Any) -> Consensus:
        """What annotators are believed to say together: a truth, and how sure it is.

        majority, weighted_majority, one_coin, dawid_skene, mace or glad; for options see
        `cranfield.assessment.merging.consensus.consensus`.
        """
        from cranfield.assessment.merging import consensus

        return consensus(self, method, **options)

    def merge(self, method: Method = "majority", **options: Any) -> Truth:
        """The truth of `consensus`."""
        return self.consensus(method, **options).truth

    def quality(self, **options: Any) -> Quality:
        """Whom to trust, and which sheets rules reject; `.accepted` are the votes of the others.

        options  require, gold, controls, fastest, same, least_agreement …: see
                 `cranfield.assessment.quality.analysis.quality`
        """
        from cranfield.assessment.quality import quality

        return quality(self, **options)

    def grouped(self, groups: Ontology | Mapping[str, Sequence[str]]) -> Grouped:
        """The same votes, with yes/no on concepts that exclude each other made one choice."""
        from cranfield.assessment.votes.grouping import group

        return group(self, groups)
