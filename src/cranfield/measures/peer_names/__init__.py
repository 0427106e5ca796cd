"""Names that other tools give to measures, and which measures of ours they are.

A module for each tool holds its names, a row each; another tool is another module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from cranfield.measures.peer_names.ir_measures import IR_MEASURES
from cranfield.measures.peer_names.mulan import MULAN
from cranfield.measures.peer_names.names import KINDS, Kind, PeerName, key
from cranfield.measures.peer_names.ranx import RANX
from cranfield.measures.peer_names.scikit_learn import SCIKIT_LEARN
from cranfield.measures.peer_names.torchmetrics import TORCHMETRICS
from cranfield.measures.peer_names.trec_eval import TREC_EVAL

__all__ = ["KINDS", "PEER_NAMES", "Kind", "PeerMeaning", "PeerName", "peer_meaning"]

PEER_NAMES: tuple[PeerName, ...] = (
    *SCIKIT_LEARN,
    *TREC_EVAL,
    *IR_MEASURES,
    *RANX,
    *TORCHMETRICS,
    *MULAN,
)


@dataclass(frozen=True)
class PeerMeaning:
    """What a name of other tools stands for."""

    name: str
    tool: str
    """Of several that have the name, the first."""
    readings: dict[Kind, str]
    """The measure, by the kind of data."""
    advice: str = ""
    differs: str = ""
    level: int | None = None
    """The lowest grade that is relevant, where the name says it."""


@lru_cache(maxsize=1024)
def peer_meaning(name: str) -> PeerMeaning | None:
    """What a name stands for, in either case; None if no other tool is known to use it.

    A name that several tools share means on each kind of data what the first of them says; those
    that write it in the same case come first.
    """
    spelling, level, unjudged = _modifiers(key(name))
    readings: dict[Kind, str] = {}
    tools, advice, differs = [], "", ""
    for peer in sorted(PEER_NAMES, key=lambda peer: name not in peer.names):
        fields = peer.fields(spelling)
        if fields is not None:
            filled = {kind: text.format(**fields) for kind, text in peer.readings.items()}
            readings = filled | readings
            tools.append(peer.tool)
            advice = advice or peer.advice.format(**fields)
            differs = differs or peer.differs
    if not tools:
        return None
    if unjudged:
        readings = {kind: _with_option(text, unjudged) for kind, text in readings.items()}
    return PeerMeaning(name, tools[0], readings, advice, differs, level)


def _modifiers(spelling: str) -> tuple[str, int | None, str]:
    """A name without what ir_measures (rel=2, judged_only=True) and ranx (-l2) add to any; the
    level, and what becomes of unjudged documents."""
    level, unjudged = None, ""
    match = re.search(r"(?<=[(,])rel=(\d+)|-l(\d+)$", spelling)
    if match is not None:
        level = int(match[1] or match[2])
        spelling = key(spelling.replace(match[0], ""))
    match = re.search(r"(?<=[(,])judged_only=(true|false)", spelling)
    if match is not None:
        unjudged = "unjudged=exclude" if match[1] == "true" else ""
        spelling = key(spelling.replace(match[0], ""))
    return spelling, level, unjudged


def _with_option(spelling: str, option: str) -> str:
    name, _, options = spelling.partition("(")
    return f"{name}({options.removesuffix(')')},{option})"
