"""Files of pools: a folder for the organiser, and sheets that people fill in.

folder     pool.csv (what is pooled), pool.json (how it was made), sheets/
sheets     sheets/ASSESSOR/TOPIC.csv: topic, document, judgement; no runs, no ranks
"""

from cranfield.assessment.pools.files.folder import PoolFolder

__all__ = ["PoolFolder"]
