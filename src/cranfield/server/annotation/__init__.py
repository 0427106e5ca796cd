"""Annotation: labels that people give in the browser, by a form made from the ontology."""
