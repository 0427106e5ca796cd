"""Report: evaluations and collections for people to read.

standings              who is ahead: the order of runs, the best of each column, notes
tables                 evaluations on a terminal, with Rich
page/                  evaluations as one HTML file that works offline
exports                evaluations as text for other programs: CSV, LaTeX, JSON
descriptions           collections on a terminal
pictures               Vega-Lite specifications as files
description_pictures   how frequent concepts are, and what comes together
outlines               ontologies as trees that can be shown
ontologies             ontologies on a terminal
violations             rules that labels break
ontology_pictures      ontologies drawn: tree_layout says where nodes go, drawings how
explanations           how scores of items come about, on a terminal
explanation_pictures   the same drawn
pools                  what is pooled, how far people got, where they disagree
pool_reuse             what the judgements of a pool are worth
measure_correlations   which measures agree; measure_correlation_pictures draws it
stabilities            how far rankings survive an altered truth
guesses                what guessing, and mere numbers of labels, are worth
threshold_effects      what thresholds do to ranks
"""
