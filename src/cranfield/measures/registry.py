"""The registry of measures, and measures as values whose names round-trip.

    prefix.NAME@k(option=value,…)

A name is read in any spelling (spaces, order of options, defaults written out, aliases, either
case); `str()` gives the canonical one: defaults dropped, options sorted. OS-FTS is another spelling
of OS(costs=FTS). Later families only add definitions; nothing here changes for them.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.core.truth import Truth
from cranfield.errors import InputError, MeasureError
from cranfield.kernels import Statistic
from cranfield.knowledge import Known
from cranfield.measures.definition import Definition, Traits, Value, where_empty
from cranfield.measures.functions import Function, definition_of
from cranfield.measures.meanings import kind_of, meaning_of, no_meaning
from cranfield.measures.peer_names import KINDS, Kind, PeerMeaning, peer_meaning
from cranfield.measures.suggestions import nearest
from cranfield.measures.ties import EXTREMES, tie_notes

if TYPE_CHECKING:
    pass

if TYPE_CHECKING:
    from cranfield.measures.listing import NameMeaning

_definitions: dict[str, Definition] = {}
_spellings: dict[str, str] = {}
_functions: dict[str, Measure] = {}
"""Functions that somebody named or handed over, by module:function, file.py:function or the name of
an entry point."""
_advice: dict[str, str] = {}
"""What to write instead of names that are no longer, or never were, those of one measure."""

_PREFIXES = {
    "topic": "concept", "macro": "concept", "class": "concept",
    "item": "example", "samples": "example",
}  # fmt: skip
"""Other words for a direction; conventions stay ours."""

_SHAPE = re.compile(
    r"(?P<name>[A-Za-z][\w.]*)(?:-(?P<of>[\w.+-]+))?(?:@(?P<k>\d+))?(?:\((?P<options>[^()]*)\))?(?:@(?P<late>\d+))?"
)


_FUNCTION = re.compile(
    r"(?P<name>(?:.+:)?[\w.<>-]+)(?:@(?P<k>\d+))?(?:\((?P<options>[^()]*)\))?", re.DOTALL
)


def add(definition: Definition) -> None:
    """Register a measure; its name and aliases must be new, unless its own file runs again."""
    for spelling in (definition.name, *definition.aliases):
        _require_new(spelling, definition)
    for spelling in (definition.name, *definition.aliases):
        _spellings[spelling.lower()] = definition.name
    _definitions[definition.name] = definition
    for cached in (_read, _meaning):
        cached.cache_clear()


def _require_new(spelling: str, definition: Definition) -> None:
    """Refuse a name that another measure has, or that could not be read."""
    origin, owner = definition.origin, _spellings.get(spelling.lower())
    other = _definitions[owner].origin if owner in _definitions else None
    again = origin is not None and other is not None
    if again and (origin.module, origin.name) == (other.module, other.name):  # type: ignore[union-attr]
        return
    what = ""
    if owner is not None:
        whose = "a measure of cranfield" if other is None else f"a measure of {other.path}"
        what = f"{spelling} is the name of {whose}; choose another"
    elif origin is not None and peer_meaning(spelling) is not None:
        what = f"{spelling} is a name of another tool; choose another"
    elif _SHAPE.fullmatch(spelling.removesuffix("@k")) is None:
        what = f"{spelling!r} cannot be read as the name of a measure; write concept.NAME, say"
    if what:
        raise MeasureError(what) if origin is None else origin.error(what)


def name_function(name: str, function: Any) -> None:
    """Let a name stand for a function: what -m or an entry point names."""
    if not callable(function):
        raise MeasureError(f"{name} is a {type(function).__name__}, no function")
    if name.lower() in _spellings or (":" not in name and peer_meaning(name) is not None):
        raise MeasureError(f"{name} is the name of a measure; give the function another one")
    _functions[name] = _of_function(function)


def function_name(spelling: str) -> str:
    """What names the function in "module:function@k(option=value)"."""
    shape = _FUNCTION.fullmatch(spelling.strip())
    return spelling if shape is None else shape["name"]


def advise(name: str, advice: str) -> None:
    """Answer a name that stands for no single measure with what to write."""
    _advice[name.lower()] = advice


@dataclass(frozen=True)
class Measure:
    """A measure with its options: a value; all spellings of a measure give the same."""

    name: str
    settings: tuple[tuple[str, Value], ...] = ()
    """The options that differ from their defaults, sorted; a cutoff is the option `k`."""
    tool: str = field(default="", compare=False)
    """The other tool by whose name it was called."""
    unsettled: str = field(default="", compare=False)
    """That name, as long as its meaning depends on a truth that is not known yet."""
    own: Definition | None = field(default=None, repr=False)
    """Of a function that no decorator registered: what it is."""

    @property
    def definition(self) -> Definition:
        return self.own or _definitions[self.name]

    @cached_property
    def traits(self) -> Traits:
        """What it declares; average=micro makes one unit of all items, and weights by frequency
        look at all of them."""
        traits = self.definition.traits
        if self.options.get("average") == "micro":
            return replace(traits, direction="micro", merges="counts")
        if self.options.get("label_weights") == "frequency":
            return replace(traits, merges="nothing")
        return traits

    @cached_property
    def options(self) -> dict[str, Any]:
        """Every option with its value."""
        values: dict[str, Any] = {
            name: option.default for name, option in self.definition.options.items()
        }
        return values | dict(self.settings)

    @cached_property
    def statistic(self) -> Statistic | None:
        """The statistic of ranked lists that this measure is made of, if any."""
        needs = self.definition.needs
        return None if needs is None else needs(self.options)

    @property
    def statistics(self) -> list[Statistic]:
        """The same, and what tells whether the order of equal scores matters."""
        needs = self.definition.needs
        if needs is None or self.statistic is None:
            return []
        others = [] if self.tool else [self.options | {"ties": rule} for rule in EXTREMES]
        return [self.statistic, *(needs(options) for options in others)]

    def units(self, comparison: Comparison) -> Floats:
        """One score for each unit; NaN = skipped."""
        options = self.options
        values = self.definition.units(comparison, options)
        return self.definition.resolve(
            values, comparison, options["undefined"], self.traits.direction
        )

    def tabulate(self, contingency: Contingency) -> Floats:
        """The score of a confusion matrix, or of each in a stack of them; NaN = undefined."""
        table, undefined = self.definition.table, self.options["undefined"]
        if table is None:
            raise MeasureError(
                f"{self} is no measure of a confusion matrix; take one that begins with confusion."
            )
        values = table(contingency, self.options)
        if undefined == "skip" or not np.isnan(values).any():
            return values
        if undefined == "raise":
            raise InputError(
                f"{self.name} is undefined for this confusion matrix; mend it, or choose "
                "undefined=skip, 0 or 1"
            )
        return np.where(np.isnan(values), float(undefined), values)

    def of_counts(self, counts: Counts) -> Floats | None:
        """One score for each entry of counts; None if the measure looks at more than counts."""
        formula = self.definition.formula_of_counts
        if formula is None:
            return None
        values, undefined = formula(counts, self.options), self.options["undefined"]
        if undefined == "empty":
            return where_empty(values, counts)
        if undefined in ("skip", "raise"):
            return values
        return np.where(np.isnan(values), float(undefined), values)

    def notes(self, comparison: Comparison) -> list[str]:
        """What readers of its score should know."""
        tell, truth = self.definition.notes, comparison.truth
        predicted = [] if tell is None else tell(comparison, self.options)
        if self.binary and truth.binarised:
            predicted = [
                *predicted,
                f"binarised at grade {truth.level}; level= (--level) chooses another",
            ]
        if "costs" in self.definition.knowledge:
            predicted = [*predicted, *comparison.known.cost_notes(self.options["costs"], self.name)]
        return (
            predicted
            if self.tool
            else [*predicted, *tie_notes(self.definition, self.options, comparison)]
        )

    @property
    def binary(self) -> bool:
        """Whether it looks at what is relevant or not, even where a truth has grades."""
        relevance = self.traits.relevance
        if relevance == "graded":
            return self.options.get("gain") == "binary"
        return relevance in ("binary", "distribution")

    def origins(self, known: Known) -> dict[str, str]:
        """Which knowledge a score rests on."""
        asks = self.definition.asks
        return {
            needed: known.origin(needed, self.options.get(needed), str(self))
            for needed in (self.definition.knowledge if asks is None else asks(self.options))
        }

    def on(self, truth: Truth) -> Measure:
        """What it is on a truth: a name of another tool settled, and no more said of unjudged cells
        than that truth does by itself."""
        meant = self.read_as(kind_of(truth), truth)
        settings = tuple(s for s in meant.settings if s != ("unjudged", truth.unjudged))
        return meant if settings == meant.settings else replace(meant, settings=settings)

    def read_as(self, kind: Kind, truth: Truth | None = None) -> Measure:
        """What it is on a kind of data."""
        return _read_name(self.unsettled, kind, truth) if self.unsettled else self

    def __repr__(self) -> str:
        if self.unsettled:
            return f"Measure({self.unsettled!r}: {self}, unless the truth gives it another meaning)"
        return f"Measure({str(self)!r})"

    def __str__(self) -> str:
        settings = dict(self.settings)
        k = settings.pop("k", None)
        cutoff = "" if k is None else f"@{k}"
        inside = ",".join(f"{name}={_written(value)}" for name, value in settings.items())
        name = self.name.removesuffix("@k")
        return f"{name}{cutoff}" + (f"({inside})" if inside else "")


def measure(spelling: str | Measure | Function) -> Measure:
    """The measure that a spelling names, or that a function of two arrays is."""
    if isinstance(spelling, Measure):
        return spelling
    if callable(spelling):
        return _of_function(spelling)
    try:
        return stored_measure(spelling)
    except MeasureError as error:
        from cranfield.measures.plugins import load_entry_points

        problems = load_entry_points()
        try:
            return stored_measure(spelling)
        except MeasureError:
            raise MeasureError("; ".join([str(error), *problems])) from None


def stored_measure(spelling: str) -> Measure:
    """The measure that a file names: no plug-in is imported for it."""
    shape = _FUNCTION.fullmatch(str(spelling).strip())
    if shape is None or shape["name"] not in _functions:
        if shape is not None and ":" in shape["name"]:
            raise MeasureError(
                f"{spelling!r} is not loaded; -m of a command loads such a function, and Python "
                "takes the function itself"
            )
        return _read(str(spelling))
    named = _functions[shape["name"]]
    given = _given_options(re.sub(r"\s+", "", shape["options"] or ""), spelling)
    if shape["k"] is not None:
        given["k"] = shape["k"]
    if "k" in named.definition.options and "k" not in given and named.name.endswith("@k"):
        raise MeasureError(f"{spelling!r} needs a cutoff; write {spelling}@10, say")
    return replace(_settle(named.definition, given), own=named.own)


def declared_by(function: Function) -> Measure | None:
    """The measure that a decorated function declares."""
    names = [definition.name for definition in measures_so_far() if definition.function is function]
    if len(names) > 1:
        raise MeasureError(f"{function.__name__} is {' and '.join(names)}; name one of them")
    return Measure(names[0]) if names else None


def _of_function(function: Function) -> Measure:
    declared = declared_by(function)
    if declared is not None:
        return declared
    definition = definition_of(function)
    made = Measure(definition.name, own=definition)
    _functions[definition.name] = made
    return made


@lru_cache(maxsize=1024)
def _read(spelling: str) -> Measure:
    name = re.sub(r"\s+", "", spelling)
    meaning = _meaning(name)
    if meaning is not None:
        if not meaning.readings:
            raise MeasureError(no_meaning(meaning))
        usual = next(meaning.readings[kind] for kind in KINDS if kind in meaning.readings)
        return replace(_read(usual), tool=meaning.tool, unsettled=name)
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        raise MeasureError(
            f"{spelling!r} does not read as a measure; write prefix.NAME@k(option=value,…), "
            "for example concept.P@10 or example.F(beta=2)"
        )
    given = _given_options(shape["options"] or "", spelling)
    for k in (shape["k"], shape["late"]):
        if k is not None:
            if "k" in given:
                raise MeasureError(f"{spelling}: two cutoffs; write one @k")
            given["k"] = k
    definition = _find(shape["name"], spelling, cut="k" in given)
    if shape["of"]:
        option = definition.named_by
        if option is None or option in given:
            raise MeasureError(
                f"{spelling!r}: {definition.name} takes no -{shape['of']}"
                + (f" beside {option}=" if option else "")
            )
        given[option] = shape["of"]
    return _settle(definition, given)


@lru_cache(maxsize=1024)
def _meaning(name: str) -> PeerMeaning | None:
    return None if name.lower() in _advice else meaning_of(name, _spellings)


def _read_name(name: str, kind: Kind, truth: Truth | None) -> Measure:
    """The measure that a name means on a kind of data; where items have one label, and where there
    is one concept, names for several labels mean the same."""
    meaning = _meaning(name)
    assert meaning is not None
    spelling = meaning.readings.get(kind)
    if spelling is None and kind in ("classes", "concept"):
        spelling = meaning.readings.get("labels")
    if spelling is None and truth is not None and truth.targets is not None:
        spelling = meaning.readings.get("numbers")
    if spelling is None:
        raise MeasureError(no_meaning(meaning, kind))
    if meaning.level is not None and truth is not None and meaning.level != truth.level:
        raise MeasureError(
            f"{name!r} counts grades from {meaning.level} on as relevant; say so for the whole "
            f"evaluation with level={meaning.level} (--level {meaning.level})"
        )
    return replace(_read(spelling), tool=meaning.tool)


@overload
def measures() -> tuple[Definition, ...]: ...
@overload
def measures(*, like: str) -> NameMeaning: ...
def measures(*, like: str | None = None) -> tuple[Definition, ...] | NameMeaning:
    """All registered measures, in the order of their families; then those of plug-ins. With like=
    what a name of another tool stands for, by the kind of data."""
    from cranfield.measures.plugins import load_entry_points

    load_entry_points()
    if like is None:
        return measures_so_far()
    from cranfield.measures.listing import name_meaning

    return name_meaning(like)


def measures_so_far() -> tuple[Definition, ...]:
    """The same without looking for plug-ins."""
    return tuple(_definitions.values())


def _find(name: str, spelling: str, *, cut: bool) -> Definition:
    prefix, dot, rest = name.lower().partition(".")
    key = _PREFIXES.get(prefix, prefix) + dot + rest
    for full in (f"{key}@k", key) if cut else (key,):
        if full in _spellings:
            return _definitions[_spellings[full]]
    if key in _advice:
        raise MeasureError(f"{spelling!r} has no single meaning; {_advice[key]}")
    if f"{key}@k" in _spellings:
        raise MeasureError(f"{spelling!r} needs a cutoff; write {spelling}@10, say")
    direction = _PREFIXES.get(prefix, prefix) if dot else ""
    within = [d for d in _definitions.values() if d.name.lower().startswith(direction)]
    close = nearest(rest or key, within)
    if not close:  # by letters, of names that no word is near to
        short = {d.name.lower().rpartition(".")[2]: d.name for d in within}
        letters = difflib.get_close_matches(rest or key, short, n=3, cutoff=0.5)
        close = [short[name] for name in letters]
    names = ", ".join(close)
    hint = f"; did you mean {names}?" if names else ""
    raise MeasureError(
        f"there is no measure {spelling!r}{hint} (`cranfield measures` lists them all)"
    )


def _given_options(text: str, spelling: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not value:
            raise MeasureError(f"{spelling}: write options as name=value; got {part!r}")
        if name.lower() in given:
            raise MeasureError(f"{spelling}: {name} is given twice")
        given[name.lower()] = value
    return given


def _settle(definition: Definition, given: dict[str, str]) -> Measure:
    settings = []
    for name, text in given.items():
        option = definition.options.get(name)
        if option is None:
            known = ", ".join("@k" if o == "k" else o for o in definition.options)
            shown = "cutoff @k" if name == "k" else f"option {name!r}"
            raise MeasureError(f"{definition.name} takes no {shown}; it takes {known}")
        value = option.read(text, definition.name)
        if value != option.default:
            settings.append((name, value))
    return Measure(definition.name, tuple(sorted(settings)))


def _written(value: Value) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)
