"""Agreement: how far annotators say the same, beyond what chance would bring about.

coefficients   of one question: percent, Fleiss, free-marginal, Gwet, Krippendorff, Cohen; of whole
               sets of labels: Krippendorff's α with the distances of Jaccard and MASI; over all
               questions, with intervals and their reading
cells          yes/no on every concept of every item: the agreement map, pairs of annotators,
               majorities of groups of them
analysis       all of it together, as tables and charts

Everywhere here a person counts once on an item and question, with the answer of the last batch.
"""

from cranfield._public import publish

publish(__name__)
