// Elements are made here, and only here: text of a log becomes a text node and never markup.

// Control characters, and marks that turn the direction of what follows: texts.py has the same list.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

function visible(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
  });
}

function cutText(text, longest) {
  return text.length > longest ? `${text.slice(0, longest)}… (${(text.length - longest).toLocaleString("en")} more)` : text;
}

// make("p", { class: "note" }, "text", another) : attributes are set as text; handlers begin with "on".
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : visible(String(value)));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return element;
}

function button(text, title, action, attributes) {
  return make("button", { type: "button", title, onclick: action, ...attributes }, text);
}

function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

function shortId(id) {
  return id.length > 18 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}

// Half of a character at the end of one piece belongs to the half at the beginning of the next.
function joinHalves(texts) {
  const joined = [...texts];
  for (let i = 0; i + 1 < joined.length; i += 1) {
    const last = joined[i].charCodeAt(joined[i].length - 1), first = joined[i + 1].charCodeAt(0);
    if (last >= 0xd800 && last < 0xdc00 && first >= 0xdc00 && first < 0xe000) {
      joined[i + 1] = joined[i].slice(-1) + joined[i + 1];
      joined[i] = joined[i].slice(0, -1);
    }
  }
  return joined;
}
