"""Report: evaluations and collections for people to read.

standings              who is ahead: the order of runs, the best of each column, notes
tables                 evaluations on a terminal, with Rich
exports                evaluations as text for other programs: CSV, LaTeX, JSON
descriptions           collections on a terminal
pictures               Vega-Lite specifications as files
description_pictures   how frequent concepts are, and what comes together
"""
