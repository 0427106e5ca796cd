"""What the options of measures mean, in the words of `cranfield measures NAME`."""

from __future__ import annotations

MEANINGS = {
    ("undefined", "skip"): "a unit without a value is left out of the mean, and counted",
    ("undefined", "empty"): "an item with both sets empty scores 1; otherwise 0/0 = 0",
    ("undefined", "0"): "a unit without a value scores 0",
    ("undefined", "1"): "a unit without a value scores 1",
    ("undefined", "raise"): "a unit without a value is an error",
    (
        "unjudged",
        "negative",
    ): "cells that nobody judged count as negative, unless the truth says otherwise",
    ("unjudged", "exclude"): "cells that nobody judged are left out of every count and list",
    ("ties", "grouped"): "all cells of one score enter the list at once",
    ("ties", "expected"): "the mean over all orders of cells with one score",
    ("ties", "best"): "of cells with one score the relevant ones come first",
    ("ties", "worst"): "of cells with one score the relevant ones come last",
    ("offset", "truth"): "the rank of the last true concept minus their number: perfect is 0",
    ("offset", "one"): "that rank minus 1 (Schapire & Singer, Mulan)",
    ("offset", "zero"): "that rank as it is (scikit-learn)",
    ("at", "linear"): "where both rates are equal on the linearly interpolated ROC curve",
    ("at", "vertex"): "the mean of both rates at the threshold where they differ least",
    ("gain", "linear"): "a grade counts as it is",
    ("gain", "exponential"): "a grade counts 2^grade − 1",
    ("rule", "exact"): "a recall level asks for ⌈level·R⌉ items",
    ("rule", "trec9"): "it asks for int(level·R + .9) items, as trec_eval 9 does",
    ("rule", "trec10"): "it asks for lround(level·R) items, as trec_eval 10 does",
    ("ties", "trec"): "cells with one score come by id, descending, as in trec_eval",
    ("tree", "flat"): "without the level SceneDescription, where an ontology says so (Nowak 2011)",
    ("tree", "flattest"): "without Quality and Representation besides",
    ("tree", "printed"): "all levels of the hierarchy",
    ("agreement", "given"): "costs count as far as annotators agree on the true label, if known",
    ("agreement", "none"): "costs count in full",
    ("violators", "keep"): "a label that breaks a rule can still be matched by a missed one",
    ("violators", "drop"): "it cannot",
    ("penalise", "all"): "right labels that break a rule cost 1 too",
    ("penalise", "false_positives"): "only wrong ones do",
    ("expand", "ancestors"): "both sets with all concepts above their labels (Kiritchenko)",
    ("expand", "descendants"): "both sets with all concepts below their labels (Ipeirotis)",
    ("expand", "pairwise"): "each label by the best share of its ancestors (Verspoor)",
    ("average", "example"): "the mean of all items",
    ("average", "micro"): "counts are summed over items first",
    ("mean", "harmonic"): "as an F measure",
    ("mean", "arithmetic"): "as Table 7.1 of Nowak 2011 does",
    ("label_weights", "equal"): "all labels count alike",
    ("label_weights", "frequency"): "frequent labels count more",
    ("by", "similarity"): "by the relatedness of concepts",
    ("by", "distance"): "by the links between them",
    ("of", "recall"): "how near true labels were met",
    ("of", "precision"): "how near assigned labels came",
    ("kind", "linear"): "Σ |P(i, k) − δ(i, k)|, the distance from what is true",
    ("kind", "quadratic"): "Σ (P(i, k) − δ(i, k))², which large distances weigh upon",
    ("kind", "informational"): "−log P(i, i), the surprise at a right answer",
    ("kind", "zero_one"): "−1 for a right answer: accuracy with a minus sign",
    ("kind", "custom"): "a matrix of one's own (--loss FILE)",
    ("bias", "none"): "entropies of the counts as they are",
    ("bias", "miller_madow"): "plus (seen cells − 1) / 2n, since rare cells stay unseen",
}
"""By the name of an option and its choice."""

NAMES = {
    "costs": "name of a cost map, or DDMC or DIMC of the ontology; –: the map without a name, "
    "else DDMC, else the only map",
    "relatedness": "name of a relatedness map, or DDMC or DIMC, 1 − cost; –: the map without a "
    "name, else the only map",
}
"""Options that take a name, which cannot all be listed."""
