"""What stands beside the answers: how long a sheet took, when it came, what was remarked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.assessment.files.gathered import ASIDE, Gathered
from cranfield.assessment.files.times import moment_of, seconds_of
from cranfield.assessment.votes import Sheets
from cranfield.assessment.votes.sheets import UNKNOWN_TIME, distinct
from cranfield.core.matrices import Floats, Ints
from cranfield.errors import several
from cranfield.formats.problems import shown


class Beside:
    """Texts beside the first rows that were gathered, and where the rows stand."""

    def __init__(self, gathered: Gathered, aside: NDArray[np.uint32], position: Ints) -> None:
        self._gathered = gathered
        self._aside = aside
        self._position = position

    def sheets(self, row: Ints, codes: Ints, shape: tuple[int, ...]) -> Sheets:
        """One sheet for each code, which is its item, annotator and batch; row: what has it."""
        sheets = distinct(codes)
        first = {name: self._first(name, row, codes, sheets) for name in ASIDE}
        comments, assignments = (
            np.array(self._gathered.texts[name].texts, dtype=object)[first[name]].tolist()
            for name in ("comment", "assignment")
        )
        return Sheets.of(
            *np.unravel_index(sheets, shape),
            seconds=self._seconds(first["seconds"]),
            submitted=self._moments(first["submitted"]),
            comments=comments,
            assignments=assignments,
        )

    def _first(self, name: str, row: Ints, codes: Ints, sheets: Ints) -> Ints:
        """The first text beside the rows of each sheet; 0 where there is none."""
        said = self._aside[:, ASIDE.index(name)]
        mine = np.flatnonzero(row < len(said))
        texts = said[row[mine]].astype(np.int64)
        mine, texts = mine[texts > 0], texts[texts > 0]
        place = np.searchsorted(sheets, codes[mine])
        found = np.zeros(len(sheets), dtype=np.int64)
        found[place[::-1]] = texts[::-1]
        others = len(np.unique(place[found[place] != texts]))
        if others:
            self._gathered.notes.append(
                f"{several(others, 'sheet')} with different entries for {name}; the first counts"
            )
        return found

    def _seconds(self, numbers: Ints) -> Floats:
        mend = "write seconds, such as 12.5"
        return self._parsed("seconds", numbers, seconds_of, np.nan, mend)

    def _moments(self, numbers: Ints) -> NDArray[np.datetime64]:
        mend = "write it as 2011-03-01T12:30:00"
        return self._parsed("submitted", numbers, moment_of, UNKNOWN_TIME, mend)

    def _parsed(
        self,
        name: str,
        numbers: Ints,
        parse: Callable[[str], Any],
        unknown: Any,
        mend: str,
    ) -> NDArray[Any]:
        """What the texts beside sheets mean; reported where one means nothing."""
        texts = self._gathered.texts[name].texts
        said = self._aside[:, ASIDE.index(name)]
        used, place = np.unique(numbers, return_inverse=True)
        values = [parse(texts[number]) if number else None for number in used.tolist()]
        for number, value in zip(used.tolist(), values, strict=True):
            if number and value is None:
                row = int(np.flatnonzero(said == number)[0])
                self._gathered.part_of(row).report(
                    int(self._position[row]), f"{name} is {shown(texts[number])}; {mend}"
                )
        meant = np.array([unknown if value is None else value for value in values])
        return meant[place] if len(meant) else np.full(0, unknown)
