"""Ontologies in JSON: the nested hierarchy of Open Images, or the list of AudioSet's classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cranfield.errors import FileError
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading import audioset, open_images
from cranfield.knowledge.reading.opening import text


def read(path: Path, data: bytes) -> Ontology:
    """An ontology from the bytes of a JSON file."""
    content = _parsed(path, text(path, data))
    if isinstance(content, list):
        return audioset.read(path, content)
    return open_images.read(path, content)


def _parsed(path: Path, content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise FileError(path, f"this is no JSON: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise FileError(path, "the JSON is nested too deeply; is this the right file?") from None
    except ValueError as error:  # such as a number of too many digits
        raise FileError(path, f"the JSON cannot be read ({error})") from None
