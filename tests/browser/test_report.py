"""The report, opened from disk by a browser without network: stepped through by hand, with hostile text in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import acpinspect
from benchmarks.generate import generate
from tests.browser.contrast import POOR_CONTRAST
from tests.html_report.pages import HOSTILE, chunk, hostile_log, update

if TYPE_CHECKING:
    import pandas as pd
    from playwright.sync_api import Browser, Page

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
SHOWN = "[data-part=conversation]"


@dataclass
class Visit:
    """A page, and all that it did which it should not do."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, part: str) -> str:
        return self.page.locator(f"[data-part={part}]").inner_text()

    @property
    def event(self) -> int:
        return int(self.page.locator("[data-part=number]").input_value())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


Open = Callable[..., Visit]


@pytest.fixture
def visit(offline_browser: Browser) -> Iterator[Open]:
    """Opens a report; afterwards no page may have had an error or asked for anything but itself."""
    visits: list[Visit] = []

    def open_report(path: Path, at: str = "", **options: object) -> Visit:
        context = offline_browser.new_context(offline=True, viewport={"width": 1280, "height": 800}, **options)  # type: ignore[arg-type]
        made = Visit(context.new_page())
        visits.append(made)
        made.page.on("pageerror", lambda error: made.errors.append(str(error)))
        made.page.on("console", lambda said: made.errors.append(said.text) if said.type == "error" else None)
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.goto(path.as_uri() + at)
        made.page.wait_for_selector("html[data-ready=yes]")
        made.page.evaluate("document.getElementById('explorer').scrollIntoView()")
        return made

    yield open_report
    for made in visits:
        assert made.errors == []
        assert len(made.requests) == 1
        made.page.context.close()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Reports of sample logs, each written once."""
    folder = tmp_path_factory.mktemp("reports")

    def of(name: str) -> Path:
        path = folder / f"{name}.html"
        return path if path.exists() else acpinspect.report(SAMPLES / name, path)

    return of


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return acpinspect.report(hostile_log(), tmp_path_factory.mktemp("hostile") / "hostile.html", title=HOSTILE[2])


def test_it_opens_at_the_first_finding(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    assert page.event == 7
    assert "restated-message" in page.text("findings")
    assert "The fog horn is on since 04:10.The fog horn is on since 04:10." in page.text("conversation")


def test_without_a_finding_it_opens_at_the_end(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v2_turn.ndjson"))
    assert "step 30 of 30" in page.text("of")
    assert "All three tests pass, and the floor is clean." in page.text("conversation")


def test_an_event_in_the_address_is_where_it_opens(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"), "#e5")
    assert page.event == 5
    assert "The fog horn is" in page.text("conversation")
    assert "on since 04:10" not in page.text("conversation")


def test_keys_step(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    events = []
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft", "End", "Home", "n", "n", "p", "Shift+ArrowRight", "t"):
        page.press(key)
        events.append(page.event)
    assert events == [8, 7, 6, 14, 3, 7, 13, 7, 10, 10]


def test_buttons_step(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    events = []
    names = (
        "Next event",
        "Previous event",
        "Last event",
        "First event",
        "Next finding",
        "Next boundary",
        "Next turn",
    )
    for name in names:
        page.click(name)
        events.append(page.event)
    assert events == [8, 7, 14, 3, 7, 10, 10]


def test_where_there_is_nothing_to_go_to_it_says_so(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.click("Next tool call")
    assert (page.event, page.text("said")) == (7, "There is none after this.")


def test_a_click_on_a_piece_of_text_goes_to_the_event_that_wrote_it(
    visit: Open, reports: Callable[[str], Path]
) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.page.get_by_text("The fog horn is", exact=True).click()
    assert page.event == 5


def test_a_link_of_a_finding_goes_to_its_event(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.page.locator("#findings").get_by_role("link", name="13").click()
    expect(page.page.locator("[data-part=number]")).to_have_value("13")
    assert "The radio listens on channel 16." in page.text("changes")


def test_what_an_event_changed_says_what_was_there_before(visit: Open, reports: Callable[[str], Path]) -> None:
    said = visit(reports("v2_turn.ndjson")).text("changes").splitlines()
    assert said == ["session run", '~ patched {"state":"running"} → {"state":"idle","stop_reason":"end_turn"}']


def test_the_event_is_a_tree_or_its_text(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    assert '"sessionUpdate": "agent_message_chunk"' in page.text("event")
    page.click("raw")
    raw = acpinspect.load(SAMPLES / "v1_doubled_text.ndjson")["raw"][7]
    assert raw in page.text("event")


def test_a_text_can_be_found_in_the_events(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.page.get_by_role("searchbox").fill("CHANNEL 16")
    page.press("Enter")
    assert page.event == 13


def test_keys_in_a_field_are_text(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.page.get_by_role("searchbox").focus()
    page.press("n", "p", "Home", "End", " ")
    assert page.event == 7


def test_another_session_can_be_chosen(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_two_sessions.ndjson"))
    names = page.page.locator("[data-part=session]").locator("option").all_inner_texts()
    events = acpinspect.load(SAMPLES / "v1_two_sessions.ndjson")
    assert [name.split()[0] for name in names[:2]] == events["session_id"].dropna().unique().tolist()
    page.page.locator("[data-part=session]").select_option("1")
    assert page.text("of").startswith("step 1 of ")
    assert events["session_id"][page.event] == names[1].split()[0]


def test_play_goes_to_the_end_and_stops(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"), "#e12")
    page.press(" ")
    expect(page.page.locator("[data-action=play]")).to_have_text("Pause")
    expect(page.page.locator("[data-action=play]")).to_have_text("Play")
    assert page.event == 14


def test_play_can_be_stopped(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    page.press("Home", " ", " ")
    assert page.page.locator("[data-action=play]").get_attribute("aria-pressed") == "false"


def test_a_click_in_the_strip_goes_there(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    box = page.page.get_by_role("slider", name="Step").bounding_box()
    assert box
    page.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 20)
    assert page.event == 14


@pytest.mark.parametrize(
    "name", ["v2_whole_messages.ndjson", "v1_replay.ndjson", "v1_mixed_ids.ndjson", "zed_copy.json"]
)
def test_every_state_is_that_of_the_timeline(visit: Open, reports: Callable[[str], Path], name: str) -> None:
    timeline = acpinspect.timeline(acpinspect.load(SAMPLES / name))
    page = visit(reports(name))
    texts = page.page.evaluate(
        """() => {
          const { session } = window.acpinspectReport, states = [];
          const text = (item, step) => session.fold(item.slot, step).pieces.map((piece) => piece.item).join("");
          for (let step = 0; step <= session.steps; step += 1) {
            const there = session.items.filter((item) => item.kind === "message" && session.isThere(item, step));
            states.push(there.map((item) => text(item, step)));
          }
          return states;
        }"""
    )
    assert texts == [[message.text for message in state.messages.values()] for state in timeline]


MESSAGES = """(policies) => policies.map((policy) => {
  const explorer = window.acpinspectReport;
  explorer.read(policy);
  const { session } = explorer, pieces = (item) => session.fold(item.slot, session.steps).pieces;
  const messages = session.items.filter((item) => item.kind === "message");
  return messages.map((item) => pieces(item).map((piece) => piece.item).join(""));
})"""


def assert_every_policy_shows_its_messages(page: Visit, events: pd.DataFrame) -> None:
    policies = acpinspect.policies().index.tolist()
    shown = page.page.evaluate(MESSAGES, policies)
    wanted = [acpinspect.messages(events, policy)["text"].tolist() for policy in policies]
    assert dict(zip(policies, shown, strict=True)) == dict(zip(policies, wanted, strict=True))


@pytest.mark.parametrize(
    "name", ["v1_with_ids.ndjson", "v2_whole_messages.ndjson", "v1_replay.ndjson", "zed_copy.json"]
)
def test_every_policy_shows_its_own_messages(visit: Open, reports: Callable[[str], Path], name: str) -> None:
    assert_every_policy_shows_its_messages(visit(reports(name)), acpinspect.load(SAMPLES / name))


def test_an_empty_content_clears_what_another_policy_joins(visit: Open, tmp_path: Path) -> None:
    log = [chunk("A"), update("agent_message", messageId="m2", content=[]), chunk("B", "m2")]
    events = acpinspect.from_records(log, protocol="v2")
    page = visit(acpinspect.report(events, tmp_path / "report.html"))
    assert_every_policy_shows_its_messages(page, events)


def test_where_another_policy_parts_from_the_first_is_shown(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_with_ids.ndjson"))
    assert not page.page.get_by_role("button", name="Next difference").is_visible()
    page.page.locator("[data-part=policy]").select_option("toad")
    page.page.locator("#explorer").focus()
    page.press("Home", "d")
    assert page.event == 21
    text = "The schedule goes dark at 23:59, so the last minute of the night is missing."
    assert f"{text}\nanother message begins here\nShall I change it to" in page.text("conversation")
    page.page.locator("[data-part=policy]").select_option("spec")
    assert "another message begins here" not in page.text("conversation")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hostile_text_is_shown_and_not_run(visit: Open, hostile: Path, scheme: str) -> None:
    page = visit(hostile, color_scheme=scheme)
    page.press("Home")
    seen = ""
    for _ in range(page.page.evaluate("window.acpinspectReport.session.steps")):
        seen += page.text("conversation") + page.text("event") + page.text("changes")
        page.press("ArrowRight")
    page.click("raw")
    assert all(text[:60] in seen for text in HOSTILE[:5])
    assert "⟦U+202E⟧" in seen
    assert "␀" in seen
    assert page.page.evaluate("window.canary") is None
    assert (
        page.page.evaluate("document.querySelectorAll('#explorer script, #explorer img, #explorer svg').length")
        == 0
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(visit: Open, reports: Callable[[str], Path], scheme: str) -> None:
    page = visit(reports("v1_doubled_text.ndjson"), color_scheme=scheme)
    page.press("?")
    for event in ("#e7", "#e3", "#e14"):
        page.page.evaluate("(event) => { location.hash = event; }", event)
        assert page.page.evaluate(POOR_CONTRAST, "body *") == []


def test_every_control_has_a_name(visit: Open, reports: Callable[[str], Path]) -> None:
    snapshot = visit(reports("v1_doubled_text.ndjson")).page.locator("body").aria_snapshot()
    controls = re.findall(r"- (button|combobox|textbox|searchbox|spinbutton|slider|region|link)\b(.*)", snapshot)
    assert len(controls) > 25
    assert [control for control in controls if not control[1].strip().startswith('"')] == []


def test_a_long_name_of_a_session_is_shortened_in_the_middle(visit: Open, tmp_path: Path) -> None:
    events = acpinspect.from_records([(f"{'a' * 30}-{number}", {}) for number in (1, 2)])
    page = visit(acpinspect.report(events, tmp_path / "report.html"))
    names = page.page.locator("[data-part=session] option").all_inner_texts()
    assert names == [f"aaaaaaaaa…aaaa-{number} (v1, 1 event)" for number in (1, 2)]


def test_numbers_are_shown_as_they_were_written(visit: Open, hostile: Path) -> None:
    page = visit(hostile)
    page.page.get_by_role("searchbox").fill("12345678901234567890")
    page.press("Home", "Enter")
    page.page.locator("[data-part=session]").select_option("1")
    assert "12345678901234567890" in page.text("event")


def test_no_fetch_is_possible_from_the_page(offline_browser: Browser, reports: Callable[[str], Path]) -> None:
    page = offline_browser.new_context().new_page()
    page.goto(reports("v1_doubled_text.ndjson").as_uri())
    tries = """async () => {
      const failed = [];
      await fetch("data:text/plain,x").catch(() => failed.push("fetch"));
      try { document.body.innerHTML = "<b>x</b>" } catch { failed.push("markup") }
      return failed;
    }"""
    assert page.evaluate(tries) == ["fetch", "markup"]
    page.context.close()


def test_a_browser_that_can_not_inflate_uses_the_scripts_own(offline_browser: Browser, tmp_path: Path) -> None:
    texts = [f"piece {i} " + "tide " * (i % 7) for i in range(1_500)]
    path = acpinspect.report(acpinspect.from_records([chunk(text) for text in texts]), tmp_path / "report.html")
    assert 'data-form="deflate-raw"' in path.read_text(encoding="utf-8")
    page = offline_browser.new_context(offline=True).new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    shown = page.evaluate("window.acpinspectReport.session.fold(0, 1500).pieces.map((piece) => piece.item)")
    assert shown == texts
    page.context.close()


def test_ten_thousand_events_can_be_stepped_through(visit: Open, tmp_path: Path) -> None:
    log = generate(10_000, path=tmp_path / "large.ndjson")
    page = visit(acpinspect.report(log, tmp_path / "report.html"))
    page.press("End", "ArrowLeft", "Home", "ArrowRight", "Shift+ArrowRight")
    assert page.text("of").startswith("step ")


@pytest.mark.parametrize("size", [(1280, 800), (900, 700), (420, 800)])
def test_nothing_is_wider_than_the_window(offline_browser: Browser, hostile: Path, size: tuple[int, int]) -> None:
    page = offline_browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(hostile.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.context.close()


def test_every_control_has_a_name_and_is_reached_by_tab(visit: Open, reports: Callable[[str], Path]) -> None:
    page = visit(reports("v1_doubled_text.ndjson"))
    unnamed = """() => {
      const controls = [...document.querySelectorAll("button, input, select, [role=slider], [role=region]")];
      const isNamed = (one) => one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label");
      return controls.filter((one) => !isNamed(one)).length;
    }"""
    assert page.page.evaluate(unnamed) == 0
    page.page.locator("#explorer").focus()
    page.press("Tab")
    assert page.page.evaluate("document.activeElement.dataset.action") == "first"


CONTRASTS = """() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const linear = (part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parts(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return parts(getComputedStyle(document.body).backgroundColor);
  };
  const low = [];
  for (const element of document.querySelectorAll("body *:not(script):not(style):not(canvas)")) {
    const said = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!said || !element.checkVisibility()) continue;
    const colours = [parts(getComputedStyle(element).color), ground(element)];
    const [light, dark] = colours.map(luminance).sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) low.push([element.className, element.textContent.slice(0, 20), contrast]);
  }
  return low;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["v1_doubled_text.ndjson", "v2_turn.ndjson", "broken.log"])
def test_all_text_can_be_read_in_both_themes(
    visit: Open, reports: Callable[[str], Path], scheme: str, name: str
) -> None:
    page = visit(reports(name), color_scheme=scheme)
    page.press("?")
    assert page.page.evaluate(CONTRASTS) == []
