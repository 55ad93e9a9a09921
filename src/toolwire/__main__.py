"""``python -m toolwire`` is the command line, too."""

from toolwire.cli import main

main()
