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

from cranfield._public import publish

publish(__name__)
