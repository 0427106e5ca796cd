"""COCO JSON, at the level of images: which categories are on an image, not where.

A truth is an object with `images`, `annotations` and `categories`. Every image is an item and every
category a concept, by their ids; the names of categories describe them. An image has the categories
of its annotations, whatever else these hold, and no others. Where images have `neg_category_ids`,
as in LVIS, only those are negative; of the rest nothing is known, so it is left out.

A run is a list of results `{"image_id": …, "category_id": …, "score": …}`; of several for one image
and category the largest score counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import FileError
from cranfield.formats.coco.json_stream import JsonStream
from cranfield.formats.coco.parts import Batches, Elements, TruthParts
from cranfield.formats.contents import IDS, Content
from cranfield.formats.entries import entries, require_listed
from cranfield.formats.listing import Listing
from cranfield.formats.problems import Problems
from cranfield.formats.registry import Expected, Format, Options, Target, register
from cranfield.formats.source import Source

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
    for place, code in enumerate(codes):
        row, column = divmod(int(code), truth.shape[1])
        yield {
            "id": place + 1,
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


register(
    Format(
        name="coco",
        extensions=(".json",),
        asked=1,
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
