"""Classes: one label for each item, and what a confusion matrix tells about who assigns it."""
