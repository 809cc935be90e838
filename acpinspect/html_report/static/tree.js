// The JSON of an event as a tree that opens and closes. Children are made when they are first looked at.

const LONGEST_STRING = 3000, MOST_MEMBERS = 300, OPEN_DEPTH = 6;

class ExactNumber {
  constructor(source) {
    this.source = source;
  }
}

// Numbers that JavaScript would round are shown as they were written, where the browser tells.
function parseJson(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && context && context.source && context.source !== String(value)
      ? new ExactNumber(context.source)
      : value);
}

function scalar(value) {
  if (value instanceof ExactNumber) return make("span", { class: "json-number" }, value.source);
  if (typeof value !== "string") return make("span", { class: `json-${value === null ? "null" : typeof value}` }, String(value));
  const element = make("span", { class: "json-string" }, JSON.stringify(value.slice(0, LONGEST_STRING)));
  if (value.length <= LONGEST_STRING) return element;
  const more = button(`${(value.length - LONGEST_STRING).toLocaleString("en")} characters more`, "Show all of it", () => {
    element.textContent = visible(JSON.stringify(value));
    more.remove();
  }, { class: "more" });
  return make("span", {}, element, " ", more);
}

function isBranch(value) {
  return value !== null && typeof value === "object" && !(value instanceof ExactNumber);
}

function member(key, value, depth) {
  const name = key === null ? [] : [make("span", { class: "json-key" }, typeof key === "number" ? String(key) : JSON.stringify(key)), ": "];
  if (!isBranch(value)) return make("div", { class: "json-member" }, name, scalar(value));
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item]) : Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  const details = make("details", { class: "json-member" }, make("summary", {}, name, make("span", { class: "json-size" }, size)));
  const open = () => {
    if (details.childElementCount > 1) return;
    details.append(...entries.slice(0, MOST_MEMBERS).map(([inner, item]) => member(inner, item, depth + 1)));
    if (entries.length > MOST_MEMBERS) details.append(make("div", { class: "dim" }, `… ${entries.length - MOST_MEMBERS} more`));
  };
  details.addEventListener("toggle", () => details.open && open());
  if (depth < OPEN_DEPTH && entries.length && entries.length <= 60) {
    open();
    details.open = true;
  }
  return details;
}

function jsonTree(raw) {
  try {
    return make("div", { class: "tree" }, member(null, parseJson(raw), 0));
  } catch {
    return make("p", { class: "dim" }, "It is no JSON: look at the raw text.");
  }
}
