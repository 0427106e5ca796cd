"""Groups: concepts that exclude each other, asked as yes/no each, made one choice.

Who chose none of a group, or several, left it unclear: such answers are no vote, and are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from cranfield.assessment.votes.cast import Votes
from cranfield.assessment.votes.questions import Question
from cranfield.core.matrices import Ints
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Ontology


class Unclear(NamedTuple):
    """What an annotator left unclear: none of a group chosen, or several."""

    item: str
    annotator: str
    group: str
    chosen: tuple[str, ...]


class Grouped(NamedTuple):
    """Votes with groups as single choices, and what was left unclear."""

    votes: Votes
    unclear: tuple[Unclear, ...]


def groups_of(
    ontology: Ontology, concepts: Sequence[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Groups of which exactly one concept holds: disjoint and required.

    A group is called by what stands right above all of its members, else by their names.
    """
    requested = set(ontology.concepts if concepts is None else concepts)
    required = {frozenset(rule.members) for rule in ontology.required}
    groups: dict[str, tuple[str, ...]] = {}
    for rule in ontology.disjoint:
        members = tuple(member for member in rule.members if member in requested)
        if frozenset(rule.members) not in required or len(members) < 2:
            continue
        above = set.intersection(*(set(ontology.parents[member]) for member in members))
        name = min(above).rpartition(".")[2] if above else "/".join(members)
        groups[name if name not in groups else "/".join(members)] = members
    return groups


def group(votes: Votes, groups: Ontology | Mapping[str, Sequence[str]]) -> Grouped:
    """Votes with one choice for each group, behind the questions that are in none."""
    if isinstance(groups, Ontology):
        groups = groups_of(groups, [question.name for question in votes.questions])
    choices = [Question.choice(name, members) for name, members in groups.items()]
    within, answer = _members(votes, choices)
    alone = within < 0
    mine = np.flatnonzero(~alone[votes.question])
    yes = mine[votes.answer[mine] == 1]
    groups_seen, count = _yes_counts(votes, mine, yes, within, len(choices))
    clear = yes[count[np.searchsorted(groups_seen, _codes(votes, yes, within, len(choices)))] == 1]
    free = np.flatnonzero(alone[votes.question])
    places = np.concatenate([free, clear])
    asked = np.cumsum(alone) - 1
    made = Votes(
        votes.item[places],
        votes.annotator[places],
        np.concatenate([asked[votes.question[free]], alone.sum() + within[votes.question[clear]]]),
        np.concatenate([votes.answer[free], answer[votes.question[clear]]]),
        items=votes.items,
        annotators=votes.annotators,
        questions=[*compress(votes.questions, alone), *choices],
        batch=votes.batch[places],
        batches=votes.batches,
        sheets=votes.sheets,
        terms=votes.terms,
    )
    return Grouped(made, _unclear(votes, yes, within, choices, groups_seen[count != 1]))


def _members(votes: Votes, choices: Sequence[Question]) -> tuple[Ints, Ints]:
    """The group that each question belongs to, −1 for none, and its place among the answers."""
    index = {question.name: number for number, question in enumerate(votes.questions)}
    within, answer = np.full((2, len(index)), -1)
    for number, choice in enumerate(choices):
        for order, member in enumerate(choice.answers):
            where = f"group {choice.name!r}:"
            if member not in index:
                raise InputError(
                    f"{where} nobody was asked about {member!r}; there are {first_ten(index)}"
                )
            if votes.questions[index[member]].kind != "yes_no":
                raise InputError(f"{where} {member!r} is no yes/no question; leave it out")
            if within[index[member]] >= 0:
                raise InputError(f"{where} {member!r} is in another group too; leave it in one")
            within[index[member]], answer[index[member]] = number, order
    return within, answer


def _codes(votes: Votes, places: Ints, within: Ints, groups: int) -> Ints:
    """A number for the sheet and the group of some votes."""
    return votes.sheet[places] * groups + within[votes.question[places]]


def _yes_counts(
    votes: Votes, mine: Ints, yes: Ints, within: Ints, groups: int
) -> tuple[Ints, Ints]:
    """Every group on every sheet that was asked for it, and how often it was answered by yes."""
    seen = np.unique(_codes(votes, mine, within, groups))
    there = np.searchsorted(seen, _codes(votes, yes, within, groups))
    return seen, np.bincount(there, minlength=len(seen))


def _unclear(
    votes: Votes, yes: Ints, within: Ints, choices: Sequence[Question], codes: Ints
) -> tuple[Unclear, ...]:
    chosen: dict[int, list[str]] = {code: [] for code in codes.tolist()}
    own = _codes(votes, yes, within, len(choices))
    several = np.isin(own, codes)
    for index, code in zip(yes[several], own[several].tolist(), strict=True):
        chosen[code].append(votes.questions[votes.question[index]].name)
    sheets = votes.sheets
    return tuple(
        Unclear(
            votes.items[sheets.item[code // len(choices)]],
            votes.annotators[sheets.annotator[code // len(choices)]],
            choices[code % len(choices)].name,
            tuple(names),
        )
        for code, names in chosen.items()
    )
