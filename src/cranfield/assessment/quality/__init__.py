"""Quality of annotators: whom to trust, and which sheets to use.

annotators  what votes are compared with, spammers, drift, how much work and how fast
rules       which sheets are rejected, and why; known answers
duplicates  the same hand twice
analysis    all of it together, as tables and charts
decisions   what to upload to Mechanical Turk
"""

from cranfield._public import publish

publish(__name__)
