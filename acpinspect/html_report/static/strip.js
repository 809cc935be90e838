// The whole session in one strip: who speaks where, where messages begin, where something is wrong, where we are.

const LANES = ["user", "agent", "thought", "tool", "other"], LANE_HEIGHT = 12, LANE_TOP = 6, MARKS = 75;

class Strip {
  constructor(frame, explorer) {
    this.frame = frame;
    this.explorer = explorer;
    this.canvas = frame.querySelector("canvas");
    this.tip = frame.querySelector(".tip");
    this.still = document.createElement("canvas");
    this.drawn = null;
    const seek = (event) => explorer.go(this.stepAt(event.clientX));
    frame.addEventListener("pointerdown", (event) => {
      frame.setPointerCapture(event.pointerId);
      seek(event);
    });
    frame.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
      this.hover(event);
    });
    frame.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    new ResizeObserver(() => this.redraw()).observe(frame);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  redraw() {
    this.drawn = null;
    this.show(this.explorer.session, this.explorer.step);
  }

  x(step) {
    return ((step - 0.5) / Math.max(this.explorer.session.steps, 1)) * this.width;
  }

  stepAt(clientX) {
    const box = this.canvas.getBoundingClientRect(), steps = this.explorer.session.steps;
    return Math.min(steps, Math.max(1, Math.ceil(((clientX - box.left) / box.width) * steps)));
  }

  hover(event) {
    const { session } = this.explorer, step = this.stepAt(event.clientX), row = session.row(step);
    if (row === undefined) return;
    const findings = session.log.findingsAt(row).map((finding) => finding.code);
    const said = [`event ${session.log.labels[row]}`, session.log.name("update", row) || session.log.name("method", row) || session.log.name("kind", row), ...findings];
    this.tip.textContent = visible(said.filter(Boolean).join(" · "));
    this.tip.hidden = false;
    const left = event.clientX - this.frame.getBoundingClientRect().left;
    this.tip.style.left = `${Math.min(left + 10, Math.max(0, this.frame.clientWidth - this.tip.offsetWidth - 4))}px`;
  }

  show(session, step) {
    if (this.drawn !== session) {
      this.fit();
      this.drawStill(session);
      this.drawn = session;
    }
    const context = this.canvas.getContext("2d"), colours = this.colours;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.still, 0, 0);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const x = this.x(step);
    context.globalAlpha = 0.6;
    context.fillStyle = colours.bg;
    context.fillRect(Math.max(x + 1, this.x(step + 0.5)), 0, this.width, MARKS - 2);
    context.globalAlpha = 1;
    context.fillStyle = colours.step;
    context.fillRect(x - 1, 0, 2, this.height);
  }

  fit() {
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth || 600;
    this.height = this.canvas.clientHeight || 92;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    const style = getComputedStyle(document.documentElement);
    const names = [...LANES, "bg", "step", "warn", "bad", "line", "dim"];
    this.colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  // Columns, not events, are drawn: a strip has no more of them than the screen has pixels.
  drawStill(session) {
    const columns = Math.max(1, Math.round(this.width)), lanes = LANES.map(() => new Uint8Array(columns));
    const begins = new Uint8Array(columns), marks = new Map();
    const column = (step) => Math.min(columns - 1, Math.floor(this.x(step)));
    const wide = Math.max(1, Math.floor(columns / Math.max(session.steps, 1)) - 1);
    session.rows.forEach((row, position) => {
      const lane = laneOf(session, row), at = column(position + 1);
      if (lane >= 0) lanes[lane].fill(1, Math.max(0, at - (wide >> 1)), Math.min(columns, at - (wide >> 1) + wide));
      for (const finding of session.log.findingsAt(row)) if (graver(finding.severity, marks.get(at))) marks.set(at, finding.severity);
    });
    session.boundaries.forEach((step) => { begins[column(step)] = 1; });
    const context = this.still.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    lanes.forEach((lane, number) => this.drawRuns(context, lane, LANE_TOP + number * (LANE_HEIGHT + 1), this.colours[LANES[number]]));
    context.fillStyle = this.colours.dim;
    if (session.boundaries.length < columns / 4) begins.forEach((there, at) => there && context.fillRect(at - (wide >> 1) - 1, LANE_TOP, 1, 3 * (LANE_HEIGHT + 1)));
    context.fillStyle = this.colours.warn;
    for (const step of session.differences) context.fillRect(column(step) - 1, 0, 3, LANE_TOP - 2);
    for (const [at, severity] of marks) this.drawMark(context, at, severity);
  }

  drawRuns(context, lane, top, colour) {
    context.fillStyle = colour;
    for (let at = 0; at < lane.length; at += 1) {
      if (!lane[at]) continue;
      let end = at;
      while (end < lane.length && lane[end]) end += 1;
      context.fillRect(at, top, end - at, LANE_HEIGHT);
      at = end;
    }
  }

  // A cross for an error, a triangle for a warning, a dot for what is only to be known: not the colour alone tells.
  drawMark(context, at, severity) {
    context.fillStyle = context.strokeStyle = severity === "info" ? this.colours.dim : this.colours.bad;
    context.lineWidth = 2;
    context.beginPath();
    if (severity === "info") context.arc(at, MARKS + 7, 2.5, 0, 7);
    else if (severity === "error") {
      context.moveTo(at - 4, MARKS + 2);
      context.lineTo(at + 4, MARKS + 10);
      context.moveTo(at + 4, MARKS + 2);
      context.lineTo(at - 4, MARKS + 10);
      context.stroke();
    } else {
      context.moveTo(at, MARKS);
      context.lineTo(at - 5, MARKS + 11);
      context.lineTo(at + 5, MARKS + 11);
    }
    context.fill();
  }
}

const GRAVITY = ["info", "warning", "error"];
const graver = (one, other) => GRAVITY.indexOf(one) > GRAVITY.indexOf(other);

function laneOf(session, row) {
  if (session.log.name("method", row) === "session/prompt" && session.log.name("kind", row) === "request") return 0;
  const operations = session.log.operations(row);
  if (!operations.length) return -1;
  const slot = session.slots[operations[0][0]];
  if (slot.kind === "message") return LANES.indexOf(slot.role);
  return slot.kind === "tool_call" || slot.kind === "terminal" ? 3 : 4;
}
