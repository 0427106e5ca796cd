"""Forgotten passwords: where the campaign can send mail, a link is mailed; else organisers hand one
out."""

from __future__ import annotations

import logging
import smtplib
from concurrent.futures import ThreadPoolExecutor

from django import forms
from django.conf import settings
from django.core.mail import send_mail
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from cranfield.server.people.audit import record
from cranfield.server.people.links import password_link
from cranfield.server.people.models import User

log = logging.getLogger(__name__)
_POST = ThreadPoolExecutor(1, thread_name_prefix="mail")
"""Mail is sent aside, so that the time of an answer does not tell whether there is an account."""
_TEXT = """Somebody, probably you, asked for a new password at {title}.

Choose one within 24 hours:
{link}

If it was not you, do nothing: your password stays as it is.
"""


class EmailForm(forms.Form):
    """Whose password it is."""

    email = forms.EmailField(widget=forms.EmailInput(attrs={"autocomplete": "email"}))


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Somebody forgot their password; the answer does not tell whether they have an account."""
    mails = settings.CAMPAIGN.mail is not None
    form = EmailForm(request.POST or None) if mails else None
    sent = form is not None and request.method == "POST" and form.is_valid()
    if sent and form is not None:
        address = settings.CAMPAIGN.address or request.build_absolute_uri("/")
        _POST.submit(mail_link, form.cleaned_data["email"], address)
    return render(request, "forgotten.html", {"form": form, "sent": sent})


def mail_link(email: str, address: str) -> None:
    """Send a link to choose a new password to an account that is active."""
    try:
        user = User.objects.filter(email__iexact=email, is_active=True).first()
        if user is None:
            return
        text = _TEXT.format(title=settings.CAMPAIGN.title, link=password_link(address, user))
        record(None, "mail password link", user)
        send_mail(f"New password for {settings.CAMPAIGN.title}", text, None, [user.email])
    except (OSError, smtplib.SMTPException):
        log.exception("mail cannot be sent; check [mail] in campaign.toml")
    finally:
        connection.close()
