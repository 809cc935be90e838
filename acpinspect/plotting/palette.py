"""Colours that people with any colour vision can tell apart, on white and on black.

Source: Okabe and Ito, "Color Universal Design" (2008). Yellow and black are left out: each vanishes on one of the
two backgrounds.
"""

from __future__ import annotations

from typing import Final

__all__ = ["BLUE", "GREEN", "NEUTRAL", "ORANGE", "OTHERS", "PURPLE", "SKY", "VERMILION"]

BLUE: Final = "#0072B2"
GREEN: Final = "#009E73"
ORANGE: Final = "#E69F00"
PURPLE: Final = "#CC79A7"
SKY: Final = "#56B4E9"
VERMILION: Final = "#D55E00"
NEUTRAL: Final = "#888888"
"""What is behind the data: it can be seen on both backgrounds and does not push forward."""

OTHERS: Final = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
"""For things that have no colour of their own, such as sessions, in this order."""
