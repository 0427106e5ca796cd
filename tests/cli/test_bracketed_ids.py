"""Ids and file names in square brackets are printed as they are, never taken for styles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]

D, Z = "[/red]d", "[link]z"
"""One that would close a style nobody opened, one that would vanish."""
ITEM = "[/i]1"
ONTOLOGY, TRUTH, RUN = "[b]o.csv", "[b]t.csv", "[b]r.csv"
MAP, WORDS = "[b]m.csv", "[b]w.csv"
FILES = {
    ONTOLOGY: f"concept,path\n{D},X.d\n{Z},X.d.e\na,X.a\n",
    TRUTH: f"item,{D},a,{Z}\n{ITEM},0,1,1\n[j]2,1,1,0\n",
    RUN: f"item,{D},a,{Z}\n{ITEM},0.4,0.9,0.8\n[j]2,0.9,0.6,0.7\n",
    WORDS: f"concept,word\n{D},dog\n",
    "gaps.csv": f"item,{D},a,{Z}\n{ITEM},,1,1\n[j]2,0,1,1\n",
    MAP: f"concept,{D},a,{Z}\n{D},1,0.5,0.5\na,0.5,1,0.5\n{Z},0.5,0.5,1\n",
    "tags.csv": f"item,concept,value\n{ITEM},{D},0.9\n[j]2,[/u]x,0.8\n[j]2,{Z},0.8\n",
    "pairs.txt": f"{D} a 3\na {Z} 2\n{D} {Z} 1\n{D} [/u]x 1\n",
    "odd.obo": "format-version: 1.2\n\n[Term]\nid: a\n\n[Term]\nid: [/red]d\nis_a: a\n"
    "relationship: [/u]of a\n",
}
COMMANDS = [
    (f"ontology check {ONTOLOGY} {TRUTH}", (ITEM, f"{Z} needs {D}", TRUTH)),
    (f"ontology check {ONTOLOGY} {TRUTH} -o [b]out.txt", ("wrote [b]out.txt",)),
    (f"ontology check {ONTOLOGY}", ("[b]o,",)),
    ("ontology check odd.obo", ("odd,", "relationship 1")),
    (f"ontology repair {ONTOLOGY} {TRUTH}", (ITEM, D, f"{Z} needs {D}")),
    (f"ontology repair {ONTOLOGY} {RUN} --against {TRUTH}", (f"against {TRUTH}",)),
    (f"ontology close {ONTOLOGY} gaps.csv", (D,)),
    (f"ontology show {ONTOLOGY}", (D, Z)),
    ("ontology show odd.obo", (D,)),
    (f"ontology costs {ONTOLOGY} --check", (D, Z)),
    (f"evaluate {TRUTH} {RUN}", ("[b]r",)),
    (f"evaluate {TRUTH} {RUN} -m concept.AP -m example.F --per-unit", (D, Z, ITEM)),
    (f"explain {TRUTH} {RUN} -m OS -m HS --ontology {ONTOLOGY} --item {ITEM}", (ITEM, Z, D)),
    (f"explain {TRUTH} {RUN} -m HS --ontology {ONTOLOGY} --item [j]2", (f"{D} right {D} 0",)),
    (f"explain {TRUTH} {RUN} -m SRP-DDMC --ontology {ONTOLOGY} --item {ITEM}", (ITEM, Z)),
    (f"explain {TRUTH} {RUN} -m example.hF --ontology {ONTOLOGY} --item {ITEM}", (ITEM, Z, D)),
    (f"explain {TRUTH} {RUN} -m example.AP --item {ITEM}", (ITEM, Z)),
    (f"check {TRUTH}", (TRUTH,)),
    (f"check {RUN} --against {TRUTH}", (RUN,)),
    (f"describe {TRUTH}", (D, Z, "[b]t")),
    (f"describe {TRUTH} gaps.csv", (D, Z, "[b]t")),
    (f"split {TRUTH} --shares [x]p=0.5,q=0.5", ("[x]p",)),
    (f"relatedness costs map:{MAP} {TRUTH}", (D, Z)),
    (f"relatedness costs map:{MAP} {TRUTH} --check", ("[b]m: 3 of 3",)),
    (f"relatedness map {TRUTH} tags.csv --synonyms {WORDS} --by map:{MAP}>=0.2", ("[/u]x",)),
    (f"relatedness map {TRUTH} tags.csv -m example.F --open map:{MAP}", ("[/u]x",)),
    (
        f"relatedness correlate pairs.txt map:{MAP} other=map:{MAP}",
        ("[b]m", f"{D}–[/u]x"),
    ),
]


@pytest.mark.parametrize(("command", "told"), COMMANDS)
def test_brackets_are_no_styles(
    command: str,
    told: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cranfield: Cranfield,
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    said = cranfield(*command.split())
    assert said.exception is None or isinstance(said.exception, SystemExit), said.exception
    assert said.exit_code < 2, said.output
    printed = " ".join(said.output.split())
    assert [one for one in told if " ".join(one.split()) not in printed] == [], said.output
