"""The audit of a measure: which requirements it meets, and the smallest counterexamples.

auditing         the audit itself
subjects         what is audited: a measure, or anybody's own function
kinds            decisions, classes, confidences, values: every prediction there is, and how wrong
spaces           small collections with every truth and prediction, and their table of scores
requirements     King's: best, worst, monotonic
metric_axioms    identity, symmetry, triangle
invariances      order, duplicates, unused concepts, scale
hierarchies      Kiritchenko's
sensitivity      runs that know nothing, and density
search           larger collections, and smaller counterexamples
counterexamples  pairs of a truth and a prediction
cards            what was found
own_ontology     what measures of meaning are told
"""

from cranfield.studies.audit.auditing import REQUIREMENTS, audit
from cranfield.studies.audit.cards import MARKS, AuditCard, Finding, Verdict

__all__ = ["MARKS", "REQUIREMENTS", "AuditCard", "Finding", "Verdict", "audit"]
