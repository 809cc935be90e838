// The same session read by another policy: its messages are made anew of the same pieces of text.

function expandRuns(runs) {
  const labels = [];
  for (let i = 0; i < runs.length; i += 2) for (let n = 0; n < runs[i + 1]; n += 1) labels.push(runs[i]);
  return labels;
}

// A content that changed nothing in its own message, as an empty one at its beginning, clears another one.
function moveTo(slot, [, action, field, value]) {
  return action === "kept" && field === "content" ? [slot, "cleared", field, []] : [slot, action, field, value];
}

class Regrouping {
  constructor(session, labels) {
    this.session = session;
    this.labels = labels;
    this.slots = session.ownSlots.map((slot) => (slot.kind === "message" ? { ...slot, born: null } : slot));
    this.steps = []; // by position: its operations
    this.prompts = [];
    this.differences = []; // steps at which this policy and the first one part
    this.known = new Map();
    this.begun = new Set(session.ownSlots.filter((slot) => slot.kind === "message").map((slot) => slot.born));
    this.asked = new Map(session.ownPrompts.map((prompt) => [prompt.born, prompt]));
    session.rows.forEach((row, position) => this.take(row, position));
  }

  take(row, position) {
    const own = [], others = [], prompt = this.asked.get(position), label = this.labels[row];
    for (const operation of this.session.log.operations(row)) (this.session.ownSlots[operation[0]].kind === "message" ? own : others).push(operation);
    const pieces = own.length ? own : prompt ? [[-1, "appended", "content", [prompt.text]]] : [];
    const isShown = label >= 0 && pieces.length > 0;
    this.steps.push(isShown ? [...others, ...this.place(label, pieces, own, position)] : others);
    if (prompt && !isShown && this.session.showsPrompts) this.prompts.push(prompt);
    if (!isShown && own.length) this.differences.push(position + 1);
  }

  place(label, pieces, own, position) {
    const isNew = !this.known.has(label), begins = this.begun.has(position);
    if (isNew) this.known.set(label, this.begin(label, own, position, begins));
    const slot = this.known.get(label);
    if (!isNew && begins) slot.seams.add(position + 1);
    // A prompt is shown by every client: it makes a difference only where it joins a message.
    if (own.length ? isNew !== begins : !isNew) this.differences.push(position + 1);
    const moved = pieces.filter(([, action]) => action !== "created").map((operation) => moveTo(slot.slot, operation));
    return isNew ? [[slot.slot, "created"], ...moved] : moved;
  }

  begin(label, own, position, begins) {
    const first = own.length ? this.session.ownSlots[own[0][0]] : { role: "user", id: null, epoch: 0, boundary: null };
    const name = `${first.role} message ${first.id === null ? `number ${label}` : first.id}`;
    const slot = { slot: this.slots.length, kind: "message", role: first.role, id: first.id, name, epoch: first.epoch,
      born: position, died: null, boundary: begins ? first.boundary : null, seams: new Set(), isSplit: !begins && own.length > 0 };
    this.slots.push(slot);
    return slot;
  }
}
