"""Mulan's files: features and labels as ARFF, and an XML that tells them apart."""

from cranfield.formats.kinds.mulan import datasets  # noqa: F401 - it registers itself
