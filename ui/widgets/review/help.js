// The keys, and what the links' strokes mean, laid over the page.
import { fill, make } from "../nodes.js";
import { close } from "./act.js";
import { button } from "./button.js";
import { KEYS } from "./keys.js";
import { S } from "./state.js";

const LEGEND = [
  ["said", "somebody said so ✓"],
  ["thought", "Rollcall thinks so; wider is surer"],
  ["maybe", "less likely"],
  ["refused", "refused ✕"],
];

export function drawHelp() {
  const { cover } = S.parts;
  const open = S.panel === "help";
  cover.classList.toggle("open", open);
  if (open !== Boolean(cover.firstChild)) fill(cover, open ? card() : null);
}

function card() {
  const head = make("div.head", make("h3", "Everything has a key"), button("Close", "Esc", close, { class: "inline" }));
  const keys = KEYS.map(([key, words]) => make("div", make("dt", make("kbd", key)), make("dd", words)));
  const strokes = LEGEND.map(([kind, words]) => make("span", { class: kind }, make("i"), words));
  return make("div.card", { "aria-label": "Keys" }, head, make("dl", keys), make("p.legend", strokes));
}
