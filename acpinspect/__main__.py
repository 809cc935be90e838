"""``python -m acpinspect`` is the same as ``acpinspect``."""

from acpinspect.cli import main

main(prog_name="acpinspect")
