"""Public names of agreement."""

from cranfield.assessment.agreement.analysis import AgreementAnalysis as AgreementAnalysis
from cranfield.assessment.agreement.analysis import ConceptAgreement as ConceptAgreement
from cranfield.assessment.agreement.analysis import analyse_agreement as analyse_agreement
from cranfield.assessment.agreement.cells import CellCounts as CellCounts
from cranfield.assessment.agreement.cells import CellMeans as CellMeans
from cranfield.assessment.agreement.cells import PairAgreement as PairAgreement
from cranfield.assessment.agreement.cells import agreement_map as agreement_map
from cranfield.assessment.agreement.cells import cell_counts as cell_counts
from cranfield.assessment.agreement.cells import compared as compared
from cranfield.assessment.agreement.cells import majorities as majorities
from cranfield.assessment.agreement.cells import pair_agreement as pair_agreement
from cranfield.assessment.agreement.coefficients import Agreement as Agreement
from cranfield.assessment.agreement.coefficients import agreement as agreement
