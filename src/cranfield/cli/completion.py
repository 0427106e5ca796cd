"""What the shell may complete beyond files: names of measures."""

from __future__ import annotations


def measure_names(incomplete: str) -> list[tuple[str, str]]:
    """Measures whose name begins so, each with its formula."""
    from cranfield.measures import measures

    return [
        (
            definition.name.removesuffix("@k") + ("@10" if definition.name.endswith("@k") else ""),
            definition.formula,
        )
        for definition in measures()
        if definition.name.lower().startswith(incomplete.lower())
    ]
