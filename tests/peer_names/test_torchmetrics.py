"""Names of torchmetrics mean what it computes, where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.peer_names import PEER_NAMES
from peer_names.data import SEEDS, Data, one_class, several_labels

pytestmark = pytest.mark.slow
ROWS = [row for row in PEER_NAMES if row.tool == "torchmetrics"]
K = 3
DRAWN = {
    # A confidence of exactly 0.5 is enough here and not there.
    "Multilabel": lambda seed: Data(
        several_labels(seed).y,
        np.where(several_labels(seed).s == 0.5, 0.55, several_labels(seed).s),
    ),
    "Multiclass": one_class,
    "Retrieval": lambda seed: several_labels(seed, ties=False),
}


def arguments(name: str, data: Data) -> tuple[str, dict[str, Any]]:
    """The class that a spelling names, and what to build it with."""
    name = name.replace("{k}", str(K)).replace("{beta}", "2")
    bare, _, written = name.removesuffix(")").partition("(")
    options: dict[str, Any] = dict(part.split("=") for part in written.split(",") if part)
    numbers = {"top_k": int, "beta": float}
    options = {key: numbers.get(key, str)(value) for key, value in options.items()}
    if not bare.startswith("Retrieval"):
        kind = "num_labels" if bare.startswith("Multilabel") else "num_classes"
        options[kind] = data.y.shape[1]
    return bare, options


@pytest.mark.parametrize(
    "name", [name for row in ROWS if row.readings and not row.differs for name in row.names]
)
def test_names_mean_what_torchmetrics_computes(name: str) -> None:
    torch, peers = pytest.importorskip("torch"), pytest.importorskip("torchmetrics")
    for seed in SEEDS:
        ranked = name.startswith("Retrieval")
        data = DRAWN["Retrieval" if ranked else name[:10]](seed)
        bare, options = arguments(name, data)
        module = peers.retrieval if ranked else peers.classification
        metric = getattr(module, bare)(**options)
        scores, target = torch.tensor(data.s), torch.tensor(data.y.astype(int))
        if ranked:
            indexes = torch.arange(data.y.shape[1]).repeat(data.y.shape[0])
            expected = metric(scores.flatten(), target.flatten(), indexes=indexes)
        else:
            classes = name.startswith("Multiclass")
            expected = metric(scores, target.argmax(dim=1) if classes else target)
        spelling = name.replace("{k}", str(K)).replace("{beta}", "2")
        ours = cf.score(data.y, data.s, spelling)
        assert ours == pytest.approx(float(expected), abs=1e-5), seed


def test_every_class_is_known() -> None:
    peers = pytest.importorskip("torchmetrics")
    listed = {name.partition("(")[0] for row in ROWS for name in row.names}
    theirs = [*peers.classification.__all__, *peers.retrieval.__all__]
    assert (
        not {name for name in theirs if name.startswith(("Multilabel", "Multiclass", "Retrieval"))}
        - listed
    )
