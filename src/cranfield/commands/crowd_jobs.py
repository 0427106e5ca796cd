"""Crowd jobs: commands that write them, and that read what came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cranfield.assessment.jobs import Form, Job, Sample, Screened, WrittenJobs
from cranfield.assessment.jobs.folder import Asked
from cranfield.assessment.vote_description import VoteDescription
from cranfield.assessment.votes import Votes
from cranfield.commands.inputs import OntologyFile
from cranfield.commands.votes import groups_of, report_reading
from cranfield.core.options import Argument, Option, Seed
from cranfield.core.progress import Notify, Progress, silent, unheard
from cranfield.errors import FileError, InputError, first_ten

if TYPE_CHECKING:
    from cranfield.core.truth import Truth

JobFolder = Annotated[
    Path,
    Option(short="-o", metavar="FOLDER", writes="folder", help="Write here, into a new folder."),
]
Preview = Annotated[
    bool, Option(help="Write preview.html too: the page with the first items filled in.")
]


@dataclass(frozen=True)
class JobDesign:
    """How jobs are worded and dealt out."""

    addresses: Mapping[str, str]
    """Of images, by item."""
    title: str | None
    descriptions: Mapping[str, str]
    instructions: tuple[str, ...]
    assignments: int
    batches: int
    copies: int
    common: float
    per_hit: int | None
    seed: int

    def worded(self, form: Form) -> Form:
        """A form in these words; one file may describe the concepts of many jobs."""
        described = {name: text for name, text in self.descriptions.items() if name in form.names}
        return form.worded(title=self.title, descriptions=described, instructions=self.instructions)

    def job(
        self,
        form: Form,
        items: Iterable[str] | None = None,
        sample: Sample | None = None,
        *,
        per_hit: int = 1,
    ) -> Job:
        """A job on all items, or on some."""
        from cranfield.assessment.jobs import deal

        batches = deal(
            self.addresses if items is None else items,
            batches=self.batches,
            copies=self.copies,
            common=self.common,
            per_hit=self.per_hit or per_hit,
            seed=self.seed,
        )
        return Job(self.worded(form), batches, self.addresses, self.assignments, sample)


class Design(NamedTuple):
    """How jobs are worded and dealt out."""

    design: JobDesign


def job_design(
    *,
    items: Annotated[Path, Option()],
    url: Annotated[str | None, Option(metavar="PATTERN")] = None,
    title: Annotated[str | None, Option()] = None,
    descriptions: Annotated[Path | None, Option()] = None,
    instructions: Annotated[Path | None, Option()] = None,
    assignments: Annotated[int, Option(minimum=1)] = 3,
    batches: Annotated[int, Option(minimum=1)] = 1,
    copies: Annotated[int, Option(minimum=1)] = 1,
    common: Annotated[float, Option(metavar="SHARE", minimum=0.0, maximum=1.0)] = 0.0,
    per_hit: Annotated[int | None, Option(minimum=1, default="1; of screening 10")] = None,
    seed: Seed = 0,
) -> Design:
    """How jobs are worded and dealt out.

    items         Items and where their images are: CSV item,image_url; with --url only item.
    url           Where images are, such as https://example.org/{item}.jpg.
    title         What stands above the page.
    descriptions  What concepts, questions and sections mean: CSV concept,description.
    instructions  What people read first, a line for each rule.
    assignments   How many people see each page.
    batches       How many batches to publish.
    copies        In how many batches an item is.
    common        Share of the items that is in all batches, to compare people with each other.
    per_hit       How many items are on a page.
    seed          Of what is drawn, and of the order.
    """
    from cranfield.assessment.jobs import read_images
    from cranfield.formats.two_columns import read_descriptions

    if copies > batches:
        raise InputError(
            f"{copies} copies need as many batches", mend="give {batches} too", parameter="copies"
        )
    if url is not None and "{item}" not in url:
        raise InputError("write {item} where ids go", parameter="url")
    return Design(
        JobDesign(
            read_images(items, pattern=url),
            title,
            {} if descriptions is None else read_descriptions(descriptions),
            tuple(_lines(instructions)),
            assignments,
            batches,
            copies,
            common,
            per_hit,
            seed,
        )
    )


def _lines(path: Path | None) -> list[str]:
    from cranfield.formats.source import opened

    if path is None:
        return []
    with opened(path) as source:
        raw = source.stream.read()
    try:
        lines = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileError(path, "this is no UTF-8; save it as UTF-8") from None
    return [line.strip() for line in lines if line.strip()]


# ── making ────────────────────────────────────────────────────────────────────────────────────


class AskedForm(NamedTuple):
    """What is asked."""

    form: Form


def form_of_concepts(
    *,
    ontology: OntologyFile = None,
    concepts: Annotated[Path | None, Option()] = None,
    groups: Annotated[
        list[str] | None, Option(name="group", metavar="NAME=CONCEPT,…", needs="concepts")
    ] = None,
    ask: Annotated[str | None, Option(metavar="NAME,…", needs="ontology")] = None,
    staged: Annotated[bool, Option(needs="ontology")] = False,
) -> AskedForm:
    """What is asked.

    concepts  Instead of an ontology: concepts, one a line.
    groups    Concepts of which exactly one holds are one choice; may be repeated. An ontology knows
              such groups itself.
    ask       Ask for these concepts of the ontology only; categories stand for their own.
    staged    Leave out what needs another concept: hits next asks for it later, where that holds.
    """
    from cranfield.assessment.jobs import first_stage
    from cranfield.assessment.jobs.forms import named_concepts
    from cranfield.formats import read_concepts
    from cranfield.knowledge import Ontology

    if (ontology is None) == (concepts is None):
        raise InputError(
            "concepts come from an ontology or from a list",
            mend="give {ontology} or {concepts}, one of them",
            parameter="concepts",
        )
    if concepts is not None:
        return AskedForm(Form.of_concepts(read_concepts(concepts), groups_of(groups or ())))
    assert ontology is not None
    loaded = Ontology.load(ontology)
    requested = named_concepts(loaded, loaded.concepts if ask is None else _names(ask))
    if staged:
        first = set(first_stage(loaded))
        requested = tuple(concept for concept in requested if concept in first)
    return AskedForm(Form.of_ontology(loaded, requested))


def _names(text: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def make_job(
    form: Form,
    design: JobDesign,
    *,
    output: JobFolder,
    preview: Preview = False,
    descriptions: Path | None = None,
    notify: Notify = unheard,
) -> WrittenJobs:
    """Write a crowd job: a page for Mechanical Turk and the input of each batch.

    Top categories are sections, each beside the image. Concepts of which exactly one holds are
    radio buttons, all others boxes; a page cannot be handed in before each choice is made. Paste
    template.html as the design of a project, publish each batch with its CSV, and read the answers
    with hits read.
    """
    from cranfield.assessment.jobs import write_job

    unknown = [name for name in design.descriptions if name not in form.names]
    if unknown:
        notify(f"{descriptions}: {first_ten(unknown)} described, but not asked")
    job = design.job(form)
    write_job(job, output, preview=preview)
    return WrittenJobs({output: job})


def next_jobs(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    design: JobDesign,
    *,
    output: JobFolder,
    ontology: Annotated[str, Option(metavar="NAME|FILE")],
    votes: Annotated[bool, Option()] = False,
    ask: Annotated[str | None, Option(metavar="NAME,…", needs="where")] = None,
    where: Annotated[str | None, Option(metavar="NAME,…", needs="ask")] = None,
    preview: Preview = False,
    notify: Notify = unheard,
) -> WrittenJobs:
    """Write the next jobs of a staged annotation, one for each concept that others need.

    A sub-concept is asked where its parent holds and the truth has no answer yet: what kind of
    water where there is water. --ask and --where make a job of one's own.

    truth     What was found before: a truth or collection folder, or votes with --votes.
    ontology  Which concepts need which: pto2009, pto2010, pto2011, or a file.
    votes     TRUTH are votes, which the majority decides.
    ask       Ask for these concepts or categories, where --where says.
    where     Items that have one of these concepts.
    """
    from cranfield.assessment.jobs import next_stages, write_jobs
    from cranfield.assessment.jobs.stages import own_stage
    from cranfield.knowledge import Ontology

    known, loaded = _read_truth(truth, votes=votes, notify=notify), Ontology.load(ontology)
    stages = (
        next_stages(loaded, known)
        if ask is None or where is None
        else (own_stage(loaded, known, _names(ask), _names(where)),)
    )
    jobs = {}
    for stage in stages:
        if stage.unknown:
            items = known.terms.several(stage.unknown, "item")
            notify(f"{stage.title}: no answer so far for {items}")
        if stage.items:
            jobs[stage.name] = design.job(Form.of_ontology(loaded, stage.asks), stage.items)
        else:
            notify(f"{stage.title}: no {known.terms.item} has it, so there is nothing to ask")
    if not jobs:
        raise InputError("no item has what the next concepts need; there is nothing to ask")
    folders = write_jobs(jobs, output, preview=preview)
    return WrittenJobs(dict(zip(folders, jobs.values(), strict=True)), known.terms)


def _read_truth(path: Path, *, votes: bool, notify: Notify) -> Truth:
    from cranfield import formats

    if not votes:
        return formats.read_collection(path).truth
    read = Votes.read(path)
    report_reading(read, notify)
    return read.merge()


def screen_jobs(
    truth: Annotated[Path, Argument(metavar="TRUTH")],
    design: JobDesign,
    *,
    output: JobFolder,
    concepts: Annotated[list[str], Option(name="concept", metavar="NAME")],
    annotated: Annotated[int, Option(minimum=0)] = 100,
    others: Annotated[int, Option(minimum=0)] = 100,
    preview: Preview = False,
) -> WrittenJobs:
    """Write jobs that ask for one concept, yes or no, of items with it and items without it.

    People do not learn which are which: both are mixed. The first show annotations that are wrong,
    the second those that are missing; hits found tells from their answers how far all annotations
    can be trusted.

    truth      A truth file, or a collection folder.
    concepts   What to screen; may be repeated.
    annotated  How many items with the concept to show.
    others     How many items without it to show.
    """
    from cranfield import formats
    from cranfield.assessment.jobs import write_jobs

    known = formats.read_collection(truth).truth
    jobs = {}
    for name in concepts:
        sample = Sample.draw(known, name, annotated=annotated, others=others, seed=design.seed)
        jobs[name] = design.job(Form.of_screening(name), sample.items, sample, per_hit=10)
    folders = write_jobs(jobs, output, preview=preview)
    return WrittenJobs(dict(zip(folders, jobs.values(), strict=True)), known.terms)


# ── reading ───────────────────────────────────────────────────────────────────────────────────


class JobAnswers(NamedTuple):
    """Answers to a job."""

    votes: Votes
    asked: Asked


def answers_of_job(
    job: Annotated[Path, Argument(metavar="JOB")],
    results: Annotated[list[Path], Argument(metavar="RESULTS")],
    *,
    keep_going: Annotated[bool, Option()] = False,
    rejected: Annotated[bool, Option()] = False,
    progress: Progress = silent,
    notify: Notify = unheard,
) -> JobAnswers:
    """Answers to a job.

    job         A folder that votes hits wrote.
    results     Results of the job's batches, as Mechanical Turk gives them.
    keep_going  Report what is wrong with the files, and use what is sound.
    rejected    Count assignments that were rejected, too.
    """
    from cranfield.assessment.jobs import read_answers, read_job

    asked = read_job(job)
    with progress("reading answers", 0):
        votes = read_answers(asked, *results, keep_going=keep_going, rejected=rejected)
    report_reading(votes, notify)
    return JobAnswers(votes, asked)


def read_results(votes: Votes) -> VoteDescription:
    """Read what people answered, by the form that they saw.

    The form knows what results do not tell: boxes that nobody ticked, and answers that nobody gave.
    Who handed in a page and left a box empty said no.
    """
    return VoteDescription(votes)


class ScreenedSample(NamedTuple):
    """What was drawn to be screened."""

    sample: Sample


def sample_of_job(*, job: Path = Path(), asked: Asked | None = None) -> ScreenedSample:
    """What was drawn to be screened."""
    if asked is None or asked.sample is None:
        raise FileError(job, "this job is no screening; read its answers with votes hits read")
    return ScreenedSample(asked.sample)


def write_corrected(
    analysis: Screened,
    *,
    truth: Annotated[Path | None, Option(needs="output")] = None,
    output: Annotated[Path | None, Option(short="-o", writes="truth", needs="truth")] = None,
) -> None:
    """Write a corrected truth.

    truth   The truth that was screened, to correct.
    output  Write the truth without the errors that were found.
    """
    from cranfield import formats
    from cranfield.assessment.jobs.screening import corrected

    if truth is not None and output is not None:
        formats.write_truth(corrected(formats.read_truth(truth), analysis), output)
