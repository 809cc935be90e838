// The explorer: one session, one step, and all the ways to another.

const KEYS = {
  ArrowRight: "next", ArrowLeft: "previous", "Shift+ArrowRight": "nextBoundary", "Shift+ArrowLeft": "previousBoundary",
  n: "nextFinding", p: "previousFinding", d: "nextDifference", "Shift+D": "previousDifference", t: "nextTurn", "Shift+T": "previousTurn", Home: "first", End: "last", " ": "play", "?": "help",
};

class Explorer {
  constructor(root, log) {
    this.root = root;
    this.log = log;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.session = log.sessions[0];
    this.reading = log.readings[0];
    this.policy = this.reading.names[0];
    this.step = 0;
    this.view = "tree";
    this.timer = null;
    this.conversation = new Conversation(this.part("conversation"), this);
    this.strip = new Strip(this.part("strip"), this);
    this.actions = this.makeActions();
    this.listen();
    this.start();
  }

  makeActions() {
    const near = (kind, way) => () => this.jump(this.session[kind], way);
    return {
      first: () => this.go(1), previous: () => this.go(this.step - 1), next: () => this.go(this.step + 1), last: () => this.go(this.session.steps),
      play: () => this.play(), help: () => { this.part("help").hidden = !this.part("help").hidden; },
      nextBoundary: near("boundaries", 1), previousBoundary: near("boundaries", -1), nextTurn: near("turns", 1), previousTurn: near("turns", -1),
      nextTool: near("tools", 1), nextDifference: near("differences", 1), previousDifference: near("differences", -1), nextFinding: () => this.finding(1), previousFinding: () => this.finding(-1),
      tree: () => this.look("tree"), raw: () => this.look("raw"), findNext: () => this.find(1), findPrevious: () => this.find(-1),
    };
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const action = event.target.closest("button[data-action]"), piece = event.target.closest("[data-step]");
      if (action) this.actions[action.dataset.action]();
      else if (piece) {
        event.preventDefault();
        if (!String(getSelection())) this.go(Number(piece.dataset.step));
      }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.fromHash(true));
    this.part("session").addEventListener("change", (event) => this.open(this.log.sessions[Number(event.target.value)], 1));
    this.part("policy").addEventListener("change", (event) => this.read(event.target.value));
    this.part("number").addEventListener("change", (event) => this.toLabel(Number(event.target.value)));
    this.part("find").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.find(event.shiftKey ? -1 : 1);
    });
  }

  start() {
    const { sessions } = this.log;
    fill(this.part("session"), sessions.map((session) => make("option", { value: session.number },
      this.nameOf(session))));
    fill(this.part("policy"), policyOptions(this.log.readings));
    if (this.fromHash(false)) return;
    const first = this.log.findings.find((finding) => finding.severity !== "info" && this.log.sessionOfRow.has(finding.row));
    if (first) this.toRow(first.row);
    else this.open(sessions[0], sessions[0].steps);
  }

  nameOf(session) {
    const sources = this.log.columns.source.names.length > 1 ? `${this.log.name("source", session.rows[0])}: ` : "";
    const count = `${session.steps} event${session.steps === 1 ? "" : "s"}`;
    if (!session.protocol) return `outside any session (${count})`;
    return `${sources}${middleCut(session.name || "without an id")} (${session.protocol}, ${count})`;
  }

  fromHash(isJump) {
    const match = /^#e(-?\d+)$/.exec(location.hash);
    if (!match || !this.toLabel(Number(match[1]))) return false;
    if (isJump) this.root.scrollIntoView({ block: "start" });
    return true;
  }

  toLabel(label) {
    const row = this.log.rowOfLabel.get(label);
    if (row === undefined || !this.log.sessionOfRow.has(row)) {
      this.render();
      return false;
    }
    this.toRow(row);
    return true;
  }

  toRow(row) {
    const session = this.log.sessionOfRow.get(row);
    this.open(session, session.stepOfRow.get(row));
  }

  read(policy) {
    this.policy = policy;
    this.reading = this.log.readings.find(({ names }) => names.includes(policy));
    this.strip.drawn = null;
    this.open(this.session, this.step);
  }

  open(session, step) {
    this.session = session;
    session.read(this.reading);
    this.part("session").value = String(session.number);
    this.step = -1;
    this.go(step);
  }

  go(step) {
    const bounded = Math.min(this.session.steps, Math.max(Math.min(1, this.session.steps), step));
    if (bounded === this.step) return;
    this.step = bounded;
    this.render();
  }

  jump(steps, way) {
    const found = way > 0 ? steps.find((step) => step > this.step) : steps.findLast((step) => step < this.step);
    if (found === undefined) this.say(way > 0 ? "There is none after this." : "There is none before this.");
    else this.go(found);
  }

  finding(way) {
    const here = this.session.row(this.step) ?? -1;
    const rows = this.log.findings.map((finding) => finding.row).filter((row) => this.log.sessionOfRow.has(row));
    const found = way > 0 ? rows.find((row) => row > here) : rows.findLast((row) => row < here);
    if (found === undefined) this.say(way > 0 ? "There is no finding after this." : "There is no finding before this.");
    else this.toRow(found);
  }

  find(way) {
    const wanted = this.part("find").value.toLowerCase();
    if (!wanted) return;
    for (let step = this.step + way; step >= 1 && step <= this.session.steps; step += way) {
      if (this.log.raw(this.session.row(step)).toLowerCase().includes(wanted)) {
        this.go(step);
        return;
      }
    }
    this.say("It isn't found any further.");
  }

  play() {
    const isOn = this.timer !== null;
    clearInterval(this.timer);
    this.timer = isOn ? null : setInterval(() => {
      if (this.step >= this.session.steps) this.play();
      else this.go(this.step + 1);
    }, 250);
    const control = this.root.querySelector('[data-action="play"]');
    control.textContent = isOn ? "Play" : "Pause";
    control.setAttribute("aria-pressed", String(!isOn));
  }

  key(event) {
    const isTyping = event.target.closest("input, select, textarea");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !this.isLookedAt(event)) return;
    const name = event.shiftKey && event.key !== "?" ? `Shift+${event.key}` : event.key;
    if (name === " " && event.target.closest("button, summary, a")) return;
    const action = KEYS[name];
    if (!action) return;
    event.preventDefault();
    this.actions[action]();
  }

  // Keys are the explorer's where it has the focus or fills the middle of the window; else they scroll the page.
  isLookedAt(event) {
    if (this.root.contains(event.target)) return true;
    const box = this.root.getBoundingClientRect(), middle = window.innerHeight / 2;
    return event.target === document.body && box.top < middle && box.bottom > middle;
  }

  look(view) {
    this.view = view;
    this.render();
  }

  say(text) {
    this.part("said").textContent = text;
  }

  render() {
    const { session, step, log } = this, row = session.row(step);
    this.say("");
    this.strip.show(session, step);
    this.conversation.show(session, step);
    this.renderPlace(session, step, row);
    const findings = row === undefined ? [] : log.findingsAt(row);
    fill(this.part("findings"), findings.map((finding) => findingCard(log, finding)));
    fill(this.part("changes"), changes(session, step));
    this.renderEvent(row);
    this.part("shown-by").textContent = visible(cutText(this.policy, 60));
    this.part("difference").hidden = this.reading === log.readings[0];
    for (const [name, isOver] of [["first", step <= 1], ["previous", step <= 1], ["next", step >= session.steps], ["last", step >= session.steps]])
      this.root.querySelector(`[data-action="${name}"]`).setAttribute("aria-disabled", String(isOver));
  }

  renderPlace(session, step, row) {
    const label = row === undefined ? "" : String(this.log.labels[row]);
    this.part("number").value = label;
    this.part("of").textContent = `step ${step.toLocaleString("en")} of ${session.steps.toLocaleString("en")}`;
    this.part("state").textContent = visible(sessionLine(session, step));
    const strip = this.part("strip");
    strip.setAttribute("aria-valuemax", String(session.steps));
    strip.setAttribute("aria-valuenow", String(step));
    strip.setAttribute("aria-valuetext", `event ${label}, step ${step} of ${session.steps}`);
    clearTimeout(this.naming);
    if (row !== undefined) this.naming = setTimeout(() => nameStep(label), 300);
  }

  renderEvent(row) {
    const view = this.part("event");
    for (const name of ["tree", "raw"]) this.root.querySelector(`[data-action="${name}"]`).setAttribute("aria-pressed", String(this.view === name));
    if (row === undefined) {
      fill(view, make("p", { class: "dim" }, "There is no event here."));
      return;
    }
    const raw = this.log.raw(row), problem = this.log.name("problem", row);
    const isJson = !["unreadable", "other"].includes(this.log.name("kind", row));
    fill(view, make("p", { class: "dim" }, eventFacts(this.log, row)), problem ? make("p", { class: "bad" }, problem) : null,
      this.log.cut.has(row) ? make("p", { class: "dim" }, "Long texts of this event are cut in this report.") : null,
      this.view === "tree" && isJson ? jsonTree(raw) : make("pre", { class: "raw" }, raw));
  }
}

// Ids differ at their ends more often than at their beginnings.
function middleCut(name) {
  return name.length <= 20 ? name : `${cutText(name.slice(0, 9), 9)}…${name.slice(-6)}`;
}

// Policies that differ from the report's own come first: the others show the very same.
function policyOptions([own, ...others]) {
  const [first, ...same] = own.names, option = (name, text) => make("option", { value: name }, text);
  return [option(first, first), ...others.flatMap(({ names }) => names.map((name) => option(name, name))),
    ...same.map((name) => option(name, `${name} (shows the same as ${first})`))];
}

// The address names the event, so that it can be told to others. Browsers refuse this when it comes too often.
function nameStep(label) {
  try {
    history.replaceState(null, "", `#e${label}`);
  } catch {
    // The address stays as it is; nothing depends on it.
  }
}

loadLog().then((data) => {
  const root = document.getElementById("explorer");
  const log = new Log(data);
  if (!log.sessions.length) {
    fill(root, make("p", {}, "There is no event to step through."));
    return;
  }
  root.hidden = false;
  window.acpinspectReport = new Explorer(root, log);
  document.documentElement.dataset.ready = "yes";
}).catch((error) => {
  const place = document.getElementById("failure");
  place.textContent = `The explorer can't be shown in this browser: ${error.message}. All the rest of this page is complete.`;
  place.hidden = false;
});
