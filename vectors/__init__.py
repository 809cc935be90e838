"""The cases of the conformance vectors, written by hand, and the script that writes them as JSON."""
