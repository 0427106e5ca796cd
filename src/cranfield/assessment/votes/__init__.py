"""Votes: what annotators answered when they were asked about items.

cast        the votes themselves, and how to choose among them
questions   what is asked: whether a concept holds, which one of a group, how far; and the ballot of
            all answers to one question, which merging and agreement work on
sheets      what came with the answers: time, comment, batch; and positions of names
columns     votes from columns of texts, as tables and files hold them
grouping    yes/no votes on concepts that exclude each other, made one choice
"""

from cranfield._public import publish

publish(__name__)
