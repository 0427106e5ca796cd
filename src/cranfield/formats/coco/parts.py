"""The lists of a COCO file: images, annotations and categories, in whatever order they come."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Ints
from cranfield.core.truth import Truth
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.cells import require_known_concepts
from cranfield.formats.coco.json_stream import JsonStream
from cranfield.formats.listing import Listing
from cranfield.formats.problems import Problems, shown

_BATCH = 1 << 16

Part = tuple[list[str], list[str], NDArray[Any], Ints]
"""Items, concepts, values and lines of some cells."""


class Batches:
    """Cells handed on some at a time."""

    def __init__(self, sink: Callable[[list[str], list[str], NDArray[Any], Ints], None]) -> None:
        self._sink = sink
        self._cells: list[tuple[str, str, float, int]] = []

    def add(self, item: str, concept: str, value: float, line: int) -> None:
        self._cells.append((item, concept, value, line))
        if len(self._cells) == _BATCH:
            self.flush()

    def flush(self) -> None:
        if self._cells:
            items, concepts, values, lines = map(list, zip(*self._cells, strict=True))
            self._sink(items, concepts, np.array(values), np.array(lines))
            self._cells.clear()


class Elements:
    """The objects in a list of the file; what is wrong with one is reported with its line."""

    def __init__(self, name: str, stream: JsonStream, problems: Problems) -> None:
        self._name = name
        self._stream = stream
        self._problems = problems
        self._place = 0
        self._texts: dict[int | str, str] = {}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for place, element in enumerate(self._stream.elements()):
            self._place = place
            if isinstance(element, dict):
                yield element
            else:
                self.wrong(f"is {shown(repr(element))}; write an object")
            if not place % _BATCH:
                self._problems.settle()

    @property
    def line(self) -> int:
        return self._stream.began

    def wrong(self, what: str) -> None:
        if self._problems.wants(self.line):
            self._problems.add(f"{self._name}[{self._place}] {what}", line=self.line)
        else:
            self._problems.count_only(1)

    def id(self, element: Mapping[str, Any], key: str) -> str | None:
        """An id as text; None if it was reported."""
        value = element.get(key)
        if value is None:
            self.wrong(f"lacks its {key}; write one")
            return None
        return self.as_id(value, key)

    def as_id(self, value: Any, key: str) -> str | None:
        # Looked up by type, since True and 1.0 would be found as 1.
        if type(value) is not int and type(value) is not str:
            self.wrong(f"has the {key} {shown(repr(value))}; write a whole number or a text")
            return None
        known = self._texts.get(value)
        if known is None and (known := self.text(str(value), key)) is not None:
            self._texts[value] = known
        return known

    def text(self, text: Any, key: str) -> str | None:
        """A text that can be written again; None if it was reported."""
        if not isinstance(text, str) or not text:
            self.wrong(f"has the {key} {shown(repr(text))}; write a text")
            return None
        try:
            text.encode()
        except UnicodeEncodeError:
            self.wrong(f"has the {key} {shown(text)} with half a character; write it whole")
            return None
        return text

    def number(self, element: Mapping[str, Any], key: str) -> float | None:
        """A finite number; None if it was reported."""
        value = element.get(key)
        if type(value) is float and math.isfinite(value):
            return value
        try:
            if type(value) is int:
                return float(value)
        except OverflowError:
            pass
        lacking = "lacks its" if value is None else f"has {shown(repr(value))} as its"
        self.wrong(f"{lacking} {key}; write a finite number")
        return None


class TruthParts:
    """What the lists of a truth hold, until all were read."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.descriptions: dict[str, str] = {}
        self._images: dict[str, int] = {}
        self._categories: dict[str, int] = {}
        self._annotated: list[Part] = []
        self._negative: list[Part] = []
        self._says_negatives = False
        self._readers = {
            "images": self._read_images,
            "annotations": self._read_annotations,
            "categories": self._read_categories,
        }
        self._read: set[str] = set()

    def read(self, name: str, stream: JsonStream) -> None:
        """Read the list of this name; another member of the file is passed over."""
        if name not in self._readers:
            stream.skip()
            return
        what = "is there a second time; keep one" if name in self._read else None
        if stream.peek() != "[":
            what = "is no list; write [ … ]"
        if what is not None:
            raise FileError(stream.path, f"{name} {what}", line=stream.line)
        self._read.add(name)
        self._readers[name](Elements(name, stream, self.problems))

    def truth(self, concepts: tuple[str, ...] | None) -> Truth:
        """What the lists say together."""
        self.problems.settle()
        lacking = [name for name in self._readers if name not in self._read]
        if lacking:
            raise FileError(
                self.problems.path,
                f"there are no {' and no '.join(lacking)}; a truth needs images, annotations and "
                "categories, and files of test sets come without annotations",
            )
        self._require_known()
        require_known_concepts(self._categories, concepts, self.problems, line=None)
        unheard = [name for name in concepts or () if name not in self._categories]
        if unheard:
            self.problems.add(
                f"{several(len(unheard), 'concept')} not among the categories: "
                f"{first_ten(unheard)}; add them"
            )
        listing = Listing(
            self.problems,
            items=tuple(self._images),
            concepts=tuple(self._categories) if concepts is None else concepts,
            again="alike",
        )
        for part in (*self._annotated, *self._negative):
            listing.add(*part)
        if self._says_negatives:
            return listing.truth(absent="unjudged", unjudged="exclude")
        return listing.truth(absent="negative", unjudged="negative")

    def _read_images(self, images: Elements) -> None:
        negative = Batches(lambda *part: self._negative.append(part))
        for image in images:
            item = self._new_id(images, image, self._images)
            if "neg_category_ids" not in image:
                continue
            self._says_negatives = True
            named = image["neg_category_ids"]
            if not isinstance(named, list):
                images.wrong("has neg_category_ids that are no list; write [ … ]")
                continue
            for value in named:
                concept = images.as_id(value, "negative category")
                if item is not None and concept is not None:
                    negative.add(item, concept, 0, images.line)
        negative.flush()

    def _read_annotations(self, annotations: Elements) -> None:
        annotated = Batches(lambda *part: self._annotated.append(part))
        for annotation in annotations:
            item = annotations.id(annotation, "image_id")
            concept = annotations.id(annotation, "category_id")
            if item is not None and concept is not None:
                annotated.add(item, concept, 1, annotations.line)
        annotated.flush()

    def _read_categories(self, categories: Elements) -> None:
        for category in categories:
            concept = self._new_id(categories, category, self._categories)
            if category.get("name") in (None, "") or concept is None:
                continue
            name = categories.text(category["name"], "name")
            if name is not None:
                self.descriptions[concept] = name

    def _new_id(
        self, elements: Elements, element: Mapping[str, Any], known: dict[str, int]
    ) -> str | None:
        name = elements.id(element, "id")
        if name is not None and name in known:
            elements.wrong(f"has the id {shown(name)}, as one on line {known[name]} has; keep one")
            return None
        if name is not None:
            known[name] = elements.line
        return name

    def _require_known(self) -> None:
        """Annotations and negatives may only name images and categories of the file."""
        parts = (*self._annotated, *self._negative)
        for place, (name, known) in enumerate(
            (("images", self._images), ("categories", self._categories))
        ):
            unknown: dict[str, int] = {}
            for part in parts:
                ids: Any = part[place]
                if not known.keys() >= set(ids):
                    for each, line in zip(ids, part[-1].tolist(), strict=True):
                        if each not in known:
                            unknown.setdefault(each, line)
            if unknown:
                self.problems.add(
                    f"the {name} lack {several(len(unknown), 'id')} that other lists name: "
                    f"{first_ten(unknown)}; add them, or remove what names them",
                    line=min(unknown.values()),
                )
