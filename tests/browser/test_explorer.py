"""The explorer in JupyterLab, driven as a person would drive it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Notebook
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
    import json

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
    page.keyboard.press("?")
    expect(root(page).locator(".acpi-strip .help")).to_be_visible()
    page.keyboard.press("?")
    assert page.locator(".jp-Cell").count() == 2


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
    field = root(page).get_by_role("textbox", name="filter")
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
    root(page).get_by_label("export").select_option("this step")
    with page.expect_download() as saved:
        root(page).locator("a.save").click()
    assert saved.value.suggested_filename == "s1-step-3.json"


def test_every_control_has_a_name(book: Notebook) -> None:
    snapshot = root(book.page).aria_snapshot()
    controls = re.findall(r"- (button|combobox|textbox|spinbutton|slider)\b(.*)", snapshot)
    assert len(controls) > 30
    assert [control for control in controls if not control[1].strip().startswith('"')] == []


CONTRAST = """() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const linear = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map(linear);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll('.acpi-explorer *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.tagName === 'STYLE' || element.tagName === 'OPTION' || !element.offsetParent) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${element.className || element.tagName}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_stands_out_from_its_ground(book: Notebook, theme: str) -> None:
    page = book.page
    command = "async (theme) => { await window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }"
    page.evaluate(command, theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    book.python("setattr(explorer, 'step', 10)")
    at_step(page, 10)
    assert page.evaluate(CONTRAST) == []


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
    root(page).get_by_label("right").select_option("ids")
    expect(root(page).locator(".acpi-position")).to_contain_text("0 differences")
    button(page, "All clients").click()
    expect(root(page).locator("table.clients tr")).not_to_have_count(0)
    controls = re.findall(r"- (button|combobox|spinbutton|slider)\b(.*)", root(page).aria_snapshot())
    assert [control for control in controls if not control[1].strip().startswith('"')] == []
    assert book.errors == []
    assert book.foreign == []


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
