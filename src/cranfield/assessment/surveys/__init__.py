"""Surveys: asking people about measures, and about what measures rest on.

relatedness    which pairs of words to ask about, and how closely people find them related
pairings       which label sets of two runs to choose between
preferences    whether measures prefer what people prefer
questionnaire  the page and the sheet that people fill in, and a survey's folder
answers        what comes back
"""

from cranfield.assessment.surveys.answers import Answers, arranged, read_answers
from cranfield.assessment.surveys.pairings import MeasureSurvey, Pairing, measure_survey
from cranfield.assessment.surveys.preferences import (
    PREFERENCE,
    Closer,
    Preferences,
    WithPeople,
    preferences,
    with_measures,
)
from cranfield.assessment.surveys.questionnaire import (
    measure_page,
    measure_sheet,
    read_measure_survey,
    read_relatedness_survey,
    relatedness_page,
    relatedness_sheet,
    write_survey,
)
from cranfield.assessment.surveys.relatedness import (
    RELATEDNESS,
    Pair,
    Ratings,
    RelatednessSurvey,
    careless,
    choose_pairs,
    ratings,
)

__all__ = [
    "PREFERENCE",
    "RELATEDNESS",
    "Answers",
    "Closer",
    "MeasureSurvey",
    "Pair",
    "Pairing",
    "Preferences",
    "Ratings",
    "RelatednessSurvey",
    "WithPeople",
    "arranged",
    "careless",
    "choose_pairs",
    "measure_page",
    "measure_sheet",
    "measure_survey",
    "preferences",
    "ratings",
    "read_answers",
    "read_measure_survey",
    "read_relatedness_survey",
    "relatedness_page",
    "relatedness_sheet",
    "with_measures",
    "write_survey",
]
