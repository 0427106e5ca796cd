"""Words of our own in OWL files, for what OWL has no word for.

category    true: the class only gives order and cannot be assigned
position    the place of a class among the concepts; those without one follow, as they stand
droppedIn   the name of a tree that leaves the category out
AtLeastOne  a node of this type names, by `member`, a group of which one label is expected
member      a class of such a group
beside      X subClassOf (beside some Y): the label X needs the label Y
"""

from __future__ import annotations

PREFIX = "cranfield"
NAMESPACE = "urn:cranfield:vocabulary#"

PROPERTIES = ("category", "position", "droppedIn", "member")
"""Those that annotate classes and groups."""
GROUP = "AtLeastOne"
RELATION = "beside"
TERMS = (*PROPERTIES, GROUP, RELATION)
