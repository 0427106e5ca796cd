"""Reports: what an evaluation says, as one HTML file that works offline, light or dark, on phones.

report      `Report`: what is asked for, and files
findings    the evaluation with its intervals and tests
scores, units, curves, decisions, provenance   what the page says: tables, charts and sentences
images      where images of items are
"""

from cranfield._public import publish

publish(__name__)
