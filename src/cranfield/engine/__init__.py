"""Engine: where the work of an evaluation runs. Here: this process and its threads."""

from cranfield._public import publish

publish(__name__)
