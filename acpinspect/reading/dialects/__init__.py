"""The formats that we read. Each module here registers its own; see `acpinspect.reading.registry`."""
