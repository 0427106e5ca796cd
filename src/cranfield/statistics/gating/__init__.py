"""Gates: may a new system replace the old one, since it is not worse by more than a margin?

Non-inferiority is shown, not assumed: that no difference was found says nothing. A gate passes if
the whole interval of the difference lies above minus the margin, fails if it lies below, and else
is undecided.
"""

from cranfield.statistics.gating.decisions import Decision, Record, decide, record
from cranfield.statistics.gating.gate import Baseline, Gate, gate
from cranfield.statistics.gating.verdict import Verdict

__all__ = ["Baseline", "Decision", "Gate", "Record", "Verdict", "decide", "gate", "record"]
