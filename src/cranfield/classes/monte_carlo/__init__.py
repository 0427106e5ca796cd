"""Monte-Carlo evaluation: repeated cross-validation of estimators, after Holt et al. 2010 §4."""

from cranfield.classes.monte_carlo.cloud import Cloud, Ellipse
from cranfield.classes.monte_carlo.contests import Contest
from cranfield.classes.monte_carlo.dataset import Dataset
from cranfield.classes.monte_carlo.result import MonteCarlo
from cranfield.classes.monte_carlo.validation import monte_carlo

__all__ = ["Cloud", "Contest", "Dataset", "Ellipse", "MonteCarlo", "monte_carlo"]
