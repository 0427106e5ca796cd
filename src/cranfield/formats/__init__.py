"""Reading and writing truths, runs and collections.

One file or folder for each format, which registers itself: ImageCLEF text, wide and long CSV/TSV,
NPZ and NPY, Parquet, Mulan's ARFF with XML, Open Images CSV, COCO JSON, PASCAL VOC, TREC, gzip and
xz of any of them. What a file is, is recognised from its content and its name; `format=` insists.
Files are read in blocks, so that memory beyond the result stays bounded. Whatever is wrong with a
file is a `FileError` with its line; `check` gathers all of them.
"""

from cranfield._public import publish

publish(__name__)
