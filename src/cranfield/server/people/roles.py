"""What organisers decide about people: roles, invitations; and tokens for their own programs."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from cranfield.server.access import logged_in, organisers_only, pseudonym
from cranfield.server.people.audit import record
from cranfield.server.people.forms import TokenForm
from cranfield.server.people.links import hashed, invitation_link, new_secret, show_once
from cranfield.server.people.models import Token, User
from cranfield.server.submissions.acceptance import RefusedError

ROLES = ("organiser", "active")


def set_roles(user: User, roles: dict[str, bool], who: User) -> None:
    """Give somebody the roles that are named, and no others; an organiser stays."""
    with transaction.atomic():
        list(User.objects.select_for_update().filter(is_organiser=True))
        user = User.objects.select_for_update().get(id=user.id)
        before = {role: getattr(user, f"is_{role}") for role in ROLES}
        changed = {role: new for role, new in roles.items() if before[role] != new}
        for role, new in changed.items():
            setattr(user, f"is_{role}", new)
        user.save()
        if not User.objects.filter(is_organiser=True, is_active=True).exists():
            raise RefusedError("somebody must stay an organiser; make somebody else one first")
        if changed:
            record(pseudonym(who), "change roles", user, **changed)


@organisers_only
@require_POST
def roles(request: HttpRequest, id: int) -> HttpResponse:
    """Somebody becomes an organiser, or cannot log in any more."""
    user = get_object_or_404(User, id=id)
    try:
        set_roles(user, {role: role in request.POST for role in ROLES}, logged_in(request))
        messages.success(request, f"The roles of {user.name} are changed.")
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("organise")


@organisers_only
@require_POST
def invite_person(request: HttpRequest) -> HttpResponse:
    """A link by which somebody registers where registration is by invitation."""
    with transaction.atomic():
        link = invitation_link(settings.CAMPAIGN.address or request.build_absolute_uri("/"))
        user = logged_in(request)
        record(pseudonym(user), "invite to register", user)
    show_once(request, "Send this link to the person. It works once, within 14 days.", link)
    return redirect("organise")


@organisers_only
@require_http_methods(["GET", "HEAD", "POST"])
def organiser_token(request: HttpRequest) -> HttpResponse:
    """A token for what an organiser may do; it ends when its holder is no organiser any more."""
    user, form = logged_in(request), TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        secret = new_secret()
        with transaction.atomic():
            name = form.cleaned_data["name"]
            token = Token.objects.create(user=user, name=name, sha256=hashed(secret))
            record(pseudonym(user), "make token", token)
        show_once(request, "Copy the token now; it is not shown again.", secret)
        return redirect("account")
    context = {"form": form, "title": "A token for organisers", "button": "Make the token"}
    return render(request, "form.html", context)
