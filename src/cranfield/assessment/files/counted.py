"""From gathered rows to votes: what each row answers, which count, and what each sheet says."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress

import numpy as np

from cranfield.assessment.files.gathered import ASIDE, NEARLY_ALL, Gathered, illegible
from cranfield.assessment.files.sheet_details import Beside
from cranfield.assessment.votes import Question, Sheets, Votes
from cranfield.assessment.votes.columns import NOT_ASKED, Absent, answers_of, asks, fits
from cranfield.assessment.votes.questions import Kind
from cranfield.assessment.votes.sheets import distinct
from cranfield.core.matrices import Bools, Ints, stable_order
from cranfield.errors import InputError, first_ten, several
from cranfield.formats.problems import shown

_MEANT: dict[Kind, str] = {"yes_no": "yes or no", "grade": "whole numbers"}
"""Kinds that answers tell, in words."""


def count(gathered: Gathered, *, absent: Absent) -> Votes:
    """The votes of all rows; what contradicts itself is reported, and the first counts."""
    return _Counting(gathered, {**gathered.kinds, **gathered.given}).votes(absent)


class _Counting:
    """Rows on their way to votes."""

    def __init__(self, gathered: Gathered, kinds: Mapping[str, Kind | Question]) -> None:
        self.gathered = gathered
        self.kinds = {name: kind for name, kind in kinds.items() if name not in gathered.ignore}
        columns, self.position, self.aside = gathered.finished()
        self.names = {name: gathered.texts[name].texts for name in columns}
        self.row = np.arange(len(self.position))
        self.item, self.annotator, self.concept, self.value, self.batch = columns.values()
        self.spoiled = np.ravel_multi_index(tuple(gathered.spoiled.T), self._shape)
        """Sheets of which something is left out, so that silence on them says nothing."""
        self._keep(self._sound(columns))
        self._leave_out_ignored()

    def _sound(self, columns: Mapping[str, Ints]) -> Bools:
        """Rows whose texts could be read; what stands beside them is dropped where it could not."""
        sound = np.ones(len(self.position), dtype=np.bool_)
        if any(part.problems.total for part in self.gathered.parts):
            for name, column in columns.items():
                sound &= ~illegible(self.names[name])[column]
            for index, name in enumerate(ASIDE):
                beside = self.aside[:, index]
                beside[illegible(self.gathered.texts[name].texts)[beside]] = 0
        return sound

    def _keep(self, sound: Bools) -> None:
        """Leave the other rows out."""
        if not sound.all():
            self.spoiled = np.concatenate([self.spoiled, self._sheet_codes()[~sound]])
            for name in ("row", "item", "annotator", "concept", "value", "batch"):
                setattr(self, name, getattr(self, name)[sound])

    def _leave_out_ignored(self) -> None:
        """What is not to be read is no answer; the sheets that hold it stay."""
        ignored = np.array([self.gathered.ignores(name) for name in self.names["concept"]])
        self.concept = np.where(ignored[self.concept], 0, self.concept)
        strange = sorted(set(self.gathered.ignore) - self.gathered.ignored)
        if strange:
            raise InputError(
                f"there is no question {first_ten(strange)} to ignore; "
                f"there are {first_ten(self.names['concept'][1:])}"
            )

    def votes(self, absent: Absent) -> Votes:
        self._tell_kinds()
        self._leave_out_misfits()
        questions, answer = answers_of(
            (self.concept, self.names["concept"]), (self.value, self.names["value"]), self.kinds
        )
        answered = np.flatnonzero((answer >= 0) & (self.concept > 0))
        kept = answered[self._first_of_each(answered, answer)]
        columns = [self.concept[kept], self.item[kept], self.annotator[kept], self.batch[kept]]
        answers = answer[kept]
        if absent == "no":
            columns, answers = self._with_noes(columns, answers, questions)
        return self._made(columns, answers, questions)

    def _tell_kinds(self) -> None:
        """Take nearly all answers for what a question asks: a slip of the pen makes no choice."""
        values = self.names["value"]
        is_answer = np.array([text.strip().casefold() not in NOT_ASKED for text in values])
        total = self._answers_by_question(is_answer)
        counts: dict[Kind, Ints] = {
            kind: self._answers_by_question(
                is_answer & np.array([fits(text, kind) for text in values])
            )
            for kind in _MEANT
        }
        settled = np.any([count == total for count in counts.values()], axis=0)
        for number in np.flatnonzero(~settled).tolist():
            name = self.names["concept"][number]
            kind = max(counts, key=lambda kind: counts[kind][number])
            count = int(counts[kind][number])
            if name in self.kinds or 2 * count < total[number]:
                continue
            if count >= NEARLY_ALL * total[number]:
                self.kinds[name] = kind
            else:
                self.gathered.notes.append(
                    f"{shown(name)} is read as a choice, though {count} of {total[number]} answers "
                    f"are {_MEANT[kind]}; mend the others, or give its kind"
                )

    def _answers_by_question(self, some: Bools) -> Ints:
        """How many answers to each question are among some of the values."""
        return np.bincount(self.concept[some[self.value]], minlength=len(self.names["concept"]))

    def _leave_out_misfits(self) -> None:
        """Report answers that a question of a known kind cannot have."""
        values = self.names["value"]
        misfit = np.zeros(len(self.row), dtype=np.bool_)
        for number, name in enumerate(self.names["concept"]):
            known = self.kinds.get(name)
            if known is None:
                continue
            listed = known.answers if isinstance(known, Question) else ()
            wrong = [
                text.strip() not in listed
                and text.strip().casefold() not in NOT_ASKED
                and not fits(text, known)
                for text in values
            ]
            if any(wrong):
                misfit |= (self.concept == number) & np.array(wrong)[self.value]
        for index in np.flatnonzero(misfit).tolist():
            concept = self.names["concept"][self.concept[index]]
            said = shown(values[self.value[index]])
            self._report(
                index,
                f"{self._name(index)} is {said}, but it {asks(self.kinds[concept])}; mend it, "
                "or give its kind",
            )
        self._keep(~(misfit | self._on_sheets_of(misfit)))

    def _on_sheets_of(self, some: Bools) -> Bools:
        """Rows on the same sheets as these, where a file's records are sheets."""
        within = self.gathered.of_sheets(self.row)
        codes = self._sheet_codes()
        return within & np.isin(codes, codes[some & within])

    def _first_of_each(self, rows: Ints, answer: Ints) -> Ints:
        """The first vote of each annotator on each question in their order; others are told."""
        shape = tuple(len(self.names[name]) for name in ("concept", "item", "annotator", "batch"))
        codes = np.ravel_multi_index(
            (self.concept[rows], self.item[rows], self.annotator[rows], self.batch[rows]), shape
        ).astype(np.int64)
        order = np.arange(len(codes))
        if not (codes[1:] > codes[:-1]).all():
            order = stable_order(codes, int(np.prod(shape)))
            codes = codes[order]
        new = np.ones(len(codes), dtype=np.bool_)
        np.not_equal(codes[1:], codes[:-1], out=new[1:])
        if not new.all():
            first = np.flatnonzero(new)[np.cumsum(new) - 1]
            again = np.flatnonzero(~new)
            self._tell_again(rows[order[first[again]]], rows[order[again]], answer)
        return order[new]

    def _tell_again(self, first: Ints, again: Ints, answer: Ints) -> None:
        differs = answer[first] != answer[again]
        for before, index in sorted(
            zip(first[differs].tolist(), again[differs].tolist(), strict=True), key=lambda p: p[1]
        ):
            values = self.names["value"]
            self._report(
                index,
                f"{self._name(index)} is {shown(values[self.value[index]])} here and "
                f"{shown(values[self.value[before]])} {self._where(before, index)}; keep one, or "
                "say in which batch each was cast",
            )
        alike = int((~differs).sum())
        if alike:
            self.gathered.notes.append(
                f"{several(alike, 'vote')} cast again with the same answer; each counts once"
            )

    def _where(self, before: int, index: int) -> str:
        """Where an earlier vote stands."""
        part, here = (self.gathered.part_of(int(self.row[one])) for one in (before, index))
        position = int(self.position[self.row[before]])
        if part is here and position == self.position[self.row[index]]:
            return "before"
        inside = "on line" if part.unit == "line" else f"in {part.unit}"
        file = "" if part is here else f"in {part.problems.path}, "
        return f"{file}{inside} {position}"

    def _name(self, index: int) -> str:
        """What to call a row in messages."""
        annotator, item, concept = (
            shown(self.names[name][getattr(self, name)[index]])
            for name in ("annotator", "item", "concept")
        )
        return f"{annotator} on item {item}, {concept}"

    def _report(self, index: int, what: str) -> None:
        row = int(self.row[index])
        self.gathered.part_of(row).report(int(self.position[row]), what)

    # ── what was not ticked ───────────────────────────────────────────────────────────────────

    def _with_noes(
        self, columns: list[Ints], answers: Ints, questions: list[Question]
    ) -> tuple[list[Ints], Ints]:
        """Votes with a no for each yes/no question of a batch that a sheet does not mention."""
        concept, _, _, batch = columns
        sheets = distinct(self._sheet_codes())
        sheets = sheets[~np.isin(sheets, self.spoiled)]
        item_of, annotator_of, batch_of = np.unravel_index(sheets, self._shape)
        known = np.ravel_multi_index((columns[1], columns[2], batch), self._shape)
        added: list[list[Ints]] = []
        for pair in np.unique(batch * len(questions) + concept).tolist():
            within, number = divmod(pair, len(questions))
            if questions[number].kind == "yes_no":
                mine = np.flatnonzero(batch_of == within)
                silent = mine[~np.isin(sheets[mine], known[concept == number])]
                added.append(
                    [
                        np.full(len(silent), number),
                        *(side[silent] for side in (item_of, annotator_of, batch_of)),
                    ]
                )
        joined = [np.concatenate(parts) for parts in zip(columns, *added, strict=True)]
        noes = np.zeros(len(joined[0]) - len(answers), dtype=np.int64)
        return joined, np.concatenate([answers, noes])

    def _sheet_codes(self) -> Ints:
        return np.ravel_multi_index((self.item, self.annotator, self.batch), self._shape)

    @property
    def _shape(self) -> tuple[int, ...]:
        """How many items, annotators and batches there are, which sheets are numbered by."""
        return tuple(len(self.names[name]) for name in ("item", "annotator", "batch"))

    # ── what is known beside ──────────────────────────────────────────────────────────────────

    def _made(self, columns: list[Ints], answers: Ints, questions: list[Question]) -> Votes:
        """The votes; texts that nothing is left of are gone."""
        sheets = self._sheets()
        used = {
            "concept": [columns[0]],
            "item": [columns[1]] if sheets is None else [columns[1], sheets.item],
            "annotator": [columns[2]] if sheets is None else [columns[2], sheets.annotator],
            "batch": [columns[3]] if sheets is None else [columns[3], sheets.batch],
        }
        moved, left = {}, {}
        for name, places in used.items():
            there = np.zeros(len(self.names[name]), dtype=np.bool_)
            for one in places:
                there[one] = True
            if name == "concept":
                there |= np.array([text in self.kinds for text in self.names[name]])
            moved[name] = np.cumsum(there) - 1
            left[name] = there
        concept, item, annotator, batch = (
            moved[name][column]
            for name, column in zip(("concept", "item", "annotator", "batch"), columns, strict=True)
        )
        if sheets is not None:
            sheets = Sheets.of(
                moved["item"][sheets.item],
                moved["annotator"][sheets.annotator],
                moved["batch"][sheets.batch],
                seconds=sheets.seconds,
                submitted=sheets.submitted,
                comments=sheets.comments,
                assignments=sheets.assignments,
            )
        return Votes(
            item,
            annotator,
            concept,
            answers,
            items=compress(self.names["item"], left["item"]),
            annotators=compress(self.names["annotator"], left["annotator"]),
            questions=compress(questions, left["concept"]),
            batch=batch,
            batches=list(compress(self.names["batch"], left["batch"])) or ("1",),
            sheets=sheets,
        )

    def _sheets(self) -> Sheets | None:
        """What stands beside the answers; None where nothing does and no sheet is without votes."""
        if not self.aside.any() and (self.concept > 0).all():
            return None
        beside = Beside(self.gathered, self.aside, self.position)
        return beside.sheets(self.row, self._sheet_codes(), self._shape)
