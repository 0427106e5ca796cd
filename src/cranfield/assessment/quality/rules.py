"""Rules of rejection: which sheets are not to be used, each with a reason in words.

    unanswered     a question that every sheet must answer is open (Nowak 2011 §6.2.2)
    wrong_gold     too many answers contradict what is known
    wrong_control  a control has one right answer, which was not given: the pair of identical words
                   that must get 4 (Nowak 2011 §8.5)
    wrong_pace     done in less time, or more, than is possible
    straight_line  the same answers again and again
    disagreeing    what the annotator says has little to do with what the others say

A rule is a function of votes that returns the rejected sheets, by their places, with the reason as
the annotator may read it. Rules about annotators reject all of their sheets.

Gold: answers that are known, which votes are held against.

A truth tells them cell by cell, where it was judged: of a choice the one answer that holds, if it
is one. Votes tell them as their majority, where that is no even split. What gold says nothing of
counts nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cranfield.assessment.quality.annotators import agreement_by
from cranfield.assessment.votes import Question, Votes
from cranfield.assessment.votes.questions import NOT_ASKED
from cranfield.core.matrices import Bools, Floats, Ints, dense, ratio
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several

Rejected = dict[int, str]
"""Sheets, as places, and why."""
ENOUGH = 10
"""Votes held against others that it takes to say that somebody disagrees."""


def unanswered(votes: Votes, questions: Sequence[str] | None = None) -> Rejected:
    """Sheets that leave one of these questions open, though their batch asks it.

    questions  default: all choices, of which exactly one answer holds, but those that most sheets
               leave open: they are optional
    """
    choices = [question.name for question in votes.questions if question.kind == "choice"]
    sheets = votes.sheets
    open_on: dict[int, list[str]] = {}
    for name in choices if questions is None else questions:
        mine = _on(votes, name)
        answered = np.zeros(len(sheets), dtype=np.bool_)
        answered[votes.sheet[mine & (votes.sheet >= 0)]] = True
        presented = np.isin(sheets.batch, votes.batch[mine])
        if questions is None and 2 * (presented & answered).sum() < presented.sum():
            continue
        for sheet in np.flatnonzero(presented & ~answered).tolist():
            open_on.setdefault(sheet, []).append(name)
    return {sheet: f"left open: {', '.join(names)}" for sheet, names in open_on.items()}


def wrong_gold(votes: Votes, known: Ints, *, limit: float, each: str = "annotator") -> Rejected:
    """Who answers more than this share of gold wrong: all their sheets, or each such sheet.

    known  (votes,): the right answers, −1 where unknown
    each   what the share is taken of: everything an "annotator" said, or each "sheet"
    """
    _require_share("limit", limit)
    if each not in ("annotator", "sheet"):
        raise InputError(f"each={each!r}", mend="choose 'annotator' or 'sheet'", parameter="each")
    groups = votes.annotator if each == "annotator" else votes.sheet
    size = len(votes.annotators) if each == "annotator" else len(votes.sheets)
    held = (known != NOT_ASKED) & (groups >= 0)
    wrong = held & (votes.answer != known)
    count, errors = (np.bincount(groups[which], minlength=size) for which in (held, wrong))
    reasons = {
        index: f"{errors[index]} of {several(int(count[index]), 'known answer')} wrong"
        for index in np.flatnonzero(ratio(errors, count) > limit).tolist()
    }
    return reasons if each == "sheet" else _all_sheets(votes, reasons)


def wrong_control(votes: Votes, controls: Mapping[str, object]) -> Rejected:
    """Sheets that answer a control question otherwise; of a control item, all sheets that the
    annotator handed in with it in the batch.

    controls  the right answer by the name of a question or an item
    """
    names = {question.name for question in votes.questions}
    items = set(votes.items)
    rejected: Rejected = {}
    for name, value in controls.items():
        if (name in names) == (name in items):
            both = "both a question and an item" if name in names else "no question and no item"
            raise InputError(f"control {name!r} is {both}; name one that people voted on")
        mine = _on(votes, name) if name in names else votes.item == votes.items.index(name)
        right = _answer(votes, mine, name, str(value))
        missed = mine & (right != NOT_ASKED) & (votes.answer != right)
        reason = f"{name} must be answered by {value}"
        if name in names:
            places = votes.sheet[missed]
            rejected |= dict.fromkeys(places[places >= 0].tolist(), reason)
        else:
            rejected |= dict.fromkeys(_same_hand(votes, missed).tolist(), reason)
    return rejected


def wrong_pace(
    votes: Votes,
    *,
    fastest: float | None = None,
    fastest_share: float | None = None,
    slowest: float | None = None,
) -> Rejected:
    """Sheets done in fewer seconds than `fastest`, or than this share of the median of all sheets,
    or in more than `slowest`; those of unknown time are left alone.
    """
    seconds = votes.sheets.seconds
    if np.isnan(seconds).all():
        raise InputError("no sheet tells how long it took; leave limits of time out")
    for name, value in (("fastest", fastest), ("slowest", slowest)):
        if value is not None and not 0 <= value < float("inf"):
            raise InputError(f"{name}={value!r}; give seconds from 0 up")
    if fastest_share is not None:
        _require_share("fastest_share", fastest_share)
        fastest = max(fastest or 0.0, fastest_share * float(np.nanmedian(seconds)))
    low, high = fastest or 0.0, float("inf") if slowest is None else slowest
    if low > high:
        raise InputError(
            f"sheets done in less than {low:g} seconds, or more than {high:g}, are all there are; "
            "fastest= must be below slowest="
        )
    return {
        index: f"done in {seconds[index]:g} seconds, "
        + (f"less than {low:g}" if seconds[index] < low else f"more than {high:g}")
        for index in np.flatnonzero((seconds < low) | (seconds > high)).tolist()
    }


def straight_line(votes: Votes, right: Ints, *, least: int) -> Rejected:
    """The same answers on all of so many sheets or more, though the others answer differently from
    item to item; and sheets that give the same grade to so many questions or more.

    right  (votes,): what the others say, −1 where that is nothing
    """
    sheets = np.bincount(votes.sheets.annotator, minlength=len(votes.annotators))
    pairs = votes.annotator * len(votes.questions) + votes.question
    constant = _constant(pairs, votes.answer)
    held = right != NOT_ASKED
    heard = _constant(pairs[held], right[held])
    always = np.ones(len(votes.annotators), dtype=np.bool_)
    always[[pair // len(votes.questions) for pair, same in constant.items() if not same]] = False
    varied = np.zeros_like(always)
    varied[[pair // len(votes.questions) for pair, same in heard.items() if not same]] = True
    reasons = {
        who: f"the same answers on all {sheets[who]} sheets"
        for who in np.flatnonzero(always & varied & (sheets >= least)).tolist()
    }
    return _same_grades(votes, least) | _all_sheets(votes, reasons)


def disagreeing(
    votes: Votes,
    right: Ints,
    scores: Floats,
    *,
    least_agreement: float | None = None,
    least_score: float | None = None,
) -> Rejected:
    """Annotators who say what the others say in less than this share of votes, or whose spammer
    score is lower than this; of fewer than 10 votes nothing is said.
    """
    agreed, held = agreement_by(votes.annotator, len(votes.annotators), votes, right)
    reasons: dict[int, str] = {}
    limits = (
        (least_score, scores, f"hardly depend on the {votes.terms.item}: score"),
        (least_agreement, agreed, "agree with those of others by"),
    )
    for limit, values, words in limits:
        if limit is not None:
            _require_share("least_agreement or least_score", limit)
            low = np.flatnonzero((values < limit) & (held >= ENOUGH)).tolist()
            reasons |= {
                who: f"answers {words} {values[who]:.2f}, less than {limit:g}" for who in low
            }
    return _all_sheets(votes, reasons)


# ── what rules share ──────────────────────────────────────────────────────────────────────────


def _on(votes: Votes, question: str) -> Bools:
    """Which votes answer a question."""
    names = [one.name for one in votes.questions]
    if question not in names:
        raise InputError(f"there is no question {question!r}; there are {first_ten(names)}")
    return np.asarray(votes.question == names.index(question), dtype=np.bool_)


def _all_sheets(votes: Votes, reasons: Mapping[int, str]) -> Rejected:
    """All sheets of some annotators."""
    if not reasons:
        return {}
    who = votes.sheets.annotator
    places = np.flatnonzero(np.isin(who, list(reasons)))
    return {index: reasons[int(who[index])] for index in places.tolist()}


def _same_hand(votes: Votes, missed: Bools) -> Ints:
    """Sheets of the annotators of some votes, in the same batches."""
    batches = len(votes.batches)
    hands = votes.annotator[missed] * batches + votes.batch[missed]
    return np.flatnonzero(np.isin(votes.sheets.annotator * batches + votes.sheets.batch, hands))


def _answer(votes: Votes, mine: Bools, control: str, value: str) -> Ints:
    """(votes,): the place of a value among the answers of each question that a control asks."""
    places = np.full(len(votes.questions), NOT_ASKED)
    numbers = np.unique(votes.question[mine]).tolist()
    for number in numbers:
        question = votes.questions[number]
        spelling = {"1": "yes", "0": "no"}.get(value, value) if question.kind == "yes_no" else value
        if spelling in question.answers:
            places[number] = question.answers.index(spelling)
    if (places[numbers] == NOT_ASKED).all():
        there = votes.questions[numbers[0]].answers if numbers else ()
        raise InputError(
            f"control {control!r}: nobody could answer {value!r}; there are {first_ten(there)}"
        )
    return places[votes.question]


def _constant(groups: Ints, values: Ints) -> dict[int, bool]:
    """For each group of votes, whether all values are the same."""
    order = np.lexsort((values, groups))
    first = np.flatnonzero(np.diff(groups[order], prepend=-1))
    last = np.append(first[1:], len(order))[: len(first)] - 1
    same = values[order[first]] == values[order[last]]
    return dict(zip(groups[order[first]].tolist(), same.tolist(), strict=True))


def _same_grades(votes: Votes, least: int) -> Rejected:
    """Sheets on which so many grades are all the same."""
    graded = np.array([question.kind == "grade" for question in votes.questions], dtype=np.bool_)
    mine = np.flatnonzero(graded[votes.question] & (votes.sheet >= 0))
    value = np.zeros(len(mine), dtype=np.int64)
    for number in np.flatnonzero(graded).tolist():
        here = votes.question[mine] == number
        value[here] = votes.questions[number].values[votes.answer[mine[here]]]
    count = np.bincount(votes.sheet[mine], minlength=len(votes.sheets))
    return {
        sheet: f"the same grade to all {count[sheet]} questions"
        for sheet, same in _constant(votes.sheet[mine], value).items()
        if same and count[sheet] >= least
    }


def _require_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise InputError(f"{name}={value!r}; give a share from 0 to 1")


# ── gold ──────────────────────────────────────────────────────────────────────────────────────────


_Column = Callable[[Question], Ints | None]
"""(items of the gold,): places among the answers of a question, −1 unknown; None: never known."""


def gold_answers(votes: Votes, gold: Truth | Votes) -> Ints:
    """(votes,): the place of the known answer; −1 where none is known."""
    column = _told_by_votes(gold) if isinstance(gold, Votes) else _told_by_truth(gold)
    places = {name: index for index, name in enumerate(gold.items)}
    index = np.array([places.get(name, -1) for name in votes.items], dtype=np.int64)
    known = np.full(len(votes), NOT_ASKED)
    edges = np.searchsorted(votes.question, np.arange(len(votes.questions) + 1))
    for question, start, stop in zip(votes.questions, edges[:-1], edges[1:], strict=True):
        right = column(question)
        if right is not None:
            where = index[votes.item[start:stop]]
            known[start:stop] = np.where(where < 0, NOT_ASKED, right[where])
    if (known == NOT_ASKED).all():
        raise InputError(
            f"the gold answers nothing that was voted on; it has the items {first_ten(gold.items)}"
        )
    return known


def _told_by_votes(gold: Votes) -> _Column:
    ballots = {ballot.question.name: ballot for ballot in gold.ballots}

    def column(question: Question) -> Ints | None:
        ballot = ballots.get(question.name)
        if ballot is None:
            return None
        if ballot.question.kind != question.kind:
            raise InputError(
                f"gold: {question.name!r} is a question of kind {ballot.question.kind}, and of "
                f"kind {question.kind} in the votes; say in both what it is"
            )
        # An answer that nobody gave is known as well: whoever answered was wrong.
        places = {answer: index for index, answer in enumerate(question.answers)}
        moved = np.array([places.get(answer, question.size) for answer in ballot.question.answers])
        sure = ballot.answered & ~ballot.tied
        return np.where(sure, moved[np.where(sure, ballot.majority, 0)], NOT_ASKED)

    return column


def _told_by_truth(gold: Truth) -> _Column:
    columns = gold.concept_axis.positions
    labels, judged = dense(gold.labels), _judged(gold)

    def column(question: Question) -> Ints | None:
        if question.kind == "choice":
            there = [name for name in question.answers if name in columns]
            if not there:
                return None
            mine = [columns[name] for name in there]
            places = np.array([question.answers.index(name) for name in there])
            holds = labels[:, mine] & judged[:, mine]
            return np.where(holds.sum(axis=1) == 1, places[holds.argmax(axis=1)], NOT_ASKED)
        if question.name not in columns:
            return None
        own = columns[question.name]
        if question.kind == "yes_no":
            answer = labels[:, own].astype(np.int64)
        else:
            if gold.grades is None:
                raise InputError(f"gold: {question.name!r} asks for grades, which the truth lacks")
            answer = _places(dense(gold.grades)[:, own], question)
        return np.where(judged[:, own], answer, NOT_ASKED)

    return column


def _places(grades: Ints, question: Question) -> Ints:
    places = {int(value): index for index, value in enumerate(question.values)}
    return np.array([places.get(int(grade), question.size) for grade in grades], dtype=np.int64)


def _judged(gold: Truth) -> Bools:
    if gold.judged is None:
        return np.ones(gold.shape, dtype=np.bool_)
    return np.asarray(dense(gold.judged), dtype=np.bool_)
