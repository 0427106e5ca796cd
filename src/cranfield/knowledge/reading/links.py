"""Nodes and links that the lines of a text file state, one after the other."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from cranfield.errors import FileError, first_ten
from cranfield.knowledge.hierarchy import CircleError, Hierarchy, Parents


class Links:
    """Which node stands below which, and on which line it says so."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[str, int] = {}
        """Where each node was first stated to be one."""
        self.above: dict[str, dict[str, int]] = {}
        """The parents of each node, and where that was first stated."""

    def add_node(self, node: str, line: int) -> None:
        if not node:
            self.refuse("the id is empty; name the concept", line)
        self.lines.setdefault(node, line)
        self.above.setdefault(node, {})

    def add_link(self, node: str, above: str, line: int) -> None:
        """A node stands below another one, which may follow later."""
        self.above[node].setdefault(above, line)

    def parents(self, how_to_add: str) -> Parents:
        """All links, if they make a hierarchy."""
        for node, found in self.above.items():
            for above, line in found.items():
                self.require(above, f"{first_ten([node])} stands below", line, how_to_add)
        parents = {node: tuple(found) for node, found in self.above.items()}
        try:
            Hierarchy(parents)
        except CircleError as error:
            last = max(self.above[node][above] for node, above in pairwise(error.ring))
            self.refuse(str(error), last)
        return parents

    def require(self, node: str, statement: str, line: int, how_to_add: str) -> None:
        """Refuse a statement about a node that is none."""
        if node not in self.lines:
            self.refuse(
                f"{statement} {first_ten([node])}, which is not in the file; mend its spelling, "
                f"or {how_to_add}",
                line,
            )

    def refuse(self, what: str, line: int) -> NoReturn:
        raise FileError(self.path, what, line=line)
