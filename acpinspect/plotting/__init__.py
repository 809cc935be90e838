"""The pictures of `acpinspect.plot`, one module each, and what they share. Matplotlib is imported late."""
