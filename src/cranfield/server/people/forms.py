"""Forms about people and groups."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from cranfield.server.people.models import Group, User
from cranfield.server.submissions.acceptance import RefusedError, require_name


class PasswordForm(forms.Form):
    """A new password, typed twice."""

    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least ten characters.",
    )
    again = forms.CharField(
        label="Password, again", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )

    def clean(self) -> dict[str, Any]:
        content = super().clean() or {}
        password = content.get("password")
        if password and password != content.get("again"):
            self.add_error("again", "The passwords differ.")
        if password:
            try:
                validate_password(password)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return content


class AccountForm(PasswordForm):
    """Who somebody is."""

    name = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    affiliation = forms.CharField(
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    field_order = ("name", "email", "affiliation", "password", "again")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email__iexact=email).exists():
            raise forms.ValidationError("There is an account with this address; log in.")
        return email

    def create(self, **members: Any) -> User:
        content = self.cleaned_data
        return User.objects.create_user(
            content["email"],
            content["password"],
            name=content["name"],
            affiliation=content["affiliation"],
            **members,
        )


class RegistrationForm(AccountForm):
    """Somebody registers; where there is a licence, they agree to it."""

    agree = forms.BooleanField()

    def __init__(self, *args: Any, licence: str | None, **options: Any) -> None:
        super().__init__(*args, **options)
        if licence is None:
            del self.fields["agree"]
        else:
            self.fields["agree"].label = "I agree to the licence"
            self.fields["agree"].help_text = licence


class GroupForm(forms.Form):
    """What a group is called."""

    name = forms.CharField(
        max_length=100, label="Name of the group", help_text="As it will stand on the board."
    )
    affiliation = forms.CharField(max_length=200, required=False)
    country = forms.CharField(max_length=100, required=False)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        try:
            require_name(name, "the name of the group")
        except RefusedError as error:
            raise forms.ValidationError(str(error)) from None
        if Group.objects.filter(name__iexact=name).exists():
            raise forms.ValidationError("There is a group of this name; ask it to invite you.")
        return name


class TokenForm(forms.Form):
    """A token for programs, of one group."""

    name = forms.CharField(max_length=100, help_text="What it is for, such as: laptop.")
