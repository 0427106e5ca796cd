"""Knowledge about concepts: ontologies, rules, cost maps, relatedness and agreement.

What a label costs when it is wrong, and which labels cannot stand together. Nothing here looks at
scores; measures use it through `Known`, which puts it into the order of a truth's columns.
"""

from cranfield._public import publish

publish(__name__)
