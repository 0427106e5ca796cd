"""Crowd jobs: what annotators are asked about images, on which pages, and what comes back.

blocks     questions as people see them: single choices, boxes, yes or no
sections   an ontology as sections of such questions
forms      what is asked, from an ontology or a list of concepts, and in which words
fields     how a form's answers are called on the way to Mechanical Turk and back
template   the page that annotators see; form.css and form.js are its looks and its behaviour
images     items and the addresses of their images
batches    who sees what: batches with items in common, several items on a page
stages     sub-concepts asked only where what they need holds
screening  annotated and not annotated items asked again, blind, and what that found
limits     intervals of shares and of their ratio
folder     a job on disk
answers    results of Mechanical Turk as votes, by the form that they answer
"""

from cranfield.assessment.jobs.answers import read_answers
from cranfield.assessment.jobs.batches import deal
from cranfield.assessment.jobs.folder import Job, read_job, write_job, write_jobs
from cranfield.assessment.jobs.forms import Form
from cranfield.assessment.jobs.images import read_images
from cranfield.assessment.jobs.screening import Sample, Screened, screened
from cranfield.assessment.jobs.stages import Stage, first_stage, next_stages
from cranfield.assessment.jobs.template import preview_page, template_page

__all__ = [
    "Form",
    "Job",
    "Sample",
    "Screened",
    "Stage",
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
