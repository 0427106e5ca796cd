"""Crowd jobs: what annotators are asked about images, on which pages, and what comes back.

forms      what is asked, from an ontology or a list of concepts, as sections of questions: single
           choices, boxes, yes or no; and in which words
template   the page that annotators see, and how its answers are called on the way to Mechanical
           Turk and back; form.css and form.js are its looks and its behaviour
folder     a job on disk: images of items, and batches with items in common
stages     sub-concepts asked only where what they need holds
screening  annotated and not annotated items asked again, blind, and what follows from it
answers    results of Mechanical Turk as votes, by the form that they answer
"""

from cranfield.assessment.jobs.answers import read_answers
from cranfield.assessment.jobs.folder import (
    Job,
    WrittenJobs,
    deal,
    read_images,
    read_job,
    write_job,
    write_jobs,
)
from cranfield.assessment.jobs.forms import Form
from cranfield.assessment.jobs.screening import Sample, Screened, screened
from cranfield.assessment.jobs.stages import Stage, first_stage, next_stages
from cranfield.assessment.jobs.template import preview_page, template_page

__all__ = [
    "Form",
    "Job",
    "Sample",
    "Screened",
    "Stage",
    "WrittenJobs",
    "deal",
    "first_stage",
    "next_stages",
    "preview_page",
    "read_answers",
    "read_images",
    "read_job",
    "screened",
    "template_page",
    "write_job",
    "write_jobs",
]
