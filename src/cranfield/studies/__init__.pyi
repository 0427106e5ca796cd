"""Public names of the studies."""

from cranfield.studies.audit import AuditCard as AuditCard
from cranfield.studies.audit import Audits as Audits
from cranfield.studies.audit import audit as audit
from cranfield.studies.audit import audits as audits
from cranfield.studies.collection_study import CollectionStudy as CollectionStudy
from cranfield.studies.collection_study import collection_study as collection_study
from cranfield.studies.cycles import Cycle as Cycle
from cranfield.studies.cycles import CycleComparison as CycleComparison
from cranfield.studies.cycles import compare_cycles as compare_cycles
from cranfield.studies.label_density import LabelDensity as LabelDensity
from cranfield.studies.label_density import label_density as label_density
from cranfield.studies.measure_correlation import MeasureCorrelation as MeasureCorrelation
from cranfield.studies.measure_correlation import correlate as correlate
from cranfield.studies.power import Power as Power
from cranfield.studies.power import power as power
from cranfield.studies.preferences import preferences as preferences
from cranfield.studies.random_guessing import RandomGuessing as RandomGuessing
from cranfield.studies.random_guessing import random_guessing as random_guessing
from cranfield.studies.stability import Stability as Stability
from cranfield.studies.stability import stability as stability
from cranfield.studies.threshold_effect import ThresholdEffect as ThresholdEffect
from cranfield.studies.threshold_effect import threshold_effect as threshold_effect
