"""Public names of gates."""

from cranfield.statistics.gating.decisions import Decision as Decision
from cranfield.statistics.gating.decisions import Record as Record
from cranfield.statistics.gating.decisions import decide as decide
from cranfield.statistics.gating.decisions import record as record
from cranfield.statistics.gating.gate import Baseline as Baseline
from cranfield.statistics.gating.gate import Gate as Gate
from cranfield.statistics.gating.gate import gate as gate
from cranfield.statistics.gating.verdict import Verdict as Verdict
