// The bars above the grid of faces: what to select, what to show, and what to do with what is selected.
import { make } from "./nodes.js";
import { pager } from "./pager.js";
import { namePicker } from "./picker.js";

const ALL = ["name", "nobody", "unknown", "stranger"];
export const ACTIONS = [
  {
    id: "confirm",
    key: "c",
    words: (kind) => (kind === "name" ? "Confirm" : "Confirm nobody"),
    kinds: ["name", "nobody"],
    main: true,
  },
  { id: "not", key: "r", words: () => "Not this person", kinds: ["name"] },
  { id: "move", key: "m", words: (kind) => (kind === "name" ? "Move to…" : "Name…"), kinds: ALL },
  { id: "nobody", key: "n", words: () => "Nobody", kinds: ["name", "unknown", "stranger"] },
  { id: "not a face", key: "x", words: () => "Not a face", kinds: ALL },
  { id: "open", key: "o", words: () => "Take back", kinds: ["name", "nobody"] },
];
const HELP = [
  ["Arrows", "move"],
  ["Space", "select"],
  ["Shift + arrows", "select a range"],
  ["Ctrl/⌘ A", "select all"],
  ["D", "select the doubtful"],
  ["Esc", "select none"],
  ["Enter", "open the frame"],
  ["U / Y", "undo / redo"],
  ["[ and ]", "pages"],
];

// `mine` is what outlives a redraw, `does` holds the functions that the buttons call.
export function bars(data, mine, does) {
  const parts = {
    status: make("span.status", { role: "status", "aria-live": "polite" }),
    chosen: make("b.chosen"),
    actions: actions(data.kind, does),
    picker: make("span.slot", picker(data, does)),
    help: make("p.help.quiet", HELP.map(([key, what]) => make("span", make("kbd", key), ` ${what}`))),
    askHelp: make("button.plain", { title: "Keys (?)", click: does.help }, "Keys"),
  };
  parts.node = make(
    "div.bars",
    make(
      "div.bar",
      selecting(mine, does),
      make("span.stretch"),
      parts.status,
      choice("Show", data.filters, data.kept, (kept) => does.look({ kept })),
      choice("Order", data.sorts, data.sort, (sort) => does.look({ sort })),
      make("button", turn("undo", "Undo (U)", data.undo, does), "Undo"),
      make("button", turn("redo", "Redo (Y)", data.redo, does), "Redo"),
      parts.askHelp,
      pager(data.page, data.pages, does.turnTo),
    ),
    parts.help,
    make("div.bar.acts", parts.chosen, parts.actions, parts.picker),
  );
  return parts;
}

const turn = (way, title, possible, does) => (
  { "data-action": way, title, disabled: !possible, click: () => does.turn(way) }
);

function selecting(mine, does) {
  const below = make("input", {
    type: "number",
    min: "1",
    max: "100",
    step: "5",
    value: mine.below,
    "aria-label": "Doubtful means below this confidence, in percent",
    change: (event) => {
      mine.below = Math.min(100, Math.max(1, Number(event.target.value) || 80));
      does.doubtful();
    },
  });
  return [
    make("button", { "data-action": "all", click: does.all }, "Select all"),
    make(
      "span.doubt",
      make("button", { "data-action": "doubtful", click: does.doubtful }, "Select below"),
      below,
      make("span.quiet", "%"),
    ),
    make("button.plain", { "data-action": "none", click: does.none }, "None"),
  ];
}

function actions(kind, does) {
  return ACTIONS.filter((action) => action.kinds.includes(kind)).map((action) =>
    make(
      "button",
      { class: action.main ? "main" : "", "data-action": action.id, click: () => does.start(action.id) },
      action.words(kind),
      make("kbd", { "aria-hidden": "true" }, action.key.toUpperCase()),
    )
  );
}

function picker(data, does) {
  return namePicker(() => data.names, "Name: type or choose", (name) => does.act("move", name), does.named);
}

function choice(label, options, value, change) {
  const items = options.map((option) => make("option", { value: option, selected: option === value }, option));
  return make("select", { "aria-label": label, change: (event) => change(event.target.value) }, items);
}
