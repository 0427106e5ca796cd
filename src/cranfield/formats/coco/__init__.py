"""COCO's JSON files, read as a stream."""

from cranfield.formats.coco import image_level  # noqa: F401 - it registers itself
