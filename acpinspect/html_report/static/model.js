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
    this.slots = data.slots.map(([kind, role, id, name, epoch, born, died, boundary], slot) =>
      ({ slot, kind, role, id, name, epoch, born, died, boundary }));
    this.prompts = data.prompts.map(([born, text]) => ({ kind: "prompt", born, died: null, text }));
    this.operations = this.slots.map(() => []); // by slot: [step, operation]
    this.rows.forEach((row, position) => {
      for (const operation of log.operations(row)) this.operations[operation[0]].push([position + 1, operation]);
    });
    const shown = this.slots.filter((slot) => slot.kind !== "session" && slot.born !== null);
    this.items = [...shown, ...this.prompts].sort((a, b) => a.born - b.born);
    this.stepOfRow = new Map(this.rows.map((row, position) => [row, position + 1]));
    this.boundaries = shown.filter((slot) => slot.kind === "message").map((slot) => slot.born + 1);
    this.tools = shown.filter((slot) => slot.kind === "tool_call").map((slot) => slot.born + 1);
    this.turns = this.prompts.length ? this.prompts.map((prompt) => prompt.born + 1) : this.newTurns();
  }

  get steps() {
    return this.rows.length;
  }

  row(step) {
    return this.rows[step - 1];
  }

  at(step) {
    return step ? this.log.operations(this.row(step)) : [];
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
  if (action === "ignored" || action === "rejected" || action === "created") return;
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
