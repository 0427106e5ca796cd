"""The database as text: rows of every table in JSON lines, the same from SQLite and PostgreSQL.

Rows are written by the models of the schema that the database has, which may be older than the
code's, and are loaded into a database of that same schema; migrations do the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from cranfield.errors import InputError

_APP = "server"
"""Sessions and failed logins are not dumped: after a restore, people log in again."""
_SCHEMA = "schema.json"
_BATCH = 500


def dump(folder: Path, using: str = "default") -> dict[str, int]:
    """Write all rows as they are at one instant; how many of each model."""
    connection = connections[using]
    loader = MigrationLoader(connection)
    applied = [node for node in loader.applied_migrations or () if node[0] == _APP]
    _require_known(loader, applied)
    folder.mkdir(mode=0o700)
    counts: dict[str, int] = {}
    with _snapshot(connection):
        for model in _models(loader, applied):
            rows = model._default_manager.using(using).order_by("pk")
            counts[_name(model)] = _write(folder / f"{_name(model)}.jsonl", model, rows)
    schema = {"applied": sorted(name for _, name in applied), "rows": counts}
    (folder / _SCHEMA).write_text(json.dumps(schema))
    return counts


def load(folder: Path, using: str) -> dict[str, int]:
    """Make the schema of a dump in an empty database, and fill it; all of it or nothing where the
    database can undo."""
    connection = connections[using]
    schema = json.loads((folder / _SCHEMA).read_text())
    applied = [(_APP, str(name)) for name in schema["applied"]]
    if connection.introspection.table_names():
        raise InputError("the database is not empty; name one that is")
    executor = MigrationExecutor(connection)
    _require_known(executor.loader, applied)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != _APP]
    can_undo = connection.features.can_rollback_ddl and connection.vendor != "sqlite"
    with transaction.atomic(using) if can_undo else nullcontext():
        executor.migrate([*others, *_leaves(executor.loader, applied)])
        models = _models(executor.loader, applied)
        with transaction.atomic(using):
            if connection.vendor == "postgresql":  # migrations made some of them immediate
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            counts = {
                _name(model): _read(folder / f"{_name(model)}.jsonl", model, using)
                for model in models
            }
            with connection.cursor() as cursor:
                for statement in connection.ops.sequence_reset_sql(no_style(), models):
                    cursor.execute(statement)
    return counts


def _require_known(loader: MigrationLoader, applied: list[tuple[str, str]]) -> None:
    strange = [name for app, name in applied if (app, name) not in loader.graph.nodes]
    if strange:
        raise InputError(
            f"the database was made by a later version ({', '.join(sorted(strange))}); update "
            "cranfield"
        )


def _leaves(loader: MigrationLoader, applied: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The last of some migrations."""
    parents = {
        parent.key for node in applied for parent in loader.graph.node_map[node].parents
    }  # fmt: skip
    return [node for node in applied if node not in parents]


def _models(loader: MigrationLoader, applied: list[tuple[str, str]]) -> list[type[Model]]:
    """Models as they were after some migrations."""
    apps = loader.project_state(_leaves(loader, applied)).apps
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.app_label == _APP]


def _name(model: type[Model]) -> str:
    return str(model._meta.model_name)


@contextmanager
def _snapshot(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Read everything as it is now, while others write."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("BEGIN DEFERRED")
        else:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _write(path: Path, model: type[Model], rows: Any) -> int:
    columns = [field.attname for field in model._meta.concrete_fields]
    count = 0
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(columns) + "\n")
        for row in rows.values_list(*columns).iterator(_BATCH):
            file.write(json.dumps(row, default=_text, sort_keys=True) + "\n")
            count += 1
    return count


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value)} is not dumped")


def _read(path: Path, model: type[Model], using: str) -> int:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    count = 0
    with open(path, encoding="utf-8") as file:
        columns = json.loads(next(file))
        while lines := list(islice(file, _BATCH)):
            rows = [
                model(
                    **{
                        name: fields[name].to_python(value)
                        for name, value in zip(columns, json.loads(line), strict=True)
                    }
                )
                for line in lines
            ]
            model._default_manager.using(using).bulk_create(rows)
            count += len(rows)
    return count
