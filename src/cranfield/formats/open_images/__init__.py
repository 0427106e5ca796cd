"""Open Images' CSV files, and the descriptions of classes beside them."""

from cranfield.formats.open_images import image_labels  # noqa: F401 - it registers itself
