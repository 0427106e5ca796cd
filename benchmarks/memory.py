"""Memory beyond the input, at the highest point of an evaluation (Linux).

Each side runs in a process of its own, since memory that was used once is not given back.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from sklearn.metrics import average_precision_score

import cranfield as cf
from benchmarks import workloads
from benchmarks.columns import FIVE
from benchmarks.timing import Ratio


def ratios() -> Iterator[Ratio]:
    theirs, ours = (
        float(subprocess.check_output([sys.executable, "-m", "benchmarks.memory", side]))
        for side in ("theirs", "ours")
    )
    what = "extra memory, 5 rank measures by concept, 1M × 100 (target ≤ 100 MB)"
    yield Ratio(what, "scikit-learn AP", theirs, ours, unit="MB")


def main() -> None:
    load = workloads.million()
    truth = cf.Truth(load.labels)

    def ours() -> None:
        cf.evaluate(truth, [cf.Run(scores=load.scores)], FIVE)

    def theirs() -> None:
        average_precision_score(load.labels, load.scores, average="macro")

    print(extra({"ours": ours, "theirs": theirs}[sys.argv[1]]))


def extra(work: Callable[[], object]) -> float:
    """MB by which the resident memory grows at its highest."""
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1000


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise AssertionError(field)


if __name__ == "__main__":
    main()
