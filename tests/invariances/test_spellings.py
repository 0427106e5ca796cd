"""Every spelling of a measure is the same measure."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from invariances.registered import (
    CASES,
    DECIDED,
    each_plain_measure,
    every_measure,
    plain,
    scored,
)


@dataclass(frozen=True)
class Spelled:
    """Some spelling and the canonical name it must lead to."""

    spelling: str
    canonical: str


def spellings() -> list[Spelled]:
    found = []
    for definition in cf.measures():
        name = plain(definition)
        canonical = str(cf.measure(name))
        base, at_sign, k = name.partition("@")
        cutoff = at_sign + k
        aliases = [alias.removesuffix("@k") for alias in definition.aliases]
        found += [Spelled(alias + cutoff, canonical) for alias in aliases]
        found += [Spelled(text, canonical) for text in (name.upper(), name.lower(), f"  {name} ")]
        found.append(Spelled(name.replace(".", " . "), canonical))
        if name.startswith("concept."):
            found.append(Spelled(name.replace("concept.", "topic."), canonical))
        defaults = [
            f"{option.name}={option.default}"
            for option in definition.options.values()
            if option.default not in (None, 0) and option.name != "k"
        ]
        found.append(Spelled(f"{base}{cutoff}({','.join(defaults)})", canonical))
        found.append(Spelled(f"{base}( {' , '.join(reversed(defaults))} ){cutoff}", canonical))
        found.append(Spelled(f"{base}{cutoff}({','.join(defaults)})".upper(), canonical))
        found.append(Spelled(f"{base}{cutoff}()", canonical))
        if cutoff:
            found.append(Spelled(f"{base}(k={k})", canonical))
    return found


@pytest.mark.parametrize("case", spellings(), ids=lambda case: case.spelling)
def test_every_spelling_names_the_same_measure(case: Spelled) -> None:
    assert str(cf.measure(case.spelling)) == case.canonical
    assert cf.measure(case.spelling) == cf.measure(case.canonical)
    assert hash(cf.measure(case.spelling)) == hash(cf.measure(case.canonical))


@every_measure
def test_names_round_trip_and_look_up_their_result(name: str) -> None:
    measure = cf.measure(name)
    assert cf.measure(str(measure)) == measure
    assert cf.measure(measure) is measure
    assert str(cf.measure(str(measure))) == str(measure)
    case = CASES["heavy ties"]
    result = cf.evaluate(case.truth(), case.run(), [name], **case.knowledge)
    for spelling in (name, str(measure), name.upper(), f" {name} ", measure):
        assert repr(result["run", spelling]) == repr(result.scores[0].value)


@given(value=st.floats(0, 50, allow_subnormal=False))
def test_numbers_in_names_round_trip(value: float) -> None:
    measure = cf.measure(f"example.F(beta={value!r})")
    assert cf.measure(str(measure)) == measure
    assert measure.options["beta"] == value


@every_measure
def test_the_signature_holds_every_convention(name: str) -> None:
    case = CASES["heavy ties"]
    score = scored(case.truth(), case.run(), name)
    chosen = dict(score.conventions)
    rests_on = score.measure.origins(score.known)
    for option, value in score.measure.options.items():
        if option == "k":
            assert value == 0 or f"@{value}(" in score.signature
        else:
            assert f"{option}={chosen[option]}" in score.signature
            assert chosen[option] in (str(value), "negative", rests_on.get(option))
    assert "missing=error" in score.signature
    assert (
        f"|units={score.units}|skipped={score.skipped}|cranfield={cf.__version__}|"
        in score.signature
    )
    assert f"truth={case.truth().digest[:8]}|" in score.signature
    assert case.truth().digest in score.long_signature
    assert ("decisions=>=" in score.signature) is (name in DECIDED)


@each_plain_measure
def test_every_measure_declares_what_it_is(name: str) -> None:
    measure = cf.measure(name)
    traits = measure.traits
    assert measure.definition.formula
    assert traits.source
    assert traits.range[0] < traits.range[1]
    prefix, dot, _ = name.partition(".")
    assert traits.direction == (prefix if dot else "example")
    assert (
        traits.merges
        == {"concept": "concepts", "example": "items", "micro": "counts"}[traits.direction]
    )
