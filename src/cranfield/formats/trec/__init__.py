"""Files of TREC: runs and judgements (qrels), preferences, topics."""

from cranfield.formats.trec import files  # noqa: F401 - it registers itself
