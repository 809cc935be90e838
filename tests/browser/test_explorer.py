"""The explorer in JupyterLab, driven as a person would drive it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

import acpinspect

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Notebook
from tests.browser.contrast import POOR_CONTRAST
from tests.widgets.logs import answer, chunk, hostile, prompt, sent, tool

FRAMES = [
    prompt("Build it"),
    sent(chunk("Let me see.", "t1", "thought")),
    *(sent(chunk(word, "m1")) for word in ("The build ", "stops in ", "the parser.")),
    sent(tool("call-1", status="in_progress")),
    sent({"sessionUpdate": "tool_call_update", "toolCallId": "call-1", "status": "completed"}),
    sent(chunk("A missing import, ", "m2")),
    sent(chunk("in line four.", "m2")),
    sent(chunk("A missing import, in line four.", "full-9")),
    answer(),
    prompt("And now?", 2, "s2"),
    sent(chunk("Other session", "x1"), "s2"),
]
"""Session s1 of 11 events with one finding (step 10), session s2 of 2."""


def write(path: Path, events: list[dict[str, object]] | pd.DataFrame) -> Path:
    lines = events["raw"].tolist() if isinstance(events, pd.DataFrame) else [json.dumps(event) for event in events]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def book(opened: Callable[..., Notebook], workplace: Path) -> Iterator[Notebook]:
    write(workplace / "talk.ndjson", FRAMES)
    cells = ("import acpinspect", "explorer = acpinspect.explore('talk.ndjson')\nexplorer")
    book = opened("talk", *cells)
    book.page.bring_to_front()
    begin = {"filter": "", "session": "s1", "policy": "spec", "step": 1}
    book.python(f"[setattr(explorer, *pair) for pair in {begin}.items()]")
    expect(step_field(book.page)).to_have_value("1")
    yield book
    assert book.errors == []
    assert book.foreign == []


def root(page: Page) -> Locator:
    return page.locator(".acpi-explorer")


def button(page: Page, name: str) -> Locator:
    return root(page).get_by_role("button", name=re.compile(f"^{name}"))


def step_field(page: Page) -> Locator:
    return root(page).get_by_role("spinbutton", name="step")


def strip(page: Page) -> Locator:
    return root(page).locator(".acpi-strip canvas")


def strip_width(page: Page) -> float:
    box = strip(page).bounding_box()
    assert box is not None
    return box["width"]


def conversation(page: Page) -> Locator:
    return root(page).locator(".acpi-conversation")


def detail(page: Page) -> Locator:
    return root(page).locator(".acpi-detail")


def at_step(page: Page, step: int) -> None:
    expect(step_field(page)).to_have_value(str(step))
    expect(strip(page)).to_have_attribute("aria-valuenow", str(step))


def test_buttons_step_through_the_session(book: Notebook) -> None:
    page = book.page
    for _ in range(3):
        button(page, "next event").click()
    at_step(page, 4)
    expect(conversation(page).locator("mark")).to_have_text("stops in ")
    expect(detail(page).locator("ins")).to_have_text("stops in ")
    button(page, "last").click()
    at_step(page, 11)
    button(page, "previous event").click()
    button(page, "first").click()
    at_step(page, 0)


def test_keys_of_the_strip_step_and_jump(book: Notebook) -> None:
    page = book.page
    strip(page).focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    at_step(page, 7)
    page.keyboard.press("Shift+ArrowRight")
    at_step(page, 8)
    page.keyboard.press("Shift+ArrowLeft")
    at_step(page, 3)
    page.keyboard.press("n")
    at_step(page, 10)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("End")
    at_step(page, 11)
    assert page.locator(".jp-Cell").count() == 2


def test_a_question_mark_shows_the_keys(book: Notebook) -> None:
    page = book.page
    shown = root(page).locator(".acpi-strip .help")
    strip(page).focus()
    page.keyboard.press("?")
    expect(shown).to_be_visible()
    for what in ("boundary", "finding", "disagreement", "turn", "play", "first, last", "zoom", "seeks", "selects"):
        expect(shown).to_contain_text(what)
    page.keyboard.press("?")
    expect(shown).to_be_hidden()


def test_the_slider_steps(book: Notebook) -> None:
    page = book.page
    slider = root(page).get_by_role("slider", name="step", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    slider.fill("9")
    at_step(page, 9)


def test_a_click_on_the_strip_seeks_and_a_drag_selects(book: Notebook) -> None:
    page = book.page
    box = strip(page).bounding_box()
    assert box is not None
    left, width = box["x"] + 74, box["width"] - 84
    page.mouse.click(left + width * 4.5 / 11, box["y"] + 20)
    at_step(page, 5)
    page.mouse.move(left + width * 2.5 / 11, box["y"] + 20)
    expect(root(page).locator(".acpi-strip .tip")).to_contain_text("a message begins")
    page.mouse.down()
    page.mouse.move(left + width * 6.5 / 11, box["y"] + 20, steps=3)
    page.mouse.up()
    expect(root(page).locator(".acpi-say")).to_contain_text("Steps 3 to 7 are selected")
    assert book.python("explorer.model.kept.tolist()") == "[3, 4, 5, 6, 7]"
    page.keyboard.press("Escape")
    expect(root(page).locator(".acpi-say")).to_be_empty()


def test_where_a_message_begins_the_strip_has_an_edge(opened: Callable[..., Notebook], workplace: Path) -> None:
    write(workplace / "edges.ndjson", [sent(chunk("word ", f"m{number // 700}")) for number in range(1_400)])
    page = opened("edges", "import acpinspect", "acpinspect.explore('edges.ndjson', step=1400)").page
    at_step(page, 1400)
    edges = """(canvas) => {
      const context = canvas.getContext('2d'), ratio = window.devicePixelRatio, width = canvas.clientWidth - 84;
      const lane = context.getImageData(74 * ratio, (9 + 15 + 7) * ratio, width * ratio, 1).data, found = [];
      for (let x = 1; x < width * ratio - 1; x++) {
        if (lane[4 * x] !== lane[4 * x - 4] && lane[4 * x] !== lane[4 * x + 4]) found.push(x / (width * ratio));
      }
      return found;
    }"""
    assert [round(place, 2) for place in strip(page).evaluate(edges)] == [0.5]


def test_the_wheel_zooms_while_the_strip_has_the_focus(book: Notebook) -> None:
    page = book.page
    strip(page).focus()
    before = strip(page).screenshot()
    strip(page).hover(position={"x": 400, "y": 30})
    for _ in range(3):
        page.keyboard.press("+")
    page.mouse.wheel(0, -200)
    page.mouse.move(0, 0)
    expect(root(page).locator(".acpi-strip .tip")).to_be_hidden()
    assert strip(page).screenshot() != before
    zoomed = strip(page).screenshot()
    strip(page).hover(position={"x": 400, "y": 30})
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 300)
    page.keyboard.up("Shift")
    page.mouse.move(0, 0)
    expect(root(page).locator(".acpi-strip .tip")).to_be_hidden()
    assert strip(page).screenshot() != zoomed
    page.keyboard.press("0")
    expect(strip(page)).to_be_focused()
    at_step(page, 1)


def test_a_jump_leads_to_a_finding_with_its_remedy(book: Notebook) -> None:
    page = book.page
    button(page, "next finding").click()
    at_step(page, 10)
    expect(detail(page).locator(".finding").first).to_contain_text("Remedy:")
    detail(page).locator(".finding button").first.click()
    expect(step_field(page)).not_to_have_value("10")
    button(page, "Back").click()
    at_step(page, 10)


def test_another_policy_shows_other_messages(book: Notebook) -> None:
    page = book.page
    book.python("setattr(explorer, 'step', 11)")
    expect(conversation(page).locator(".item.agent")).to_have_count(3)
    root(page).get_by_label("policy").select_option("heuristic")
    expect(conversation(page).locator(".item.agent")).to_have_count(2)
    assert book.python("explorer.policy") == "'heuristic'"


def test_another_session_shows_its_own_events(book: Notebook) -> None:
    page = book.page
    root(page).get_by_label("session").select_option(index=1)
    expect(conversation(page)).to_contain_text("And now?")
    assert book.python("explorer.session") == "'s2'"


def test_a_filter_is_kept_by_arrows_and_slider(book: Notebook) -> None:
    page = book.page
    field = root(page).get_by_role("combobox", name="filter")
    offered = field.evaluate("(field) => [...field.list.options].map((each) => each.value)")
    assert "lane:tools" in offered
    field.fill("role:agent")
    field.press("Enter")
    expect(root(page).locator(".acpi-position")).to_contain_text("of 6 kept")
    button(page, "next event").click()
    at_step(page, 3)
    strip(page).focus()
    page.keyboard.press("End")
    at_step(page, 10)
    expect(root(page).get_by_role("slider", name="step", exact=True)).to_have_attribute("max", "6")


def test_a_click_on_a_text_leads_to_the_event_that_wrote_it(book: Notebook) -> None:
    page = book.page
    book.python("setattr(explorer, 'step', 5)")
    run = conversation(page).locator(".item.agent:not(.future) .run")
    expect(run).to_have_text("The build stops in the parser.")
    run.click(position={"x": 3, "y": 6})
    at_step(page, 3)
    expect(root(page).locator(".acpi-say")).to_contain_text("Event 2 wrote that")


def test_after_a_click_that_leads_away_the_keys_go_on(book: Notebook) -> None:
    page = book.page
    book.python("setattr(explorer, 'step', 8)")
    conversation(page).get_by_role("button", name="event 2", exact=True).click()
    at_step(page, 3)
    expect(strip(page)).to_be_focused()
    page.keyboard.press("ArrowRight")
    at_step(page, 4)
    conversation(page).locator(".item.focus .run").click(position={"x": 3, "y": 6})
    at_step(page, 3)
    page.keyboard.press("ArrowRight")
    at_step(page, 4)


def test_what_the_event_wrote_is_in_sight_whatever_follows(
    opened: Callable[..., Notebook], workplace: Path
) -> None:
    long = [sent(tool(f"t{i}", title="word " * 60)) for i in range(6)]
    write(workplace / "crowded.ndjson", [sent(chunk("line\n" * 30, "m1")), *long, sent(chunk("the end", "m1"))])
    book = opened("crowded", "import acpinspect", "explorer = acpinspect.explore('crowded.ndjson')\nexplorer")
    book.python("setattr(explorer, 'step', 8)")
    written = conversation(book.page).locator("mark")
    expect(written).to_have_text("the end")
    inside = """(mark) => {
      const pane = mark.closest('.acpi-pane').getBoundingClientRect(), own = mark.getBoundingClientRect();
      return own.top >= pane.top && own.bottom <= pane.bottom;
    }"""
    assert written.evaluate(inside)


def test_it_plays_to_the_end_and_pauses(book: Notebook) -> None:
    page = book.page
    book.python("setattr(explorer.player, 'per_second', 50.0)")
    strip(page).focus()
    page.keyboard.press("Space")
    at_step(page, 11)
    expect(button(page, "Play")).to_be_visible()


def test_bookmark_pin_and_export(book: Notebook) -> None:
    page = book.page
    book.python("setattr(explorer, 'step', 3)")
    expect(step_field(page)).to_have_value("3")
    root(page).get_by_role("textbox", name="note").fill("here")
    button(page, "Bookmark").click()
    button(page, "Pin").click()
    expect(button(page, "Pinned: 3")).to_be_visible()
    button(page, "next event").click()
    button(page, "next event").click()
    expect(detail(page)).to_contain_text("from step 3 (pinned) to step 5")
    button(page, "Pinned: 3").click()
    root(page).get_by_label("bookmarks").select_option("step 3: here")
    at_step(page, 3)
    expect(detail(page).locator(".marked")).to_have_text("⚑ bookmark here")
    strip(page).hover(position={"x": 74 + int((strip_width(page) - 84) * 2.5 / 11), "y": 30})
    expect(root(page).locator(".acpi-strip .tip")).to_contain_text("bookmarked")
    page.mouse.move(0, 0)
    root(page).get_by_label("export").select_option("this step")
    with page.expect_download() as saved:
        root(page).locator("a.save").click()
    assert saved.value.suggested_filename == "s1-step-3.json"
    button(page, "Forget").click()
    expect(detail(page).locator(".marked")).to_have_count(0)


def test_a_minimal_log_of_a_finding_is_saved_or_it_is_said_why_not(book: Notebook, tmp_path: Path) -> None:
    page = book.page
    root(page).get_by_label("export").select_option("minimal log of this finding")
    expect(root(page).get_by_role("alert")).to_contain_text("Nothing was found at event 0")
    button(page, "next finding").click()
    at_step(page, 10)
    root(page).get_by_label("export").select_option("minimal log of this finding")
    expect(root(page).locator(".acpi-say")).to_contain_text("of 13 events still show it", timeout=30_000)
    with page.expect_download() as saved:
        root(page).locator("a.save").click()
    saved.value.save_as(tmp_path / saved.value.suggested_filename)
    small = acpinspect.load(tmp_path / "s1-restated-message.ndjson", protocol="v1")
    assert "restated-message" in acpinspect.diagnose(small)["code"].tolist()


def test_every_control_has_a_name(book: Notebook) -> None:
    snapshot = root(book.page).aria_snapshot()
    controls = re.findall(r"- (button|combobox|textbox|spinbutton|slider)\b(.*)", snapshot)
    assert len(controls) > 30
    assert [control for control in controls if not control[1].strip().startswith('"')] == []


def test_panes_have_names_and_scroll_with_the_keyboard(book: Notebook) -> None:
    page = book.page
    for name in ("conversation", "event"):
        pane = root(page).get_by_role("region", name=name, exact=True)
        pane.focus()
        expect(pane).to_be_focused()


def test_the_focus_goes_from_the_bar_over_the_strip_to_the_panes_and_the_foot(book: Notebook) -> None:
    page = book.page
    button(page, "first").focus()
    seen = []
    for _ in range(60):
        seen.append(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    order = ["first", "speed", "step", "session", "policy", "previous boundary", "against", "filter", "time strip",
             "conversation", "event", "note", "compare every step", "export"]  # fmt: skip
    places = [next(i for i, name in enumerate(seen) if name.startswith(each)) for each in order]
    assert places == sorted(places)


FOCUSED = """() => {
  const at = document.activeElement, id = at.id && document.querySelector(`label[for="${at.id}"]`);
  return at.getAttribute("aria-label") || (id && id.textContent) || at.title || at.textContent.trim();
}"""


def test_nothing_moves_by_itself(book: Notebook) -> None:
    moving = """() => [...document.querySelectorAll('.acpi-explorer *')].filter((element) => {
      const style = getComputedStyle(element);
      return style.animationName !== 'none' || style.scrollBehavior === 'smooth';
    }).length"""
    assert book.page.evaluate(moving) == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (900, 700)])
def test_it_fits_into_the_window(book: Notebook, width: int, height: int) -> None:
    page = book.page
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": height})
    root(page).evaluate("(element) => element.scrollIntoView({ block: 'start' })")
    box, bar = (
        root(page).bounding_box(),
        page.locator("#jp-bottom-panel, .jp-StatusBar-Widget").last.bounding_box(),
    )
    assert box is not None
    assert bar is not None
    cut = """() => [...document.querySelectorAll('.acpi-bar > *, .acpi-strip, .acpi-pane')].filter((element) => {
      const own = element.getBoundingClientRect(), all = element.closest('.acpi-explorer').getBoundingClientRect();
      return own.right > all.right + 1 || own.left < all.left - 1;
    }).length"""
    assert page.evaluate(cut) == 0
    assert box["y"] + box["height"] <= bar["y"]
    assert before is not None
    page.set_viewport_size(before)


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(book: Notebook, theme: str) -> None:
    page = book.page
    command = "async (theme) => { await window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }"
    page.evaluate(command, theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    book.python("setattr(explorer, 'step', 10)")
    at_step(page, 10)
    assert page.evaluate(POOR_CONTRAST, ".acpi-explorer *") == []


def test_hostile_text_is_shown_and_not_run(opened: Callable[..., Notebook], workplace: Path) -> None:
    write(workplace / "hostile.ndjson", hostile())
    cells = ("import acpinspect", "explorer = acpinspect.explore('hostile.ndjson')\nexplorer")
    book = opened("hostile", *cells)
    page = book.page
    strip(page).focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    at_step(page, 6)
    expect(conversation(page)).to_contain_text('"><img src=x onerror="window.canary=1">')
    page.keyboard.press("End")
    at_step(page, 22)
    button(page, "previous event").click()
    expect(conversation(page)).to_contain_text("characters …")
    assert page.evaluate("window.canary") is None
    assert page.locator(".acpi-explorer :is(script, img, svg, iframe)").count() == 0
    assert book.errors == []
    assert book.foreign == []


def test_two_policies_are_compared_side_by_side(opened: Callable[..., Notebook], workplace: Path) -> None:
    write(workplace / "compared.ndjson", FRAMES)
    compared = "comparison = acpinspect.compare('compared.ndjson', 'spec', 'heuristic')"
    book = opened("compared", "import acpinspect", f"{compared}\nacpinspect.explore_comparison(comparison)")
    page = book.page
    at_step(page, 10)
    left, right = conversation(page).nth(0), conversation(page).nth(1)
    expect(left.locator(".item.focus")).to_have_text(re.compile(r"agentfull-9.*A missing import, in line four\.$"))
    expect(right.locator(".item.focus")).to_have_text(re.compile(r"line four\.A missing import"))
    expect(root(page).locator(".reason")).to_have_count(2)
    button(page, "next disagreement").click()
    expect(root(page).locator(".acpi-say")).to_have_text("There is no later disagreement.")
    root(page).get_by_label("right", exact=True).select_option("ids")
    expect(root(page).locator(".acpi-bar")).to_contain_text("0 differences")
    expect(root(page).get_by_label("right", exact=True).locator("option")).to_have_count(
        len(acpinspect.policies())
    )
    page.get_by_role("button", name="per-chunk", exact=True).click()
    expect(root(page).get_by_label("right", exact=True)).to_have_value("per-chunk")
    button(page, "All clients").click()
    expect(root(page).locator("table.clients")).to_have_count(0)
    button(page, "All clients").click()
    strip(page).focus()
    page.keyboard.press("?")
    expect(root(page).locator(".acpi-strip .help")).not_to_contain_text("play")
    controls = re.findall(r"- (button|combobox|spinbutton|slider)\b(.*)", root(page).aria_snapshot())
    assert [control for control in controls if not control[1].strip().startswith('"')] == []
    assert book.errors == []
    assert book.foreign == []


def test_a_log_that_is_being_written_appears_as_it_grows(opened: Callable[..., Notebook], workplace: Path) -> None:
    path = write(workplace / "growing.ndjson", FRAMES[:3])
    cells = ("import acpinspect", "explorer = acpinspect.explore('growing.ndjson', follow=True)\nexplorer")
    book = opened("growing", *cells)
    book.page.bring_to_front()
    at_step(book.page, 3)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(FRAMES[3]) + "\n")
    at_step(book.page, 4)
    expect(conversation(book.page).locator("mark")).to_have_text("stops in ")
    button(book.page, "first").click()
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(json.dumps(frame) + "\n" for frame in FRAMES[4:]))
    expect(root(book.page)).to_contain_text("of 11")
    at_step(book.page, 0)
    assert book.errors == []
    assert book.foreign == []
    book.python("explorer.close()")


def test_close_frees_the_page_and_the_kernel(opened: Callable[..., Notebook], workplace: Path) -> None:
    write(workplace / "short.ndjson", FRAMES[:4])
    count = "from ipywidgets.widgets.widget import _instances; before = len(_instances)"
    cells = (f"import acpinspect; {count}", "explorer = acpinspect.explore('short.ndjson')\nexplorer")
    book = opened("closing", *cells)
    assert book.python("len(_instances) > before") == "True"
    book.python("explorer.close()")
    expect(root(book.page)).to_have_count(0)
    assert book.python("len(_instances) == before") == "True"
    assert book.errors == []
