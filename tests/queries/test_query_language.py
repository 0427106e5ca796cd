"""The language of queries: what is understood, what is written, what is refused and where."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from drawn_queries import NAMES, expressions
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.tasks.retrieval.queries import Names, as_queries
from cranfield.tasks.retrieval.query_language import And, Concept, Expression, Not, Or, parse

SEA, SKY, PERSON = Concept("sea"), Concept("sky"), Concept("person")


def refused(message: str) -> pytest.RaisesExc[cf.InputError]:
    return pytest.raises(cf.InputError, match=re.escape(message))


@given(expressions(NAMES))
def test_a_query_written_out_is_read_back_as_the_same(expression: Expression) -> None:
    query = cf.Query(expression)
    again = cf.Query(str(query))
    assert again == query
    assert hash(again) == hash(query)
    assert str(again) == str(query)


@given(st.text(alphabet="ab ()\"'ANDORNOT\n\tß"))
def test_any_text_is_understood_or_refused(text: str) -> None:
    with suppress(cf.InputError):
        query = cf.Query(text)
        assert cf.Query(str(query)) == query


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("sea", SEA),
        ("sea AND sky AND NOT person", And((SEA, SKY, Not(PERSON)))),
        ("sea and sky or person", Or((And((SEA, SKY)), PERSON))),
        ("sea AND (sky Or person)", And((SEA, Or((SKY, PERSON))))),
        ("not(sea)and((sky))", And((Not(SEA), SKY))),
        ("NOT NOT sea", Not(Not(SEA))),
        ("(sea AND sky) AND person", And((SEA, SKY, PERSON))),
        ('"big dog"', Concept("big dog")),
        ("'big dog' AND sea", And((Concept("big dog"), SEA))),
        ('"say ""hi"""', Concept('say "hi"')),
        ("men's", Concept("men's")),
        ('"AND" AND "not"', And((Concept("AND"), Concept("not")))),
        ("  sea\n", SEA),
        ("/m/01g317", Concept("/m/01g317")),
    ],
)
def test_what_a_text_means(text: str, meant: Expression) -> None:
    assert parse(text) == meant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a query is empty; write concepts"),
        ("   ", "a query is empty"),
        ("sea AND AND sky", "query sea AND >>>AND<<< sky, character 9: AND stands where a concept"),
        ("OR sea", "query >>>OR<<< sea, character 1: OR stands where a concept should"),
        ("sea AND", "query sea AND>>><<<, character 8: a concept is missing after AND"),
        ("sea sky", "character 5: AND or OR is missing before 'sky'; write one of them, or quote"),
        ("sea (sky)", "query sea >>>(<<<sky), character 5: AND or OR is missing before '('"),
        ("sea NOT sky", "AND or OR is missing before 'NOT'"),
        ("(sea OR sky", "query >>>(<<<sea OR sky, character 1: this bracket is never closed"),
        ("sea)", "query sea>>>)<<<, character 4: this bracket was never opened"),
        ("()", "query (>>>)<<<, character 2: ) stands where a concept should"),
        ("sea AND 'sky", "query sea AND >>>'<<<sky, character 9: this quote is never closed"),
        ("''", "this name is empty"),
        ("NOT " * 500 + "sea", "more than 50 brackets and NOTs"),
        ("(" * 5000, "more than 50 brackets and NOTs"),
        ("a AND " * 40 + "b c" + " AND d" * 40, "query …"),
    ],
)
def test_a_mistake_is_shown_at_its_place(text: str, message: str) -> None:
    with refused(message):
        cf.Query(text)


def test_a_query_is_no_number() -> None:
    with refused("a query is a int; write a text"):
        cf.Query(3)


def test_queries_are_values() -> None:
    assert cf.Query("sea AND sky") == cf.Query("(sea) and sky")
    assert len({cf.Query("sea OR sky"), cf.Query("sea or sky"), cf.Query("sky OR sea")}) == 2
    assert cf.Query("sea OR sky") != cf.Query("sea AND sky")
    assert repr(cf.Query("sea and 'big dog'")) == "Query('sea AND \"big dog\"')"
    assert cf.Query("sea AND NOT (sky OR sea)").concepts == ("sea", "sky")


# ── names ─────────────────────────────────────────────────────────────────────────────────────


def test_names_are_looked_up_exactly_then_in_either_case_then_by_what_they_mean() -> None:
    names = Names(["Sea", "sea", "Sky", "/m/1"], {"/m/1": "Big dog", "/m/2": "Cat"})
    found = cf.Query("sea AND SKY AND NOT 'big dog'").resolved(names)
    assert found == cf.Query("sea AND Sky AND NOT /m/1")


def test_an_unknown_name_is_shown_at_its_place_with_near_ones() -> None:
    names = Names(["Sea", "Single_Person", "No_Persons"])
    with refused("query sea AND NOT >>>person<<<, character 13: there is no concept 'person'") as e:
        cf.Query("sea AND NOT person").resolved(names)
    assert "did you mean 'No_Persons', 'Single_Person'?" in str(e.value)
    with refused("there is no concept 'xyz'; there are 'Sea'"):
        cf.Query("xyz").resolved(names)


def test_a_name_that_fits_several_concepts_in_another_case_is_refused() -> None:
    with refused("'SEA' may be 'Sea', 'sea'"):
        cf.Query("SEA").resolved(Names(["Sea", "sea"]))


def test_the_place_of_a_name_is_not_that_of_a_word_of_the_language() -> None:
    with refused("query sea AND >>>'AND'<<<, character 9"):
        cf.Query("sea AND 'AND'").resolved(Names(["sea"]))


# ── several queries ───────────────────────────────────────────────────────────────────────────


def test_queries_come_in_many_forms() -> None:
    one = cf.Query("sea and sky")
    assert as_queries("sea and sky") == as_queries(one) == as_queries([one]) == {"sea AND sky": one}
    assert as_queries({"q1": "sea", 2: one}) == {"q1": cf.Query("sea"), "2": one}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["sea", "sea"], "given more than once: query 'sea'"),
        ([], "there are no queries"),
        (7, "queries are a int"),
        ([7], "a query is a int"),
    ],
)
def test_queries_that_cannot_be_used_are_refused(given: object, message: str) -> None:
    with refused(message):
        as_queries(given)
