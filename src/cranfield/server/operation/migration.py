"""Migrations: when the server starts, after a backup, and never beside another server."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from cranfield.core.progress import Notify, unheard
from cranfield.server.folder import CampaignFolder
from cranfield.server.operation.backup import back_up


def pending() -> bool:
    """Whether the database is older than the code, or empty."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def migrate(folder: CampaignFolder, notify: Notify = unheard) -> None:
    """Bring the database up to date; one that holds something is backed up before."""
    if not pending():
        return
    if connection.introspection.table_names():
        notify(f"backup before the database is brought up to date: {back_up(folder).path}")
    call_command("migrate", interactive=False, verbosity=0)
