// How the strip is drawn where it doesn't change with the step: pixel column by pixel column, so that the number of
// steps hardly matters.

const LEFT = 74, RIGHT = 10, TOP = 9, ROW = 15, BAR = 10, HEIGHT = 131;
const EXTRA = ["findings", "differs"];

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
  const ofMessages = (1 << columns.laneNames.length) - 1;
  let begun = 0;
  for (const edge of edges) if (edge & ofMessages) begun++;
  columns.laneNames.forEach((name, lane) => {
    const y = TOP + lane * ROW + 2;
    context.fillStyle = colours[name] || colours.state;
    context.globalAlpha = 0.25;
    runs(faded, 1 << lane, (x, w) => context.fillRect(LEFT + x, y, w, BAR));
    context.globalAlpha = 1;
    runs(shown, 1 << lane, (x, w) => context.fillRect(LEFT + x, y, w, BAR));
    if (begun < inner / 4) { // else there would be nothing but edges
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
