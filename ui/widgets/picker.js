import { make } from "./nodes.js";

const SHOWN = 8;

// A field to find or add a name. `names` gives them, recently used ones first; `pick` is called with the name.
export function namePicker(names, label, pick, leave = () => {}) {
  const id = `names-${Math.random().toString(36).slice(2)}`;
  const list = make("ul", { role: "listbox", id, hidden: true });
  const input = make("input", {
    type: "text",
    placeholder: label,
    "aria-label": label,
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    maxlength: "200",
  });
  let offers = [];
  let at = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const take = (name) => {
    close();
    input.value = "";
    pick(name);
  };
  const mark = () => {
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    if (at >= 0) input.setAttribute("aria-activedescendant", `${id}-${at}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const look = () => {
    const typed = input.value.trim().replace(/\s+/g, " ");
    offers = matching(names(), typed);
    at = offers.length && typed ? 0 : -1;
    list.replaceChildren(...offers.map((item, k) => offer(item, `${id}-${k}`, take)));
    list.hidden = !offers.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  };
  input.addEventListener("input", look);
  input.addEventListener("focus", look);
  input.addEventListener("blur", () => {
    close();
    leave();
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1; // upwards from nowhere leads to the last one
      if (offers.length) at = (at + step + offers.length) % offers.length;
      mark();
    } else if (event.key === "Enter" && offers[at]) {
      event.preventDefault();
      take(offers[at].name);
    } else if (event.key === "Escape") {
      close();
      input.blur();
    }
  });
  return make("span.picker", input, list);
}

// Names that begin with what was typed, then names that hold it; last, to be added, what was typed itself.
function matching(names, typed) {
  const low = typed.toLocaleLowerCase();
  const starts = names.filter((name) => name.toLocaleLowerCase().startsWith(low));
  const holds = low ? names.filter((name) => !starts.includes(name) && name.toLocaleLowerCase().includes(low)) : [];
  const found = [...starts, ...holds].slice(0, SHOWN).map((name) => ({ name, text: name }));
  const known = names.some((name) => name.toLocaleLowerCase() === low);
  return typed && !known ? [...found, { name: typed, text: `Add “${typed}”`, fresh: true }] : found;
}

function offer(item, id, take) {
  const mousedown = (event) => {
    event.preventDefault();
    take(item.name);
  };
  return make("li", { role: "option", id, class: item.fresh ? "fresh" : "", dir: "auto", mousedown }, item.text);
}
