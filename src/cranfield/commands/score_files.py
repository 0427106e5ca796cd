"""Score files where a truth is expected: tables of scores, and logs of harnesses.

What follows the first file are further ones, or names of runs in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from cranfield.commands.inputs import Runs, read_terms, runs_of_truth
from cranfield.errors import FileError, InputError, first_ten


@wraps(runs_of_truth)
def runs_or_scores(*, truth: Path, runs: list[Path] | None = None, **options: Any) -> Runs:
    from cranfield.formats.scores import is_scores

    if options.get("format") is not None or not is_scores(truth):
        return runs_of_truth(truth, runs, **options)
    for name in ("threshold", "split", "concepts", "ontology", "costs", "relatedness", "agreement"):
        if options.get(name):
            raise InputError(
                "it means nothing to scores from elsewhere; leave it out", parameter=name
            )
    missing, extra = options.get("missing", "error"), options.get("extra", "error")
    read = scored_runs(truth, runs or (), missing, extra)
    words = read_terms(options.get("terms"))
    if words is None:
        return read
    return read._replace(truth=replace(read.truth, truth=read.truth.truth.in_terms(words)))


def scored_runs(first: Path, others: Sequence[Path], missing: Any, extra: Any) -> Runs:
    """The runs of score files: all of them, or those that are named."""
    from cranfield.collections.collection import Collection
    from cranfield.formats.scores import is_scores, read_score_table
    from cranfield.formats.source import name_of

    files = [path for path in others if is_scores(path)]
    table = read_score_table([first, *files])
    by_name = {run.name: run for run in table.runs}
    names = [str(path) for path in others if path not in files]
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise FileError(
            first,
            f"there is neither a file nor a run {first_ten(unknown)}",
            mend=f"name score files, or runs: {first_ten(by_name)}",
        )
    chosen = [by_name[name] for name in dict.fromkeys(names)] or list(table.runs)
    for run in chosen:
        run.source = first
    collection = Collection(table.truth, name=name_of(first))
    return Runs(collection, list(chosen), missing, extra, None, None, None, None)
