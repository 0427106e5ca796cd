"""Files of votes: long tables, single choices, Label Studio's JSON, results of Mechanical Turk.

reading    which reader takes a file, and what becomes of errors
headers    what people call the columns of a table
tables     CSV and TSV, long or of single choices; vote_table cuts their lines
label_studio, mturk, mturk_answers   what these platforms export
gathered   rows of all files, as numbers
counted    from rows to votes: what counts, and what contradicts itself
beside     what stands beside answers: times and comments
times      how long, and when, as platforms write it
writing    long tables and single choices; platforms: as Label Studio and MTurk export votes
"""

from cranfield.assessment.files.reading import read_votes
from cranfield.assessment.files.writing import write_votes

__all__ = ["read_votes", "write_votes"]
