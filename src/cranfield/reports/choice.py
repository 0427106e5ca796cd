"""Panels of which one is shown at a time, chosen by name; without a script all are shown."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.show.markup import Html, element, joined


def choice(label: str, panels: Sequence[tuple[str, Html]]) -> Html:
    """Panels with names; one alone needs no choice."""
    if len(panels) == 1:
        return panels[0][1]
    options = joined(element("option", name, value=place) for place, (name, _) in enumerate(panels))
    chooser = element("label", f"{label} ", element("select", options), class_="chooser")
    shown = joined(
        element("div", element("h3", name, class_="panel-name"), body, class_="panel")
        for name, body in panels
    )
    return element("div", chooser, shown, class_="choice")
