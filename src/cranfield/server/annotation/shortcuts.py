"""Keys for the answers of a form: one for each, or two where there are more than thirty."""

from __future__ import annotations

from cranfield.assessment.jobs import Form

_KEYS = "asdfghjklqwertyuiopzxcvbnm1234"
"""On every keyboard; signs and Enter are for moving on."""


def shortcuts(form: Form) -> dict[tuple[int, str], str]:
    """Keys by the number of a block and an answer of it; of two keys, the first is the block's."""
    answers = [
        (number, answer)
        for number, block in enumerate(form.blocks)
        for answer in (("yes", "no") if block.ask == "yes_no" else block.concepts)
    ]
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
