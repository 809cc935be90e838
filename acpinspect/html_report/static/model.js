// The log as the page knows it. A state is not stored: what an entity shows at a step is the fold of its own operations.

const CONTENT = new Set(["content", "summary", "written"]);

class Session {
  constructor(data, log, number) {
    this.name = data.name;
    this.protocol = data.protocol;
    this.number = number;
    this.log = log;
    this.rows = data.rows;
    this.refused = data.refused;
    this.ownSlots = data.slots.map(([kind, role, id, name, epoch, born, died, boundary], slot) =>
      ({ slot, kind, role, id, name, epoch, born, died, boundary, seams: new Set(), isSplit: false }));
    this.ownPrompts = data.prompts.map(([born, text]) => ({ kind: "prompt", born, died: null, text }));
    this.stepOfRow = new Map(this.rows.map((row, position) => [row, position + 1]));
    this.reading = null;
    this.read(log.readings[0]);
  }

  // Read the session by a policy; the first reading is that of the report's own.
  read(reading) {
    if (reading === this.reading) return;
    this.reading = reading;
    const other = reading === this.log.readings[0] ? null : new Regrouping(this, reading.labels);
    this.regrouped = other && other.steps;
    this.differences = other ? other.differences : [];
    this.slots = other ? other.slots : this.ownSlots;
    this.prompts = other ? other.prompts : this.ownPrompts.filter(() => this.showsPrompts);
    this.operations = this.slots.map(() => []); // by slot: [step, operation]
    for (let step = 1; step <= this.steps; step += 1) for (const operation of this.at(step)) this.operations[operation[0]].push([step, operation]);
    const shown = this.slots.filter((slot) => slot.kind !== "session" && slot.born !== null);
    this.items = [...shown, ...this.prompts].sort((a, b) => a.born - b.born);
    this.boundaries = shown.filter((slot) => slot.kind === "message").map((slot) => slot.born + 1);
    this.tools = shown.filter((slot) => slot.kind === "tool_call").map((slot) => slot.born + 1);
    this.turns = this.ownPrompts.length ? this.ownPrompts.map((prompt) => prompt.born + 1) : this.newTurns();
  }

  // A v1 client shows the prompt where it sent it; in v2 the agent says it again, as a message.
  get showsPrompts() {
    return this.protocol === "v1";
  }

  get steps() {
    return this.rows.length;
  }

  row(step) {
    return this.rows[step - 1];
  }

  at(step) {
    if (!step) return [];
    return this.regrouped ? this.regrouped[step - 1] : this.log.operations(this.row(step));
  }

  newTurns() {
    let last = null;
    return this.rows.flatMap((row, position) => {
      const turn = this.log.turn[row], begins = turn !== null && turn !== last;
      if (begins) last = turn;
      return begins ? [position + 1] : [];
    });
  }

  // How many items a step has seen, those included that are gone again.
  seen(step) {
    let low = 0, high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.items[middle].born < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isThere(item, step) {
    return item.born < step && (item.died === null || item.died >= step);
  }

  // How many operations of a slot a step has seen.
  count(slot, step) {
    const all = this.operations[slot];
    let low = 0, high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle][0] <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // An entity at a step: its fields, and the pieces of its content with the steps that wrote them.
  fold(slot, step) {
    const state = { fields: {}, pieces: [], writers: 0, replacedAt: 0, last: 0 };
    for (const [at, operation] of this.operations[slot]) {
      if (at > step) break;
      state.writers += state.last === at ? 0 : 1;
      state.last = at;
      applyOperation(state, at, operation);
    }
    return state;
  }

  // The value of a session's field at a step.
  value(name, step) {
    const slot = this.slots.find((each) => each.kind === "session" && each.id === name);
    return slot ? this.fold(slot.slot, step).fields.value : undefined;
  }
}

function applyOperation(state, at, [, action, field, value]) {
  if (action === "ignored" || action === "rejected" || action === "created" || action === "kept") return;
  if (action === "removed") {
    state.fields = {};
    state.pieces = [];
  } else if (CONTENT.has(field)) {
    if (action !== "appended") {
      if (state.pieces.length) state.replacedAt = at;
      state.pieces = [];
    }
    for (const item of value || []) state.pieces.push({ step: at, item });
  } else if (action === "appended") {
    state.fields[field || "value"] = [...(state.fields[field || "value"] || []), ...value];
  } else {
    state.fields[field || "value"] = value === undefined ? null : value;
  }
}

class Log {
  constructor(data) {
    Object.assign(this, { labels: data.labels, line: data.line, turn: data.turn, elapsed: data.elapsed });
    this.columns = data;
    this.body = data.body;
    this.cut = new Set(data.cut);
    this.replay = new Set(data.replay);
    this.codes = data.findings.codes;
    this.findings = data.findings.rows.map(([row, severity, code, message, related]) =>
      ({ row, severity, code: this.codes[code][0], remedy: this.codes[code][1], message, related }));
    this.findingsOfRow = new Map();
    for (const finding of this.findings) {
      if (!this.findingsOfRow.has(finding.row)) this.findingsOfRow.set(finding.row, []);
      this.findingsOfRow.get(finding.row).push(finding);
    }
    this.readings = data.readings.map(({ names, runs }) => ({ names, labels: expandRuns(runs) }));
    this.rowOfLabel = new Map(this.labels.map((label, row) => [label, row]));
    this.sessions = data.sessions.map((session, number) => new Session(session, this, number));
    this.sessionOfRow = new Map();
    for (const session of this.sessions) for (const row of session.rows) this.sessionOfRow.set(row, session);
  }

  raw(row) {
    return this.body[2 * row];
  }

  operations(row) {
    return this.body[2 * row + 1] || [];
  }

  name(column, row) {
    const { names, codes } = this.columns[column];
    return codes[row] < 0 ? null : names[codes[row]];
  }

  findingsAt(row) {
    return this.findingsOfRow.get(row) || [];
  }
}
