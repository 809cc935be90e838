"""The collections that never change, against the plain ones of Python."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reducer import BlockRope, joined_text
from acpinspect.reducer.frozenmap import FrozenMap
from acpinspect.reducer.keys import EntityKey, EntityMap
from acpinspect.reducer.ropes import ByteRope, Rope
from acpinspect.reducer.values import FrozenDict, FrozenList, freeze, thaw


class Colliding:
    """A key whose hash is the same for all, or the same in its low bits."""

    def __init__(self, name: str, hashed: int) -> None:
        self.name, self.hashed = name, hashed

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Colliding) and self.name == other.name

    def __repr__(self) -> str:
        return self.name


KEYS: list[Any] = [
    *"abcdefgh",
    *(Colliding(f"same{n}", 7) for n in range(4)),
    *(Colliding(f"low{n}", 7 + (n << 59)) for n in range(3)),
    Colliding("negative", -1),
]
steps = st.lists(
    st.tuples(st.sampled_from(["set", "delete"]), st.sampled_from(KEYS), st.integers(0, 9)), max_size=60
)


@given(steps)
def test_a_frozen_map_is_a_dict_at_every_step(moves: list[tuple[str, Any, int]]) -> None:
    ours, theirs = FrozenMap[Any, int](), {}
    for move, key, value in moves:
        if move == "set":
            ours, theirs[key] = ours.set(key, value), value
        elif key in theirs:
            ours = ours.delete(key)
            del theirs[key]
        assert list(ours.items()) == list(theirs.items())
        assert (len(ours), key in ours, ours == theirs) == (len(theirs), key in theirs, True)


@given(steps)
def test_a_frozen_map_leaves_its_older_forms_as_they_were(moves: list[tuple[str, Any, int]]) -> None:
    ours, kept = FrozenMap[Any, int](), []
    for move, key, value in moves:
        kept.append((ours, dict(ours)))
        if move == "set":
            ours = ours.set(key, value)
        elif key in ours:
            ours = ours.delete(key)
    assert all(dict(old) == copied for old, copied in kept)


def test_a_frozen_map_of_many_keys_finds_them_all() -> None:
    ours = FrozenMap((str(n), n) for n in range(5_000))
    assert [ours[str(n)] for n in range(5_000)] == list(range(5_000))


@pytest.mark.parametrize("key", ["nowhere", *KEYS[8:]])
def test_a_frozen_map_says_that_a_key_is_missing(key: Any) -> None:
    ours = FrozenMap([(Colliding("other", 7), 1), (Colliding("another", 7), 2)])
    with pytest.raises(KeyError):
        ours[key]
    with pytest.raises(KeyError):
        ours.delete(key)


@pytest.mark.parametrize("one", [FrozenMap([("a", 1)]), EntityMap[int](), Rope([1]), ByteRope(b"a")])
def test_a_collection_has_no_attribute_that_can_be_set_or_deleted(one: Any) -> None:
    name = type(one).__name__
    with pytest.raises(AttributeError, match=rf"^an? {name} can't be changed \(_size\)$"):
        one._size = 3
    with pytest.raises(AttributeError, match=rf"^an? {name} can't be changed \(_size\)$"):
        del one._size


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        (FrozenMap([("a", 1), ("b", [2])]), "FrozenMap({'a': 1, 'b': [2]})"),
        (EntityMap[int]().set(EntityKey(0, "t"), 1), "EntityMap({'t': 1})"),
        (Rope([1, "a"]), "Rope((1, 'a'))"),
        (BlockRope([{"type": "text", "text": "A"}]), "BlockRope(({'type': 'text', 'text': 'A'},))"),
        (ByteRope(b"a").append(b"b"), "ByteRope(b'ab')"),
    ],
)
def test_a_collection_shows_what_it_holds(one: object, shown: str) -> None:
    assert repr(one) == shown


def test_two_branches_of_a_frozen_map_do_not_meet() -> None:
    root = FrozenMap([("a", 1)])
    left, right = root.set("b", 2), root.set("c", 3)
    assert (dict(root), dict(left), dict(right)) == ({"a": 1}, {"a": 1, "b": 2}, {"a": 1, "c": 3})


def test_a_key_that_comes_again_after_it_was_deleted_comes_last() -> None:
    ours = FrozenMap([("a", 1), ("b", 2)]).delete("a").set("a", 3)
    assert list(ours) == ["b", "a"]


@given(st.lists(st.lists(st.integers(), max_size=5), max_size=12))
def test_a_rope_is_the_tuple_of_all_that_was_appended(pieces: list[list[int]]) -> None:
    rope, plain = Rope[int](), ()
    for piece in pieces:
        before = rope
        rope, plain = rope.extend(piece), (*plain, *piece)
        assert tuple(before) == plain[: len(before)]
    assert (rope == plain, len(rope), hash(rope)) == (True, len(plain), hash(plain))
    assert [rope[i] for i in range(-len(plain), len(plain))] == [plain[i] for i in range(-len(plain), len(plain))]
    assert rope[1:3] == plain[1:3]


@pytest.mark.parametrize("index", [3, -4, 100])
def test_a_rope_says_that_an_index_is_out_of_range(index: int) -> None:
    with pytest.raises(IndexError, match=f"^{index}$"):
        Rope([1, 2, 3])[index]


blocks = st.lists(
    st.sampled_from(
        [
            {"type": "text", "text": "A"},
            {"type": "text", "text": ""},
            {"text": "turned", "type": "text"},
            {"type": "text", "text": "\ud83c"},
            {"type": "text", "text": "B", "_meta": None},
            {"type": "text", "text": 7},
            {"type": "text"},
            {"type": "image", "data": "", "mimeType": "image/png"},
            {"type": "own", "text": "no text"},
        ]
    ),
    max_size=4,
)


@given(st.lists(blocks, max_size=6))
def test_content_blocks_are_the_tuple_of_all_that_was_appended(pieces: list[list[Any]]) -> None:
    rope, plain = BlockRope(), ()
    for piece in pieces:
        rope, plain = rope.extend(freeze(block) for block in piece), (*plain, *piece)
    assert (rope == plain, tuple(rope), len(rope), list(rope[1:3])) == (True, plain, len(plain), list(plain[1:3]))
    assert [rope[i] for i in range(-len(plain), len(plain))] == [plain[i] for i in range(-len(plain), len(plain))]
    assert hash(rope) == hash(Rope(freeze(block) for block in plain))
    assert rope == Rope(plain) == BlockRope(plain) == pickle.loads(pickle.dumps(rope))
    assert rope.part(1, 3) == plain[1:3]
    assert (rope == BlockRope([*plain, {"type": "text", "text": "more"}])) is False
    assert joined_text(rope) == joined_text(plain)


def test_blocks_of_plain_text_are_kept_as_their_text() -> None:
    rope = BlockRope([{"type": "text", "text": "A"}]).extend(BlockRope.of_texts(["B"]))
    assert (rope.kept(), rope) == (("A", "B"), ({"type": "text", "text": "A"}, {"type": "text", "text": "B"}))


def test_a_block_that_was_looked_at_can_not_be_changed() -> None:
    with pytest.raises(TypeError):
        BlockRope.of_texts(["A"])[0]["text"] = "B"  # type: ignore[index]


def test_what_is_no_text_has_no_part_in_the_text_of_blocks() -> None:
    blocks = [7, "no block", {"type": "image", "text": "no text"}, {"type": "text", "text": 3}, {"text": "no"}]
    assert joined_text([*blocks, {"type": "text", "text": "A"}]) == "A"


def test_a_rope_of_letters_is_no_string() -> None:
    assert Rope("ab") != "ab"
    assert Rope("ab") == ("a", "b")


@given(st.lists(st.binary(max_size=5), max_size=12))
def test_a_byte_rope_is_the_bytes_of_all_that_was_appended(pieces: list[bytes]) -> None:
    rope = ByteRope()
    for piece in pieces:
        rope = rope.append(piece)
    whole = b"".join(pieces)
    assert (bytes(rope), len(rope), rope == ByteRope(whole), hash(rope)) == (whole, len(whole), True, hash(whole))


@given(st.lists(st.binary(max_size=5), max_size=12), st.integers(-1, 30))
def test_the_tail_of_a_byte_rope_is_its_last_bytes(pieces: list[bytes], count: int) -> None:
    rope = ByteRope()
    for piece in pieces:
        rope = rope.append(piece)
    assert rope.tail(count) == (b"".join(pieces)[-count:] if count > 0 else b"")


def test_a_byte_rope_is_no_string() -> None:
    assert ByteRope(b"a") != "a"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=10,
)


@given(json_values)
def test_a_frozen_value_equals_the_plain_one_and_is_written_like_it(value: Any) -> None:
    frozen = freeze(value)
    assert frozen == value
    assert json.dumps(frozen) == json.dumps(value)
    assert orjson.dumps(frozen) == orjson.dumps(value)


@given(json_values)
def test_a_frozen_value_can_be_thawed_hashed_pickled_and_copied(value: Any) -> None:
    frozen = freeze(value)
    assert json.dumps(thaw(frozen)) == json.dumps(value)
    assert hash(frozen) == hash(freeze(copy.deepcopy(value)))
    assert pickle.loads(pickle.dumps(frozen)) == value
    assert copy.deepcopy(frozen) == copy.copy(frozen) == value


@given(json_values)
def test_thawing_makes_dicts_and_lists_that_can_be_changed(value: Any) -> None:
    def plain(one: object) -> bool:
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        return not isinstance(one, FrozenDict | FrozenList) and all(map(plain, inner))

    assert plain(thaw(freeze(value)))


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v["list"].append(1),
        lambda v: v["list"].sort(),
        lambda v: v["list"].__setitem__(0, 2),
        lambda v: v["list"].__iadd__([1]),
        lambda v: v["list"].clear(),
        lambda v: v.update(a=1),
        lambda v: v.pop("list"),
        lambda v: v.setdefault("new", 1),
        lambda v: v.__delitem__("list"),
        lambda v: v.__ior__({"a": 1}),
        lambda v: v.clear(),
        lambda v: v.popitem(),
    ],
)
def test_a_frozen_value_refuses_every_change(change: Any) -> None:
    value = freeze({"list": [1]})
    with pytest.raises(TypeError, match=r"^a value in a state can't be changed$"):
        change(value)
    assert value == {"list": [1]}


def test_entities_of_one_id_are_the_newest_by_id_and_all_by_key() -> None:
    ours = EntityMap[str]().set(EntityKey(0, "a"), "A0").set(EntityKey(0, "b"), "B0").set(EntityKey(1, "a"), "A1")
    assert list(ours.items()) == [(EntityKey(0, "a"), "A0"), ("b", "B0"), ("a", "A1")]
    assert (ours["a"], ours[EntityKey(1, "a")], ours[EntityKey(0, "b")], len(ours)) == ("A1", "A1", "B0", 3)


def test_a_write_to_an_older_entity_does_not_make_it_the_newest() -> None:
    ours = EntityMap[str]().set(EntityKey(1, "a"), "A1").set(EntityKey(0, "a"), "A0")
    assert (ours["a"], ours[0, "a"]) == ("A1", "A0")  # type: ignore[index]


def test_a_deleted_entity_is_gone_and_its_older_one_keeps_its_long_key() -> None:
    ours = EntityMap[str]().set(EntityKey(0, "a"), "A0").set(EntityKey(1, "a"), "A1").delete(EntityKey(1, "a"))
    assert ("a" in ours, list(ours)) == (False, [EntityKey(0, "a")])


def test_without_an_older_entity_the_newest_keeps_its_short_key() -> None:
    ours = EntityMap[str]().set(EntityKey(0, "a"), "A0").set(EntityKey(1, "a"), "A1").delete(EntityKey(0, "a"))
    assert (ours["a"], list(ours)) == ("A1", ["a"])


def test_an_older_entity_is_the_newest_once_the_newer_one_is_gone_and_it_comes_again() -> None:
    ours = EntityMap[str]().set(EntityKey(1, "a"), "A1").delete(EntityKey(1, "a")).set(EntityKey(0, "a"), "A0")
    assert (ours["a"], list(ours)) == ("A0", ["a"])


def test_deleting_an_entity_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        EntityMap[str]().set(EntityKey(0, "a"), "A0").delete(EntityKey(1, "a"))


def test_entities_can_be_pickled_with_their_keys() -> None:
    ours = EntityMap[str]().set(EntityKey(0, "a"), "A0").set(EntityKey(1, "a"), "A1")
    assert list(pickle.loads(pickle.dumps(ours)).items()) == list(ours.items())
