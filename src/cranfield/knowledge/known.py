"""Known: knowledge about the concepts of one truth, in the order of its columns.

What measures ask for, whoever gave it: costs and relatedness of pairs, agreement of annotators,
the hierarchy and the rules. Everything is worked out when first asked for, once for all runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.axes import Axis
from cranfield.core.matrices import Floats
from cranfield.errors import FileError, InputError, first_ten
from cranfield.kernels import Rules
from cranfield.knowledge.label_table import concept_ids
from cranfield.knowledge.lineage import Lineage
from cranfield.knowledge.maps import AgreementMap, ConceptMap, CostMap, RelatednessMap
from cranfield.knowledge.ontology import Costing, Ontology, Tree

_GIVEN = ""
"""The name of a map that was given without one."""

_Map = TypeVar("_Map", bound=ConceptMap)

HIERARCHICAL: tuple[Costing, ...] = ("DDMC", "DIMC")

_RELATED_TREE: Tree = "flat"
"""The tree that relatedness of the hierarchy rests on; costs have an option for it."""


@dataclass(frozen=True)
class Knowledge:
    """What somebody knows about concepts; a collection has some, and callers may bring more."""

    ontology: Ontology | None = None
    costs: Mapping[str, CostMap] | None = None
    relatedness: Mapping[str, RelatednessMap] | None = None
    agreement: AgreementMap | None = None

    @classmethod
    def given(
        cls,
        *,
        ontology: Any = None,
        costs: Any = None,
        relatedness: Any = None,
        agreement: Any = None,
    ) -> Knowledge:
        """What people hand in: maps, arrays, or mappings of names to either."""
        if not (ontology is None or isinstance(ontology, Ontology)):
            raise InputError(
                f"ontology: got {type(ontology).__name__}; give cf.Ontology.load(name or path)"
            )
        return cls(
            ontology,
            _named(CostMap, costs),
            _named(RelatednessMap, relatedness),
            None if agreement is None else AgreementMap.of(agreement),
        )

    def over(self, other: Knowledge) -> Knowledge:
        """This, and what the other knows besides; maps of the same name are taken from here."""
        return Knowledge(
            self.ontology or other.ontology,
            {**(other.costs or {}), **(self.costs or {})},
            {**(other.relatedness or {}), **(self.relatedness or {})},
            self.agreement or other.agreement,
        )


def _named(kind: type[_Map], maps: Any) -> dict[str, _Map] | None:
    if maps is None:
        return None
    if isinstance(maps, Mapping):
        return {str(name): kind.of(values, name=str(name)) for name, values in maps.items()}
    return {_GIVEN: kind.of(maps)}


class Known:
    """Knowledge over the columns of a truth."""

    def __init__(self, axis: Axis, knowledge: Knowledge | None = None) -> None:
        self.axis = axis
        self.knowledge = knowledge or Knowledge()
        self._costs: dict[tuple[str, str], Floats] = {}
        self._relatedness: dict[str, Floats] = {}

    def on(self, axis: Axis) -> Known:
        """The same knowledge over the columns of another truth."""
        return self if axis is self.axis else Known(axis, self.knowledge)

    # ── hierarchy and rules ───────────────────────────────────────────────────────────────────

    def ontology(self, measure: str) -> Ontology:
        """The ontology, which a measure cannot do without."""
        if self.knowledge.ontology is None:
            raise InputError(
                f"{measure} needs a hierarchy", mend="give {ontology}, for example pto2009"
            )
        return self.knowledge.ontology

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The ids of the columns in the ontology."""
        return concept_ids(self.ontology("alignment"), self.axis)

    def lineage(self, measure: str) -> Lineage:
        """Who stands above whom, for a measure that cannot do without."""
        self.ontology(measure)
        return self._lineage

    @cached_property
    def _lineage(self) -> Lineage:
        return Lineage(self.ontology("alignment").hierarchy(), self.concepts)

    @cached_property
    def rules(self) -> Rules | None:
        """What labels can break; none without an ontology."""
        if self.knowledge.ontology is None:
            return None
        constraints = self.knowledge.ontology.constraints(self.concepts)
        if constraints.impossible:
            reasons = "; ".join(list(constraints.impossible.values())[:10])
            raise InputError(
                f"{self.knowledge.ontology.name} contradicts itself about "
                f"{first_ten(constraints.impossible)}, which no label set can hold: {reasons}; "
                "remove one of these rules, or leave those concepts out of the truth"
            )
        return constraints.rules

    # ── maps ──────────────────────────────────────────────────────────────────────────────────

    def costs(self, name: str | None, tree: str, measure: str) -> Floats:
        """(C, C): costs by name: of a map that was given, or DDMC or DIMC of the hierarchy."""
        key = self.cost_name(name, measure), tree
        if key not in self._costs:
            cost_map = (self.knowledge.costs or {}).get(key[0])
            if cost_map is None and key[0] in HIERARCHICAL:
                values = self.ontology(measure).costs(tree, key[0], self.concepts)
            else:
                assert cost_map is not None
                values = cost_map.over(self.axis)
            self._costs[key] = np.ascontiguousarray(values)
        return self._costs[key]

    def cost_name(self, name: str | None, measure: str) -> str:
        """Which costs a name stands for; without one, those given without one, or DDMC."""
        maps = self.knowledge.costs or {}
        if name is None:
            if _GIVEN in maps:
                return _GIVEN
            if self.knowledge.ontology is not None:
                return "DDMC"
            return _only(maps, measure, "costs", "give {ontology} or {costs}")
        return self._match(name, maps, measure, "costs")

    def cost_notes(self, name: str | None, measure: str) -> list[str]:
        """What readers of a score should know about costs that were given."""
        key = self.cost_name(name, measure)
        given = (self.knowledge.costs or {}).get(key)
        called = f"costs {key}" if key else "costs"
        return [] if given is None else [f"{called} are {odd}" for odd in given.oddities]

    def relatedness(self, name: str | None, measure: str) -> Floats:
        """(C, C) in [0, 1] with ones on the diagonal, by name; DDMC and DIMC are 1 − cost."""
        key = self.relatedness_name(name, measure)
        if key not in self._relatedness:
            related = (self.knowledge.relatedness or {}).get(key)
            if related is None:
                values = 1.0 - self.costs(key, _RELATED_TREE, measure)
            else:
                values = related.over(self.axis).copy()
                np.fill_diagonal(values, 1.0)
                if values.min(initial=0.0) < 0 or values.max(initial=0.0) > 1:
                    what = (
                        f"{related.called} goes from {values.min():g} to {values.max():g}, and "
                        f"{measure} needs [0, 1]"
                    )
                    if related.source is not None:
                        raise FileError(related.source, what, mend="change its values")
                    raise InputError(
                        what,
                        mend="give what its normalised('minmax') returns",
                        about=(related.what, related.name),
                    )
            self._relatedness[key] = np.ascontiguousarray(values)
        return self._relatedness[key]

    def relatedness_name(self, name: str | None, measure: str) -> str:
        """Which relatedness a name stands for; without one, that given without one or the only."""
        maps = self.knowledge.relatedness or {}
        if name is None:
            if _GIVEN in maps:
                return _GIVEN
            return _only(maps, measure, "relatedness", "give {relatedness}")
        return self._match(name, maps, measure, "relatedness")

    def _match(self, name: str, maps: Mapping[str, ConceptMap], measure: str, option: str) -> str:
        """The map that a name means, or the costs of the hierarchy."""
        names = [*maps, *(candidate for candidate in HIERARCHICAL if candidate not in maps)]
        if name in names:
            return name
        alike = [candidate for candidate in names if _spelled(candidate) == _spelled(name)]
        if len(alike) == 1:
            return alike[0]
        works = maps if self.knowledge.ontology is None else names
        there = first_ten(candidate for candidate in works if candidate) or "none"
        raise InputError(
            f"{measure}: no {option} are called {name!r}; there are {there}",
            mend=f"give {{{option}}} of that name",
        )

    @cached_property
    def agreement(self) -> Floats | None:
        """(C,): how far annotators agree, if anybody said so."""
        given = self.knowledge.agreement
        return None if given is None else given.over(self.axis)

    # ── for signatures ────────────────────────────────────────────────────────────────────────

    def origin(self, needed: str, name: str | None, measure: str) -> str:
        """Which knowledge a score rests on: a name and a hash, or "none"."""
        match needed:
            case "costs":
                key = self.cost_name(name, measure)
                given: ConceptMap | None = (self.knowledge.costs or {}).get(key)
            case "relatedness":
                key = self.relatedness_name(name, measure)
                given = (self.knowledge.relatedness or {}).get(key)
                if given is None:
                    return f"{key} of {self._ontology_said} tree {_RELATED_TREE}"
            case "agreement":
                key, given = "", self.knowledge.agreement
            case _:
                return self._ontology_said
        if given is None:
            return key or "none"
        return f"{key}:{given.digest[:8]}" if key else given.digest[:8]

    @property
    def _ontology_said(self) -> str:
        ontology = self.knowledge.ontology
        return "none" if ontology is None else f"{ontology.name}:{ontology.digest[:8]}"


def _only(maps: Mapping[str, ConceptMap], measure: str, option: str, mend: str) -> str:
    if len(maps) == 1:
        return next(iter(maps))
    if not maps:
        raise InputError(f"{measure} needs {option}", mend=mend)
    first = next(iter(maps))
    raise InputError(
        f"there are several {option} for {measure}; say which: {measure}({option}={first}), or "
        f"another of {first_ten(maps)}"
    )


def _spelled(name: str) -> str:
    """What tells names apart: neither case nor blanks, which the spelling of a measure loses."""
    return "".join(name.split()).lower()
