"""LaTeX: booktabs tables, bare or as floats with a caption and a label."""

from __future__ import annotations

from cranfield.core.printable import printable_name
from cranfield.core.result import Result
from cranfield.core.table import Column, Row, Table
from cranfield.show.cells import UNDEFINED, interval, is_best, mark, number

_SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    # After the end of a row, TeX would read these two as arguments of that end.
    | {"[": "{[}", "*": "{*}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    # The usual font of TeX has other signs in these places.
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    # Signs of ours, for engines that read ASCII only.
    | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    | {UNDEFINED: "--", "∞": r"$\infty$", "−": "$-$", "≈": r"$\approx$", "≠": r"$\neq$"}
    | {"▾": r"$\triangledown$", "·": r"$\cdot$", "±": r"$\pm$", "→": r"$\rightarrow$"}
    | {"⊥": r"$\bot$", "✗": r"$\times$", "×": r"$\times$", "≤": r"$\leq$", "≥": r"$\geq$"}
    | {"τ": r"$\tau$", "ρ": r"$\rho$", "α": r"$\alpha$", "κ": r"$\kappa$", "Δ": r"$\Delta$"}
)
_ARROWS = {"higher": r" $\uparrow$", "lower": r" $\downarrow$", "": ""}


def latex_text(result: Result) -> str:
    """All tables for papers, those with a caption as floats; remarks and the signature follow as
    comments."""
    tables = "\n".join(
        float_table(table) if table.caption else tabular(table)
        for table in result.tables_for("people", "papers")
    )
    signature = (result.signature,) if result.signature else ()
    return tables + "".join(f"% {_line(text)}\n" for text in (*result.notes, *signature))


def float_table(table: Table) -> str:
    """A table as a paper takes it in; needs the package booktabs."""
    return (
        "% \\usepackage{booktabs}\n"
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{escaped(table.caption)}}}\n"
        f"\\label{{tab:{table.name}}}\n"
        f"{tabular(table)}\\end{{table}}\n"
    )


def tabular(table: Table) -> str:
    """A table without a float around it."""
    columns = table.for_people("papers")
    best = {column.field: table.best(column) for column in columns}
    body = []
    for index, row in enumerate(table.rows):
        if index and table.begins_section(index):
            body.append(r"\midrule")
        cells = (_cell(table, column, row, best[column.field]) for column in columns)
        body.append(" & ".join(cells) + r" \\")
    alignment = "".join(_alignment(table, column) for column in columns)
    lines = [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        " & ".join(map(_heading, columns)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *(f"% {_line(remark)}" for remark in table.remarks),
    ]
    return "\n".join(lines) + "\n"


def _alignment(table: Table, column: Column) -> str:
    """Numbers with superscripts start together, or these would push them apart."""
    raised = any(mark(row, column) for row in table.rows)
    return "l" if raised or table.is_text(column) else "r"


def escaped(text: str) -> str:
    """Text in which nothing means something to TeX."""
    return printable_name(text).translate(_SIGNS)


def _heading(column: Column) -> str:
    group = f"{column.group}." if column.group else ""
    return escaped(group + column.heading) + _ARROWS[column.better]


def _cell(table: Table, column: Column, row: Row, best: float | None) -> str:
    text = escaped(number(row.get(column.field), column))
    strong = bool(table.emphasis) and row.get(table.emphasis) == "strong"
    if strong or is_best(column, row, best):
        text = rf"\textbf{{{text}}}"
    if signs := mark(row, column):
        text += rf"\textsuperscript{{{escaped(signs)}}}"
    ends = interval(row, column)
    return f"{text} {escaped(ends)}" if ends else text


def _line(text: str) -> str:
    """A comment ends where its line does."""
    return printable_name(" ".join(text.split()))
