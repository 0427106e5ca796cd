"""What trec_eval calls its measures of preferences, and what they are here.

Topics without preferences score 0, as its other measures do. Its variants `…_Rnonrel`, which weigh
documents of level 0 in a way of their own, are not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from cranfield.core.aligned import Topics
from cranfield.core.run import Run
from cranfield.errors import MeasureError
from cranfield.tasks.retrieval.preferences import Average, Held, Preferences
from cranfield.tasks.retrieval.trec_eval import TrecMeasure, TrecScores, Whole

_AVERAGES: dict[str, Average] = {
    "prefs_simp": "preferences",
    "prefs_pair": "pairs",
    "prefs_avgjg": "judges",
}
_OF_HELD: dict[str, Callable[[Held], float]] = {
    "num_q": lambda held: 1,
    "prefs_num_prefs_poss": lambda held: len(held.respected),
    "prefs_num_prefs_ful": lambda held: float(held.respected.sum()),
    "prefs_num_prefs_ful_ret": lambda held: float(held.respected[held.among("retrieved")].sum()),
}


def _share(name: str) -> Callable[[Held], float]:
    ending = name.rpartition("_")[2]
    average = _AVERAGES[name if name in _AVERAGES else name.rpartition("_")[0]]
    among = {"ret": "retrieved", "imp": "decided"}.get(ending, "all")
    return lambda held: float(np.nan_to_num(held.share(average, among)))  # type: ignore[arg-type]


for _ending in ("", "_ret", "_imp"):
    for _name in _AVERAGES:
        _OF_HELD[_name + _ending] = _share(_name + _ending)


def preference_measures(names: Iterable[str] | None = None) -> list[TrecMeasure]:
    """The measures that trec_eval's names mean; all of them by default."""
    known = ("runid", *_OF_HELD)
    wanted = dict.fromkeys(known if names is None else names)
    for name in wanted:
        if name not in known:
            raise MeasureError(
                f"{name!r} is no measure of preferences that is known here; there are "
                f"{', '.join(known)}"
            )
    return [_named(name) for name in wanted]


def _named(name: str) -> TrecMeasure:
    if name == "runid":
        return TrecMeasure(name, None, "none", by_topic=False)
    whole: Whole = "sum" if name.startswith(("num_", "prefs_num_")) else "mean"
    return TrecMeasure(name, None, whole, by_topic=name != "num_q")


def preference_scores(
    preferences: Preferences,
    run: Run,
    measures: Sequence[TrecMeasure],
    topics: Topics = "common",
) -> TrecScores:
    """Hold preferences against a run as trec_eval does; `topics` as for `trec_scores`."""
    chosen = set(preferences.topics)
    if topics == "common":
        chosen &= set(run.concepts)
    elif topics == "all":
        chosen |= set(run.concepts)
    listed = sorted(chosen, key=str.encode)
    opinions = {topic: preferences.opinions.get(topic, ()) for topic in listed}
    held = Preferences(opinions).held_against(run, ties="trec")
    values = {
        one: np.array([_OF_HELD[one.name](held[topic]) for topic in listed])
        for one in measures
        if one.name in _OF_HELD
    }
    return TrecScores(run, tuple(listed), values)
