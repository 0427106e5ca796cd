"""PASCAL VOC's folders, with a file for each class."""

from cranfield.formats.voc import classes  # noqa: F401 - it registers itself
