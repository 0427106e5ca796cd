"""Django's settings, made of the campaign's folder and the environment.

CRANFIELD_CAMPAIGN       the folder
CRANFIELD_DATABASE       postgresql://user:password@host/name; default: SQLite in the folder
CRANFIELD_BEHIND_PROXY   1: a proxy on this machine speaks TLS and says who asks
CRANFIELD_PROXIES        addresses of proxies that are believed; default: 127.0.0.1
CRANFIELD_SMTP_PASSWORD  of the user in [mail]
CRANFIELD_METRICS_TOKEN  lets its holder read /metrics/; default: organisers alone do
CRANFIELD_LOG            stderr: no log files, requests go to standard error without addresses
"""

from __future__ import annotations

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from csp.constants import NONE, SELF

from cranfield.server.configuration import FILE, Campaign
from cranfield.server.folder import CampaignFolder

FOLDER = CampaignFolder.current()
_THERE = (FOLDER.path / FILE).exists()
"""Tools that only look at models have no campaign."""
CAMPAIGN = FOLDER.campaign if _THERE else Campaign("", ())
_ROOM = Path(__file__).parent
BEHIND_PROXY = os.environ.get("CRANFIELD_BEHIND_PROXY") == "1"

SECRET_KEY = FOLDER.secret if _THERE else secrets.token_urlsafe(50)
DEBUG = False
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *CAMPAIGN.names]
INSTALLED_APPS = [
    "cranfield.server",
    "axes",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "cranfield.server.operation.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "cranfield.server.operation.visitors.VisitorCache",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "cranfield.server.operation.middleware.RateLimits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "cranfield.server.operation.printable_pages.PrintablePages",
    "cranfield.server.operation.full_disk.FullDiskMiddleware",
]
VISITORS_CACHE_SECONDS = 1.0
"""How old a page may be that visitors see."""
ROOT_URLCONF = "cranfield.server.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_ROOM / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cranfield.server.operation.context.campaign",
            ],
        },
    }
]
LOGGING_CONFIG = None
"""`operation.logs` decides; programs that use the library keep their own."""
METRICS_TOKEN = os.environ.get("CRANFIELD_METRICS_TOKEN", "")
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def database(address: str | None, file: Path) -> dict[str, Any]:
    """What Django connects to. On SQLite every transaction begins by taking the lock, waits for it,
    and is on the disk when it ends: an accepted run survives a power cut."""
    if not address:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": file,
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 30,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    parts = urlsplit(address)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": parts.port or "",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }


DATABASES = {"default": database(os.environ.get("CRANFIELD_DATABASE"), FOLDER.database)}

# ── people ────────────────────────────────────────────────────────────────────────────────────

AUTH_USER_MODEL = "server.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
AXES_FAILURE_LIMIT = 10
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_HTTP_RESPONSE_CODE = 429
AXES_LOCKOUT_TEMPLATE = "locked.html"
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "cranfield.server.people.lockout.username"

# ── security ──────────────────────────────────────────────────────────────────────────────────

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
"""Of forms; files are received by the front and never come here."""
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^health/$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

# ── files and mail ────────────────────────────────────────────────────────────────────────────

STATIC_URL = "static/"
STATICFILES_DIRS = [_ROOM / "static", ("report", _ROOM.parent / "show")]
STATIC_ROOT = FOLDER.var / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
if CAMPAIGN.mail is None:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
else:
    EMAIL_HOST, EMAIL_PORT = CAMPAIGN.mail.host, CAMPAIGN.mail.port
    EMAIL_HOST_USER, EMAIL_USE_TLS = CAMPAIGN.mail.user, CAMPAIGN.mail.tls
    EMAIL_HOST_PASSWORD = os.environ.get("CRANFIELD_SMTP_PASSWORD", "")
    DEFAULT_FROM_EMAIL = CAMPAIGN.mail.sender
