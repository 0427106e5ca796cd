"""The cheapest cut through a network, by the largest flow (Dinitz); numbers of any size."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import NamedTuple

SOURCE, SINK = -1, -2


class Cut(NamedTuple):
    """What a cut costs, and what stays on the source's side: as few nodes as can be."""

    cost: int
    near: set[int]


class Network:
    """Nodes 0, 1, …, the source and the sink, and links of some capacity."""

    def __init__(self) -> None:
        self._room: dict[int, dict[int, int]] = {SOURCE: {}, SINK: {}}

    def link(self, one: int, other: int, capacity: int) -> None:
        self._room.setdefault(one, {})[other] = capacity
        self._room.setdefault(other, {}).setdefault(one, 0)

    def cheapest_cut(self) -> Cut:
        """Once; the links are used up."""
        flow = 0
        while True:
            levels = self._levels()
            if SINK not in levels:
                return Cut(flow, levels.keys() - {SOURCE})
            flow += self._fill(levels)

    def _levels(self) -> dict[int, int]:
        """How far from the source each node is that can still be reached."""
        levels, waiting = {SOURCE: 0}, deque([SOURCE])
        while waiting:
            node = waiting.popleft()
            for other, room in self._room[node].items():
                if room and other not in levels:
                    levels[other] = levels[node] + 1
                    waiting.append(other)
        return levels

    def _fill(self, levels: dict[int, int]) -> int:
        """Send as much as will go along shortest ways."""
        ahead = {
            node: [other for other in self._room[node] if levels.get(other) == level + 1]
            for node, level in levels.items()
        }
        sent = 0
        way = [SOURCE]
        while way:
            node = way[-1]
            if node == SINK:
                sent += self._send(way)
                way = [SOURCE]
                continue
            while ahead[node] and not self._room[node][ahead[node][-1]]:
                ahead[node].pop()
            if ahead[node]:
                way.append(ahead[node][-1])
            else:
                way.pop()
                if way:
                    ahead[way[-1]].pop()
        return sent

    def _send(self, way: list[int]) -> int:
        links = list(pairwise(way))
        amount = min(self._room[one][other] for one, other in links)
        for one, other in links:
            self._room[one][other] -= amount
            self._room[other][one] += amount
        return amount
