"""Files of pools: a folder for the organiser, and sheets that people fill in.

folder     pool.csv (what is pooled), pool.json (how it was made), sheets/
sheets     sheets/ASSESSOR/TOPIC.csv: topic, document, judgement; no runs, no ranks
two_columns   titles of topics, groups of runs
"""

from cranfield.assessment.pools.files.folder import PoolFolder
from cranfield.assessment.pools.files.two_columns import (
    holds_topics,
    read_groups_of_runs,
    read_titles,
)

__all__ = ["PoolFolder", "holds_topics", "read_groups_of_runs", "read_titles"]
