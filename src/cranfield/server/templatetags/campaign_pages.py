"""Tags of the pages: phases with the time that is left, and what to do next."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from cranfield.server.campaigns.models import Phase
from cranfield.server.campaigns.moments import PhaseTime, phase_time
from cranfield.server.people.steps import steps_for

register = template.Library()


@register.inclusion_tag("phases.html")
def phases(listed: Any) -> dict[str, list[tuple[Phase, PhaseTime]]]:
    """Phases of a track, each with its state, the time that is left and its dates."""
    now = timezone.now()
    return {"phases": [(phase, phase_time(phase, now)) for phase in listed]}


@register.filter
def paragraphs(text: str) -> SafeString:
    """A text of campaign.toml: blank lines divide paragraphs, other ends of lines are blanks."""
    parts = (" ".join(part.split()) for part in text.split("\n\n") if part.strip())
    return format_html_join("\n", "<p>{}</p>", ((part,) for part in parts))


@register.filter
def as_list(member: Any) -> list[Any]:
    """A list of one, for tags that show several."""
    return [member]


@register.inclusion_tag("steps.html", takes_context=True)
def next_steps(context: template.RequestContext) -> dict[str, Any]:
    """What somebody has done so far, and what comes next."""
    steps = steps_for(context["user"])
    return {"steps": steps, "next": next((step for step in steps if not step.done), None)}
