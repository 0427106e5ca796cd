"""Gates as a table, as Markdown for pull requests, and as JUnit XML for build servers.

In JUnit a measure is a test case: one that fails is a failure, an undecided one an error, since it
could not be carried through; either keeps a build from being green.
"""

from __future__ import annotations

from xml.etree import ElementTree

from rich.console import Group
from rich.text import Text

from cranfield.core.printable import printable, printable_name
from cranfield.errors import several
from cranfield.report.standings import ARROWS, written
from cranfield.report.tables import plain_table, remark
from cranfield.statistics.gating import Gate, Verdict

_DIGITS = 4
_STYLES = {"pass": "bold green", "fail": "bold red", "undecided": "bold yellow"}
_SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔"}


def gate_table(found: Gate) -> Group:
    """A row for each measure, the outcome of all of them, and how it came about."""
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    for heading in ("baseline", "run", "difference", "low", "high", "margin"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for one in found.verdicts:
        numbers = (one.baseline, one.score, one.difference, one.low, one.high, one.margin)
        table.add_row(
            f"{one.measure} {ARROWS[one.measure.traits.better]}",
            *(written(number, digits=_DIGITS) for number in numbers),
            Text(_told(one), style=_STYLES[one.outcome]),
        )
    outcome = Text(f"  {_summary(found)}\n", style=_STYLES[found.outcome])
    return Group(table, outcome, *map(remark, gate_remarks(found)))


def _told(one: Verdict) -> str:
    if one.outcome != "undecided":
        return one.outcome
    if one.more is None:
        return "undecided; no number is enough"
    return f"undecided; needs {several_of(one.more, one.resample)} more"


def several_of(count: int, kind: str) -> str:
    """A large number with its noun: 1,200 items."""
    return several(count, kind.removesuffix("s")).replace(str(count), f"{count:,}", 1)


def _summary(found: Gate) -> str:
    return f"{found.outcome}: {found.run} against {found.baseline}"


def gate_remarks(found: Gate) -> list[str]:
    """How it was decided."""
    count = len(found.verdicts)
    units = dict.fromkeys(several_of(one.units, one.resample) for one in found.verdicts)
    said = [
        f"{found.level:.4g} intervals of paired differences over {' and '.join(units)}; pass: all "
        "of it above −margin, fail: all of it below (for ↓: below +margin, above it)"
    ]
    if count > 1:
        said.append(
            f"all {count} measures must pass, each at the full level; failing is corrected for "
            "their number (Holm)"
        )
    if any(one.outcome == "undecided" for one in found.verdicts):
        said.append(
            "needs: enough to decide four times in five, if the difference is as large as it seems"
        )
    return said


def gate_markdown(found: Gate) -> str:
    """A table for a pull request or the summary of a build."""
    lines = [
        f"### {_SIGNS[found.outcome]} Gate: {found.outcome}",
        "",
        f"{_code(found.run)} against {_code(found.baseline)}",
        "",
        "| measure | baseline | run | difference | interval | margin | outcome |",
        "|---|--:|--:|--:|:-:|--:|---|",
        *(_row(one) for one in found.verdicts),
        "",
        *(f"<sub>{text}</sub>  " for text in gate_remarks(found)),
        "",
        "<details><summary>signatures</summary>",
        "",
        *(f"- {_code(one.signature)}" for one in found.verdicts),
        "",
        "</details>",
    ]
    return "\n".join(lines) + "\n"


def _row(one: Verdict) -> str:
    low, high = (f"{end:+.{_DIGITS}f}" for end in (one.low, one.high))
    cells = (
        f"{_code(str(one.measure))} {ARROWS[one.measure.traits.better]}",
        written(one.baseline, digits=_DIGITS),
        written(one.score, digits=_DIGITS),
        f"{one.difference:+.{_DIGITS}f}",
        f"[{low}, {high}]",
        f"{one.margin:g}",
        f"{_SIGNS[one.outcome]} {_told(one)}",
    )
    # A bar would end the cell.
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _code(text: str) -> str:
    """Text as it is, whatever signs of Markdown are in it."""
    return "`" + printable_name(text).replace("`", "'") + "`"


def gate_junit(found: Gate) -> str:
    """JUnit XML: a suite with a test case for each measure."""
    count = {
        "tests": str(len(found.verdicts)),
        "failures": str(sum(one.outcome == "fail" for one in found.verdicts)),
        "errors": str(sum(one.outcome == "undecided" for one in found.verdicts)),
        "skipped": "0",
        "time": "0",
    }
    root = ElementTree.Element("testsuites", {"name": "cranfield gate", **count})
    suite = ElementTree.SubElement(root, "testsuite", {"name": printable(_summary(found)), **count})
    for one in found.verdicts:
        about = {"classname": "cranfield.gate", "name": printable(str(one.measure)), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", about)
        message = _message(one)
        if one.outcome != "pass":
            kind = "failure" if one.outcome == "fail" else "error"
            problem = ElementTree.SubElement(case, kind, {"message": message, "type": one.outcome})
            problem.text = printable(f"{found.run} against {found.baseline}: {message}")
        ElementTree.SubElement(case, "system-out").text = printable(f"{message}\n{one.signature}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _message(one: Verdict) -> str:
    return (
        f"{_told(one)}: {one.score:.{_DIGITS}f} against {one.baseline:.{_DIGITS}f}, difference "
        f"{one.difference:+.{_DIGITS}f} [{one.low:+.{_DIGITS}f}, {one.high:+.{_DIGITS}f}], margin "
        f"{one.margin:g}"
    )
