"""Every spelling of a measure is the same measure."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from invariances.registered import ALL, CASES, DECIDED, PLAIN, all_scored, plain


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


def test_every_spelling_names_the_same_measure() -> None:
    for case in spellings():
        assert str(cf.measure(case.spelling)) == case.canonical
        assert cf.measure(case.spelling) == cf.measure(case.canonical), case
        assert hash(cf.measure(case.spelling)) == hash(cf.measure(case.canonical)), case


def test_names_round_trip() -> None:
    for name in ALL:
        measure = cf.measure(name)
        assert cf.measure(str(measure)) == measure, name
        assert cf.measure(measure) is measure, name
        assert str(cf.measure(str(measure))) == str(measure)


def test_names_look_up_their_result() -> None:
    case = CASES["heavy ties"]
    result = cf.evaluate(case.truth(), case.run(), ALL, **case.knowledge)
    for name in ALL:
        measure = cf.measure(name)
        (score,) = [one for one in result if one.measure == measure]
        for spelling in (name, str(measure), name.upper(), f" {name} ", measure):
            assert result.score("run", spelling) is score, spelling
            assert repr(result["run", spelling]) == repr(score.value), spelling


@given(value=st.floats(0, 50, allow_subnormal=False))
def test_numbers_in_names_round_trip(value: float) -> None:
    measure = cf.measure(f"example.F(beta={value!r})")
    assert cf.measure(str(measure)) == measure
    assert measure.options["beta"] == value


def test_the_signature_holds_every_convention() -> None:
    case = CASES["heavy ties"]
    for name, score in all_scored(case.truth(), case.run()).items():
        chosen = dict(score.conventions)
        rests_on = score.measure.origins(score.known)
        for option, value in score.measure.options.items():
            if option == "k":
                assert value == 0 or f"@{value}(" in score.signature
            else:
                assert f"{option}={chosen[option]}" in score.signature
                assert chosen[option] in (str(value), "negative", rests_on.get(option)), name
        assert "missing=error" in score.signature
        assert (
            f"|units={score.units}|skipped={score.skipped}|cranfield={cf.__version__}|"
            in score.signature
        )
        assert f"truth={case.truth().digest[:8]}|" in score.signature
        assert case.truth().digest in score.long_signature
        assert ("decisions=>=" in score.signature) is (name in DECIDED), name


def test_every_measure_declares_what_it_is() -> None:
    merges = {"concept": "concepts", "example": "items", "micro": "counts"}
    for name in PLAIN:
        measure = cf.measure(name)
        traits = measure.traits
        assert measure.definition.formula, name
        assert traits.source, name
        assert traits.range[0] < traits.range[1], name
        prefix, dot, _ = name.partition(".")
        assert traits.direction == (prefix if dot else "example"), name
        assert traits.merges in (merges[traits.direction], "nothing"), name
