"""The measures: known values, identities, and agreement with scikit-learn and segeval."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import segeval
from sklearn import metrics as sklearn_metrics

import acpinspect
from acpinspect.comparison.measures import MEASURES, boundary_scores, conditional_entropy, shares_per_item
from tests.grouping.sequences import random_sequence, read, table_of


def segmentation(rng: random.Random, size: int) -> list[int]:
    label, labels = 0, []
    for _ in range(size):
        label += rng.random() < 0.4
        labels.append(label)
    return labels


def random_pairs() -> list[tuple[np.ndarray, np.ndarray]]:
    rng = random.Random(3)
    pairs = []
    for _ in range(120):
        size = rng.randint(2, 30)
        scattered = rng.random() < 0.5
        sides = [
            [rng.randrange(5) for _ in range(size)] if scattered else segmentation(rng, size) for _ in range(2)
        ]
        pairs.append(tuple(np.array(side, dtype=np.int64) for side in sides))
    return pairs


PAIRS = random_pairs()
LINEAR = [pair for pair in PAIRS if all((np.diff(side) >= 0).all() for side in pair)]


def ones(labels: np.ndarray) -> np.ndarray:
    return np.ones(len(labels), dtype=np.int64)


def cuts(labels: np.ndarray) -> np.ndarray:
    return labels[1:] != labels[:-1]


def masses(labels: np.ndarray) -> tuple[int, ...]:
    return tuple(np.unique(labels, return_counts=True)[1].tolist())


@pytest.mark.parametrize("pair", PAIRS)
def test_bits_agree_with_the_homogeneity_and_completeness_of_scikit_learn(pair: tuple) -> None:
    a, b = pair
    homogeneity, completeness, _ = sklearn_metrics.homogeneity_completeness_v_measure(a, b)
    entropy_a, entropy_b = (conditional_entropy(np.zeros_like(x), x, ones(x)) for x in (a, b))
    assert conditional_entropy(b, a, ones(a)) == pytest.approx((1 - homogeneity) * entropy_a, abs=1e-9)
    assert conditional_entropy(a, b, ones(a)) == pytest.approx((1 - completeness) * entropy_b, abs=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
def test_both_halves_make_the_variation_of_information(pair: tuple) -> None:
    a, b = pair
    mutual = sklearn_metrics.mutual_info_score(a, b) / math.log(2)
    entropies = sum(conditional_entropy(np.zeros_like(x), x, ones(x)) for x in (a, b))
    both = conditional_entropy(a, b, ones(a)) + conditional_entropy(b, a, ones(a))
    assert both == pytest.approx(entropies - 2 * mutual, abs=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
def test_bcubed_agrees_with_counting_pair_by_pair(pair: tuple) -> None:
    a, b = pair
    precision, recall = shares_per_item(a, b)
    for i in range(len(a)):
        common = sum(1 for j in range(len(a)) if a[i] == a[j] and b[i] == b[j])
        assert precision[i] == pytest.approx(common / (b == b[i]).sum())
        assert recall[i] == pytest.approx(common / (a == a[i]).sum())


@pytest.mark.parametrize("pair", [p for p in LINEAR if cuts(p[0]).any() and cuts(p[1]).any()])
def test_boundary_scores_agree_with_scikit_learn_and_segeval(pair: tuple) -> None:
    a, b = pair
    precision, recall, f1, _ = sklearn_metrics.precision_recall_fscore_support(
        cuts(a), cuts(b), average="binary", zero_division=0.0
    )
    assert boundary_scores(cuts(a), cuts(b)) == pytest.approx((precision, recall, f1))
    matrix = segeval.boundary_confusion_matrix(masses(b), masses(a), n_t=1)
    assert float(segeval.fmeasure(matrix)) == pytest.approx(f1)


def test_known_values_by_hand() -> None:
    a, b = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0])
    assert boundary_scores(cuts(a), cuts(b)) == (1.0, 0.0, 0.0)
    assert conditional_entropy(b, a, ones(a)) == 1.0
    assert conditional_entropy(a, b, ones(a)) == 0.0
    assert shares_per_item(a, b)[0].tolist() == [0.5] * 4
    assert shares_per_item(a, b)[1].tolist() == [1.0] * 4


def test_characters_weigh() -> None:
    one, two = np.array([0, 0]), np.array([0, 1])
    assert conditional_entropy(one, two, np.array([1, 3])) == pytest.approx(0.8112781)
    assert conditional_entropy(one, two, np.array([0, 5])) == 0.0


def values(a: str, b: str) -> dict[str, float]:
    rng = random.Random(5)
    events, _ = table_of([random_sequence(rng) for _ in range(60)])
    return acpinspect.compare(events, a, b).measures["value"].to_dict()


@pytest.mark.parametrize("policy", ["spec", "toad", "zed-v1", "per-chunk"])
def test_a_grouping_compared_with_itself_is_perfect(policy: str) -> None:
    measures = values(policy, policy)
    assert {name: value for name, value in measures.items() if "bits" in name and value} == {}
    assert {value for name, value in measures.items() if "bits" not in name} == {1.0}


@pytest.mark.parametrize(("a", "b"), [("spec", "toad"), ("ids", "heuristic"), ("zed-v1", "aionui")])
def test_what_is_split_one_way_is_merged_the_other_way(a: str, b: str) -> None:
    there, back = values(a, b), values(b, a)
    for suffix in ("", "_chunks"):
        assert there[f"over_split_bits{suffix}"] == back[f"over_merge_bits{suffix}"]
    assert there["boundary_f1"] == back["boundary_f1"]
    assert there["boundary_precision"] == back["boundary_recall"]
    assert there["bcubed_precision"] == back["bcubed_recall"]


def test_measures_of_an_empty_log_are_perfect() -> None:
    events = acpinspect.from_records([])
    assert acpinspect.compare(events).measures["value"].max() == 1.0
    assert acpinspect.compare(events).same


def test_every_measure_says_formula_range_and_source() -> None:
    for measure in MEASURES:
        assert measure.meaning
        assert measure.formula
        assert measure.range
        assert measure.source


def test_boundaries_are_blind_to_what_is_put_elsewhere() -> None:
    """Why `kinds` is reported beside them: Toad puts the second text above the thought."""
    events, _ = table_of([read("> t a t a <")])
    comparison = acpinspect.compare(events, "rfd-literal", "toad")
    assert comparison.measures.loc["boundary_f1", "value"] == 1.0
    assert comparison.kinds["kind"].tolist() == ["same", "same", "merged", "same", "merged"]
    assert comparison.kinds["also"].tolist()[2] == ["reordered"]
