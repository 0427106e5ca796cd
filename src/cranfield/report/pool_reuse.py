"""What judgements of a pool are worth: tables, JSON, and new relevant documents by depth drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from cranfield.assessment.pools import LeaveOneOut, MissedRelevant, Uncertainty
from cranfield.errors import several
from cranfield.report.pictures import COLOURS, Spec, page
from cranfield.report.tables import cut_name, plain_table, remark

_SHOWN = 20
_WIDTH, _HEIGHT = 640, 300


def reuse_tables(
    left: LeaveOneOut | None, missed: MissedRelevant | None, unsettled: Uncertainty
) -> Group:
    """Each answer that there is, one below the other."""
    parts: list[RenderableType] = []
    if left is not None:
        parts += [*_left_out(left)]
    if missed is not None:
        parts += [*_missed(missed)]
    return Group(*parts, *_unsettled(unsettled))


def reuse_content(
    left: LeaveOneOut | None, missed: MissedRelevant | None, unsettled: Uncertainty
) -> dict[str, Any]:
    """The same for other programs, with every run and pair."""
    return {
        "leave_one_out": None if left is None else _left_out_content(left),
        "missed": None if missed is None else _missed_content(missed),
        "unjudged": _unsettled_content(unsettled),
    }


def discovery_picture(missed: MissedRelevant) -> Spec:
    """New relevant documents at each depth, and the curve of what deeper ones would bring."""
    depths = np.arange(1, missed.to + 1)
    found = [
        {"depth": place, "new": int(count)}
        for place, count in enumerate(missed.discovery.new.tolist(), start=1)
    ]
    curve = [
        {"depth": int(depth), "new": float(value)}
        for depth, value in zip(depths, missed.discovery.curve(depths), strict=True)
    ]
    x = {"field": "depth", "type": "quantitative", "title": "depth", "scale": {"zero": False}}
    y = {"field": "new", "type": "quantitative", "title": "new relevant documents"}
    return page(
        {
            "title": {
                "text": "What each further depth brought",
                "subtitle": f"{missed.found} relevant documents found down to depth "
                f"{missed.depth}; the curve expects {missed.deeper:.0f} more down to {missed.to}",
            },
            "width": _WIDTH,
            "height": _HEIGHT,
            "layer": [
                {
                    "data": {"values": found},
                    "mark": {"type": "point", "filled": True, "size": 40, "color": COLOURS[0]},
                    "encoding": {"x": x, "y": y, "tooltip": [{"field": "depth"}, {"field": "new"}]},
                },
                {
                    "data": {"values": curve},
                    "mark": {"type": "line", "color": COLOURS[1]},
                    "encoding": {"x": x, "y": y},
                },
            ],
        }
    )


def _left_out(left: LeaveOneOut) -> list[RenderableType]:
    table = plain_table()
    table.add_column("group left out")
    table.add_column("run")
    for heading in (str(left.measure), "without", "change", "place", "without", "own", "relevant"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("τ", justify="right")
    worst = sorted(left.groups, key=lambda group: min(run.change for run in group.runs))
    rows = [(group, run) for group in worst for run in group.runs]
    for group, run in rows[:_SHOWN]:
        table.add_row(
            cut_name(group.group),
            cut_name(run.run),
            f"{run.score:.4f}",
            f"{run.without:.4f}",
            f"{run.change:+.4f}",
            str(run.place),
            str(run.place_without),
            str(group.unique),
            str(group.unique_relevant),
            f"{group.tau:.3f}",
        )
    shares = left.relative_changes
    lost = sum(group.topics_lost for group in left.groups)
    notes = [
        f"own: judged documents that no other group pooled. Scores change by {_percent(shares)} on "
        f"average, by {_percent(shares[np.argsort(np.abs(shares))][-1:])} at most"
    ]
    if len(rows) > _SHOWN:
        notes.insert(0, f"and {several(len(rows) - _SHOWN, 'more run')} that change less")
    if lost:
        notes.append(f"{several(lost, 'time')} a topic lost all relevant documents; it scores 0")
    return [_title("Leave one group out"), table, *map(remark, notes)]


def _percent(shares: Any) -> str:
    return f"{100 * float(np.mean(shares)):+.1f} %" if len(shares) else "–"


def _missed(missed: MissedRelevant) -> list[RenderableType]:
    table = plain_table()
    table.add_column("relevant documents")
    for heading in ("estimate", "share missed"):
        table.add_column(heading, justify="right")
    table.add_row("found", str(missed.found), "")
    table.add_row(
        f"missed between depth {missed.depth} and {missed.to} (Zobel)",
        f"{missed.deeper:.0f}",
        f"{100 * missed.deeper_share:.1f} %",
    )
    table.add_row(
        "missed by all groups (Chao, at least)",
        f"{missed.unseen.sum():.0f}",
        f"{100 * missed.unseen_share:.1f} %",
    )
    return [
        _title("Missed"),
        table,
        remark(
            f"new relevant documents at depth d ≈ {missed.discovery.level:.2f} · "
            f"d^{missed.discovery.slope:.2f} − 1; an extrapolation, good for its size only"
        ),
    ]


def _unsettled(unsettled: Uncertainty) -> list[RenderableType]:
    table = plain_table()
    table.add_column("run")
    for heading in (str(unsettled.measure), "if all\nrelevant"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cut in unsettled.cuts:
        table.add_column(f"unjudged\n@{cut}", justify="right", no_wrap=True)
    for run in unsettled.runs[:_SHOWN]:
        shares = (f"{100 * share:.0f} %" for share in run.unjudged.tolist())
        table.add_row(cut_name(run.run), f"{run.score:.4f}", f"{run.all_relevant:.4f}", *shares)
    flips = sorted(unsettled.flips, key=lambda pair: pair.difference)
    notes = [
        f"{len(flips)} of {several(len(unsettled.pairs), 'pair')} of runs could change places if "
        "unjudged documents were judged"
    ]
    notes += [
        f"{pair.better} before {pair.worse} by {pair.difference:.4f}, could be "
        f"{pair.least:+.4f} to {pair.most:+.4f}"
        for pair in flips[:5]
    ]
    return [_title("Unjudged"), table, *map(remark, notes)]


def _left_out_content(left: LeaveOneOut) -> dict[str, Any]:
    return {
        "measure": str(left.measure),
        "mean_relative_change": float(np.mean(left.relative_changes))
        if len(left.relative_changes)
        else None,
        "groups": [
            {
                "group": group.group,
                "unique": group.unique,
                "unique_relevant": group.unique_relevant,
                "topics_lost": group.topics_lost,
                "tau": None if np.isnan(group.tau) else group.tau,
                "runs": [
                    {
                        "run": run.run,
                        "score": run.score,
                        "without": run.without,
                        "change": run.change,
                        "place": run.place,
                        "place_without": run.place_without,
                    }
                    for run in group.runs
                ],
            }
            for group in left.groups
        ],
    }


def _missed_content(missed: MissedRelevant) -> dict[str, Any]:
    return {
        "found": missed.found,
        "depth": missed.depth,
        "to": missed.to,
        "new_by_depth": missed.discovery.new.tolist(),
        "level": missed.discovery.level,
        "slope": missed.discovery.slope,
        "deeper": missed.deeper,
        "deeper_share": missed.deeper_share,
        "unseen": float(missed.unseen.sum()),
        "unseen_share": missed.unseen_share,
    }


def _unsettled_content(unsettled: Uncertainty) -> dict[str, Any]:
    return {
        "measure": str(unsettled.measure),
        "runs": [
            {
                "run": run.run,
                "score": run.score,
                "all_relevant": run.all_relevant,
                "unjudged": dict(zip(map(str, unsettled.cuts), run.unjudged.tolist(), strict=True)),
            }
            for run in unsettled.runs
        ],
        "pairs": [
            {
                "better": pair.better,
                "worse": pair.worse,
                "difference": pair.difference,
                "least": pair.least,
                "most": pair.most,
                "can_flip": pair.can_flip,
            }
            for pair in unsettled.pairs
        ],
    }


def _title(text: str) -> Text:
    return Text(f"\n  {text}", style="bold")
