"""Listing: all measures, or one explained, with everything from the registry.

`MEANINGS` says what the choices of options mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, Literal

from cranfield.collections.comparison import Direction
from cranfield.core.options import Argument
from cranfield.core.options import Option as Choice
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import MeasureError
from cranfield.measures.definition import Definition, Option, Prediction, Relevance
from cranfield.measures.peer_names import KINDS, peer_meaning
from cranfield.measures.plugins import load_entry_points
from cranfield.measures.registry import measure, measures
from cranfield.measures.suggestions import nearest

_FAMILIES = {
    ("concept", "decisions"): "By concept, from decisions",
    ("concept", "confidences"): "By concept, from confidences",
    ("example", "decisions"): "By item, from decisions",
    ("example", "confidences"): "By item, from confidences",
    ("micro", "decisions"): "All cells pooled, from decisions",
    ("micro", "confidences"): "All cells pooled, from confidences",
    ("concept", "values"): "By concept, from probabilities and other numbers",
    ("example", "values"): "By item, from probabilities and other numbers",
    ("micro", "values"): "All cells pooled, from probabilities and other numbers",
    ("confusion", "decisions"): "Of a confusion matrix",
}

_COMMON = ("ties", "undefined", "unjudged")
"""Options that most measures have; their own ones make better examples."""
_ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}


@dataclass(frozen=True, repr=False)
class MeasureList(Analysis):
    """Definitions of measures."""

    title = "Measures"

    definitions: tuple[Definition, ...]
    explained: bool = False
    """Whether each is explained, with its options, instead of listed."""
    crossed: bool = False
    """Whether they stand in one table, prediction format by direction."""

    def _facts(self) -> dict[str, Any]:
        return {"measures": [record(definition) for definition in self.definitions]}

    def _tables(self) -> list[Table]:
        rows = [
            {
                name: value
                for name, value in record(definition).items()
                if isinstance(value, (str, int, float))
            }
            for definition in self.definitions
        ]
        shown = self._explanations() if self.explained else self._families()
        if self.crossed:
            shown = [crossed(self.definitions)]
        return [Table("measures", rows, audience="programs"), *shown]

    def _families(self) -> list[Table]:
        order = list(_FAMILIES)
        tables = []
        ordered = sorted(self.definitions, key=lambda d: order.index(_family(d)))
        for family, members in groupby(ordered, key=_family):
            rows = [
                {
                    "measure": definition.name,
                    "better": _ARROWS[definition.traits.better],
                    "formula": definition.formula,
                }
                for definition in members
            ]
            columns = (Column("measure", key=True), Column("better", " "), Column("formula"))
            name = "_".join(family)
            tables.append(Table(name, rows, columns, title=_FAMILIES[family], audience="people"))
        return tables

    def _explanations(self) -> list[Table]:
        tables = []
        for definition in self.definitions:
            facts = [{"what": what, "value": value} for what, value in _explained(definition)]
            rows = [row for option in definition.options.values() for row in _option_rows(option)]
            name, columns = definition.name, (Column("what", " ", key=True), Column("value", " "))
            tables += [
                Table(f"{name} facts", facts, columns, title=name, audience="people"),
                Table(f"{name} options", rows, audience="people"),
            ]
        return tables

    @property
    def warnings(self) -> tuple[str, ...]:
        return load_entry_points()

    def _remarks(self) -> list[str]:
        if self.explained:
            return []
        if self.crossed:
            return ["ᵍ looks at grades, ˢ scores by meaning"]
        return ["↑ higher is better, ↓ lower is better. More of a measure: cranfield measures NAME"]


_MARKS = {"graded": "ᵍ", "semantic": "ˢ"}


def crossed(definitions: Iterable[Definition]) -> Table:
    """Measures by prediction format and direction, as Table 4.3 of Nowak 2011; graded relevance and
    semantic scores are marked."""
    cells: dict[str, dict[str, list[str]]] = {}
    for definition in definitions:
        traits = definition.traits
        marks = _MARKS.get(traits.relevance, "") + _MARKS.get(traits.scoring, "")
        short = definition.name.partition(".")[2] or definition.name
        cells.setdefault(traits.prediction, {}).setdefault(traits.direction, []).append(
            short + marks
        )
    directions = ("concept", "example", "micro", "confusion")
    rows = [
        {"prediction": prediction} | {d: ", ".join(by.get(d, [])) for d in directions}
        for prediction, by in cells.items()
    ]
    used = [d for d in directions if any(row[d] for row in rows)]
    return Table(
        "dimensions", rows, (Column("prediction", key=True), *map(Column, used)), audience="people"
    )


@dataclass(frozen=True, repr=False)
class NameMeaning(Analysis):
    """What a name of another tool stands for."""

    title = "What a name stands for"

    name: str
    tool: str
    meanings: tuple[dict[str, str], ...]
    """The measure by what the data hold."""
    differs: str
    advice: str
    nearest: tuple[str, ...]

    def _facts(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "tool": self.tool,
            "meanings": list(self.meanings),
            "differs": self.differs,
            "advice": self.advice,
            "nearest": list(self.nearest),
        }

    def _tables(self) -> list[Table]:
        columns = (
            Column("data", "where data hold", key=True),
            Column("measure", "it is"),
            Column("conventions"),
        )
        return [Table("meanings", list(self.meanings), columns, title=self.name)]

    def _remarks(self) -> list[str]:
        remarks = [f"{self.name} is a name of {self.tool}"] if self.tool else []
        remarks += [f"the number may differ: {self.differs}"] if self.differs else []
        remarks += [self.advice] if self.advice else []
        return remarks + ([f"near it: {', '.join(self.nearest)}"] if self.nearest else [])


def name_meaning(name: str) -> NameMeaning:
    """What a name of another tool, or a misspelt one, stands for, and what is near it."""
    meaning = peer_meaning(name)
    near = tuple(nearest(name, measures()))
    if meaning is not None:
        rows = tuple(_meaning_row(KINDS[kind], text) for kind, text in meaning.readings.items())
        advice = "" if len(rows) == len(KINDS) else meaning.advice
        return NameMeaning(name, meaning.tool, rows, meaning.differs, advice, near)
    try:
        rows = (_meaning_row("anything", str(measure(name))),)
    except MeasureError as error:
        if not near:
            raise
        return NameMeaning(name, "", (), "", str(error), near)
    return NameMeaning(name, "", rows, "", "", near)


def _meaning_row(data: str, spelling: str) -> dict[str, str]:
    chosen = measure(spelling)
    words = [MEANINGS.get((option, str(value)), "") for option, value in chosen.settings]
    return {"data": data, "measure": str(chosen), "conventions": "; ".join(filter(None, words))}


def list_measures(
    name: Annotated[str | None, Argument(metavar="NAME", suggest="unchecked measures")] = None,
    *,
    like: Annotated[str | None, Choice(metavar="NAME")] = None,
    direction: Annotated[Direction | None, Choice()] = None,
    prediction: Annotated[Prediction | None, Choice()] = None,
    relevance: Annotated[Relevance | None, Choice()] = None,
    score: Annotated[Literal["binary", "semantic"] | None, Choice()] = None,
    dimensions: Annotated[bool, Choice()] = False,
) -> MeasureList | NameMeaning:
    """List the measures, or explain one: formula, source, options, conventions.

    name        Measure to explain, with or without prefix.
    like        Name from another tool: which measure and options give its number.
    direction   Only measures by concept or by example (item), pooled (micro), or of a confusion
                matrix.
    prediction  Only measures of decisions, of confidences, or of values.
    relevance   Only measures of binary or of graded relevance, of numbers or distributions.
    score       Only measures that score right or wrong (binary), or by meaning (semantic).
    dimensions  One table: prediction format by direction, as Table 4.3 of Nowak 2011.
    """
    if like is not None:
        return name_meaning(like)
    if name is not None:
        matches = [d for d in measures() if name.lower() in _short_names(d)]
        return MeasureList(tuple(matches or [measure(name).definition]), explained=True)
    requested = {
        "direction": direction,
        "prediction": prediction,
        "relevance": relevance,
        "scoring": score,
    }
    chosen = {trait: value for trait, value in requested.items() if value is not None}
    fitting = tuple(
        definition
        for definition in measures()
        if all(getattr(definition.traits, trait) == value for trait, value in chosen.items())
    )
    if not fitting:
        raise MeasureError(f"no measure has {' and '.join(f'{t} {v}' for t, v in chosen.items())}")
    return MeasureList(fitting, crossed=dimensions)


def record(definition: Definition) -> dict[str, Any]:
    """A definition as plain data; an end of the range that is infinite is null."""
    traits = definition.traits
    return {
        "name": definition.name,
        "direction": traits.direction,
        "prediction": traits.prediction,
        "relevance": traits.relevance,
        "scoring": traits.scoring,
        "range": [end if math.isfinite(end) else None for end in traits.range],
        "better": traits.better,
        "source": traits.source,
        "formula": definition.formula,
        "aliases": list(definition.aliases),
        "knowledge": list(definition.knowledge),
        "plugin": "" if definition.origin is None else str(definition.origin),
        "options": {
            option.name: {"default": option.default, "choices": list(option.choices)}
            for option in definition.options.values()
        },
        "example": example(definition),
    }


def example(definition: Definition) -> str:
    """A spelling of the measure that shows an option of its own."""
    name = definition.name.removesuffix("@k")
    if "k" in definition.options:
        return f"{name}@10"
    options = list(definition.options.values())
    # Of two own options, one with named choices says more than a number out of the blue.
    own = next((o for o in options if o.choices and o.name not in _COMMON), options[0])
    for value in own.choices or (("FTS",) if own.kind is str else ("2", "0.5", "5")):
        try:
            shown = str(measure(f"{name}({own.name}={value})"))
        except MeasureError:
            continue
        if shown != name:
            return shown
    return name


def _short_names(definition: Definition) -> set[str]:
    """The name with and without its prefix and its cutoff, in lower case."""
    full = definition.name.lower()
    bare = full.partition(".")[2]
    return {full, full.removesuffix("@k"), bare, bare.removesuffix("@k")}


def _family(definition: Definition) -> tuple[str, str]:
    return definition.traits.direction, definition.traits.prediction


def _explained(definition: Definition) -> list[tuple[str, str]]:
    traits = definition.traits
    low, high = (f"{end:g}".replace("inf", "∞") for end in traits.range)
    facts = [
        ("formula", definition.formula),
        ("source", traits.source),
        ("family", _FAMILIES[_family(definition)]),
        ("relevance", traits.relevance),
        ("range", f"{low} to {high}, {traits.better} is better"),
        ("example", _command(definition)),
    ]
    if definition.origin is not None:
        facts.append(("plug-in", f"{definition.origin.path}, line {definition.origin.line}"))
    if definition.knowledge:
        flags = ", ".join(f"{name} (--{name})" for name in definition.knowledge)
        facts.insert(4, ("knowledge", f"{flags}; or in the collection's folder"))
    if definition.aliases:
        facts.insert(2, ("also", ", ".join(definition.aliases)))
    return facts


def _command(definition: Definition) -> str:
    """How to score a run by a measure, with what it must know."""
    if definition.table is not None:
        return f"cranfield confusion matrix.csv -m '{example(definition)}'"
    needed = ""
    if "ontology" in definition.knowledge:
        needed = " --ontology pto2009"
    elif definition.knowledge:
        needed = f" --{definition.knowledge[0]} FTS=FTS.csv"
    return f"cranfield evaluate truth.txt run.txt -m '{example(definition)}'{needed}"


def _option_rows(option: Option) -> list[dict[str, str]]:
    """A row for each choice, or one for the kind of number; the default stands out."""
    if option.name == "k":
        default = "the whole list counts" if option.default == 0 else "must be given"
        return [_row("@k", "", f"{_kind(option)}; {default}")]
    if option.kind is str and not option.choices:
        return [_row(option.name, f"{option.default or '–'} (default)", NAMES[option.name])]
    if not option.choices:
        return [_row(option.name, f"{option.default:g} (default)", _kind(option))]
    rows: list[dict[str, str]] = []
    for choice in option.choices:
        # Without a default of its own, a measure does what the truth says: usually negative.
        usual = choice == (option.default or "negative")
        value = f"{choice} (default)" if usual else choice
        meaning = MEANINGS.get((option.name, choice), "")
        rows.append(_row("" if rows else option.name, value, meaning))
    return rows


def _row(option: str, value: str, meaning: str) -> dict[str, str]:
    return {"option": option, "value": value, "meaning": meaning}


def _kind(option: Option) -> str:
    kind = "whole number" if option.kind is int else "number"
    if option.bounds is None:
        return kind
    low, high, limit, below = option.bounds
    if math.isinf(high):
        return f"{kind} ≥ {low:g}" + (" or inf" if limit else "")
    return f"{kind} from {low:g} to {'below ' if below else ''}{high:g}"


MEANINGS = {
    ("undefined", "skip"): "a unit without a value is left out of the mean, and counted",
    ("undefined", "empty"): "a unit with both sets empty scores 1; otherwise 0/0 = 0",
    ("undefined", "0"): "a unit without a value scores 0",
    ("undefined", "1"): "a unit without a value scores 1",
    ("undefined", "raise"): "a unit without a value is an error",
    (
        "unjudged",
        "negative",
    ): "cells that nobody judged count as negative, unless the truth says otherwise",
    ("unjudged", "exclude"): "cells that nobody judged are left out of every count and list",
    ("ties", "grouped"): "all cells of one score enter the list at once",
    ("ties", "expected"): "the mean over all orders of cells with one score",
    ("ties", "best"): "of cells with one score the relevant ones come first",
    ("ties", "worst"): "of cells with one score the relevant ones come last",
    ("offset", "truth"): "the rank of the last true concept minus their number: perfect is 0",
    ("offset", "one"): "that rank minus 1 (Schapire & Singer, Mulan)",
    ("offset", "zero"): "that rank as it is (scikit-learn)",
    ("at", "linear"): "where both rates are equal on the linearly interpolated ROC curve",
    ("at", "vertex"): "the mean of both rates at the threshold where they differ least",
    ("gain", "binary"): "everything relevant counts alike",
    ("gain", "graded"): "grade / largest grade of the topic",
    ("gain", "linear"): "a grade counts as it is",
    ("gain", "exponential"): "a grade counts 2^grade − 1",
    ("rule", "exact"): "a recall level asks for ⌈level·R⌉ items",
    ("rule", "trec9"): "it asks for int(level·R + .9) items, as trec_eval 9 does",
    ("rule", "trec10"): "it asks for lround(level·R) items, as trec_eval 10 does",
    ("rule", "nist"): "precision is smoothed by (r + ε)/(n + 3ε), as NIST's sample_eval does",
    ("rule", "paper"): "by (r + ε)/(n + 2ε), as the paper prints",
    ("ties", "trec"): "cells with one score come by id, descending, as in trec_eval",
    ("tree", "flat"): "without the level SceneDescription, where an ontology says so (Nowak 2011)",
    ("tree", "flattest"): "without Quality and Representation besides",
    ("tree", "printed"): "all levels of the hierarchy",
    ("agreement", "given"): "costs count as far as annotators agree on the true label, if known",
    ("agreement", "none"): "costs count in full",
    ("rule", "step"): "Σ Δrecall · precision, which is AP",
    ("rule", "trapezoid"): "straight lines between points, the first from (0, first precision)",
    ("rule", "interpolated"): "the best precision at that recall or more",
    ("violators", "keep"): "a label that breaks a rule can still be matched by a missed one",
    ("violators", "drop"): "it cannot",
    ("penalise", "all"): "right labels that break a rule cost 1 too",
    ("penalise", "false_positives"): "only wrong ones do",
    ("expand", "ancestors"): "both sets with all concepts above their labels (Kiritchenko)",
    ("expand", "descendants"): "both sets with all concepts below their labels (Ipeirotis)",
    ("expand", "pairwise"): "each label by the best share of its ancestors (Verspoor)",
    ("average", "example"): "the mean of all items",
    ("average", "micro"): "counts are summed first, over items or classes",
    ("average", "weighted"): "the mean of classes, each as often as it is true",
    ("average", "macro"): "the mean of classes that are true or said, which count alike",
    ("adjusted", "no"): "the mean as it is",
    ("adjusted", "yes"): "(mean − 1/K) / (1 − 1/K) of K classes: guessing scores 0",
    ("divisor", "relevant"): "all relevant cells, as trec_eval's map_cut",
    ("divisor", "ideal"): "as many of them as k has room for, so that a perfect list scores 1",
    ("divisor", "retrieved"): "those among the first k, as torchmetrics; one more may cost",
    ("ideal", "greedy"): "divided by a list that takes the document of the largest gain each time",
    ("ideal", "independent"): "divided by a list whose documents all have all subtopics",
    ("ideal", "none"): "not divided",
    ("mean", "harmonic"): "as an F measure",
    ("mean", "arithmetic"): "as Table 7.1 of Nowak 2011 does",
    ("label_weights", "equal"): "all labels count alike",
    ("label_weights", "frequency"): "frequent labels count more",
    ("by", "similarity"): "by the relatedness of concepts",
    ("by", "distance"): "by the links between them",
    ("of", "recall"): "how near true labels were met",
    ("of", "precision"): "how near assigned labels came",
    ("kind", "linear"): "Σ |P(i, k) − δ(i, k)|, the distance from what is true",
    ("kind", "quadratic"): "Σ (P(i, k) − δ(i, k))², which large distances weigh upon",
    ("kind", "informational"): "−log P(i, i), the surprise at a right answer",
    ("kind", "zero_one"): "−1 for a right answer: accuracy with a minus sign",
    ("kind", "custom"): "a matrix of one's own (--loss FILE)",
    ("reduce", "sum"): "what all cells cost together (Weber)",
    ("reduce", "mean"): "divided by the number of cells (scikit-learn)",
    ("absent", "refuse"): "a run that leaves cells out is refused",
    ("absent", "zero"): "what a sparse run leaves out is the number 0, and that is noted",
    ("binning", "width"): "bins of equal width",
    ("binning", "mass"): "bins of about equally many confidences",
    ("norm", "l1"): "the mean difference",
    ("norm", "l2"): "the root of the mean squared difference",
    ("norm", "max"): "the largest difference of any bin",
    ("bias", "none"): "entropies of the counts as they are",
    ("bias", "miller_madow"): "plus (seen cells − 1) / 2n, since rare cells stay unseen",
}
"""By the name of an option and its choice."""

NAMES = {
    "costs": "name of a cost map, or DDMC or DIMC of the ontology; –: the map without a name, "
    "else DDMC, else the only map",
    "relatedness": "name of a relatedness map, or DDMC or DIMC, 1 − cost; –: the map without a "
    "name, else the only map",
}
"""Options that take a name, which cannot all be listed."""
