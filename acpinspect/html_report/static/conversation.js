// The conversation as a client shows it at one step: a window of messages, tool calls, plans around what is written now.

const BEFORE = 24, AFTER = 8, LONGEST_BODY = 2500, LONGEST_NOW = 6000, MOST_SPANS = 400;
const NAMES = { tool_call: "tool", message: "message", plan: "plan", terminal: "terminal", compaction: "compaction" };

function stepLink(text, step, title) {
  return make("a", { href: "#", "data-step": step, title }, text);
}

function head(label, item, tags) {
  return make("div", { class: "meta" }, make("b", {}, label), item.id ? make("code", { title: item.id }, shortId(item.id)) : null, tags);
}

function tag(text, kind, title) {
  return make("span", { class: `tag ${kind || ""}`, title }, text);
}

// One piece of text is one span: the event that wrote it is a click away.
function textBody(state, step, isNow, expanded, seams) {
  let pieces = state.pieces.filter((piece) => typeof piece.item === "string");
  const texts = joinHalves(pieces.map((piece) => piece.item));
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const most = expanded ? Infinity : isNow ? LONGEST_NOW : LONGEST_BODY;
  let skip = total > most && isNow ? total - most : 0, left = most;
  const body = make("div", { class: "body" });
  if (skip) body.append(make("span", { class: "dim" }, `… ${skip.toLocaleString("en")} characters before … `));
  let run = null;
  pieces.forEach((piece, i) => {
    let text = texts[i];
    if (skip >= text.length) {
      skip -= text.length;
      return;
    }
    if (left <= 0) return;
    text = text.slice(skip, skip + left);
    skip = 0;
    left -= text.length;
    const isNew = piece.step === step;
    if (seams && seams.has(piece.step) && (!i || pieces[i - 1].step !== piece.step)) body.append(seam());
    if (pieces.length - i > MOST_SPANS && !isNew && run && run === body.lastChild) run.append(visible(text));
    else {
      run = make("span", { class: isNew ? "piece new" : "piece", "data-step": piece.step }, text);
      body.append(run);
    }
  });
  if (!isNow && total > most) body.append(make("span", { class: "dim" }, ` … ${(total - most).toLocaleString("en")} characters more`));
  return { body, isCut: total > most };
}

// Where the report's own policy begins another message and this one goes on.
function seam() {
  return make("span", { class: "seam", title: "The report's own policy begins another message here" }, "another message begins here");
}

function otherContent(state, step) {
  return state.pieces.filter((piece) => typeof piece.item !== "string").map(({ step: at, item: [type, words, old, now] }) => {
    const classes = at === step ? "block new" : "block";
    if (type !== "diff") return make("div", { class: classes, "data-step": at }, tag(type), ` ${cutText(words || "", 300)}`);
    return make("div", { class: classes, "data-step": at }, tag("diff"), ` ${words}`,
      old ? make("pre", { class: "del" }, cutText(old, 800)) : null, now ? make("pre", { class: "add" }, cutText(now, 800)) : null);
  });
}

function planEntries(entries) {
  const signs = { completed: "✓", in_progress: "▸", pending: "○" };
  return make("ul", { class: "entries" }, (Array.isArray(entries) ? entries : []).map((entry) =>
    make("li", {}, `${signs[entry.status] || "·"} ${cutText(String(entry.content), 300)} `, make("span", { class: "dim" }, `${entry.status || ""}`))));
}

class Conversation {
  constructor(pane, explorer) {
    this.pane = pane;
    this.explorer = explorer;
    this.earlier = BEFORE;
    this.expanded = new Set();
    this.cards = new Map(); // by item: what it showed, and the element that shows it
    this.session = null;
  }

  show(session, step) {
    if (session !== this.session || session.reading !== this.reading) {
      this.earlier = BEFORE;
      this.expanded.clear();
      this.cards.clear();
      this.session = session;
      this.reading = session.reading;
    }
    const seen = session.seen(step);
    const now = this.itemOf(session, step, seen);
    const from = Math.max(0, now - this.earlier), to = Math.min(seen, Math.max(now + AFTER, from + BEFORE));
    const cards = [];
    for (let i = from; i < to; i += 1) {
      const item = session.items[i];
      if (session.isThere(item, step)) cards.push(this.kept(session, item, step, i === now));
    }
    const future = session.items.slice(seen, seen + 3).map((item) => this.future(session, item));
    fill(this.pane, this.earlierLine(from), cards, to < seen ? make("p", { class: "dim" }, `${seen - to} more below`) : null,
      seen ? null : make("p", { class: "dim" }, "Nothing is shown yet."), future);
    this.scrollTo(this.pane.querySelector(".now") || this.pane.querySelector(".future"));
  }

  // The item that this step writes to; else the last one.
  itemOf(session, step, seen) {
    const slots = new Set(session.at(step).map(([slot]) => slot));
    for (let i = seen - 1; i >= 0 && slots.size; i -= 1) {
      const item = session.items[i];
      if (slots.has(item.slot) || (item.kind === "prompt" && item.born === step - 1)) return i;
    }
    return seen - 1;
  }

  earlierLine(from) {
    if (!from) return null;
    return make("p", { class: "dim" }, `${from} earlier `, button("show more", "Show more of what came before", () => {
      this.earlier += 100;
      this.explorer.render();
    }));
  }

  // Most cards are those of the step before: what an item shows depends on its own events only.
  kept(session, item, step, isLast) {
    const count = item.kind === "prompt" ? 0 : session.count(item.slot, step);
    const isWritten = item.kind === "prompt" ? item.born === step - 1 : session.at(step).some(([slot]) => slot === item.slot);
    const shows = `${count} ${isWritten ? step : ""} ${isLast} ${this.expanded.has(item)}`;
    const known = this.cards.get(item);
    if (known && known.shows === shows) return known.card;
    const card = this.card(session, item, step, isLast);
    this.cards.set(item, { shows, card });
    return card;
  }

  card(session, item, step, isLast) {
    const isNow = isLast && (item.kind === "prompt" ? item.born === step - 1 : session.at(step).some(([slot]) => slot === item.slot));
    if (item.kind === "prompt") return this.promptCard(item, step, isNow);
    const state = session.fold(item.slot, step);
    const role = item.kind === "message" ? item.role : NAMES[item.kind];
    const { body, isCut } = textBody(state, step, isNow, this.expanded.has(item), item.seams);
    const more = isCut ? button("show all", "Show the whole text", () => {
      this.expanded.add(item);
      this.explorer.render();
    }, { class: "more" }) : null;
    return make("div", { class: `card ${role}${isNow ? " now" : ""}`, "aria-current": isNow ? "step" : null },
      head(role, item, this.tags(session, item, state, step)), this.facts(item, state), body.childNodes.length ? body : null,
      otherContent(state, step), more);
  }

  promptCard(item, step, isNow) {
    return make("div", { class: `card user prompt${isNow ? " now" : ""}`, "aria-current": isNow ? "step" : null },
      head("user", item, [tag("prompt", "", "The text of the session/prompt request")]),
      make("div", { class: "body" }, make("span", { class: isNow ? "piece new" : "piece", "data-step": item.born + 1 }, cutText(item.text, LONGEST_BODY))));
  }

  tags(session, item, state, step) {
    const tags = [];
    if (item.boundary) tags.push(tag(item.boundary, "", "What opened this message"));
    if (item.isSplit) tags.push(tag("begins only here", "warn", "The report's own policy goes on with the message before"));
    if (item.kind === "tool_call") tags.push(tag(String(state.fields.status || "pending"), state.fields.status === "failed" ? "bad" : ""));
    if (item.epoch) tags.push(tag(`replay ${item.epoch}`, "", "Loads and replays of the session before it"));
    if (state.replacedAt) tags.push(tag("replaced", state.replacedAt === step ? "bad" : "", "Its content was replaced"));
    tags.push(make("span", {}, `${state.writers} event${state.writers === 1 ? "" : "s"}`));
    const codes = new Set();
    for (const [at] of session.operations[item.slot]) {
      if (at > step) break;
      for (const finding of session.log.findingsAt(session.row(at))) if (finding.severity !== "info") codes.add(finding.code);
    }
    for (const code of [...codes].slice(0, 4)) tags.push(tag(code, "bad", "A finding at one of its events"));
    return tags;
  }

  facts(item, state) {
    const { title, kind, entries, content, command, error } = state.fields;
    if (item.kind === "tool_call") return make("div", { class: "facts" }, `${title || "(no title)"} `, kind ? make("span", { class: "dim" }, kind) : null);
    if (item.kind === "plan") return entries ? planEntries(entries) : make("div", { class: "facts" }, cutText(String(content || state.fields.uri || ""), 2000));
    if (item.kind === "terminal") return make("div", { class: "facts" }, make("code", {}, command || ""));
    return error ? make("div", { class: "facts bad" }, String(error)) : null;
  }

  future(session, item) {
    const what = item.kind === "prompt" ? "user prompt" : item.name;
    const event = session.log.labels[session.row(item.born + 1)];
    return make("div", { class: "future" }, "then ", stepLink(`event ${event}`, item.born + 1, "Go there"), `: ${cutText(what, 60)}`);
  }

  scrollTo(card) {
    if (!card) return;
    const top = card.offsetTop - this.pane.offsetTop, bottom = top + card.offsetHeight;
    if (bottom > this.pane.scrollTop + this.pane.clientHeight || top < this.pane.scrollTop) {
      this.pane.scrollTop = Math.max(0, Math.min(top - 8, bottom - this.pane.clientHeight + 84));
      if (card.offsetHeight > this.pane.clientHeight) this.pane.scrollTop = bottom - this.pane.clientHeight + 84;
    }
  }
}
