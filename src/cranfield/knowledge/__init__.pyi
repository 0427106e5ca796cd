"""Public names of knowledge."""

from cranfield.knowledge.closing import Closure as Closure
from cranfield.knowledge.closing import Contradiction as Contradiction
from cranfield.knowledge.hierarchy import Hierarchy as Hierarchy
from cranfield.knowledge.known import Knowledge as Knowledge
from cranfield.knowledge.known import Known as Known
from cranfield.knowledge.maps import AgreementMap as AgreementMap
from cranfield.knowledge.maps import ConceptMap as ConceptMap
from cranfield.knowledge.maps import CostMap as CostMap
from cranfield.knowledge.maps import RelatednessMap as RelatednessMap
from cranfield.knowledge.ontology import Ontology as Ontology
from cranfield.knowledge.provenance import Provenance as Provenance
from cranfield.knowledge.repair import Change as Change
from cranfield.knowledge.repair import Repair as Repair
from cranfield.knowledge.rules import Constraints as Constraints
from cranfield.knowledge.rules import Disjoint as Disjoint
from cranfield.knowledge.rules import Implication as Implication
from cranfield.knowledge.rules import Required as Required
from cranfield.knowledge.rules import Rule as Rule
from cranfield.knowledge.violations import Violation as Violation
