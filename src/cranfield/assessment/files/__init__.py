"""Files of votes: long tables, single choices, Label Studio's JSON, results of Mechanical Turk.

reading        which reader takes a file, and what becomes of errors
tables         CSV and TSV, long or of single choices, and what people call their columns
label_studio, mturk, mturk_answers   what these platforms export
gathered       rows of all files, as numbers, and how lines of tables are read in bulk
counted        from rows to votes: what counts, and what contradicts itself
sheet_details  what stands beside answers: times and comments
writing        long tables and single choices, and what Label Studio and MTurk would export
"""

from cranfield._public import publish

publish(__name__)
