"""Merging: the votes of many annotators, made one truth.

models     majority and weighted majority, Dawid–Skene and one-coin, MACE, GLAD: what each finds
           for a question, and how iterations stop
consensus  all questions together: truth, confidence, reliability
"""

from cranfield._public import publish

publish(__name__)
