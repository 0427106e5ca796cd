"""Results: what a command came to, as plain data that every front end shows and that can be saved.

An analysis (a study, a comparison, an evaluation, a description) keeps its arrays and says once, in
`_facts`, `_tables`, `_charts` and `_remarks`, what follows from them. JSON, CSV, LaTeX, terminals,
pages, frames and notebooks are rendered from that by `show`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield.caching import cached_property
from cranfield.core.atomic_write import replaced
from cranfield.core.chart import Picture, picture_from_dict
from cranfield.core.options import Argument
from cranfield.core.plain import finite, restored, stored
from cranfield.core.table import Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import FileError

if TYPE_CHECKING:
    import polars

SCHEMA = "cranfield.result/1"


@dataclass(frozen=True)
class Result:
    """Facts, tables, charts and remarks, and the signature of how they came about."""

    name: str
    """Of the analysis: stability."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain data, nested as programs like it: what `--json` prints."""
    tables: Sequence[Table] = ()
    charts: Sequence[Picture] = ()
    remarks: Sequence[str] = ()
    """How the tables are to be read."""
    warnings: Sequence[str] = ()
    """What must be known before a number is believed: also shown where only data are printed."""
    signature: str = ""
    """Every choice, versions, and hashes of what was read."""
    title: str = ""
    text: str = ""
    """What terminals print instead of the tables, in a layout that programs rely on."""
    terms: Terms = CONCEPTS
    """What people call concepts and items, as headings of tables and charts have it."""
    is_data: bool = False
    """Whether it is made for programs: printed as CSV unless a form is chosen, with the tables for
    people beside it."""
    parts: Sequence[Result] = ()
    """Results that it is put together from; pages show a section for each."""

    @property
    def notes(self) -> list[str]:
        """Warnings and remarks, as they stand below the tables."""
        return [*self.warnings, *self.remarks]

    def tables_for(self, *audiences: str) -> list[Table]:
        """Tables that everybody sees, and those of these audiences."""
        own = [table for table in self.tables if table.audience in ("all", *audiences)]
        return own + [
            replace(table, title=" · ".join(filter(None, (part.title, table.title))))
            for part in self.parts
            for table in part.tables_for(*audiences)
        ]

    def table(self, name: str) -> Table:
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(f"there is no table {name!r}; there are {[t.name for t in self.tables]}")

    @property
    def frame(self) -> polars.DataFrame:
        """The first table for programs, as a Polars frame."""
        return self.tables_for("programs")[0].frame

    def to_polars(self) -> polars.DataFrame:
        """The same as `frame`."""
        return self.frame

    def to_pandas(self) -> Any:
        """The first table for programs, as a frame of pandas."""
        return self.tables_for("programs")[0].to_pandas()

    def to_json(self, *, indent: int | None = None) -> str:
        """The facts; null where a number is undefined or infinite."""
        return json.dumps(finite(self.facts), indent=indent, ensure_ascii=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything, also how it is shown; `from_dict` makes the same result of it."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "facts": stored(self.facts),
            "tables": [table.to_dict() for table in self.tables],
            "charts": [chart.to_dict() for chart in self.charts],
            "remarks": list(self.remarks),
            "warnings": list(self.warnings),
            "signature": self.signature,
            **({"text": self.text} if self.text else {}),
            **({"terms": self.terms.to_dict()} if self.terms != CONCEPTS else {}),
            **({"is_data": True} if self.is_data else {}),
            **({"parts": [part.to_dict() for part in self.parts]} if self.parts else {}),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Result:
        result = cls(
            name=content["name"],
            title=content.get("title", ""),
            facts=restored(content["facts"]),
            tables=tuple(map(Table.from_dict, content["tables"])),
            charts=tuple(map(picture_from_dict, content["charts"])),
            remarks=tuple(content["remarks"]),
            warnings=tuple(content.get("warnings", ())),
            signature=content["signature"],
            text=content.get("text", ""),
            terms=Terms(**content.get("terms", {})),
            is_data=content.get("is_data", False),
            parts=tuple(map(cls.from_dict, content.get("parts", ()))),
        )
        texts = (result.name, result.title, result.signature, result.text, *result.remarks)
        texts += tuple(result.terms.to_dict().values())
        if not isinstance(result.facts, Mapping) or not all(isinstance(t, str) for t in texts):
            raise TypeError("a text is no text")
        if not result.tables_for("programs"):
            raise TypeError("no table")
        return result

    def save(self, path: str | Path) -> None:
        """Write all of it as JSON, charts included; `load` reads it."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
        with replaced(Path(path)) as stream:
            stream.write(text.encode() + b"\n")

    def to_altair(self) -> list[Any]:
        """The charts as Altair's, to be changed further in a notebook; needs Altair."""
        from cranfield.show.vega import altair_charts

        return altair_charts(self.charts)

    def __repr__(self) -> str:
        from cranfield.show.terminal import plain_text

        return plain_text(self)

    def _repr_html_(self) -> str:
        from cranfield.show.html import fragment

        return fragment(self)


class Analysis(ABC):
    """What people who write Python get: arrays as attributes, and one way to the `Result`."""

    title: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign] # or a dataclass writes its own

    @abstractmethod
    def _facts(self) -> Mapping[str, Any]:
        """What `--json` prints."""

    @abstractmethod
    def _tables(self) -> Sequence[Table]:
        """For people and programs."""

    def _charts(self) -> Sequence[Picture]:
        """What can be drawn; computed only when somebody looks."""
        return ()

    def _remarks(self) -> Sequence[str]:
        """How the tables are to be read."""
        return ()

    @property
    def warnings(self) -> Sequence[str]:
        """What must be known before a number is believed: items left out, odd thresholds."""
        return ()

    @property
    def terms(self) -> Terms:
        """What people call concepts and items, as the truth has it."""
        return CONCEPTS

    def _signature(self) -> str:
        return ""

    def _text(self) -> str:
        """What terminals print instead of the tables; "" where they print these."""
        return ""

    @property
    def exit_code(self) -> int:
        """What a command that returns this ends with; 0 = all is well."""
        return 0

    @property
    def is_data(self) -> bool:
        """Whether it is made for programs, see `Result`."""
        return False

    @cached_property
    def result(self) -> Result:
        """Facts, tables and remarks, without charts, which may take long to make."""
        return Result(
            name=type(self).__name__.lower(),
            title=self.title,
            facts=self._facts(),
            tables=tuple(table.in_terms(self.terms) for table in self._tables()),
            remarks=tuple(self._remarks()),
            warnings=tuple(self.warnings),
            signature=self._signature(),
            text=self._text(),
            terms=self.terms,
            is_data=self.is_data,
        )

    @cached_property
    def full_result(self) -> Result:
        """The same with its charts."""
        parts = {name: getattr(self.result, name) for name in self.result.__dataclass_fields__}
        charts = tuple(chart.in_terms(self.terms) for chart in self._charts())
        return Result(**parts | {"charts": charts})

    @property
    def frame(self) -> polars.DataFrame:
        """The first table, as a Polars frame."""
        return self.result.frame

    def to_polars(self) -> polars.DataFrame:
        """The same as `frame`."""
        return self.frame

    def to_pandas(self) -> Any:
        """The first table as a frame of pandas."""
        return self.result.to_pandas()

    def rows(self) -> list[dict[str, Any]]:
        """The first table as plain records; None where a number is undefined or infinite."""
        return self.result.tables_for("programs")[0].records

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain data; None where a number is undefined or infinite."""
        return dict(finite(self.result.facts))

    def to_json(self, *, indent: int | None = None) -> str:
        return self.result.to_json(indent=indent)

    def to_altair(self) -> list[Any]:
        """The charts as Altair's, to be changed further in a notebook; needs Altair."""
        return self.full_result.to_altair()

    def save(self, path: str | Path) -> None:
        """Write the whole result as JSON, charts included; `cf.load` reads it."""
        self.full_result.save(path)

    def __repr__(self) -> str:
        return repr(self.result)

    def _repr_html_(self) -> str:
        return self.full_result._repr_html_()


def load(path: Annotated[str | Path, Argument(metavar="FILE")]) -> Result:
    """Show a result that was saved with `--save FILE` or `result.save(FILE)`.

    Every version reads the files of older ones.

    path  A saved result.
    """
    try:
        content = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise FileError(path, "there is no such file; check the name and the folder") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror}); check the name") from None
    except (ValueError, RecursionError):
        raise FileError(path, f"is no saved result; {_HOW_TO_SAVE}") from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA:
        known = isinstance(schema, str) and schema.startswith("cranfield.result/")
        raise FileError(
            path,
            f"has the schema {schema}, which a later version writes; update cranfield"
            if known
            else f"is no saved result; {_HOW_TO_SAVE}",
        )
    try:
        return Result.from_dict(content)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FileError(path, f"is damaged ({error}); save the result again") from None


_HOW_TO_SAVE = "--json holds numbers only: save one with --save FILE, or result.save(FILE)"
