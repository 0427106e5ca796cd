"""`python -m cranfield` is the command line."""

from cranfield.cli import main

main()
