"""Forms of the organisers."""

from __future__ import annotations

from typing import Any

from django import forms

from cranfield.core.correction import Value
from cranfield.server.campaigns.corrections import read_value
from cranfield.server.submissions.acceptance import MOST_TEXT, RefusedError


class CorrectionForm(forms.Form):
    """A wrong cell of the truth, and what it should hold."""

    item = forms.CharField(strip=False)
    concept = forms.CharField(strip=False)
    value = forms.CharField(
        required=False,
        label="Right value",
        help_text="0, 1 or a grade; leave it empty if nobody judged the cell.",
    )
    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=MOST_TEXT,
        label="Why",
        help_text="Everybody reads it at once: do not name a label that is still a secret.",
    )
    shown = forms.BooleanField(
        required=False,
        label="Show item, concept and values now",
        help_text="Otherwise everybody sees them once no phase takes runs any more.",
    )
    despite_rules = forms.BooleanField(
        required=False, label="Correct it even if labels then break rules of the ontology"
    )

    def clean_value(self) -> Value:
        try:
            return read_value(self.cleaned_data["value"])
        except RefusedError as error:
            raise forms.ValidationError(str(error)) from None

    @property
    def options(self) -> dict[str, Any]:
        """As `correct` takes them."""
        return dict(self.cleaned_data)
