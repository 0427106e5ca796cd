"""The audit of a measure: which requirements it meets, and the smallest counterexamples.

auditing      the audit itself
subjects      what is audited: a measure, or anybody's own function; what measures of meaning know
kinds         decisions, classes, confidences, values: every prediction there is, and how wrong
spaces        collections with truths and predictions, all or drawn, and their table of scores
requirements  King's: best, worst, monotonic; identity, symmetry, triangle
invariances   order, duplicates, unused concepts, scale; Kiritchenko's about hierarchies
sensitivity   runs that know nothing, and density
cards         results
"""

from cranfield.studies.audit.auditing import REQUIREMENTS, audit, audits
from cranfield.studies.audit.cards import MARKS, AuditCard, Audits, Finding, Verdict

__all__ = ["MARKS", "REQUIREMENTS", "AuditCard", "Audits", "Finding", "Verdict", "audit", "audits"]
