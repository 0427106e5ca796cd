"""Keys for the answers of a form: one for each, or two where there are more than thirty."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.assessment.jobs import Form

_KEYS = "asdfghjklqwertyuiopzxcvbnm1234"
"""On every keyboard; signs and Enter are for moving on."""


def inputs(form: Form) -> Iterator[tuple[int, str, str]]:
    """Every answer that can be chosen: its block, the question, and the concept or yes or no."""
    for number, block in enumerate(form.blocks):
        for answer in ("yes", "no") if block.ask == "yes_no" else block.concepts:
            yield number, block.name if block.ask == "one" else block.concepts[0], answer


def shortcuts(form: Form) -> dict[tuple[int, str], str]:
    """Keys by block and answer; with two keys, the first is the block's."""
    answers = [(block, answer) for block, _, answer in inputs(form)]
    if len(answers) <= len(_KEYS):
        return dict(zip(answers, _KEYS, strict=False))
    keys: dict[tuple[int, str], str] = {}
    first = iter(_KEYS)
    leader, used = "", len(_KEYS)
    last = None
    for block, answer in answers:
        if block != last or used == len(_KEYS):
            leader, used = next(first, ""), 0
        if leader:
            keys[block, answer] = leader + _KEYS[used]
        used, last = used + 1, block
    return keys
