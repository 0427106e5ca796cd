"""Public names of the tasks."""

from cranfield.tasks.classes.confusion import Confusion as Confusion
from cranfield.tasks.classes.monte_carlo import Dataset as Dataset
from cranfield.tasks.classes.monte_carlo import MonteCarlo as MonteCarlo
from cranfield.tasks.classes.monte_carlo import monte_carlo as monte_carlo
from cranfield.tasks.classes.score_tables import ClassScores as ClassScores
from cranfield.tasks.classes.score_tables import ConfusionScores as ConfusionScores
from cranfield.tasks.classes.score_tables import score_confusions as score_confusions
from cranfield.tasks.retrieval import Preferences as Preferences
from cranfield.tasks.retrieval import Query as Query
from cranfield.tasks.retrieval import search as search
from cranfield.tasks.retrieval.curve_points import Curve as Curve
from cranfield.tasks.retrieval.curves import Curves as Curves
from cranfield.tasks.retrieval.curves import curves as curves
