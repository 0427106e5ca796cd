"""Terms: what data call their concepts and items, for tables and sentences that people read.

Keys of JSON and CSV, signatures and names of measures stay canonical: concept, item.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """The words for both sides of a truth, one and several."""

    concept: str = "concept"
    concepts: str = "concepts"
    item: str = "item"
    items: str = "items"


CONCEPTS = Terms()
TOPICS = Terms("topic", "topics", "document", "documents")
"""Of searches."""
CLASSES = Terms("class", "classes")
"""Where each item has one label."""
