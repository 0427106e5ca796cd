"""Report: evaluations for people to read.

standings   who is ahead: the order of runs, the best of each column, notes (no formatting)
tables      on a terminal, with Rich
exports     as text for other programs: CSV, LaTeX, JSON
"""
