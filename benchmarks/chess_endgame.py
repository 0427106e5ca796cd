"""King and rook against king: repeated cross-validation beside Holt et al. 2010 Table 3.

    python -m benchmarks.chess_endgame FOLDER [REPEATS]

FOLDER holds UCI's Chess (King-Rook vs. King) with numbers for letters, and confusion matrices that
Weka made of it. Not a matter of speed, so `python -m benchmarks` leaves it alone.
"""

import sys
from pathlib import Path

import cranfield as cf
from cranfield.cli.screen import output, stage_bar
from cranfield.show.terminal import renderable
from cranfield.tasks import monte_carlo, score_confusions

ESTIMATORS = {
    "Naive Bayes": "naive_bayes",
    "tree, 6 features tried": "decision_tree(max_features=6)",
    "tree, leaves of 20": "decision_tree(min_samples_leaf=20)",
}
MEASURES = ("S_I_norm", "false_ratio", "completeness", "accuracy")


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("name the folder of krkopt_numeric_coded.data")
    folder, repeats = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    screen = output()
    data = cf.formats.read_dataset(
        folder / "krkopt_numeric_coded.data", header=False, categorical="all", name="chess"
    )
    analysis = monte_carlo(ESTIMATORS, data, folds=10, repeats=repeats, progress=stage_bar)
    screen.print(renderable(analysis.result))
    screen.print("  Holt et al. 2010, Naive Bayes: r 0.653 ± 5.8e-4, f 0.238 ± 5.0e-4, ρ −0.692")
    matrices = [cf.formats.read_confusion(path) for path in sorted(folder.glob("weka*/*.csv"))]
    if matrices:
        screen.print(renderable(score_confusions(matrices, MEASURES).result))


if __name__ == "__main__":
    main()
