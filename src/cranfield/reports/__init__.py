"""Report pages: an evaluation as one HTML file that works offline, in light and dark, on a phone.

report      `Report`: what is asked for, and files
findings    the evaluation with its intervals and tests
sections/   what the page says, a file for each section
section     what a section is
tables      tables for the page, as CSV and as LaTeX
graphics    small drawings in rows, and colours of cells
choice      panels of which one is shown
naming      how runs and measures are called
markup      escaping
document    the page around the sections; page.css and page.js go into it
"""

from cranfield.reports.report import PAGES, TABLE_FILE, Report

__all__ = ["PAGES", "TABLE_FILE", "Report"]
