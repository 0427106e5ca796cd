"""Operation: migrations, backups, health, metrics and logs."""
