"""Tasks: single-label classification (`classes`) and search (`retrieval`)."""

from cranfield._public import publish

publish(__name__)
