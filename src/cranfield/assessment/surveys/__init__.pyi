"""Public names of surveys."""

from cranfield.assessment.surveys.answers import Answers as Answers
from cranfield.assessment.surveys.answers import arranged as arranged
from cranfield.assessment.surveys.answers import read_answers as read_answers
from cranfield.assessment.surveys.pairings import MeasureSurvey as MeasureSurvey
from cranfield.assessment.surveys.pairings import Pairing as Pairing
from cranfield.assessment.surveys.pairings import measure_survey as measure_survey
from cranfield.assessment.surveys.preferences import PREFERENCE as PREFERENCE
from cranfield.assessment.surveys.preferences import Closer as Closer
from cranfield.assessment.surveys.preferences import Preferences as Preferences
from cranfield.assessment.surveys.preferences import WithPeople as WithPeople
from cranfield.assessment.surveys.preferences import preferences as preferences
from cranfield.assessment.surveys.preferences import with_measures as with_measures
from cranfield.assessment.surveys.questionnaire import measure_page as measure_page
from cranfield.assessment.surveys.questionnaire import measure_sheet as measure_sheet
from cranfield.assessment.surveys.questionnaire import read_measure_survey as read_measure_survey
from cranfield.assessment.surveys.questionnaire import (
    read_relatedness_survey as read_relatedness_survey,
)
from cranfield.assessment.surveys.questionnaire import relatedness_page as relatedness_page
from cranfield.assessment.surveys.questionnaire import relatedness_sheet as relatedness_sheet
from cranfield.assessment.surveys.questionnaire import write_survey as write_survey
from cranfield.assessment.surveys.relatedness import RELATEDNESS as RELATEDNESS
from cranfield.assessment.surveys.relatedness import Pair as Pair
from cranfield.assessment.surveys.relatedness import Ratings as Ratings
from cranfield.assessment.surveys.relatedness import RelatednessSurvey as RelatednessSurvey
from cranfield.assessment.surveys.relatedness import careless as careless
from cranfield.assessment.surveys.relatedness import choose_pairs as choose_pairs
from cranfield.assessment.surveys.relatedness import ratings as ratings
