"""Retrieval: annotations put to use. Queries over concepts, and what they find."""

from cranfield._public import publish

publish(__name__)
