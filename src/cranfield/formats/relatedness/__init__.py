"""Files that sources of relatedness rest on: corpora, counts, links, vectors, engines."""

from cranfield.formats.relatedness.corpora import CorpusFile
from cranfield.formats.relatedness.counts import LinkFile, read_counts, read_endpoint
from cranfield.formats.relatedness.vectors import VectorFile

__all__ = ["CorpusFile", "LinkFile", "VectorFile", "read_counts", "read_endpoint"]
