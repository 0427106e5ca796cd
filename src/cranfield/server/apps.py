"""The server as an app of Django."""

from django.apps import AppConfig


class ServerConfig(AppConfig):
    """One app, so that one folder of migrations tells the whole history of the database."""

    name = "cranfield.server"
    label = "server"
