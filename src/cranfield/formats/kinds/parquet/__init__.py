"""Parquet files, wide and long: a look at what they say of themselves, then Polars."""

from cranfield.formats.kinds.parquet import long, wide  # noqa: F401 - they register themselves
