"""Meanings of names that depend on the data: those of other tools, and ours without a prefix.

Searches, a single concept and measures that only confusion matrices have need no prefix.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cranfield.core.truth import Truth
from cranfield.measures.peer_names import KINDS, Kind, PeerMeaning, peer_meaning

_OF_SEARCHES = ("trec_eval", "ir_measures", "ranx")


def kind_of(truth: Truth) -> Kind:
    """What a truth holds."""
    if truth.open:
        return "searches"
    if not truth.has_labels:
        return "numbers"
    if truth.shape[1] == 1:
        return "concept"
    sizes = truth.totals(1, "negative").positives
    return "classes" if len(sizes) and (sizes == 1).all() else "labels"


def meaning_of(name: str, spellings: Mapping[str, str]) -> PeerMeaning | None:
    """What a name stands for, by the kind of data; None if it is one of `spellings`, which map
    registered names in lower case to canonical ones, or nothing like a name."""
    bare = name.partition("(")[0].partition("@")[0].lower()
    if not bare or bare in spellings:
        return None
    meaning, ours = peer_meaning(name), _without_prefix(name, bare, spellings)
    if meaning is None or ours is None:
        return meaning or ours
    # Options and cutoffs of another tool need not be ours.
    ours_too = {} if "(" in name or "@" in name else ours.readings
    advice = meaning.advice or ours.advice
    return replace(meaning, readings=ours_too | meaning.readings, advice=advice)


def _without_prefix(name: str, bare: str, spellings: Mapping[str, str]) -> PeerMeaning | None:
    full: dict[str, str] = {}
    for spelled, canonical in spellings.items():
        prefix, _, rest = spelled.partition(".")
        fits = rest.endswith("@k") == ("@" in name)
        if rest.removesuffix("@k") == bare and (fits or prefix not in full):
            full[prefix] = canonical
    if not full:
        return None
    readings: dict[Kind, str] = {}
    if "concept" in full:
        readings = dict.fromkeys(("concept", "searches"), f"concept.{name}")
    elif list(full) == ["confusion"]:
        readings = dict.fromkeys(("classes", "concept"), f"confusion.{name}")
    names = ", ".join(dict.fromkeys(full.values()))
    return PeerMeaning(name, "", readings, f"write {'one of ' * (len(full) > 1)}{names}")


def no_meaning(meaning: PeerMeaning, kind: Kind | None = None) -> str:
    """Why a name has no meaning on a kind of data, or on any, and what to write."""
    what = f"{meaning.name!r} is a name of {meaning.tool}"
    if not meaning.tool:
        what = f"{meaning.name!r} needs a prefix"
    elif kind is not None and meaning.tool in _OF_SEARCHES:
        what += " for TREC files, and this truth is none of them"
    elif kind is not None:
        what += f" without a meaning for {KINDS[kind]}"
    kinds = " or ".join(KINDS[other] for other in meaning.readings)
    return f"{what}; {meaning.advice or f'it is for {kinds}'}"
