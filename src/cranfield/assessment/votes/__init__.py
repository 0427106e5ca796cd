"""Votes: what annotators answered when they were asked about items.

cast        the votes themselves, and how to choose among them
questions   what is asked: whether a concept holds, which one of a group, how far; and the ballot of
            all answers to one question, which merging and agreement work on
sheets      what came with the answers: time, comment, batch; and positions of names
columns     votes from columns of texts, as tables and files hold them
grouping    yes/no votes on concepts that exclude each other, made one choice
"""

from cranfield.assessment.votes.cast import Votes
from cranfield.assessment.votes.grouping import Grouped, Unclear, groups_of
from cranfield.assessment.votes.questions import Ballot, Question
from cranfield.assessment.votes.sheets import Sheets

__all__ = ["Ballot", "Grouped", "Question", "Sheets", "Unclear", "Votes", "groups_of"]
