"""Environment: variables called CRANFIELD_… that choose how and where work is done.

A value that cannot be honoured is an error, since whoever sets one wants it to count. Unset and
empty are the same.

CRANFIELD_KERNELS  numpy or native: which kernels compute; native ones need the C extension
CRANFIELD_LOOPS    baseline, avx2 or avx512: which loops of the C extension run
CRANFIELD_THREADS  how many threads share the work
CRANFIELD_DATA     the folder in which data is kept that is fetched once
"""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import InputError

_MOST_THREADS = 4096


def chosen_kernels() -> str:
    """numpy, native or, unless somebody insists, nothing."""
    return _choice("CRANFIELD_KERNELS", ("numpy", "native"))


def chosen_loops() -> str:
    """Which set of loops, or nothing."""
    return _choice("CRANFIELD_LOOPS", ("baseline", "avx2", "avx512"))


def chosen_threads() -> int | None:
    """How many threads, or nothing."""
    text = os.environ.get("CRANFIELD_THREADS", "").strip()
    if not text:
        return None
    threads = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
    if not 1 <= threads <= _MOST_THREADS:
        raise InputError(
            f"the environment variable CRANFIELD_THREADS is {text!r}; set it to a whole number "
            f"from 1 to {_MOST_THREADS}, or unset it"
        )
    return threads


def chosen_data_folder() -> Path | None:
    """Where fetched data is kept, or nothing."""
    text = os.environ.get("CRANFIELD_DATA", "")
    if not text:
        return None
    try:
        folder = Path(text).expanduser()
    except RuntimeError:  # there is no such user
        folder = Path(text)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(
            f"the environment variable CRANFIELD_DATA is {text!r}, which is no folder; set it to "
            "one, or unset it"
        )
    return folder


def _choice(name: str, choices: tuple[str, ...]) -> str:
    text = os.environ.get(name, "").strip()
    if text and text not in choices:
        raise InputError(
            f"the environment variable {name} is {text!r}; set it to {' or '.join(choices)}, or "
            "unset it"
        )
    return text
