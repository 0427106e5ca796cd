"""Files that sources of relatedness rest on: corpora, counts, links, vectors, engines."""

from cranfield.formats.relatedness.corpora import CorpusFile
from cranfield.formats.relatedness.counts import read_counts
from cranfield.formats.relatedness.endpoints import read_endpoint
from cranfield.formats.relatedness.links import LinkFile
from cranfield.formats.relatedness.vectors import VectorFile

__all__ = ["CorpusFile", "LinkFile", "VectorFile", "read_counts", "read_endpoint"]
