"""Public names of votes."""

from cranfield.assessment.votes.cast import Votes as Votes
from cranfield.assessment.votes.grouping import Grouped as Grouped
from cranfield.assessment.votes.grouping import Unclear as Unclear
from cranfield.assessment.votes.grouping import groups_of as groups_of
from cranfield.assessment.votes.questions import Ballot as Ballot
from cranfield.assessment.votes.questions import Question as Question
from cranfield.assessment.votes.sheets import Sheets as Sheets
