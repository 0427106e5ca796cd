"""Public names of files."""

from cranfield.assessment.files.reading import read_votes as read_votes
from cranfield.assessment.files.writing import write_votes as write_votes
