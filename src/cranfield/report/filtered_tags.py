"""What filtering left of users' tags: a table, JSON, and lists of what was kept and removed."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group

from cranfield.assessment.weak_labels import FilteredTags, JudgedFilter
from cranfield.core.matrices import dense
from cranfield.errors import several
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.records import defined

_SHOWN = 40
"""Tags that a table lists."""
_JUDGED = ("before", "after", "targets_kept", "outliers_removed", "auc")


def filtered_table(found: FilteredTags, judged: JudgedFilter | None) -> Group:
    """Tags by the number of items, with the truth's verdict where there is one."""
    table = plain_table()
    table.add_column("tag")
    headings = ["items", "kept", "removed"]
    if judged is not None:
        headings += ["right before", "after", "targets kept", "outliers removed", "AUC"]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    rows = _rows(found, judged)
    for row in sorted(rows, key=lambda row: -row["items"])[:_SHOWN]:
        counts = [str(row[name]) for name in ("items", "kept", "removed")]
        shares = [_share(row[name]) for name in _JUDGED] if judged is not None else []
        table.add_row(cut_name(row["tag"]), *counts, *shares)
    if judged is not None:
        means = [number(judged.mean(name)) for name in _JUDGED]
        table.add_row("mean over tags", "", "", "", *means)
    said = []
    if len(rows) > _SHOWN:
        said.append(f"… and {len(rows) - _SHOWN} more tags")
    if found.rare:
        said.append(f"{several(len(found.rare), 'tag')} too rare to learn from: left as given")
    if judged is not None:
        said.append("right: the share of items with a tag that it describes, by the truth")
    return Group(table, *map(remark, said))


def filtered_content(found: FilteredTags, judged: JudgedFilter | None) -> dict[str, Any]:
    """The same for other programs."""
    content: dict[str, Any] = {"tags": _rows(found, judged), "rare": list(found.rare)}
    if judged is not None:
        content["mean"] = {name: defined(judged.mean(name)) for name in _JUDGED}
    return content


def tag_list(found: FilteredTags) -> str:
    """item, tag, kept, score: a line for each tag of each item, the most unlikely first."""
    score = found.score
    rows, columns = np.nonzero(dense(found.tags.labels))
    order = np.lexsort((columns, rows, np.nan_to_num(score[rows, columns], nan=np.inf)))
    return as_csv(
        {
            "item": found.tags.items[row],
            "tag": found.tags.concepts[column],
            "kept": int(not score[row, column] < 0),
            "score": defined(float(score[row, column])),
        }
        for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
    )


def _rows(found: FilteredTags, judged: JudgedFilter | None) -> list[dict[str, Any]]:
    rows = [dict(row) for row in found.frame.iter_rows(named=True)]
    if judged is not None:
        for row, verdict in zip(rows, judged.frame.iter_rows(named=True), strict=True):
            row.update({name: verdict[name] for name in _JUDGED})
    return rows


def _share(value: float | None) -> str:
    return number(float("nan") if value is None else value)
