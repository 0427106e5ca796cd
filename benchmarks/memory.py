"""Memory beyond the input, at the highest point of an evaluation."""

from collections.abc import Callable, Iterator
from pathlib import Path

from sklearn.metrics import average_precision_score, roc_auc_score

import cranfield as cf
from benchmarks import workloads
from benchmarks.columns import FIVE
from benchmarks.timing import Ratio


def ratios() -> Iterator[Ratio]:
    load = workloads.million()
    truth = cf.Truth(load.labels)
    ours = _extra(lambda: cf.evaluate(truth, [cf.Run(scores=load.scores)], FIVE))

    def peer() -> None:
        average_precision_score(load.labels, load.scores, average="macro")
        roc_auc_score(load.labels, load.scores, average="macro")

    yield Ratio(
        f"extra memory, 5 rank measures by concept, {load.name} (target ≤ 100 MB)",
        "scikit-learn AP + AUC",
        _extra(peer),
        ours,
        unit="MB",
    )


def _extra(work: Callable[[], object]) -> float:
    """MB by which the resident memory grows at its highest (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1000


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise AssertionError(field)
