"""TREC runs: `topic Q0 document rank score tag` on each line, parted by any run of blanks.

A run lists what it retrieved, in any order: the score says how documents are ranked. The rank is
ignored, as trec_eval does; where it contradicts the score the run says so. All lines have one tag,
which names the run. A few words may follow on a line and are ignored.

What was retrieved is the Boolean answer of the system: a run has decisions, all of them yes.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from cranfield.core.matrices import Cells, Ints
from cranfield.core.run import Run
from cranfield.core.searches import ranking
from cranfield.errors import several
from cranfield.formats.cells import require_known_concepts, require_known_items, require_listed
from cranfield.formats.gather import Numbered, NumberedTable
from cranfield.formats.kinds.text import plain
from cranfield.formats.kinds.trec.files import (
    Kind,
    Listed,
    require_common_topic,
    require_kind,
    where_listed,
)
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Options
from cranfield.formats.source import Source, Target
from cranfield.kernels.numbering import Names

_LAYOUT = Layout(
    b"",
    names=3,
    width=2,
    after=1,
    loose=(0,),
    columns="6: topic Q0 document rank score tag",
    remark=True,
)


def read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    require_kind(source, Kind.RUN, "a run has 6 fields a line: topic Q0 document rank score tag")
    listed = Listed(problems, width=1, kind=np.float64, likely=source.likely_lines)
    tag, ranks = _Tag(problems), _Ranks()
    table = NumberedTable(source, b"", problems, rows="document")
    names = (listed.topic_names, Names(), listed.document_names, tag.names)
    for chunk in table.numbered(_LAYOUT, where=where_listed, names=names):
        tag.look_at(chunk)
        ranks.look_at(chunk)
        listed.add(chunk, chunk.values[:, 1:])
    listed.finish()
    if expected.items is not None and not expected.open:
        require_known_items(dict.fromkeys(listed.documents), expected, problems)
    require_known_concepts(listed.topics, expected.known_concepts, problems, line=None)
    if expected.open and expected.concepts:
        require_common_topic(listed.topics, expected.concepts, problems)
    return problems.build(lambda: _run(listed, str(tag), ranks, options))


def _run(listed: Listed, tag: str, ranks: _Ranks, options: Options) -> Run:
    return ranking(
        Cells(listed.shape, listed.codes, listed.values[:, 0]),
        listed.documents,
        listed.topics,
        threshold=options.threshold,
        name=options.name if options.chosen else tag,
        tags={"tag": tag} if options.chosen else None,
        notes=ranks.notes(listed),
    )


class _Tag:
    """The tag of a run, which is the same on all lines."""

    def __init__(self, problems: Problems) -> None:
        self.names = Names()
        self._problems = problems
        self._told = False

    def look_at(self, chunk: Numbered) -> None:
        numbers = chunk.numbers[3]
        if numbers.any() and not self._told:
            self._told = True
            texts, first = self.names.texts, int(np.flatnonzero(numbers)[0])
            self._problems.add(
                f"the tag is {shown(texts[numbers[first]])}, and {shown(texts[0])} above; a file "
                "holds one run: write a file for each",
                line=int(chunk.lines[first]),
            )

    def __str__(self) -> str:
        return self.names.texts[0]


class _Ranks:
    """Looks, line after line of a topic, for ranks that are not those of the scores."""

    def __init__(self) -> None:
        self._wrong: set[int] = set()
        self._last: tuple[int, float, float] | None = None
        """Topic, rank and score of the line before."""

    def look_at(self, chunk: Numbered) -> None:
        topics, ranks, scores = chunk.numbers[0], chunk.values[:, 0], chunk.values[:, 1]
        if self._last is not None:
            last, rank, score = self._last
            if last == topics[0] and (ranks[0] - rank) * (scores[0] - score) > 0:
                self._wrong.add(last)
        # In nearly all files neither rises and falls together, so few lines need be looked at.
        for worse in (scores[1:] > scores[:-1], ranks[1:] < ranks[:-1]):
            here = np.flatnonzero(worse)
            steps = (ranks[here + 1] - ranks[here]) * (scores[here + 1] - scores[here])
            wrong = (steps > 0) & (topics[here + 1] == topics[here])
            self._wrong.update(topics[here[wrong]].tolist())
        self._last = int(topics[-1]), float(ranks[-1]), float(scores[-1])

    def notes(self, listed: Listed) -> tuple[str, ...]:
        if not self._wrong:
            return ()
        return (
            f"the ranks in the file contradict the scores in {several(len(self._wrong), 'topic')}, "
            f"such as {shown(listed.topics[min(self._wrong)])}; scores count",
        )


def write_run(run: Run, target: Target) -> None:
    for axis in (run.item_axis, run.concept_axis):
        require_listed(axis, run)
    items, concepts = list(plain(run.items)), list(plain(run.concepts))
    tag = re.sub(r"\s+", "_", run.tags.get("tag", run.name)) or "run"
    codes, scores = _by_topic(run)
    rank, last = 0, -1
    for code, score in zip(codes.tolist(), scores.tolist(), strict=True):
        document, topic = divmod(code, run.shape[1])
        rank = rank + 1 if topic == last else 1
        last = topic
        line = f"{concepts[topic]} Q0 {items[document]} {rank} {score!r} {tag}\n"
        target.stream.write(line.encode())


def _by_topic(run: Run) -> tuple[Ints, Any]:
    """Cells and scores by topic, the best first, ties in the order of the items."""
    ranking = run.ranking
    if isinstance(ranking, Cells):
        codes, scores = ranking.codes, ranking.values
    else:
        codes, scores = np.arange(ranking.size), ranking.ravel()
    order = np.lexsort((-scores, codes % run.shape[1]))
    return codes[order], scores[order].astype(np.float64)
