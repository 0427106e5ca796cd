"""Writes scores as tables run,item,score[,measure,repeat,cluster]: CSV, Parquet, JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.core.atomic_write import replaced
from cranfield.errors import FileError
from cranfield.formats.source import extension_of

_WAYS = (".csv", ".tsv", ".parquet", ".jsonl")


def write_score_columns(columns: Mapping[str, Sequence[Any]], path: str | Path) -> None:
    """Write columns of equal length; the extension says how."""
    import polars

    target = Path(path)
    ending = extension_of(target)
    if ending not in _WAYS:
        raise FileError(
            target,
            "scores of items are written as a table",
            mend=f"choose a name that ends in {', '.join(_WAYS[:-1])} or {_WAYS[-1]}",
        )
    frame = polars.DataFrame(dict(columns), strict=False)
    with replaced(target) as opened:
        stream: Any = opened
        if ending == ".parquet":
            frame.write_parquet(stream)
        elif ending == ".jsonl":
            for row in frame.iter_rows(named=True):
                stream.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
        else:
            frame.write_csv(stream, separator="," if ending == ".csv" else "\t")
