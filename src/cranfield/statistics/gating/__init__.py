"""Gates: may a new system replace the old one, since it is not worse by more than a margin?

Non-inferiority is shown, not assumed: that no difference was found says nothing. A gate passes if
the whole interval of the difference lies above minus the margin, fails if it lies below, and else
is undecided.
"""

from cranfield._public import publish

publish(__name__)
