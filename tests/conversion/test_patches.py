from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from acpinspect.conversion.patches import git_patch

TEXTS = st.text("ab\n \t", max_size=12)


def both(patch: str) -> tuple[str, str]:
    """The texts before and after, as the lines of a patch tell them."""
    old: list[str] = []
    new: list[str] = []
    told: tuple[list[str], ...] = ()
    body = patch.partition("\n@@")[2].split("\n", 1)[-1]
    for line in body.splitlines(keepends=True):
        if line.startswith("\\"):
            for lines in told:
                lines[-1] = lines[-1][:-1]
            continue
        told = {" ": (old, new), "-": (old,), "+": (new,)}[line[0]]
        for lines in told:
            lines.append(line[1:])
    return "".join(old), "".join(new)


def test_a_patch_says_what_is_removed_and_added_between_what_stays() -> None:
    assert git_patch("/x/a.txt", "1\n2\n3\n", "1\n4\n3\n") == (
        "diff --git a/x/a.txt b/x/a.txt\n--- a/x/a.txt\n+++ b/x/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+4\n 3\n"
    )


def test_a_new_file_comes_from_nothing() -> None:
    assert git_patch("/a", None, "1\n") == (
        "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n"
    )


def test_a_text_that_does_not_change_has_no_lines_in_the_patch() -> None:
    assert git_patch("/a", "1\n", "1\n") == "diff --git a/a b/a\n"


def test_a_name_can_not_break_out_of_its_line() -> None:
    patch = git_patch('/a\n+++ b/"x"\\\x07', "1", "2")
    assert patch.splitlines()[0] == r'diff --git "a/a\n+++ b/\"x\"\\\007" "b/a\n+++ b/\"x\"\\\007"'


@given(TEXTS, TEXTS)
def test_both_texts_can_be_told_from_the_patch(old: str, new: str) -> None:
    if old != new:
        assert both(git_patch("/a", old, new)) == (old, new)
