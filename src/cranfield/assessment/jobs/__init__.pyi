"""Public names of jobs."""

from cranfield.assessment.jobs.answers import read_answers as read_answers
from cranfield.assessment.jobs.folder import Job as Job
from cranfield.assessment.jobs.folder import WrittenJobs as WrittenJobs
from cranfield.assessment.jobs.folder import deal as deal
from cranfield.assessment.jobs.folder import read_images as read_images
from cranfield.assessment.jobs.folder import read_job as read_job
from cranfield.assessment.jobs.folder import write_job as write_job
from cranfield.assessment.jobs.folder import write_jobs as write_jobs
from cranfield.assessment.jobs.forms import Form as Form
from cranfield.assessment.jobs.screening import Sample as Sample
from cranfield.assessment.jobs.screening import Screened as Screened
from cranfield.assessment.jobs.screening import screened as screened
from cranfield.assessment.jobs.stages import Stage as Stage
from cranfield.assessment.jobs.stages import first_stage as first_stage
from cranfield.assessment.jobs.stages import next_stages as next_stages
from cranfield.assessment.jobs.template import preview_page as preview_page
from cranfield.assessment.jobs.template import template_page as template_page
