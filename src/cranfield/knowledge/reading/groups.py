"""Groups of disjoint nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.knowledge.hierarchy import Hierarchy


def cliques(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Groups that hold the given pairs and no other, few of them, so that reports read well.

    Greedy: a group takes up whatever is paired with all that is in it already.
    """
    groups: list[tuple[str, ...]] = []
    beside: dict[str, dict[str, None]] = {}
    for one, two in pairs:
        if one == two:
            groups.append((one, two))  # makes no sense, which the ontology will say
        else:
            beside.setdefault(one, {})[two] = None
            beside.setdefault(two, {})[one] = None
    place = {node: i for i, node in enumerate(beside)}
    covered: set[tuple[str, str]] = set()
    for one, others in beside.items():
        for two in others:
            if (one, two) in covered:
                continue
            group = [one, two]
            for other in sorted(others.keys() & beside[two].keys(), key=place.__getitem__):
                if all(other in beside[member] for member in group):
                    group.append(other)
            covered.update((a, b) for a in group for b in group)
            groups.append(tuple(sorted(group, key=place.__getitem__)))
    return groups


def outermost(hierarchy: Hierarchy, nodes: Sequence[str]) -> tuple[str, ...]:
    """Those of some nodes that stand below none of them."""
    return tuple(node for node in nodes if not hierarchy.ancestors[node].intersection(nodes))
