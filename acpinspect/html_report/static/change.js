// What one event changed in the state, what is wrong with it, and the event itself.

const SIGNS = { created: "+", appended: "+", patched: "~", replaced: "~", cleared: "-", removed: "-", ignored: "·", rejected: "!" };
const KINDS = { created: "add", appended: "add", cleared: "del", removed: "del", rejected: "bad", ignored: "dim" };

function words(value) {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(cutText(value, 600));
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return JSON.stringify(cutText(value.join(""), 600));
  return cutText(JSON.stringify(withoutNothing(value)), 600);
}

// Fields that say nothing are left out: a run has four, and most of them are null.
function withoutNothing(value) {
  if (Array.isArray(value) || value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== false));
}

function changeLine(session, step, [slot, action, field, value]) {
  const line = (...children) => make("div", { class: `change ${KINDS[action] || ""}` },
    make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[action]), " ", make("b", {}, action), " ", ...children);
  if (action === "created" || action === "removed") return line();
  if (action === "ignored" || action === "rejected") return line(field ? `${field}: ` : "", value || "");
  const name = field ? `${field} ` : "";
  if (action === "appended") return line(name, make("span", { class: "value" }, words(value)));
  const before = session.fold(slot, step - 1);
  const old = CONTENT.has(field) ? before.pieces.map((piece) => piece.item) : before.fields[field || "value"];
  const had = old !== undefined && old !== null && !(Array.isArray(old) && !old.length);
  return line(name, had ? make("del", {}, words(old)) : null, had ? " → " : null, make("ins", {}, words(value)));
}

function entityName(slot) {
  return slot.kind === "session" ? `session ${slot.name}` : slot.name;
}

// What a step did, entity by entity.
function changes(session, step) {
  if (!step) return [make("p", { class: "dim" }, "Nothing has happened yet.")];
  const operations = session.at(step).filter(([, action]) => action !== "kept"), lines = [];
  operations.forEach((operation, i) => {
    const [slot] = operation;
    if (!i || operations[i - 1][0] !== slot) lines.push(make("div", { class: "entity" }, entityName(session.slots[slot])));
    lines.push(changeLine(session, step, operation));
  });
  const refused = session.refused[step - 1];
  if (refused) lines.push(make("div", { class: "change bad" }, "! ", make("b", {}, "rejected"), `: ${refused}`));
  return lines.length ? lines : [make("p", { class: "dim" }, "Nothing in the state of the session.")];
}

function findingCard(log, finding) {
  const related = finding.related.filter((label) => log.rowOfLabel.has(label));
  return make("div", { class: `finding ${finding.severity}` },
    make("div", {}, make("b", {}, finding.code), ` ${finding.severity}`),
    make("div", {}, finding.message),
    related.length ? make("div", { class: "dim" }, "See also event ", related.flatMap((label, i) => [i ? ", " : null, make("a", { href: `#e${label}` }, String(label))])) : null,
    make("div", { class: "remedy" }, `Remedy: ${finding.remedy}`));
}

function eventFacts(log, row) {
  const sender = log.name("sender", row), method = log.name("method", row), update = log.name("update", row);
  const facts = [log.name("kind", row), method, update, sender ? (sender === "agent" ? "agent → client" : "client → agent") : null];
  const time = log.elapsed[row];
  if (time !== null) facts.push(`+${time.toFixed(3)} s`);
  if (log.turn[row] !== null) facts.push(`turn ${log.turn[row]}`);
  if (log.replay.has(row)) facts.push("replay");
  facts.push(`${log.name("source", row) || ""}${log.line[row] === null ? "" : `, line ${log.line[row]}`}`);
  return facts.filter(Boolean).join(" · ");
}

function sessionLine(session, step) {
  const run = session.value("run", step), usage = session.value("usage", step), mode = session.value("mode", step);
  const parts = [];
  if (run && run.state) parts.push(run.stop_reason ? `${run.state} (${run.stop_reason})` : run.state);
  if (mode) parts.push(`mode ${mode}`);
  if (usage && usage.size) parts.push(`context ${Number(usage.used).toLocaleString("en")} of ${Number(usage.size).toLocaleString("en")}`);
  return parts.join(" · ");
}
