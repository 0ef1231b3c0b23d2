// The grid of faces: select by click, shift-click and keys, then one action on all that are selected.
const kept = new Map(); // component -> what must outlive a redraw: the selection, where it began, what is being done

const ACTIONS = [
  { id: "confirm", key: "c", say: (d) => (d.kind === "name" ? "Confirm" : "Confirm nobody"), kinds: ["name", "nobody"], main: true },
  { id: "not", key: "x", say: () => "Not this person", kinds: ["name"] },
  { id: "move", key: "m", say: (d) => (d.kind === "name" ? "Move to…" : "Name…"), kinds: ["name", "nobody", "unknown", "stranger"] },
  { id: "nobody", key: "n", say: () => "Nobody", kinds: ["name", "unknown", "stranger"] },
  { id: "not a face", key: "f", say: () => "Not a face", kinds: ["name", "nobody", "unknown", "stranger"] },
  { id: "open", key: "t", say: () => "Take back", kinds: ["name", "nobody"] },
];
const HELP = [["Arrows", "move"], ["Space", "select"], ["Shift + arrows", "select a range"], ["Ctrl/⌘ A", "select all"],
  ["D", "select the doubtful"], ["Esc", "select none"], ["Enter", "open the frame"], ["Z / Shift Z", "undo / redo"], ["[ and ]", "pages"]];

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".faces");
  root.dataset.theme = data.theme;
  let mine = kept.get(parentElement);
  if (!mine || mine.whose !== data.whose) {
    mine?.end?.();
    mine = { whose: data.whose, selected: new Set(), anchor: null, focus: null, below: 80, naming: false, help: false, end: null, pictures: new Map() };
    kept.set(parentElement, mine);
  }
  for (const tile of data.shown) if (tile.picture) mine.pictures.set(tile.face, tile.picture);
  const place = new Map(data.ids.map((face, k) => [face, k]));
  mine.selected = new Set([...mine.selected].filter((face) => place.has(face)));
  if (!place.has(mine.anchor)) mine.anchor = null;
  const first = data.page * data.size;
  const here = data.ids.slice(first, first + data.size);
  if (!here.includes(mine.focus)) mine.focus = here[0] ?? null;

  // --- What the person does ------------------------------------------------------------------------------------------
  const tell = (event, what) => setTriggerValue(event, { ...what, have: [...mine.pictures.keys()].slice(-600) });
  const act = (action, name = "") => {
    const faces = [...mine.selected];
    if (!faces.length) return say("Select faces first: click them, or move with the arrows and press Space.");
    for (const face of faces) tile(face)?.classList.add("busy");
    mine.selected.clear();
    mine.naming = false;
    tell("act", { action, faces, name, version: data.version });
    mark();
  };
  const turn = (way) => tell("act", { action: way, faces: [], name: "", version: data.version });
  const turnTo = (page) => {
    if (page < 0 || page >= data.pages) return;
    mine.focus = data.ids[page * data.size];
    tell("look", { kept: data.kept, sort: data.sort, page });
  };
  const open = (face) => setTriggerValue("open", { face });
  const range = (from, to) => {
    const [a, b] = [place.get(from), place.get(to)].sort((x, y) => x - y);
    for (const face of data.ids.slice(a, b + 1)) mine.selected.add(face);
  };
  const toggle = (face, extend) => {
    if (extend && mine.anchor !== null) range(mine.anchor, face);
    else mine.selected.has(face) ? mine.selected.delete(face) : mine.selected.add(face);
    if (!extend || mine.anchor === null) mine.anchor = face;
    mine.focus = face;
    mark();
  };
  const all = () => { mine.selected = new Set(data.ids); mark(); };
  const none = () => { mine.selected.clear(); mine.anchor = null; mine.naming = false; mark(); };
  const doubtful = () => {
    mine.selected = new Set(data.ids.filter((_, k) => data.sure[k] < mine.below && !data.said[k]));
    mark();
    if (!mine.selected.size) say(`No open face is below ${mine.below} %.`);
  };
  const move = (to, extend) => {
    const from = mine.focus;
    const face = here[Math.max(0, Math.min(here.length - 1, to))];
    if (face === undefined) return;
    if (extend) { if (mine.anchor === null) mine.anchor = from; range(mine.anchor, face); }
    mine.focus = face;
    mark();
    tile(face)?.focus();
  };

  // --- The bar -------------------------------------------------------------------------------------------------------
  const status = make("span", { class: "status", role: "status", "aria-live": "polite" });
  const say = (text) => { status.textContent = text; };
  const below = make("input", { type: "number", min: "1", max: "100", step: "5", value: mine.below, "aria-label": "Doubtful means below this confidence, in percent",
    change: (event) => { mine.below = Math.min(100, Math.max(1, Number(event.target.value) || 80)); doubtful(); } });
  const chosen = make("b", { class: "chosen" });
  const look = (change) => tell("look", { kept: data.kept, sort: data.sort, page: 0, ...change });
  const choice = (label, options, value, hear) => {
    const box = make("select", { "aria-label": label, change: (event) => hear(event.target.value) });
    for (const option of options) box.append(make("option", { value: option, selected: option === value }, option));
    return box;
  };
  const slot = make("span", { class: "slot" });
  const actions = ACTIONS.filter((action) => action.kinds.includes(data.kind)).map((action) =>
    make("button", { type: "button", class: action.main ? "main" : "", "data-action": action.id,
      click: () => (action.id === "move" ? name() : act(action.id)) }, action.say(data), make("kbd", { "aria-hidden": "true" }, action.key.toUpperCase())));
  const name = () => {
    if (!mine.selected.size) return act("move");
    mine.naming = true;
    mark();
    slot.querySelector("input").focus();
  };
  const picker = namePicker(data.names, "Name: type or choose", (chosenName) => act("move", chosenName), () => { mine.naming = false; mark(); });
  slot.append(picker);
  const help = make("p", { class: "help quiet" });
  for (const [key, what] of HELP) help.append(make("span", {}, make("kbd", {}, key), ` ${what}`));
  const askHelp = make("button", { type: "button", class: "plain", "aria-expanded": String(mine.help), title: "Keys (?)",
    click: () => { mine.help = !mine.help; mark(); } }, "Keys");
  const bar = make("div", { class: "bars" },
    make("div", { class: "bar" },
      make("button", { type: "button", "data-action": "all", click: all }, "Select all"),
      make("span", { class: "doubt" }, make("button", { type: "button", "data-action": "doubtful", click: doubtful }, "Select below"), below, make("span", { class: "quiet" }, "%")),
      make("button", { type: "button", class: "plain", "data-action": "none", click: none }, "None"),
      make("span", { class: "stretch" }), status,
      choice("Show", data.filters, data.kept, (kept) => look({ kept })), choice("Order", data.sorts, data.sort, (sort) => look({ sort })),
      make("button", { type: "button", "data-action": "undo", disabled: !data.undo, title: "Undo (Z)", click: () => turn("undo") }, "Undo"),
      make("button", { type: "button", "data-action": "redo", disabled: !data.redo, title: "Redo (Shift Z)", click: () => turn("redo") }, "Redo"),
      askHelp, pager(data.page, data.pages, turnTo)),
    help,
    make("div", { class: "bar acts" }, chosen, ...actions, slot));

  // --- The faces -----------------------------------------------------------------------------------------------------
  // A crop is sent once and its element kept: neither travels nor is decoded anew with every decision.
  const before = new Map([...root.querySelectorAll(".tile")].map((item) => [Number(item.dataset.face), item.querySelector("img")]));
  const portrait = (face) => before.get(face) ?? crop(mine.pictures.get(face) ?? SILHOUETTE, "");
  const grid = make("div", { class: "grid", role: "listbox", "aria-multiselectable": "true", "aria-label": data.title });
  for (const face of data.shown) {
    const sure = face.state === "open" ? `${face.sure} %` : face.state === "conflict" ? "people differ" : face.state;
    const words = face.state === "open" ? `${face.sure} % sure` : face.state === "conflict" ? "people differ" : `${face.state} by ${face.who}`;
    const item = make("div", { class: `tile ${face.state}`, role: "option", "data-face": face.face, tabindex: "-1",
      "aria-label": `Face in ${face.where}: ${words}`, title: `${face.where}: ${words}${face.mark ? `, ${face.mark}` : ""}` },
      make("span", { class: "ring" }, portrait(face.face)),
      make("span", { class: "check", "aria-hidden": "true" }, "✓"),
      make("span", { class: "words" }, face.state === "open" ? sure : face.state === "conflict" ? "! differ" : `✓ ${sure}`),
      make("span", { class: "sure", "aria-hidden": "true" }, make("i", { style: `width:${face.state === "open" ? face.sure : 100}%` })),
      make("button", { type: "button", class: "open", tabindex: "-1", "aria-label": `Open the frame: ${face.where}`, title: "Open the frame",
        click: (event) => { event.stopPropagation(); open(face.face); } }, "↗"));
    item.addEventListener("mousedown", (event) => { if (event.shiftKey) event.preventDefault(); });
    item.addEventListener("click", (event) => toggle(face.face, event.shiftKey));
    item.addEventListener("dblclick", () => open(face.face));
    item.addEventListener("focus", () => { mine.focus = face.face; });
    grid.append(item);
  }
  const tile = (face) => grid.querySelector(`[data-face="${face}"]`);

  function mark() {
    const many = mine.selected.size;
    const elsewhere = [...mine.selected].filter((face) => !here.includes(face)).length;
    chosen.textContent = many ? `${count(many, "face")} selected${elsewhere ? `, ${elsewhere} on other pages` : ""}` : data.counts;
    for (const action of actions) action.disabled = !many;
    root.classList.toggle("selecting", many > 0);
    slot.hidden = !mine.naming;
    help.hidden = !mine.help;
    askHelp.setAttribute("aria-expanded", String(mine.help));
    for (const item of grid.children) {
      const face = Number(item.dataset.face);
      item.setAttribute("aria-selected", String(mine.selected.has(face)));
      item.tabIndex = face === mine.focus ? 0 : -1;
    }
  }

  const hear = (event) => {
    const command = event.ctrlKey || event.metaKey;
    const at = here.indexOf(mine.focus);
    const columns = Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(" ").length);
    const inGrid = grid.contains(root.getRootNode().activeElement);
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const simple = { d: doubtful, "?": () => { mine.help = !mine.help; mark(); }, "[": () => turnTo(data.page - 1), "]": () => turnTo(data.page + 1) };
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = ACTIONS.find((one) => one.key === pressed && one.kinds.includes(data.kind));
    if (command && pressed === "a") all();
    else if (pressed === "z" && (event.shiftKey ? data.redo : data.undo)) turn(event.shiftKey ? "redo" : "undo");
    else if (command && pressed === "y" && data.redo) turn("redo");
    else if (command || event.altKey) return;
    else if (pressed in steps) move(root.getRootNode().activeElement?.matches(".tile") ? at + steps[pressed] : at, event.shiftKey);
    else if (pressed === "Home" && inGrid) move(0, event.shiftKey);
    else if (pressed === "End" && inGrid) move(here.length - 1, event.shiftKey);
    else if (pressed === " " && inGrid) toggle(mine.focus, event.shiftKey);
    else if (pressed === "Enter" && inGrid && !event.composedPath()[0].matches("button")) open(mine.focus);
    else if (pressed === "Escape") none();
    else if (action) action.id === "move" ? name() : act(action.id);
    else if (simple[pressed]) simple[pressed]();
    else return;
    event.preventDefault();
  };
  mine.end?.();
  mine.end = keys(hear);

  const focused = root.getRootNode().activeElement;
  const refocus = focused?.matches(".tile") || focused?.closest(".bars");
  root.replaceChildren(bar, data.shown.length ? grid : make("p", { class: "none" }, data.empty));
  mark();
  say(data.message);
  if (data.shown.some((tile) => !mine.pictures.has(tile.face))) setTriggerValue("look", { kept: data.kept, sort: data.sort, page: data.page });
  if (refocus) tile(mine.focus)?.focus({ preventScroll: true });
  return () => { mine.end?.(); mine.end = null; };
}
