// The field to find or add a name: Enter gives it to the picked face, Shift+Enter only adds it to the frame's names.
import { fill, make } from "../nodes.js";
import { act } from "./act.js";
import { S } from "./state.js";
import { pickedFace, portrait, shown } from "./view.js";

const SHOWN_NAMES = 40;

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Names that fit what was typed: recently used ones first, then this caption's, then all.
function fitting(text) {
  const view = shown();
  const typed = plain(text.trim());
  const all = [...new Set([...S.data.recent, ...view.names.map((name) => name.name), ...S.data.names])];
  const fits = all.filter((name) => plain(name).includes(typed));
  const begins = (name) => plain(name).startsWith(typed);
  const ranked = [...fits.filter(begins), ...fits.filter((name) => !begins(name))];
  const here = new Set(view.names.filter((name) => name.here).map((name) => name.name));
  const note = (name) => here.has(name) ? "this caption" : S.data.recent.includes(name) ? "recent" : "";
  const rows = ranked.slice(0, SHOWN_NAMES).map((name) => ({ name, note: note(name), here: here.has(name) }));
  const exact = text.trim().replace(/\s+/g, " ");
  const known = all.some((name) => plain(name) === plain(exact));
  return exact && !known ? [...rows, { name: exact, note: "new name", fresh: true, here: false }] : rows;
}

export function searchField(place) {
  const label = "Find or add a name";
  const field = make("input", {
    type: "text",
    placeholder: label,
    "aria-label": label,
    autocomplete: "off",
    role: "combobox",
    "aria-expanded": "false",
    "data-key": "find",
    maxlength: 200,
    dir: "auto",
    spellcheck: "false",
  });
  const list = make("ul.found.scrolls", { role: "listbox" });
  let rows = [];
  let at = 0;
  const hide = () => {
    list.replaceChildren();
    field.setAttribute("aria-expanded", "false");
  };
  const done = () => {
    field.value = "";
    hide();
    field.blur();
    S.parts.faces.querySelector(".picked")?.focus({ preventScroll: true });
  };
  const choose = (row, mention) => {
    if (!row) return;
    const face = pickedFace(shown());
    done();
    if (mention || !face) act.mention(row.name);
    else act.is(row.name);
  };
  const offer = () => {
    rows = fitting(field.value);
    at = Math.min(at, Math.max(rows.length - 1, 0));
    field.setAttribute("aria-expanded", "true");
    const none = make("li.quiet", "No names yet: type one.");
    fill(list, rows.length ? rows.map((row, k) => found(row, k === at, choose)) : none);
    list.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => {
    at = 0;
    offer();
  });
  field.addEventListener("focus", offer);
  field.addEventListener("blur", hide);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % Math.max(rows.length, 1);
      offer();
    } else if (event.key === "Enter") choose(rows[at], event.shiftKey);
    else if (event.key === "Escape") done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  place.append(make("div.field", field, make("kbd", "/")), list);
  return field;
}

function found(row, isAt, choose) {
  const chosen = (mention) => (event) => {
    event.preventDefault();
    event.stopPropagation();
    choose(row, mention);
  };
  const toFrame = {
    tabindex: "-1",
    title: "Only add it to this frame's names",
    "aria-label": `Add ${row.name} to this frame`,
    mousedown: chosen(true),
  };
  return make(
    "li",
    { role: "option", class: isAt ? "at" : "", "aria-selected": String(isAt), mousedown: chosen(false) },
    portrait(row.name),
    make("span", { dir: "auto" }, row.fresh ? `Add “${row.name}”` : row.name),
    make("small", row.note),
    row.here ? null : make("button", toFrame, "to frame"),
  );
}
