"""Writes pages from the registry: docs/measures/*.md, and names of other tools, docs/coming-from.

python docs/build.py           write them
python docs/build.py --check   exit 1 if they are not what the registry says
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import cranfield as cf
from cranfield.measures import Definition, Option
from cranfield.measures.listing import crossed
from cranfield.measures.peer_names import KINDS, PEER_NAMES

PAGES = Path(__file__).parent / "measures"

FAMILIES = {
    ("concept", "decisions"): ("concept-sets", "By concept, of label sets"),
    ("concept", "confidences"): ("concept-ranks", "By concept, of rankings"),
    ("example", "decisions"): ("example-sets", "By item, of label sets"),
    ("example", "confidences"): ("example-ranks", "By item, of rankings"),
    ("micro", "decisions"): ("micro-sets", "Pooled, of label sets"),
    ("micro", "confidences"): ("micro-ranks", "Pooled, of rankings"),
    ("concept", "values"): ("concept-values", "By concept, of probabilities and numbers"),
    ("example", "values"): ("example-values", "By item, of probabilities and numbers"),
    ("micro", "values"): ("micro-values", "Pooled, of probabilities and numbers"),
    ("confusion", "decisions"): ("confusion", "Of a confusion matrix"),
}


def pages() -> dict[str, str]:
    """File name and text of every page."""
    families: dict[tuple[str, str], list[Definition]] = {key: [] for key in FAMILIES}
    for definition in cf.measures():
        families[definition.traits.direction, definition.traits.prediction].append(definition)
    out = {"README.md": _index(families)}
    for key, members in families.items():
        stem, title = FAMILIES[key]
        out[f"{stem}.md"] = "\n".join([f"# {title}", "", *map(_entry, members)])
    for stem, tools in COMING_FROM.items():
        name = f"../coming-from/{stem}.md"
        out[name] = _coming_from(PAGES / name, tools)
    return out


COMING_FROM = {
    "scikit-learn": ("scikit-learn",),
    "torchmetrics": ("torchmetrics",),
    "mulan": ("Mulan",),
    "trec-tools": ("trec_eval", "ir_measures", "ranx"),
}
"""The tools whose names a page lists, below what is written by hand."""
NAMES = "\n\n## Names of "


def _coming_from(page: Path, tools: tuple[str, ...]) -> str:
    lines = [page.read_text(encoding="utf-8").partition(NAMES)[0]]
    for tool in tools:
        lines += [
            "",
            f"## Names of {tool}",
            "",
            "| name | measure here | remarks |",
            "|---|---|---|",
        ]
        for row in (row for row in PEER_NAMES if row.tool == tool):
            measures = "; ".join(f"{KINDS[kind]}: `{text}`" for kind, text in row.readings.items())
            names = ", ".join(f"`{name}`" for name in row.names)
            remarks = "; ".join(filter(None, (row.differs, row.advice)))
            lines.append(f"| {names} | {measures} | {remarks} |")
    return "\n".join([*lines, ""])


def _index(families: dict[tuple[str, str], list[Definition]]) -> str:
    lines = [
        "# Measures",
        "",
        "Written `prefix.NAME@k(option=value,…)`, in any spelling. Every measure also takes",
        "`undefined=` (what to do with units that have no value) and `unjudged=negative|exclude`.",
        "`ties=` says how equal scores count: *grouped* enter at once, *expected* is the mean",
        "over all orders, *best* and *worst* put relevant cells first and last, *trec* breaks",
        "ties by id as trec_eval does.",
    ]
    for key, members in families.items():
        stem, title = FAMILIES[key]
        names = ", ".join(f"`{member.name}`" for member in members)
        lines += ["", f"**[{title}]({stem}.md)**: {names}"]
    table = crossed(cf.measures())
    names = [column.field for column in table.columns]
    lines += [
        "",
        "## The four dimensions",
        "",
        "Direction and prediction format, as in Table 4.3 of Nowak 2011; ᵍ looks at grades,",
        "ˢ scores by meaning. `cranfield measures --dimensions` prints it, and `--direction`,",
        "`--prediction`, `--relevance` and `--score` choose among measures.",
        "",
        f"| {' | '.join(names)} |",
        "|---" * len(names) + "|",
        *(f"| {' | '.join(str(row[name]) for name in names)} |" for row in table.rows),
    ]
    return "\n".join([*lines, ""])


def _entry(definition: Definition) -> str:
    traits = definition.traits
    low, high = (f"{end:g}" if math.isfinite(end) else "∞" for end in traits.range)
    low = "−∞" if traits.range[0] == -math.inf else low
    lines = [
        f"## {definition.name}",
        "",
        definition.formula,
        "",
        f"Range {low} to {high}, {traits.better} is better. Source: {traits.source}.",
        "",
        "| option | default | values |",
        "|---|---|---|",
        *(_row(option) for option in definition.options.values()),
        "",
    ]
    if definition.knowledge:
        lines += [f"Knowledge: {', '.join(f'`{one}=`' for one in definition.knowledge)}.", ""]
    if definition.aliases:
        lines += [f"Also called {', '.join(f'`{alias}`' for alias in definition.aliases)}.", ""]
    return "\n".join(lines)


def _row(option: Option) -> str:
    kind = "name of a map" if option.kind is str else option.kind.__name__
    values = ", ".join(option.choices) or kind
    if option.bounds:
        low, high, limit, below = option.bounds
        last = f" to {'below ' if below else ''}{high:g}"
        upper = last if limit or math.isfinite(high) else " or more"
        values += f", {low:g}{upper}"
    default = "the truth's" if option.name == "unjudged" else option.default
    if option.name == "k":
        return f"| @k | {'needed' if option.default is None else 'whole list'} | {values} |"
    return f"| {option.name} | {'–' if default is None else default} | {values} |"


def main() -> None:
    stale = []
    for name, text in pages().items():
        path = PAGES / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"{', '.join(stale)} differ from the registry; run `make docs`")


if __name__ == "__main__":
    main()
