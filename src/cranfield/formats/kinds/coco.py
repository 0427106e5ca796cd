"""COCO JSON, at the level of images: which categories are on an image, not where.

A truth is an object with `images`, `annotations` and `categories`, in whatever order they come.
Every image is an item and every category a concept, by their ids; the names of categories describe
them. An image has the categories of its annotations, whatever else these hold, and no others. Where
images have `neg_category_ids`, as in LVIS, only those are negative; of the rest nothing is known,
so it is left out.

A run is a list of results `{"image_id": …, "category_id": …, "score": …}`; of several for one image
and category the largest score counts.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError, first_ten, several
from cranfield.formats.cells import entries, require_known_concepts, require_listed
from cranfield.formats.contents import IDS, Content
from cranfield.formats.json_stream import JsonStream
from cranfield.formats.listing import Listing
from cranfield.formats.problems import Problems, shown
from cranfield.formats.registry import Expected, Format, Options, register
from cranfield.formats.source import Source, Target

_LOOKS_LIKE_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*"|\[\s*[{\]])')
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""Ids that are written as numbers: those that come back as they were."""


def _read_truth(source: Source, problems: Problems, concepts: tuple[str, ...] | None) -> Collection:
    stream = JsonStream(source, problems)
    if stream.peek() != "{":
        raise FileError(
            source.path,
            "a truth is an object with images, annotations and categories; "
            "a list of results is a run",
            line=stream.line,
        )
    parts = TruthParts(problems)
    for name in stream.members():
        parts.read(name, stream)
    stream.end()
    return Collection(parts.truth(concepts), source.name, descriptions=parts.descriptions)


def _read_run(source: Source, problems: Problems, expected: Expected, options: Options) -> Run:
    stream = JsonStream(source, problems)
    if stream.peek() != "[":
        raise FileError(
            source.path,
            'a run is a list of results, [{"image_id": …, "category_id": …, "score": …}, …]; '
            "an object with annotations is a truth",
            line=stream.line,
        )
    listing = Listing(problems, again="largest")
    batches = Batches(listing.add)
    results = Elements("results", stream, problems)
    for result in results:
        item, concept = results.id(result, "image_id"), results.id(result, "category_id")
        score = results.number(result, "score")
        if item is not None and concept is not None and score is not None:
            batches.add(item, concept, score, results.line)
    stream.end()
    batches.flush()
    return listing.run(expected, options)


# -- Writing: an object a line, so that errors and differences have lines ------------------------


def _write_truth(collection: Collection, target: Target) -> None:
    lists = {
        "images": _images(collection.truth),
        "annotations": _annotations(collection.truth),
        "categories": _categories(collection),
    }
    between = "{"
    for name, elements in lists.items():
        target.stream.write(f"{between}{json.dumps(name)}: ".encode())
        _write_list(elements, target)
        between = ",\n"
    target.stream.write(b"}\n")


def _write_run(run: Run, target: Target) -> None:
    require_listed(run.item_axis, run)
    require_listed(run.concept_axis, run)
    results = (
        {"image_id": _number(item), "category_id": _number(concept), "score": score}
        for item, concept, score in entries(run)
    )
    _write_list(results, target)
    target.stream.write(b"\n")


def _write_list(elements: Iterable[dict[str, Any]], target: Target) -> None:
    between = "[\n"
    for element in elements:
        target.stream.write(f"{between}{json.dumps(element, ensure_ascii=False)}".encode())
        between = ",\n"
    target.stream.write(b"[]" if between == "[\n" else b"\n]")


def _images(truth: Truth) -> Iterator[dict[str, Any]]:
    """Images, with their negatives where not every cell was judged."""
    if truth.judged is None:
        yield from ({"id": _number(item)} for item in truth.items)
        return
    judged = groupby(entries(truth), key=itemgetter(0))
    next_item, cells = next(judged, ("", iter(())))
    for item in truth.items:
        negative: list[Any] = []
        if item == next_item:
            negative = [_number(concept) for _, concept, value in cells if not value]
            next_item, cells = next(judged, ("", iter(())))
        yield {
            "id": _number(item),
            "neg_category_ids": negative,
            "not_exhaustive_category_ids": [],
        }


def _annotations(truth: Truth) -> Iterator[dict[str, Any]]:
    matrix = truth.matrix
    codes = matrix.codes[matrix.values] if isinstance(matrix, Cells) else np.flatnonzero(matrix)
    for position, code in enumerate(codes):
        row, column = divmod(int(code), truth.shape[1])
        yield {
            "id": position + 1,
            "image_id": _number(truth.items[row]),
            "category_id": _number(truth.concepts[column]),
        }


def _categories(collection: Collection) -> Iterator[dict[str, Any]]:
    for concept in collection.concepts:
        name = collection.descriptions.get(concept)
        yield {"id": _number(concept), "name": name} if name else {"id": _number(concept)}


def _number(text: str) -> int | str:
    """An id as COCO has it: a number if it looks like one."""
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else text


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
        for position, element in enumerate(self._stream.elements()):
            self._place = position
            if isinstance(element, dict):
                yield element
            else:
                self.wrong(f"is {shown(repr(element))}; write an object")
            if not position % _BATCH:
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
        for position, (name, known) in enumerate(
            (("images", self._images), ("categories", self._categories))
        ):
            unknown: dict[str, int] = {}
            for part in parts:
                ids: Any = part[position]
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


register(
    Format(
        name="coco",
        extensions=(".json",),
        priority=1,
        holds=IDS | {Content.UNJUDGED, Content.LEFT_OUT, Content.DESCRIPTIONS, Content.ABSENT},
        recognises=lambda source: (
            source.extension == ".json" or _LOOKS_LIKE_JSON.match(source.head) is not None
        ),
        read_truth=_read_truth,
        read_run=_read_run,
        write_truth=_write_truth,
        write_run=_write_run,
    )
)
