"""Assessment: how people are asked, what they answer, how far it can be trusted.

pools    which documents people judge, who judges what
votes    what annotators answered, item by item
quality  whom to trust, and which sheets to use
"""

from cranfield._public import publish

publish(__name__)
