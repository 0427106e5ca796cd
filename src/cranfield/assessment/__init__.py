"""Assessment: how people are asked, what they answer, how far it can be trusted.

pools             which documents people judge, who judges what
jobs, surveys     what crowds and people are asked, and what comes back
votes, files      what annotators answered, item by item, and the files that hold it
vote_description  what is in a set of votes
agreement         how far annotators agree
quality           whom to trust, and which sheets to use
merging           one truth from the votes of many
tags              which of users' tags do not describe the item
"""

from cranfield._public import publish

publish(__name__)
