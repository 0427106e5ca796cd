"""Surveys: asking people about measures, and about what measures rest on.

relatedness    which pairs of words to ask about, and how closely people find them related
pairings       which label sets of two runs to choose between
preferences    whether measures prefer what people prefer
questionnaire  the page and the sheet that people fill in, and a survey's folder
answers        what comes back
"""

from cranfield._public import publish

publish(__name__)
