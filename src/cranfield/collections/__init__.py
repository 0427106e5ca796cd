"""Collections: what systems are tested on, and one truth beside one run.

collection    items, concepts, truth and knowledge in one folder
comparison    one truth with one run; everything measures share, computed once and lazily
description   what a truth, a run or a collection holds
splits        parts of a collection that keep its concepts and groups together
extra_items   what a run says about items the truth does not have
"""

from cranfield._public import publish

publish(__name__)
