"""Public names of reports."""

from cranfield.reports.report import PAGES as PAGES
from cranfield.reports.report import TABLE_FILE as TABLE_FILE
from cranfield.reports.report import Report as Report
