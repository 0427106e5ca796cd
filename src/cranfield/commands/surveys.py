"""Surveys: commands that write questionnaires, and that read what came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from cranfield.assessment import surveys
from cranfield.assessment.surveys.pairings import TIE, Labels
from cranfield.collections.collection import Collection
from cranfield.commands.inputs import (
    runs_of_truth,
    with_options_of_runs,
)
from cranfield.core.options import Argument, Option, Seed
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.errors import FileError, InputError, first_ten, several

NewFolder = Annotated[
    Path,
    Option(
        short="-o",
        metavar="FOLDER",
        writes="folder",
        help="Folder to write; must be new or empty.",
    ),
]
Title = Annotated[str, Option(help="Above the questionnaire.")]
Instructions = Annotated[
    list[str] | None,
    Option(
        metavar="TEXT",
        help="What people read first, instead of the usual words; may be repeated, a paragraph "
        "each.",
    ),
]
KeepGoing = Annotated[
    bool, Option(help="Report what is wrong with the files, and use what is sound.")
]
SurveyFolder = Annotated[Path, Argument(metavar="FOLDER")]
AnswerFiles = Annotated[list[Path], Argument(metavar="ANSWERS")]


@dataclass(frozen=True, eq=False)
class WrittenSurvey(Analysis):
    """How much a survey asks."""

    title = "Survey"

    facts: Mapping[str, Any]
    summary: str
    terms: Terms = CONCEPTS

    def _facts(self) -> Mapping[str, Any]:
        return self.facts

    def _tables(self) -> list[Table]:
        return [Table("survey", [self.facts])]

    def _remarks(self) -> list[str]:
        return [self.summary]


# ── relatedness ───────────────────────────────────────────────────────────────────────────────


def make_relatedness_survey(
    concepts: Annotated[str, Argument(metavar="CONCEPTS")],
    *,
    output: NewFolder,
    count: Annotated[int, Option(minimum=1)] = 30,
    controls: Annotated[int, Option(minimum=0)] = 1,
    map: Annotated[Path | None, Option()] = None,
    title: Title = "",
    instructions: Instructions = None,
    seed: Seed = 0,
    notify: Notify = unheard,
) -> WrittenSurvey:
    """Make a questionnaire: how closely are two words related, from 0 to 4?

    The folder holds questionnaire.html, which works alone and at Mechanical Turk, sheet.csv, the
    same as a table to fill in, and key.json, which stays with you. Everybody sees the pairs in
    another order. What comes back goes to votes survey ratings.

    concepts  What to ask about: a list of words, a truth or collection, or an ontology.
    count     Pairs of different words; all, if there are fewer.
    controls  Pairs of a word and itself, which tell who is careless.
    map       Relatedness or costs: draw pairs evenly from all parts of its range.
    seed      Seed of what is drawn.
    """
    from cranfield.commands.concept_lists import read_concept_list
    from cranfield.formats.maps import read_costs_or_relatedness

    asked = read_concept_list(concepts)
    pairs = surveys.choose_pairs(
        asked.ids,
        count=count,
        map=None if map is None else read_costs_or_relatedness(map),
        controls=controls,
        seed=seed,
    )
    survey = surveys.RelatednessSurvey(pairs, dict(asked.names))
    surveys.write_survey(
        survey,
        output,
        page=surveys.relatedness_page(survey, title=title, instructions=instructions or ()),
        sheet=surveys.relatedness_sheet(survey),
    )
    own = sum(pair.control for pair in pairs)
    different = len(pairs) - own
    if different < count:
        notify(f"there are no more pairs of {len(asked.ids)} words: {count} were requested")
    return WrittenSurvey(
        {"folder": str(output), "pairs": different, "controls": own},
        f"{several(different, 'pair')}, {own} of a word and itself",
    )


class RelatednessAnswers(NamedTuple):
    """A survey about relatedness, and its answers."""

    survey: surveys.RelatednessSurvey
    answers: surveys.Answers


def relatedness_answers(
    folder: SurveyFolder,
    answers: AnswerFiles,
    *,
    keep_going: KeepGoing = False,
    notify: Notify = unheard,
) -> RelatednessAnswers:
    """A survey about relatedness, and its answers.

    folder   The survey's folder, with its key.json.
    answers  What came back: files of the questionnaire, sheets that were filled in, MTurk results;
             of as many people as there are.
    """
    survey = surveys.read_relatedness_survey(folder)
    read = surveys.read_answers(
        *answers, asked=survey.asked, question=surveys.RELATEDNESS, keep_going=keep_going
    )
    _report(read, notify)
    return RelatednessAnswers(survey, read)


def _report(answers: surveys.Answers, notify: Notify) -> None:
    for problem in answers.problems:
        notify(str(problem))


def write_judgements(
    analysis: surveys.Ratings,
    *,
    judgements: Annotated[Path | None, Option(writes="file")] = None,
) -> None:
    """Write mean grades.

    judgements  Write the mean grades as word,other,score, which relatedness correlate reads.
    """
    if judgements is not None:
        analysis.write_judgements(judgements)


# ── measures ──────────────────────────────────────────────────────────────────────────────────


def make_measure_survey(
    truth: Collection,
    runs: Sequence[Run],
    *,
    output: NewFolder,
    tied: Annotated[str, Option(metavar="NAME", suggest="measures")],
    split_by: Annotated[str, Option(name="split", metavar="NAME", suggest="measures")],
    further: Annotated[
        list[str] | None,
        Option(name="measure", short="-m", metavar="NAME", suggest="measures", default="none"),
    ] = None,
    count: Annotated[int, Option(minimum=1)] = 20,
    tie: Annotated[float, Option(minimum=0.0)] = TIE,
    labels: Annotated[Labels, Option()] = "decided",
    show_truth: Annotated[bool, Option()] = False,
    images: Annotated[Path | None, Option()] = None,
    title: Title = "",
    instructions: Instructions = None,
    seed: Seed = 0,
    progress: Progress = silent,
    notify: Notify = unheard,
    **options: Any,
) -> WrittenSurvey:
    """Make a questionnaire: which of two label sets describes an item better?

    Items are those on which one measure ties two runs and another does not; runs that know nothing,
    such as Random50, are not asked about. Nobody sees which run is which. The folder holds
    questionnaire.html, which works alone and at Mechanical Turk, sheet.csv, the same as a table to
    fill in, and key.json, which stays with you. What comes back goes to votes survey preferences.

    tied        The measure that ties two runs on an item.
    split_by    The measure by which they differ there.
    further     Further measure to report on; may be repeated.
    count       Items to ask about.
    tie         Differences up to this are none.
    labels      What is shown of a run: the labels it decided for, or its surest ones, as many as
                are true of the item.
    show_truth  Show people which labels are right.
    images      Where items can be seen: CSV with the header item,image_url.
    seed        Seed of what is drawn.
    """
    from cranfield.assessment.jobs import read_images
    from cranfield.studies.field import systems_of

    seen = None if images is None else read_images(images)
    with progress("scoring", 0):
        survey = surveys.measure_survey(
            truth,
            systems_of(runs),
            tied,
            split_by,
            further=further or (),
            count=count,
            tie=tie,
            labels=labels,
            seed=seed,
            **options,
        )
    _require_images(images, seen, (pair.item for pair in survey.pairings))
    words: dict[str, Any] = {
        "images": seen,
        "names": truth.descriptions,
        "show_truth": show_truth,
    }
    page = surveys.measure_page(survey, title=title, instructions=instructions or (), **words)
    surveys.write_survey(survey, output, page=page, sheet=surveys.measure_sheet(survey, **words))
    asked = len(survey.pairings)
    if asked < count:
        notify(f"there are fewer than {count}; more runs, or a larger --tie, would give more")
    return WrittenSurvey(
        {"folder": str(output), "items": asked, "candidates": survey.candidates},
        f"{asked} of {survey.candidates} {truth.truth.terms.items} that could be asked about",
        truth.truth.terms,
    )


def _require_images(
    path: Path | None, images: Mapping[str, str] | None, items: Iterable[str]
) -> None:
    lacking = [] if images is None else sorted(item for item in items if item not in images)
    if lacking and path is not None:
        raise FileError(path, f"there is no image of {first_ten(lacking)}; write a line for each")


class MeasureAnswers(NamedTuple):
    """A survey about measures, and its answers."""

    survey: surveys.MeasureSurvey
    answers: surveys.Answers


@with_options_of_runs(without=("terms",))
def measure_answers(
    folder: SurveyFolder,
    answers: AnswerFiles,
    *,
    measures: Annotated[
        list[str] | None,
        Option(name="measure", short="-m", metavar="NAME", suggest="measures", default="none"),
    ] = None,
    truth: Annotated[Path | None, Option(metavar="TRUTH")] = None,
    runs: Annotated[list[Path] | None, Option(name="run", metavar="RUN", needs="truth")] = None,
    keep_going: KeepGoing = False,
    notify: Notify = unheard,
    **options: Any,
) -> MeasureAnswers:
    """A survey about measures, and its answers.

    folder    The survey's folder, with its key.json.
    answers   What came back: files of the questionnaire, sheets that were filled in, MTurk results;
              of as many people as there are.
    measures  Measure beside those of the survey; needs --truth; may be repeated.
    truth     The truth, or collection folder, that the survey was made of.
    runs      The runs that it was made of, files or folders; default: those in the folder of
              --truth. May be repeated.
    """
    if bool(measures) != (truth is not None):
        raise InputError(
            "further measures need a truth, and a truth is for further measures",
            mend="give both {measures} and {truth}",
            parameter="measures" if measures else "truth",
        )
    survey = surveys.read_measure_survey(folder)
    if truth is not None:
        read = runs_of_truth(truth, runs, **options)._asdict()
        survey = surveys.with_measures(
            survey, read.pop("truth"), read.pop("runs"), measures or (), **read
        )
    people = surveys.read_answers(
        *answers, asked=survey.asked, question=surveys.PREFERENCE, keep_going=keep_going
    )
    _report(people, notify)
    return MeasureAnswers(survey, people)
