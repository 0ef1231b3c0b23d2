// The grid of faces: select by click, shift-click and keys, then one action on all that are selected.
import { crop, SILHOUETTE } from "./crops.js";
import { ACTIONS, bars } from "./faces_bar.js";
import { tile } from "./faces_tile.js";
import { holdUntilCalled } from "./leaving.js";
import { counted, fill, make } from "./nodes.js";
import { shortcuts } from "./shortcuts.js";
import { steady } from "./steady.js";

const kept = new Map(); // component -> what must outlive a redraw: the selection, where it began, what is being done
const PICTURES = 600; // crops that Python is told about, so that it does not send them again

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".faces");
  root.dataset.theme = data.theme;
  const mine = remembered(parentElement, data);
  const place = new Map(data.ids.map((face, k) => [face, k]));
  const here = data.ids.slice(data.page * data.size, (data.page + 1) * data.size);
  mine.selected = new Set([...mine.selected].filter((face) => place.has(face)));
  if (!place.has(mine.anchor)) mine.anchor = null;
  if (!here.includes(mine.focus)) mine.focus = here[0] ?? null;

  const tell = (event, what) => setTriggerValue(event, { ...what, have: [...mine.pictures.keys()].slice(-PICTURES) });
  const links = holdUntilCalled();
  const say = (text) => void (parts.status.textContent = text);
  const find = (face) => grid.querySelector(`[data-face="${face}"]`);
  const range = (from, to) => {
    const [first, last] = [place.get(from), place.get(to)].sort((a, b) => a - b);
    for (const face of data.ids.slice(first, last + 1)) mine.selected.add(face);
  };
  const does = {
    act: (action, name = "") => {
      const faces = [...mine.selected];
      if (!faces.length) return say("Select faces first: click them, or move with the arrows and press Space.");
      for (const face of faces) find(face)?.classList.add("busy");
      mine.selected.clear();
      mine.naming = false;
      links.told();
      tell("act", { action, faces, name, version: data.version });
      mark();
    },
    start: (action) => {
      if (action !== "move" || !mine.selected.size) return does.act(action);
      mine.naming = true;
      mark();
      parts.picker.querySelector("input").focus();
    },
    named: () => {
      mine.naming = false;
      mark();
    },
    turn: (way) => tell("act", { action: way, faces: [], name: "", version: data.version }),
    turnTo: (page) => {
      if (page < 0 || page >= data.pages) return;
      mine.focus = data.ids[page * data.size];
      does.look({ page });
    },
    look: (change) => tell("look", { kept: data.kept, sort: data.sort, page: 0, ...change }),
    open: (face) => setTriggerValue("open", { face }),
    focused: (face) => void (mine.focus = face),
    toggle: (face, extend) => {
      if (extend && mine.anchor !== null) range(mine.anchor, face);
      else mine.selected.has(face) ? mine.selected.delete(face) : mine.selected.add(face);
      if (!extend || mine.anchor === null) mine.anchor = face;
      mine.focus = face;
      mark();
    },
    all: () => {
      mine.selected = new Set(data.ids);
      mark();
    },
    none: () => {
      mine.selected.clear();
      mine.anchor = null;
      mine.naming = false;
      mark();
    },
    doubtful: () => {
      mine.selected = new Set(data.ids.filter((_, k) => data.sure[k] < mine.below && !data.said[k]));
      mark();
      if (!mine.selected.size) say(`No open face is below ${mine.below} %.`);
    },
    move: (to, extend) => {
      const face = here[Math.max(0, Math.min(here.length - 1, to))];
      if (face === undefined) return;
      if (extend) {
        mine.anchor ??= mine.focus;
        range(mine.anchor, face);
      }
      mine.focus = face;
      mark();
      find(face)?.focus();
    },
    help: () => {
      mine.help = !mine.help;
      mark();
    },
  };

  function mark() {
    const many = mine.selected.size;
    const elsewhere = [...mine.selected].filter((face) => !here.includes(face)).length;
    const words = `${counted(many, "face")} selected${elsewhere ? `, ${elsewhere} on other pages` : ""}`;
    parts.chosen.textContent = many ? words : data.counts;
    for (const action of parts.actions) action.disabled = !many;
    root.classList.toggle("selecting", many > 0);
    parts.picker.hidden = !mine.naming;
    parts.help.hidden = !mine.help;
    parts.askHelp.setAttribute("aria-expanded", String(mine.help));
    for (const item of grid.children) {
      const face = Number(item.dataset.face);
      item.setAttribute("aria-selected", String(mine.selected.has(face)));
      item.tabIndex = face === mine.focus ? 0 : -1;
    }
  }

  // A crop is sent once and its element kept: neither travels nor is decoded anew with every decision.
  const before = new Map(
    [...root.querySelectorAll(".tile")].map((item) => [Number(item.dataset.face), item.querySelector("img")]),
  );
  const image = (face) => before.get(face) ?? crop(mine.pictures.get(face) ?? SILHOUETTE, "");
  const parts = bars(data, mine, does);
  const grid = make(
    "div.grid",
    { role: "listbox", "aria-multiselectable": "true", "aria-label": data.title },
    data.shown.map((face) => tile(face, image(face.face), does)),
  );
  const end = shortcuts((event) => pressed(event, { data, mine, does, root, grid, here }));

  const focused = root.getRootNode().activeElement;
  const refocus = focused?.matches(".tile") || focused?.closest(".bars");
  fill(root, parts.node, data.shown.length ? grid : make("p.none", data.empty));
  mark();
  say(data.message);
  const missing = data.shown.some((face) => !mine.pictures.has(face.face));
  if (missing) setTriggerValue("look", { kept: data.kept, sort: data.sort, page: data.page });
  if (refocus) find(mine.focus)?.focus({ preventScroll: true });
  return () => {
    links.end();
    end();
  };
});

// What outlives a redraw; begun anew for another grid, which has another selection.
function remembered(parent, data) {
  let mine = kept.get(parent);
  if (!mine || mine.whose !== data.whose) {
    const nothing = { selected: new Set(), anchor: null, focus: null, naming: false, help: false };
    mine = { whose: data.whose, below: 80, pictures: new Map(), ...nothing };
    kept.set(parent, mine);
  }
  for (const face of data.shown) if (face.picture) mine.pictures.set(face.face, face.picture);
  return mine;
}

function pressed(event, { data, mine, does, root, grid, here }) {
  const command = event.ctrlKey || event.metaKey;
  const active = root.getRootNode().activeElement;
  const inGrid = grid.contains(active);
  const at = here.indexOf(mine.focus);
  const columns = Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(" ").length);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const simple = {
    d: does.doubtful,
    "?": does.help,
    "[": () => does.turnTo(data.page - 1),
    "]": () => does.turnTo(data.page + 1),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = ACTIONS.find((one) => one.key === key && one.kinds.includes(data.kind));
  if (command && key === "a") does.all();
  else if (key === "z" && (event.shiftKey ? data.redo : data.undo)) does.turn(event.shiftKey ? "redo" : "undo");
  else if (key === "y" && data.redo) does.turn("redo");
  else if (key === "u" && !command && data.undo) does.turn("undo");
  else if (command || event.altKey) return;
  else if (key in steps) does.move(active?.matches(".tile") ? at + steps[key] : at, event.shiftKey);
  else if (key === "Home" && inGrid) does.move(0, event.shiftKey);
  else if (key === "End" && inGrid) does.move(here.length - 1, event.shiftKey);
  else if (key === " " && inGrid) does.toggle(mine.focus, event.shiftKey);
  else if (key === "Enter" && inGrid && !event.composedPath()[0].matches("button")) does.open(mine.focus);
  else if (key === "Escape") does.none();
  else if (action) does.start(action.id);
  else if (key in simple) simple[key]();
  else return;
  event.preventDefault();
}
