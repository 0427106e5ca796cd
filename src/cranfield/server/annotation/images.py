"""Pictures of items as annotators see them: no larger than a screen, without what cameras add.

A copy is made when a picture is first asked for. It has the pixels and nothing else: no position,
no camera, no comment.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from pathlib import Path

from cranfield.server.folder import CampaignFolder

LARGEST = 1600
"""Pixels of the longer side."""
MOST_PIXELS = 100_000_000
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
_ENDINGS = ("", ".jpg", ".jpeg", ".png", ".webp", ".gif")


def original(folder: CampaignFolder, track: str, item: str) -> Path | None:
    """The file of an item in the track's folder `images`; never one outside of it."""
    images = folder.images(track).resolve()
    for ending in _ENDINGS:
        path = (images / f"{item}{ending}").resolve()
        if path.is_file() and path.is_relative_to(images):
            return path
    return None


def shown_copy(folder: CampaignFolder, picture: Path) -> Path | None:
    """A copy to show; None for what is no picture, or too large a one."""
    state = picture.stat()
    key = f"{picture}\0{state.st_mtime_ns}\0{state.st_size}"
    copy = folder.var / "images" / f"{hashlib.sha256(key.encode()).hexdigest()}.jpg"
    if not copy.exists() and not _make(picture, copy):
        return None
    return copy


def _make(picture: Path, copy: Path) -> bool:
    from PIL import Image, ImageOps

    copy.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        with warnings.catch_warnings(), Image.open(picture, formats=_FORMATS) as opened:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            if opened.width * opened.height > MOST_PIXELS:
                return False
            opened.draft("RGB", (LARGEST, LARGEST))
            turned = ImageOps.exif_transpose(opened).convert("RGB")
            turned.thumbnail((LARGEST, LARGEST))
            pixels = Image.new("RGB", turned.size)
            pixels.paste(turned)
    except (OSError, ValueError, Image.DecompressionBombWarning, Image.DecompressionBombError):
        return False
    with tempfile.NamedTemporaryFile(dir=copy.parent, suffix=".part", delete=False) as file:
        pixels.save(file, "JPEG", quality=88)
    os.replace(file.name, copy)
    return True
