"""Studies: what evaluations say about measures, annotators and collections.

A study is one file: its function, its result with tables and charts. CONTRIBUTING shows how to add
one.

field                runs and measures that studies share, and what readers should know about runs
reference_runs       runs that know nothing, the perfect one, and seeded draws
vocabulary           concepts, how frequent they are, and which of them hold
simulation           a seeded truth, runs of known quality, and campaigns of them
altered_truths       truths with labels flipped, or items, concepts or annotators left out

measure_correlation  which measures put systems, and items, in the same order
stability            which of them keep the order of runs when the truth is altered
random_guessing      which can be gamed by runs that know nothing
label_density        which reward runs for how many labels they assign
threshold_effect     how much of a run's rank is its threshold
power                which measures separate runs, and which differences can be trusted
collection_study     what a collection asks of systems (its numbers: collection_scores)
cycles               what improved from one campaign to the next (its tests: cycle_changes)
audit                which requirements a measure meets
annotators           simulated annotators; annotator_effect: what their choice does to rankings
judgements           people's judgements of relatedness beside sources of it
open_vocabulary      free tags, mapped step by step
searching            how well runs answer queries
coverage             how often intervals hold what they should
incomplete           what unjudged cells do to scores; sampled_judgements: to the order of searches
"""

from cranfield._public import publish

publish(__name__)
