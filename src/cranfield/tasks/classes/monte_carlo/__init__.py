"""Monte-Carlo evaluation: repeated cross-validation of estimators, after Holt et al. 2010 §4."""

from cranfield.tasks.classes.monte_carlo.clouds import Cloud, Contest, Ellipse
from cranfield.tasks.classes.monte_carlo.learners import Dataset
from cranfield.tasks.classes.monte_carlo.result import MonteCarlo
from cranfield.tasks.classes.monte_carlo.validation import monte_carlo

__all__ = ["Cloud", "Contest", "Dataset", "Ellipse", "MonteCarlo", "monte_carlo"]
