"""The form of a submission, made of what the track asks."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms

from cranfield.server import configuration
from cranfield.server.people.models import Group
from cranfield.server.submissions.acceptance import Description

_PREFIX = "field-"
BASELINE = "baseline"


class SubmissionForm(forms.Form):
    """File and description of a run."""

    file = forms.FileField(help_text="Text, CSV, TREC or Parquet, as it is: not packed.")
    name = forms.CharField(max_length=100, label="Name of the run")
    description = forms.CharField(widget=forms.Textarea(attrs={"rows": 4}), required=False)
    primary = forms.BooleanField(required=False, label="This is our primary run")
    threshold = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 1}),
        help_text="Scores at or above it are decisions: a number, or a line concept,number for "
        "each concept, or item,concept,number "
        "for each cell. Leave it empty if the file holds decisions.",
    )
    key = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        track: configuration.Track,
        groups: list[Group],
        baselines: bool = False,
        **options: Any,
    ) -> None:
        options["initial"] = {"key": secrets.token_hex(16)}
        super().__init__(*args, **options)
        self.track = track
        named = [(str(group.id), group.name) for group in groups]
        if baselines:
            named.append((BASELINE, "Organisers: a baseline, out of competition"))
        self.fields["group"] = forms.ChoiceField(choices=named)
        if len(named) == 1:
            self.fields["group"].widget = forms.HiddenInput()
            self.initial["group"] = named[0][0]
        if track.modalities:
            words = [(letter, f"{letter}: {word}") for letter, word in track.modalities.items()]
            self.fields["modality"] = forms.ChoiceField(choices=words)
        for declared in track.fields:
            self.fields[_PREFIX + declared.name] = _field(declared)
        self.order_fields(("group", "file", "name", "modality", "description"))

    @property
    def described(self) -> Description:
        content = self.cleaned_data
        return Description(
            name=content["name"],
            description=content["description"],
            modality=content.get("modality", ""),
            primary=content["primary"],
            threshold=content["threshold"],
            fields={
                declared.name: content[_PREFIX + declared.name] for declared in self.track.fields
            },
        )


def _field(declared: configuration.RunField) -> forms.Field:
    title = declared.title or declared.name
    if declared.kind == "flag":
        return forms.BooleanField(label=title, required=declared.required)
    if declared.kind == "choice":
        blank = [] if declared.required else [("", "–")]
        choices = [*blank, *((choice, choice) for choice in declared.choices)]
        return forms.ChoiceField(label=title, choices=choices, required=declared.required)
    if declared.kind == "url":
        return forms.URLField(label=title, required=declared.required, assume_scheme="https")
    return forms.CharField(label=title, max_length=1000, required=declared.required)
