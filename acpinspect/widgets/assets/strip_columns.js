// The columns of the strip: what the model's traits hold, and how steps are found among those that a filter keeps.
// First of the three parts that `strip.py` puts together.

const BOUNDARY = 1, INFO = 2, WARNING = 4, ERROR = 8, DISAGREEMENT = 16, ODD = 32;

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
function intsOf(view) {
  // A copy: the bytes of a message need not stand where 32-bit numbers may.
  const copy = bytesOf(view).slice();
  return new Int32Array(copy.buffer, 0, copy.byteLength >> 2);
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
