// The time strip of the explorer: one canvas over the steps of a session. It knows columns of numbers only; texts
// of the log reach it as names of updates, and go into the page as text, never as markup.

// What the keys and the pointer do; the third word is what the explorer must offer for it.
const KEYS = [
  ["← →", "event"], ["shift ← →", "boundary"], ["n p", "finding"], ["d D", "disagreement"], ["t T", "turn"],
  ["space", "play", "play"], ["Home End", "first, last"], ["+ − 0", "zoom"], ["Esc", "clear selection", "select"],
  ["?", "this help"],
];
const POINTER = [
  ["click", "seeks"], ["drag", "selects", "select"], ["wheel", "zooms"], ["shift wheel", "moves"],
  ["click on a text", "goes to the event that wrote it", "written"],
];

function make(tag, parent, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  parent.appendChild(element);
  return element;
}

/** Where in a clicked stretch of text the pointer is, in UTF-16 units. */
function unitsAt(run, event) {
  let node = null, offset = 0;
  if (document.caretPositionFromPoint) {
    const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
    if (caret) { node = caret.offsetNode; offset = caret.offset; }
  } else if (document.caretRangeFromPoint) {
    const caret = document.caretRangeFromPoint(event.clientX, event.clientY);
    if (caret) { node = caret.startContainer; offset = caret.startOffset; }
  }
  if (!node || !run.contains(node)) return 0;
  const range = document.createRange();
  range.setStart(run, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

// --- the strip: its parts, and what they show now ---------------------------------------------------------------------

/** The elements of a strip, and what it shows. */
function build(model, el) {
  const root = make("div", el, "acpi-strip");
  root.setAttribute("data-lm-suppress-shortcuts", "true"); // else the notebook takes the keys
  const canvas = make("canvas", root), slider = make("input", make("div", root, "acpi-range"));
  const tip = make("div", root, "tip"), help = make("div", root, "help");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", "time strip: events by kind; press question mark for its keys");
  canvas.setAttribute("aria-valuemin", "0");
  slider.type = "range"; slider.min = "0"; slider.step = "1";
  slider.setAttribute("aria-label", "step");
  tip.hidden = help.hidden = true;
  for (const list of [KEYS, POINTER]) {
    const line = make("div", help);
    for (const [key, what, need] of list) {
      if (need && !model.get("offers").includes(need)) continue;
      const item = make("span", line);
      make("kbd", item).textContent = key;
      item.append(` ${what}`);
    }
  }
  const columns = readColumns(model);
  return {
    model, el, root, canvas, slider, tip, help, columns, base: document.createElement("canvas"),
    range: whole(columns), size: { width: 0, height: HEIGHT }, stale: true, waiting: false, drag: null, hover: -1,
  };
}

const whole = (columns) => ({ low: 0, high: Math.max(columns.count, 1) });
const shownStep = (strip) => strip.model.get("step");
const inner = (strip) => Math.max(1, strip.size.width - LEFT - RIGHT);
const spanOf = (strip) => strip.range.high - strip.range.low;
const edgeOf = (strip, step) => LEFT + ((step - strip.range.low) / spanOf(strip)) * inner(strip);

function stepOfX(strip, x) {
  const at = strip.range.low + ((x - LEFT) / inner(strip)) * spanOf(strip), count = strip.columns.count;
  return Math.min(Math.max(Math.floor(at) + 1, count ? 1 : 0), count);
}

function go(strip, step) {
  if (step === shownStep(strip)) return;
  strip.model.set("step", step); // keys that come faster than answers are merged into one message
  strip.model.save_changes();
}

function describe(strip, step) {
  const { columns, model } = strip;
  if (step < 1 || step > columns.count) return "before the first event";
  const at = step - 1, mark = columns.marks[at], said = [];
  if (mark & BOUNDARY) said.push("a message begins");
  if (mark & ERROR) said.push("error found");
  else if (mark & WARNING) said.push("warning found");
  else if (mark & INFO) said.push("noted");
  if (mark & DISAGREEMENT) said.push("the policies differ");
  if (mark & ODD) said.push("odd");
  if (model.get("flags").includes(step)) said.push("bookmarked");
  if (model.get("pinned") === step) said.push("pinned");
  const what = columns.words[columns.names[at]] || "";
  return `step ${step}, event ${columns.events[at]}: ${what}${said.length ? "\n" + said.join(", ") : ""}`;
}

// --- drawing ------------------------------------------------------------------------------------------------------------

function soon(strip) {
  if (strip.waiting) return;
  strip.waiting = true;
  requestAnimationFrame(() => paint(strip));
}

function redraw(strip) {
  strip.stale = true;
  soon(strip);
}

function paint(strip) {
  strip.waiting = false;
  if (!strip.size.width) return;
  const began = performance.now(), ratio = window.devicePixelRatio || 1, colours = coloursOf(strip.root);
  if (strip.stale) refreshBase(strip, ratio, colours);
  const context = strip.canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, strip.canvas.width, strip.canvas.height);
  context.drawImage(strip.base, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintMoving(strip, context, colours);
  strip.root.dataset.redrawMs = (performance.now() - began).toFixed(2);
}

function refreshBase(strip, ratio, colours) {
  for (const each of [strip.canvas, strip.base]) {
    each.width = Math.round(strip.size.width * ratio);
    each.height = Math.round(strip.size.height * ratio);
  }
  const context = strip.base.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintBase(context, strip.columns, strip.range, strip.size.width, strip.size.height, colours);
  strip.stale = false;
}

/** What changes with the step, the pointer and the selection. */
function paintMoving(strip, context, colours) {
  const step = shownStep(strip), lanes = strip.columns.laneNames.length;
  const bottom = TOP + (lanes + EXTRA.length) * ROW, end = strip.size.width - RIGHT;
  const within = (x) => Math.min(Math.max(x, LEFT), end), edge = within(edgeOf(strip, step));
  context.globalAlpha = 0.5;
  context.fillStyle = colours.bg;
  context.fillRect(edge, TOP, end - edge, ROW * lanes);
  context.fillStyle = colours.step;
  context.globalAlpha = 0.18;
  const picked = strip.drag && strip.drag.moved ? ordered(strip.drag) : strip.model.get("selected");
  if (picked && picked.length === 2) {
    const from = within(edgeOf(strip, picked[0] - 1)), to = within(edgeOf(strip, picked[1]));
    context.fillRect(from, TOP, Math.max(to - from, 1), bottom - TOP);
  }
  context.globalAlpha = 0.5;
  if (strip.hover > 0) context.fillRect(within(edgeOf(strip, strip.hover - 0.5)), TOP, 1, bottom - TOP);
  context.globalAlpha = 1;
  paintFlags(strip, context, colours, bottom);
  context.fillStyle = colours.step;
  if (step >= strip.range.low && step <= strip.range.high) context.fillRect(edge - 1, 0, 2, bottom);
}

/** Bookmarks as flags, the pinned step as a dashed line with a ring. */
function paintFlags(strip, context, colours, bottom) {
  const inSight = (step) => step >= strip.range.low && step <= strip.range.high;
  context.fillStyle = context.strokeStyle = colours.fg;
  context.lineWidth = 1;
  for (const step of strip.model.get("flags").filter(inSight)) {
    const x = Math.round(edgeOf(strip, step));
    context.fillRect(x, 0, 1, TOP);
    context.fillRect(x, 0, 6, 4);
  }
  const pinned = strip.model.get("pinned");
  if (pinned < 0 || !inSight(pinned)) return;
  const x = Math.round(edgeOf(strip, pinned)) + 0.5;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(x, TOP); context.lineTo(x, bottom);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.arc(x, 4, 3, 0, 2 * Math.PI);
  context.stroke();
}

const ordered = (drag) => [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];

/** Another step: keep it in sight, and say it. */
function follow(strip) {
  const step = shownStep(strip), span = spanOf(strip), { columns, canvas, slider } = strip;
  if (span < columns.count && (step - 1 < strip.range.low || step > strip.range.high)) {
    const low = Math.min(Math.max(step - span / 2, 0), columns.count - span);
    strip.range = { low, high: low + span };
    strip.stale = true;
  }
  slider.value = String(placeOf(columns, step));
  slider.setAttribute("aria-valuetext", describe(strip, step));
  canvas.setAttribute("aria-valuenow", String(step));
  canvas.setAttribute("aria-valuetext", describe(strip, step));
  soon(strip);
}

/** Another session, policy, filter or set of findings. */
function reread(strip) {
  const before = strip.columns.count;
  strip.columns = readColumns(strip.model);
  if (strip.columns.count !== before) strip.range = whole(strip.columns);
  strip.slider.max = String(placeCount(strip.columns));
  strip.canvas.setAttribute("aria-valuemax", String(strip.columns.count));
  strip.stale = true;
  follow(strip);
}

/** Along the steps, by a share of those that are in sight. */
function pan(strip, share) {
  const span = spanOf(strip), low = Math.min(Math.max(strip.range.low + share * span, 0), Math.max(strip.columns.count, 1) - span);
  strip.range = { low, high: low + span };
  redraw(strip);
}

function zoom(strip, factor, x) {
  const span = spanOf(strip), count = Math.max(strip.columns.count, 1);
  const centre = x === undefined ? shownStep(strip) - 0.5 : strip.range.low + ((x - LEFT) / inner(strip)) * span;
  const wide = Math.min(Math.max(span * factor, Math.min(10, count)), count);
  const low = Math.min(Math.max(centre - ((centre - strip.range.low) / span) * wide, 0), count - wide);
  strip.range = { low, high: low + wide };
  redraw(strip);
}

// --- what a person does -------------------------------------------------------------------------------------------------

function commandsOf(strip) {
  const jump = (kind, forward) => strip.model.send({ do: "jump", kind, forward });
  const move = (by) => go(strip, neighbour(strip.columns, shownStep(strip), by));
  return {
    ArrowRight: (event) => (event.shiftKey ? jump("boundary", true) : move(1)),
    ArrowLeft: (event) => (event.shiftKey ? jump("boundary", false) : move(-1)),
    Home: () => go(strip, 0),
    End: () => go(strip, stepAt(strip.columns, placeCount(strip.columns))),
    n: () => jump("finding", true), p: () => jump("finding", false),
    d: () => jump("disagreement", true), D: () => jump("disagreement", false),
    t: () => jump("turn", true), T: () => jump("turn", false),
    " ": () => strip.model.send({ do: "play" }),
    "+": () => zoom(strip, 0.5), "=": () => zoom(strip, 0.5), "-": () => zoom(strip, 2),
    0: () => { strip.range = whole(strip.columns); redraw(strip); },
    "?": () => { strip.help.hidden = !strip.help.hidden; },
    Escape: () => strip.model.send({ do: "select", range: [] }),
  };
}

/** A key that is ours goes no further: a front end would take it for a command of its own. */
function ours(event) {
  event.preventDefault();
  event.stopPropagation();
}
const isChord = (event) => event.ctrlKey || event.metaKey || event.altKey;

function listenToKeys(strip, signal) {
  const commands = commandsOf(strip);
  strip.canvas.addEventListener("keydown", (event) => {
    if (!Object.hasOwn(commands, event.key) || isChord(event)) return;
    ours(event);
    commands[event.key](event);
  }, { signal });
}

function listenToPointer(strip, signal) {
  const { canvas } = strip;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    const step = stepOfX(strip, event.offsetX);
    strip.drag = { from: step, to: step, x: event.offsetX, moved: false };
  }, { signal });
  canvas.addEventListener("pointermove", (event) => hoverAt(strip, event), { signal });
  canvas.addEventListener("pointerleave", () => {
    strip.hover = -1;
    strip.tip.hidden = true;
    soon(strip);
  }, { signal });
  canvas.addEventListener("pointerup", (event) => {
    const { drag } = strip;
    strip.drag = null;
    if (!drag) return;
    if (drag.moved) strip.model.send({ do: "select", range: ordered(drag) });
    else go(strip, stepOfX(strip, event.offsetX));
    soon(strip);
  }, { signal });
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return; // else the page scrolls
    event.preventDefault();
    const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) >= Math.abs(event.shiftKey ? 0 : event.deltaY)) pan(strip, Math.sign(sideways) * 0.1);
    else zoom(strip, event.deltaY > 0 ? 1.3 : 1 / 1.3, event.offsetX);
  }, { signal, passive: false });
}

function hoverAt(strip, event) {
  const { tip, drag } = strip;
  strip.hover = event.offsetX >= LEFT ? stepOfX(strip, event.offsetX) : -1;
  if (drag) {
    drag.to = stepOfX(strip, event.offsetX);
    if (!strip.model.get("offers").includes("select")) go(strip, drag.to); // then it leads along
    else drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 4;
  }
  tip.hidden = strip.hover < 0;
  if (strip.hover >= 0) {
    tip.textContent = describe(strip, strip.hover);
    tip.style.left = `${Math.min(event.offsetX + 12, Math.max(strip.size.width - 330, 0))}px`;
    tip.style.top = `${Math.min(event.offsetY + 14, 96)}px`;
  }
  soon(strip);
}

/** A front end may take the arrow keys of a slider for itself: so they are handled here. */
function listenToSlider(strip, signal) {
  const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
  strip.slider.addEventListener("input", () => go(strip, stepAt(strip.columns, Number(strip.slider.value))), { signal });
  strip.slider.addEventListener("keydown", (event) => {
    if (!Object.hasOwn(moves, event.key) || isChord(event)) return;
    ours(event);
    const place = placeOf(strip.columns, shownStep(strip)) + moves[event.key];
    go(strip, stepAt(strip.columns, Math.min(Math.max(place, 0), placeCount(strip.columns))));
  }, { signal });
}

const PANES = { "acpi-conversation": "conversation", "acpi-detail": "event", "acpi-table": "clients" };

/** What a screen reader calls the panes; ipywidgets knows no name but the tooltip, which would cover them. */
function namePanes(explorer) {
  for (const [kind, name] of Object.entries(PANES)) {
    explorer.querySelectorAll(`.${kind}`).forEach((pane, number, all) => {
      pane.setAttribute("role", "region");
      pane.setAttribute("aria-label", all.length > 1 ? `${name}, ${["left", "right"][number]}` : name);
    });
  }
}

/** What this event wrote is in sight, whatever stands after it. */
function reveal(explorer) {
  for (const pane of explorer.querySelectorAll(".acpi-conversation")) {
    const written = pane.querySelector(".focus mark") || pane.querySelector(".focus");
    if (!written) continue;
    const own = written.getBoundingClientRect(), seen = pane.getBoundingClientRect(), head = 26;
    if (own.bottom > seen.bottom) pane.scrollTop += own.bottom - seen.bottom + 8;
    else if (own.top < seen.top + head) pane.scrollTop -= seen.top + head - own.top;
  }
}

/** Once the panes stand beside the strip: names for them, and an eye on what they show. */
function watchPanes(strip) {
  const explorer = strip.el.closest(".acpi-explorer");
  if (strip.panes || !explorer) return;
  namePanes(explorer);
  strip.panes = new MutationObserver(() => reveal(explorer));
  for (const pane of explorer.querySelectorAll(".acpi-conversation")) {
    strip.panes.observe(pane, { childList: true, subtree: true });
  }
}

/** Clicks in the panes beside the strip: buttons that lead to a step, and texts whose writer is asked for. */
function listenToPanes(strip, signal) {
  document.addEventListener("click", (event) => {
    const explorer = strip.el.closest(".acpi-explorer"), { target } = event;
    if (!explorer || !(target instanceof Element) || !explorer.contains(target)) return;
    const picked = target.closest("[data-pick]"), lead = target.closest("[data-go]");
    if (picked) strip.model.send({ do: "pick", policy: picked.dataset.pick });
    if (lead) leave(strip, { do: "go", step: Number(lead.dataset.go) });
    if (picked || lead || !strip.model.get("offers").includes("written")) return;
    const run = target.closest(".run"), item = target.closest("[data-slot]"), chosen = window.getSelection();
    if (!run || !item || (chosen && !chosen.isCollapsed)) return;
    const [slot, start] = [Number(item.dataset.slot), Number(run.dataset.at)];
    leave(strip, { do: "written", slot, start, units: unitsAt(run, event) });
  }, { signal });
}

/** What was clicked is gone when the answer comes: the keys go on in the strip. */
function leave(strip, asked) {
  strip.model.send(asked);
  strip.canvas.focus({ preventScroll: true });
}

/** Size and theme can change at any time; gives what ends the watch. */
function watchSurroundings(strip) {
  const sizes = new ResizeObserver(() => {
    watchPanes(strip);
    const width = Math.floor(strip.root.clientWidth);
    if (width === strip.size.width) return;
    strip.size.width = width;
    redraw(strip);
  });
  sizes.observe(strip.root);
  const themes = new MutationObserver(() => setTimeout(() => redraw(strip), 50));
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  return () => {
    sizes.disconnect();
    strip.panes?.disconnect();
    themes.disconnect();
  };
}

function render({ model, el }) {
  const strip = build(model, el), stop = new AbortController();
  for (const listen of [listenToKeys, listenToPointer, listenToSlider, listenToPanes]) listen(strip, stop.signal);
  const unwatch = watchSurroundings(strip);
  const heard = { "change:step": () => follow(strip), "change:version": () => reread(strip) };
  for (const name of ["selected", "flags", "pinned"]) heard[`change:${name}`] = () => soon(strip);
  for (const [name, act] of Object.entries(heard)) model.on(name, act);
  reread(strip);
  return () => {
    stop.abort();
    unwatch();
    for (const [name, act] of Object.entries(heard)) model.off(name, act);
  };
}

export default { render };
