"""What looks like a mistake in a collection is found, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from problems import sparse

FORMS = pytest.mark.parametrize("form", [np.array, sparse], ids=["dense", "sparse"])


def oddities(labels: Any, **options: Any) -> Any:
    return cf.describe(cf.Truth(labels, **options)).oddities


@FORMS
def test_a_plain_collection_has_none(form: Any) -> None:
    odd = oddities(form(np.array([[1, 0], [1, 1], [0, 0]])), items="abc", concepts=["sky", "sea"])
    assert not odd


@FORMS
def test_concepts_that_tell_no_items_apart(form: Any) -> None:
    odd = oddities(form(np.array([[1, 0, 1], [1, 0, 0]])), concepts=["day", "snow", "sky"])
    assert odd.never_positive == ("snow",)
    assert odd.never_negative == ("day",)


@FORMS
def test_a_concept_without_a_negative_judgement_is_never_negative(form: Any) -> None:
    labels, judged = np.array([[1, 0], [0, 0]]), np.array([[1, 1], [0, 0]])
    odd = oddities(form(labels), judged=form(judged), concepts="ab")
    assert (odd.never_negative, odd.never_positive) == (("a",), ("b",))


@FORMS
def test_concepts_that_always_come_together_are_twins(form: Any) -> None:
    labels = np.array([[1, 0, 1, 0, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 1, 0]])
    odd = oddities(form(labels), concepts=["dusk", "cat", "dawn", "pets", "snow"])
    assert odd.equal_concepts == (("dusk", "dawn"),)


@FORMS
def test_concepts_without_positives_are_no_twins(form: Any) -> None:
    assert oddities(form(np.array([[1, 0, 0], [0, 0, 0]]))).equal_concepts == ()


def test_ids_that_differ_in_case_space_or_unicode_form_are_alike() -> None:
    concepts = ["Sky", "sky", " sky", "café", "cafe\u0301", "sea", "s ea"]
    odd = oddities(np.eye(7), concepts=concepts, items=["a.jpg", "b", "A.JPG", *"cdef"])
    assert odd.similar_concepts == (("Sky", "sky", " sky"), ("café", "cafe\u0301"))
    assert odd.similar_items == (("a.jpg", "A.JPG"),)


def test_numbered_items_are_never_alike() -> None:
    assert oddities(np.eye(3)).similar_items == ()


def test_items_with_the_same_features_are_the_same_thing_twice() -> None:
    features = pl.DataFrame({"x": [1.0, 2.0, 1.0, 2.0, 3.0], "x'": ["a", "b", "a", "c", "a"]})
    collection = cf.Collection(cf.Truth(np.ones((5, 1)), items="abcde"), features=features)
    assert cf.describe(collection).oddities.equal_items == (("a", "c"),)
