"""What a comparison of two groupings gives: tables to work with, and a view to read."""

from __future__ import annotations

from functools import cached_property

import pandas as pd

from acpinspect.comparison.alignment import Pairing
from acpinspect.comparison.boundaries import VERDICTS, boundary_table
from acpinspect.comparison.kinds import KINDS, kind_table
from acpinspect.comparison.measures import MEASURES, measured, shares_per_item
from acpinspect.comparison.truth import TrueMessages
from acpinspect.errors import ArgumentError
from acpinspect.grouping.applying import AnyPolicy

__all__ = ["Comparison", "check_comparison"]


class Comparison:
    """Two groupings, compared: `a` is taken as the reference.

    Args:
        pairing: The two groupings, thing by thing.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> comparison = acpinspect.compare(events, "ids", "heuristic")
        >>> comparison.kinds["kind"].tolist()
        ['merged', 'merged']
    """

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing

    @property
    def a(self) -> str:
        """The name of the reference."""
        return self._pairing.a.name

    @property
    def b(self) -> str:
        """The name of the other grouping."""
        return self._pairing.b.name

    @property
    def policies(self) -> tuple[AnyPolicy, AnyPolicy]:
        """What groups each side, as `group` takes it; of a table of true messages a function named ``truth``."""
        return self._pairing.a.policy, self._pairing.b.policy

    @property
    def events(self) -> pd.DataFrame | None:
        """The events table that both sides group; ``None`` where two logs are compared."""
        a, b = self._pairing.a, self._pairing.b
        return b.events if a.events is b.events or isinstance(a.policy, TrueMessages) else None

    @cached_property
    def boundaries(self) -> pd.DataFrame:
        """One row per gap between neighbouring message events of a session that both sides show.

        Columns: `session_id`, `event` (after the gap), `previous` (before it), `after` (the last update, request
        or answer between the two; NA for none), `text_before`, `text_after`, `in_a`, `in_b` (who has a boundary
        there), `verdict` (neither, only a, only b, both).
        """
        return boundary_table(self._pairing)

    @property
    def disagreements(self) -> pd.DataFrame:
        """The gaps in which only one side has a boundary."""
        return self.boundaries[(self.boundaries["in_a"] != self.boundaries["in_b"]).to_numpy()]

    @cached_property
    def kinds(self) -> pd.DataFrame:
        """One row per message of a, and what became of it in b.

        Columns: `role`, `text`, `first_event`, `kind` (the gravest of `acpinspect.comparison.KINDS`), `also` (its
        other kinds), `partners` (the messages of b that have a part of it), `wrong_event` (the first event whose
        place differs; NA for none).
        """
        return kind_table(self._pairing)

    @cached_property
    def measures(self) -> pd.DataFrame:
        """How far b is from a: one row per measure, with `value`, `meaning`, `formula`, `range` and `source`.

        Only what both sides show counts; what one side lacks is in `kinds` (lost).
        """
        values = measured(self._pairing)
        rows = [(m.name, round(values[m.name], 6), m.meaning, m.formula, m.range, m.source) for m in MEASURES]
        columns = ["measure", "value", "meaning", "formula", "range", "source"]
        return pd.DataFrame(rows, columns=columns).set_index("measure")

    @property
    def same(self) -> bool:
        """Whether the two groupings are the same for a reader: every message of a stands just so in b."""
        return bool((self.kinds["kind"] == "same").all()) and self.disagreements.empty

    def worst(self, n: int = 10) -> pd.DataFrame:
        """The messages of a that fare worst, by the characters that are in the wrong company.

        Args:
            n: How many at most.

        Returns:
            Rows of `kinds`, worst first, with `wrong_characters`: the characters of the message times the share of
            wrong company (1 minus B-cubed F1, averaged over its chunks; all of them for a lost message).
        """
        kinds = self.kinds
        wrong = kinds.assign(wrong_characters=self._wrong_characters())
        wrong = wrong[(kinds["kind"] != "same").to_numpy()]
        return wrong.sort_values(["wrong_characters", "first_event"], ascending=[False, True]).head(n)

    def _wrong_characters(self) -> pd.Series:
        both = self._pairing.both
        a, b = self._pairing.a.labels[both], self._pairing.b.labels[both]
        precision, recall = shares_per_item(a, b)
        score = 2 * precision * recall / (precision + recall) if len(a) else precision
        right = pd.Series(score).groupby(a).mean().reindex(self.kinds.index, fill_value=0.0)
        return (self.kinds["text"].str.len().astype("float64") * (1 - right)).round(3)

    def __repr__(self) -> str:
        from acpinspect.comparison.views import as_text

        return as_text(self, self._pairing)

    def _repr_html_(self) -> str:
        from acpinspect.comparison.views import as_html

        return as_html(self, self._pairing)

    def to_dict(self) -> dict[str, object]:
        """The comparison as plain values: counts by kind and verdict, the measures, the disagreements."""
        kinds, verdicts = self.kinds["kind"].value_counts(), self.boundaries["verdict"].value_counts()
        return {
            "a": self.a,
            "b": self.b,
            "same": self.same,
            "kinds": {name: int(kinds.get(name, 0)) for name in KINDS},
            "boundaries": {name: int(verdicts.get(name, 0)) for name in VERDICTS},
            "measures": {name: float(value) for name, value in self.measures["value"].items()},
        }


def check_comparison(value: object) -> Comparison:
    """Return the value, if it is a comparison.

    Raises:
        ArgumentError: If it is something else.
    """
    if not isinstance(value, Comparison):
        raise ArgumentError(
            f"Expected a comparison, got {type(value).__name__}. Take what acpinspect.compare gave."
        )
    return value
