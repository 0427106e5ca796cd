"""Studies: what evaluations say about measures and collections.

vocabulary           concepts, how frequent they are, and which exclude each other
latent_labels        which concepts hold, by frequency and by the rules of an ontology
simulation           a seeded truth, and the runs of systems whose quality is known
campaign             a field of systems such as a benchmark receives
reference_runs       runs that know nothing, and the perfect one
incomplete           what unjudged cells do to scores, and what bounds and estimates make of them
measure_correlation  which measures put systems, and items, in the same order
stability            which of them keep the order of runs when the truth is altered
random_guessing      which can be gamed by runs that know nothing
label_density        which reward runs for how many labels they assign
threshold_effect     how much of a run's rank is its threshold
"""

from cranfield._public import publish

publish(__name__)
