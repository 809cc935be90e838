// The time strip of the explorer: one canvas over the steps of a session. It knows columns of numbers only; texts
// of the log reach it as names of updates, and go into the page as text, never as markup.

const LEFT = 74, RIGHT = 10, TOP = 2, ROW = 15, BAR = 10;
const BOUNDARY = 1, INFO = 2, WARNING = 4, ERROR = 8, DISAGREEMENT = 16, ODD = 32;
const EXTRA = ["findings", "differs"];
const KEYS = [
  ["← →", "event"], ["shift ← →", "boundary"], ["n p", "finding"], ["d D", "disagreement"], ["t T", "turn"],
  ["space", "play"], ["Home End", "first, last"], ["+ − 0", "zoom"], ["Esc", "clear selection"], ["?", "this help"],
];

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
function intsOf(view) {
  // A copy: the bytes of a message need not stand where 32-bit numbers may.
  const copy = bytesOf(view).slice();
  return new Int32Array(copy.buffer, 0, copy.byteLength >> 2);
}
function make(tag, parent, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  parent.appendChild(element);
  return element;
}

/** Columns of one session, as the model's traits hold them. */
function readColumns(model) {
  const lanes = bytesOf(model.get("lanes")), marks = bytesOf(model.get("marks"));
  const names = bytesOf(model.get("names")), events = intsOf(model.get("events"));
  const count = lanes.length, filtered = model.get("filtered");
  const kept = filtered ? intsOf(model.get("kept")) : null;
  let isKept = null;
  if (kept) {
    isKept = new Uint8Array(count);
    for (const step of kept) if (step >= 1 && step <= count) isKept[step - 1] = 1;
  }
  return { lanes, marks, names, events, count, kept, isKept, words: model.get("words"), laneNames: model.get("lane_names") };
}

/** How many kept steps there are up to a step. */
function placeOf(columns, step) {
  if (!columns.kept) return step;
  let low = 0, high = columns.kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns.kept[middle] <= step) low = middle + 1; else high = middle;
  }
  return low;
}
const placeCount = (columns) => (columns.kept ? columns.kept.length : columns.count);
const stepAt = (columns, place) => (!columns.kept || place === 0 ? place : columns.kept[place - 1]);
function neighbour(columns, step, by) {
  const place = placeOf(columns, step);
  const off = by < 0 && columns.kept && place > 0 && columns.kept[place - 1] !== step ? 1 : 0;
  return stepAt(columns, Math.min(Math.max(place + by + off, 0), placeCount(columns)));
}

/** Which lanes and marks show in each pixel column of the visible range. */
function binned(columns, low, high, width) {
  const shown = new Uint16Array(width), faded = new Uint16Array(width), edges = new Uint16Array(width);
  const scale = width / (high - low), extra = columns.laneNames.length;
  const first = Math.max(0, Math.floor(low)), last = Math.min(columns.count, Math.ceil(high));
  const { lanes, marks, isKept } = columns;
  const found = new Uint8Array(width);
  for (let at = first; at < last; at++) {
    const from = Math.max(0, ((at - low) * scale) | 0), mark = marks[at];
    const to = Math.min(width - 1, Math.max(from, (((at + 1 - low) * scale) | 0) - 1));
    const bit = 1 << lanes[at], target = isKept && !isKept[at] ? faded : shown;
    for (let x = from; x <= to; x++) target[x] |= bit;
    if (mark) {
      if (mark & BOUNDARY) edges[from] |= bit;
      const middle = (from + to) >> 1;
      found[middle] |= mark & (INFO | WARNING | ERROR | ODD);
      if (mark & DISAGREEMENT) edges[middle] |= 1 << (extra + 1);
    }
  }
  return { shown, faded, edges, found };
}

function runs(columns, bit, draw) {
  for (let x = 0; x < columns.length; x++) {
    if (!(columns[x] & bit)) continue;
    const start = x;
    while (x < columns.length && columns[x] & bit) x++;
    draw(start, x - start);
  }
}

function triangle(context, x, y, size) {
  context.beginPath();
  context.moveTo(x, y); context.lineTo(x + size, y + 2 * size - 1); context.lineTo(x - size, y + 2 * size - 1);
  context.fill();
}
function diamond(context, x, y, size) {
  context.beginPath();
  context.moveTo(x, y - size); context.lineTo(x + size, y); context.lineTo(x, y + size); context.lineTo(x - size, y);
  context.fill();
}
function cross(context, x, y, size) {
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - size, y - size); context.lineTo(x + size, y + size);
  context.moveTo(x + size, y - size); context.lineTo(x - size, y + size);
  context.stroke();
}

/** Everything that doesn't change with the step. */
function paintBase(context, columns, range, width, height, colours) {
  const rows = [...columns.laneNames, ...EXTRA], inner = width - LEFT - RIGHT;
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  rows.forEach((name, row) => {
    context.fillStyle = colours.dim;
    context.fillText(name, 10, TOP + row * ROW + ROW / 2);
    context.fillStyle = colours.soft;
    context.fillRect(LEFT, TOP + row * ROW + 2, inner, BAR);
  });
  if (!columns.count || inner < 1) return;
  const { shown, faded, edges, found } = binned(columns, range.low, range.high, inner);
  columns.laneNames.forEach((name, lane) => {
    const y = TOP + lane * ROW + 2;
    context.fillStyle = colours[name] || colours.state;
    context.globalAlpha = 0.25;
    runs(faded, 1 << lane, (x, w) => context.fillRect(LEFT + x, y, w, BAR));
    context.globalAlpha = 1;
    runs(shown, 1 << lane, (x, w) => context.fillRect(LEFT + x, y, w, BAR));
    if (range.high - range.low < inner / 3) {
      context.fillStyle = colours.bg;
      runs(edges, 1 << lane, (x) => context.fillRect(LEFT + x, y, 1, BAR));
    }
  });
  const yFound = TOP + columns.laneNames.length * ROW + 2, yApart = yFound + ROW + 5;
  for (let x = 0; x < inner; x++) {
    const mark = found[x];
    if (mark & ERROR) { context.strokeStyle = colours.bad; cross(context, LEFT + x, yFound + 5, 4); }
    else if (mark & WARNING) { context.fillStyle = colours.bad; triangle(context, LEFT + x, yFound, 5); }
    else if (mark & (INFO | ODD)) { context.fillStyle = colours.dim; context.fillRect(LEFT + x - 1, yFound + 3, 3, 4); }
    if (edges[x] & (1 << (columns.laneNames.length + 1))) { context.fillStyle = colours.thought; diamond(context, LEFT + x, yApart, 4); }
  }
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  const read = (name, otherwise) => style.getPropertyValue(`--${name}`).trim() || otherwise;
  return {
    bg: read("bg", "#fff"), fg: read("fg", "#1f2328"), dim: read("dim", "#59636e"), soft: read("soft", "#f6f8fa"),
    user: read("user", "#0969da"), agent: read("agent", "#1a7f37"), thought: read("thought", "#8250df"),
    tools: read("tool", "#8a5a00"), plan: read("plan", "#0b7285"), state: read("state", "#59636e"),
    bad: read("bad", "#c31f2c"), step: read("step", "#0969da"),
  };
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

function render({ model, el }) {
  const stop = new AbortController(), { signal } = stop;
  const root = make("div", el, "acpi-strip");
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  const canvas = make("canvas", root), base = document.createElement("canvas");
  const bar = make("div", root, "acpi-range"), slider = make("input", bar);
  const tip = make("div", root, "tip"), help = make("div", root, "help");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", "time strip: events by kind; press question mark for its keys");
  canvas.setAttribute("aria-valuemin", "0");
  slider.type = "range"; slider.min = "0"; slider.step = "1";
  slider.setAttribute("aria-label", "step");
  tip.hidden = help.hidden = true;
  for (const [key, what] of KEYS) {
    const item = make("span", help);
    make("kbd", item).textContent = key;
    item.append(` ${what}`);
  }
  let columns = readColumns(model), range = { low: 0, high: Math.max(columns.count, 1) };
  let size = { width: 0, height: 124 }, stale = true, waiting = false, drag = null, hover = -1;

  const wanted = () => model.get("step");
  const inner = () => Math.max(1, size.width - LEFT - RIGHT);
  const xOf = (step) => LEFT + ((step - 0.5 - range.low) / (range.high - range.low)) * inner();
  const stepOfX = (x) => {
    const at = range.low + ((x - LEFT) / inner()) * (range.high - range.low);
    return Math.min(Math.max(Math.floor(at) + 1, columns.count ? 1 : 0), columns.count);
  };
  const go = (step) => {
    if (step === wanted()) return;
    model.set("step", step);
    model.save_changes();
  };
  const ask = (message) => model.send(message);

  function paint() {
    waiting = false;
    if (!size.width) return;
    const began = performance.now(), ratio = window.devicePixelRatio || 1;
    const colours = coloursOf(root);
    if (stale) {
      for (const each of [canvas, base]) {
        each.width = Math.round(size.width * ratio);
        each.height = Math.round(size.height * ratio);
      }
      const context = base.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintBase(context, columns, range, size.width, size.height, colours);
      stale = false;
    }
    const context = canvas.getContext("2d"), step = wanted(), rows = columns.laneNames.length + EXTRA.length;
    const bottom = TOP + rows * ROW;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(base, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const end = size.width - RIGHT;
    const edge = Math.min(Math.max(LEFT + ((step - range.low) / (range.high - range.low)) * inner(), LEFT), end);
    context.globalAlpha = 0.5;
    context.fillStyle = colours.bg;
    context.fillRect(edge, TOP, end - edge, ROW * columns.laneNames.length);
    context.globalAlpha = 0.18;
    context.fillStyle = colours.step;
    const picked = drag && drag.moved ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)] : model.get("selected");
    if (picked && picked.length === 2) {
      const from = Math.max(xOf(picked[0]), LEFT), to = Math.min(xOf(picked[1]), end);
      if (to >= from) context.fillRect(from - 1, TOP, to - from + 2, bottom - TOP);
    }
    context.globalAlpha = 1;
    const inView = step === 0 ? range.low === 0 : step - 1 >= range.low && step <= range.high + 1;
    if (inView) context.fillRect(edge - 1, 0, 2, bottom);
    if (hover > 0) { context.globalAlpha = 0.5; context.fillRect(xOf(hover), TOP, 1, bottom - TOP); context.globalAlpha = 1; }
    root.dataset.redrawMs = (performance.now() - began).toFixed(2);
  }
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(paint);
  }
  function redraw() { stale = true; soon(); }

  function describe(step) {
    if (step < 1 || step > columns.count) return "before the first event";
    const at = step - 1, mark = columns.marks[at], said = [];
    if (mark & BOUNDARY) said.push("a message begins");
    if (mark & ERROR) said.push("error found"); else if (mark & WARNING) said.push("warning found"); else if (mark & INFO) said.push("noted");
    if (mark & DISAGREEMENT) said.push("the policies differ");
    if (mark & ODD) said.push("odd");
    const what = columns.words[columns.names[at]] || "";
    return `step ${step}, event ${columns.events[at]}: ${what}${said.length ? "\n" + said.join(", ") : ""}`;
  }
  function follow() {
    const step = wanted(), span = range.high - range.low;
    if (span < columns.count && (step - 1 < range.low || step > range.high)) {
      const low = Math.min(Math.max(step - span / 2, 0), columns.count - span);
      range = { low, high: low + span };
      stale = true;
    }
    slider.value = String(placeOf(columns, step));
    slider.setAttribute("aria-valuetext", describe(step));
    canvas.setAttribute("aria-valuenow", String(step));
    canvas.setAttribute("aria-valuetext", describe(step));
    soon();
  }
  function reread() {
    const before = columns.count;
    columns = readColumns(model);
    if (columns.count !== before) range = { low: 0, high: Math.max(columns.count, 1) };
    slider.max = String(placeCount(columns));
    canvas.setAttribute("aria-valuemax", String(columns.count));
    stale = true;
    follow();
  }
  function zoom(factor, x) {
    const span = range.high - range.low, centre = x === undefined ? wanted() - 0.5 : range.low + ((x - LEFT) / inner()) * span;
    const wide = Math.min(Math.max(span * factor, Math.min(10, columns.count)), Math.max(columns.count, 1));
    const share = span ? (centre - range.low) / span : 0.5;
    const low = Math.min(Math.max(centre - share * wide, 0), Math.max(columns.count, 1) - wide);
    range = { low, high: low + wide };
    redraw();
  }

  const commands = {
    ArrowRight: (e) => (e.shiftKey ? ask({ do: "jump", kind: "boundary", forward: true }) : go(neighbour(columns, wanted(), 1))),
    ArrowLeft: (e) => (e.shiftKey ? ask({ do: "jump", kind: "boundary", forward: false }) : go(neighbour(columns, wanted(), -1))),
    Home: () => go(0),
    End: () => go(placeCount(columns) ? stepAt(columns, placeCount(columns)) : 0),
    n: () => ask({ do: "jump", kind: "finding", forward: true }),
    p: () => ask({ do: "jump", kind: "finding", forward: false }),
    d: () => ask({ do: "jump", kind: "disagreement", forward: true }),
    D: () => ask({ do: "jump", kind: "disagreement", forward: false }),
    t: () => ask({ do: "jump", kind: "turn", forward: true }),
    T: () => ask({ do: "jump", kind: "turn", forward: false }),
    " ": () => ask({ do: "play" }),
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
    0: () => { range = { low: 0, high: Math.max(columns.count, 1) }; redraw(); },
    "?": () => { help.hidden = !help.hidden; },
    Escape: () => ask({ do: "select", range: [] }),
  };
  canvas.addEventListener("keydown", (event) => {
    const command = commands[event.key];
    if (!command || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    command(event);
  }, { signal });

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    const step = stepOfX(event.offsetX);
    drag = { from: step, to: step, x: event.offsetX, moved: false };
  }, { signal });
  canvas.addEventListener("pointermove", (event) => {
    hover = event.offsetX >= LEFT ? stepOfX(event.offsetX) : -1;
    if (drag) {
      drag.to = stepOfX(event.offsetX);
      drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 4;
    }
    tip.hidden = hover < 0;
    if (hover >= 0) {
      tip.textContent = describe(hover);
      tip.style.left = `${Math.min(event.offsetX + 12, Math.max(size.width - 230, 0))}px`;
      tip.style.top = `${Math.min(event.offsetY + 14, 96)}px`;
    }
    soon();
  }, { signal });
  canvas.addEventListener("pointerleave", () => { hover = -1; tip.hidden = true; soon(); }, { signal });
  canvas.addEventListener("pointerup", (event) => {
    const done = drag;
    drag = null;
    if (!done) return;
    if (done.moved) ask({ do: "select", range: [Math.min(done.from, done.to), Math.max(done.from, done.to)] });
    else go(stepOfX(event.offsetX));
    soon();
  }, { signal });
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return; // else the page scrolls
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, event.offsetX);
  }, { signal, passive: false });
  slider.addEventListener("input", () => go(stepAt(columns, Number(slider.value))), { signal });

  // A front end may take the arrow keys of a slider for itself: so they are handled here.
  const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = moves[event.key], ends = { Home: 0, End: placeCount(columns) };
    if (by === undefined && !(event.key in ends)) return;
    event.preventDefault();
    event.stopPropagation();
    const place = by === undefined ? ends[event.key] : placeOf(columns, wanted()) + by;
    go(stepAt(columns, Math.min(Math.max(place, 0), placeCount(columns))));
  }, { signal });

  // Clicks in the panes beside the strip: buttons that lead to a step, and texts whose writer is asked for.
  document.addEventListener("click", (event) => {
    const explorer = el.closest(".acpi-explorer");
    if (!explorer || !(event.target instanceof Element) || !explorer.contains(event.target)) return;
    const lead = event.target.closest("[data-go]");
    if (lead) { ask({ do: "go", step: Number(lead.dataset.go) }); return; }
    const run = event.target.closest(".run"), item = event.target.closest("[data-slot]");
    const chosen = window.getSelection();
    if (!run || !item || (chosen && !chosen.isCollapsed)) return;
    ask({ do: "written", slot: Number(item.dataset.slot), start: Number(run.dataset.at), units: unitsAt(run, event) });
  }, { signal });

  const seen = new ResizeObserver(() => {
    const width = Math.floor(root.clientWidth);
    if (width !== size.width) { size = { width, height: 124 }; redraw(); }
  });
  seen.observe(root);
  const themes = new MutationObserver(() => setTimeout(redraw, 50));
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  model.on("change:step", follow);
  model.on("change:selected", soon);
  model.on("change:version", reread);
  reread();
  return () => {
    stop.abort();
    seen.disconnect();
    themes.disconnect();
    model.off("change:step", follow);
    model.off("change:selected", soon);
    model.off("change:version", reread);
  };
}

export default { render };
