"""Pages about people and groups: registering, invitations, tokens."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cranfield.server.access import (
    accepted_licence,
    active_track,
    current_licence,
    is_member,
    logged_in,
    pseudonym,
)
from cranfield.server.campaigns.models import Acceptance, Entry, Track
from cranfield.server.people.audit import record
from cranfield.server.people.forms import (
    AccountForm,
    GroupForm,
    PasswordForm,
    RegistrationForm,
    TokenForm,
)
from cranfield.server.people.links import (
    hashed,
    holder,
    invitation_link,
    new_secret,
    show_once,
)
from cranfield.server.people.models import (
    Departure,
    Group,
    Invitation,
    LoginLink,
    Membership,
    Token,
    User,
)

_FORM = require_http_methods(["GET", "HEAD", "POST"])
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@_FORM
def register(request: HttpRequest, secret: str = "") -> HttpResponse:
    """An account for somebody; by an invitation, a place in a group as well."""
    invitation = holder(Invitation, secret) if secret else None
    if secret and invitation is None:
        raise Http404
    if settings.CAMPAIGN.registration == "closed" or (
        settings.CAMPAIGN.registration == "invited" and invitation is None
    ):
        raise PermissionDenied("Registration is closed.")
    licence = current_licence()
    form = RegistrationForm(request.POST or None, licence=None if licence is None else licence.text)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            user = form.create()
            if licence is not None:
                Acceptance.objects.create(user=user, licence=licence)
            record(pseudonym(user), "register", user)
            if invitation is not None:
                _join(user, invitation)
        login(request, user, _BACKEND)
        return redirect("account")
    return _form(request, form, "Register", "Register")


@_FORM
def invited(request: HttpRequest, secret: str) -> HttpResponse:
    """Somebody opens an invitation; opening alone uses nothing up."""
    invitation = holder(Invitation, secret)
    if invitation is None:
        raise Http404
    if not request.user.is_authenticated:
        return register(request, secret)
    if request.method == "POST":
        with transaction.atomic():
            _join(logged_in(request), invitation)
        return redirect("account")
    title = f"Join {invitation.group}" if invitation.group else "You are registered already"
    return _form(request, None, title, "Join" if invitation.group else "Go on")


def _join(user: User, invitation: Invitation) -> None:
    used = Invitation.objects.filter(id=invitation.id, used=None).update(used=timezone.now())
    if not used:
        raise Http404
    if invitation.group is not None:
        Membership.objects.get_or_create(user=user, group=invitation.group)
        record(pseudonym(user), "join", invitation.group)


@_FORM
def welcome(request: HttpRequest, secret: str) -> HttpResponse:
    """Somebody holds a link: the first organiser's, or one to choose a new password."""
    link = holder(LoginLink, secret)
    if link is None or (link.user is not None and not link.user.is_active):
        raise Http404
    form = (PasswordForm if link.user else AccountForm)(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            used = LoginLink.objects.filter(id=link.id, used=None).update(used=timezone.now())
            if not used:
                raise Http404
            user = link.user
            if user is None:
                assert isinstance(form, AccountForm)
                user = form.create(is_organiser=True)
            else:
                user.set_password(form.cleaned_data["password"])
                user.save()
                LoginLink.objects.filter(user=user, used=None).update(used=timezone.now())
            record(pseudonym(user), "welcome", user)
        login(request, user, _BACKEND)
        return redirect("home")
    title = "Choose a password" if link.user else "Become the organiser"
    return _form(request, form, title, "Go on")


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Groups, tracks, tokens of somebody."""
    user = logged_in(request)
    return render(
        request,
        "account.html",
        {
            "memberships": user.memberships.select_related("group").order_by("group__name"),
            "tokens": user.tokens.select_related("membership__group").order_by("-created"),
            "tracks": Track.objects.filter(active=True),
            "licence": None if accepted_licence(user) else current_licence(),
        },
    )


@login_required
@require_POST
def agree(request: HttpRequest) -> HttpResponse:
    """Somebody agrees to the licence in force."""
    licence, user = current_licence(), logged_in(request)
    if licence is not None:
        with transaction.atomic():
            Acceptance.objects.get_or_create(user=user, licence=licence)
            record(pseudonym(user), "agree", licence)
    return redirect("account")


@login_required
@_FORM
def new_group(request: HttpRequest) -> HttpResponse:
    form = GroupForm(request.POST or None)
    user = logged_in(request)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            group = Group.objects.create(**form.cleaned_data)
            Membership.objects.create(user=user, group=group)
            record(pseudonym(user), "found", group)
        return redirect("group", group.id)
    return _form(request, form, "Create a group", "Create the group")


@login_required
@require_safe
def group(request: HttpRequest, id: int) -> HttpResponse:
    """A group as its members see it."""
    shown = _own_group(request, id)
    return render(
        request,
        "group.html",
        {
            "group": shown,
            "members": shown.members.order_by("name"),
            "runs": shown.runs.select_related("phase__track"),
            "entered": set(shown.entries.values_list("track_id", flat=True)),
            "tracks": Track.objects.filter(active=True),
        },
    )


@login_required
@require_POST
def invite(request: HttpRequest, id: int) -> HttpResponse:
    """A link for somebody to join a group; shown once."""
    shown = _own_group(request, id)
    with transaction.atomic():
        link = invitation_link(request.build_absolute_uri("/"), group=shown)
        record(pseudonym(logged_in(request)), "invite", shown)
    show_once(request, "Send this link to the person. It works once, within 14 days.", link)
    return redirect("group", id)


@login_required
@require_POST
def leave(request: HttpRequest, id: int) -> HttpResponse:
    """Leaving ends the tokens of the membership."""
    shown, user = _own_group(request, id), logged_in(request)
    with transaction.atomic():
        Membership.objects.filter(user=user, group=shown).delete()
        Departure.objects.get_or_create(user=user, group=shown)
        record(pseudonym(user), "leave", shown)
    return redirect("account")


@login_required
@require_POST
def enter(request: HttpRequest, id: int, track: str) -> HttpResponse:
    """A group takes part in a track; whoever says so must have agreed to the licence."""
    shown, user = _own_group(request, id), logged_in(request)
    if not accepted_licence(user):
        messages.error(request, "Agree to the licence first.")
        return redirect("account")
    with transaction.atomic():
        Entry.objects.get_or_create(group=shown, track=active_track(track))
        record(pseudonym(user), "enter", shown, track=track)
    return redirect("group", id)


@login_required
@_FORM
def new_token(request: HttpRequest, id: int) -> HttpResponse:
    """A token of a group's member; shown once."""
    shown, user = _own_group(request, id), logged_in(request)
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        secret = new_secret()
        membership = Membership.objects.get(user=user, group=shown)
        with transaction.atomic():
            token = Token.objects.create(
                user=user,
                membership=membership,
                name=form.cleaned_data["name"],
                sha256=hashed(secret),
            )
            record(pseudonym(user), "make token", token)
        show_once(request, "Copy the token now; it is not shown again.", secret)
        return redirect("account")
    return _form(request, form, f"A token for {shown}", "Make the token")


@login_required
@require_POST
def revoke_token(request: HttpRequest, id: int) -> HttpResponse:
    user = logged_in(request)
    token = get_object_or_404(Token, id=id, user=user)
    with transaction.atomic():
        record(pseudonym(user), "revoke token", token)
        token.delete()
    return redirect("account")


def _own_group(request: HttpRequest, id: int) -> Group:
    """A group of which somebody is a member; others learn not even that it is there."""
    shown = Group.objects.filter(id=id).first()
    if shown is None or not is_member(logged_in(request), shown):
        raise Http404
    return shown


def _form(request: HttpRequest, form: object, title: str, button: str) -> HttpResponse:
    return render(request, "form.html", {"form": form, "title": title, "button": button})
