// Cards of all names. The search box outlives redraws, so that nobody loses the focus while typing.
import { crop } from "./crops.js";
import { counted, fill, make } from "./nodes.js";
import { pager } from "./pager.js";
import { steady } from "./steady.js";

const TYPING = 120; // milliseconds after the last letter until the search begins
const kept = new Map(); // component -> its parts

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".cards");
  root.dataset.theme = data.theme;
  if (kept.get(parentElement)?.root !== root) kept.set(parentElement, skeleton(root, data));
  const parts = kept.get(parentElement);
  const look = (page) => setTriggerValue("look", { search: parts.search.value, sort: parts.sort.value, page });
  const open = (name, other) => setTriggerValue("open", { name, other });
  parts.search.oninput = () => {
    clearTimeout(parts.typing);
    parts.typing = setTimeout(() => parts.search.isConnected && look(0), TYPING);
  };
  parts.search.onkeydown = (event) => event.stopPropagation();
  parts.sort.value = data.look.sort;
  parts.sort.onchange = () => look(0);
  parts.found.textContent = counted(data.found, "name") + (data.look.search ? " found" : "");
  fill(parts.pages, pager(data.look.page, data.pages, look));
  fill(
    parts.others,
    data.others.map(([name, words, many]) =>
      make("button", { "data-other": name, click: () => open(name, true) }, words, " ", bold(many))
    ),
  );
  const focus = root.getRootNode().activeElement?.dataset?.name;
  const none = data.look.search ? "No name holds these letters." : "There are no names yet.";
  fill(parts.grid, data.cards.length ? data.cards.map((card) => drawn(card, open)) : make("p.none", none));
  if (focus) [...parts.grid.children].find((card) => card.dataset.name === focus)?.focus({ preventScroll: true });
});

const bold = (number) => make("b", number.toLocaleString("en"));

function skeleton(root, data) {
  const search = { type: "search", placeholder: "Find a name", "aria-label": "Find a name", dir: "auto" };
  const parts = {
    root,
    search: make("input.search", search),
    sort: make(
      "select",
      { "aria-label": "Order" },
      data.sorts.map(([value, words]) => make("option", { value }, words)),
    ),
    found: make("span.quiet", { role: "status" }),
    others: make("span.others"),
    pages: make("span"),
    grid: make("div.people", { role: "list" }),
  };
  parts.search.value = data.look.search;
  const bar = make("div.bar", parts.search, parts.sort, parts.found, make("span.stretch"), parts.others, parts.pages);
  root.replaceChildren(bar, parts.grid);
  return parts;
}

function drawn(card, open) {
  const share = card.faces ? (100 * card.settled) / card.faces : 0;
  const faces = counted(card.faces, "face");
  const doubt = card.doubtful ? `, ${card.doubtful} doubtful` : "";
  return make(
    "button.card",
    {
      role: "listitem",
      class: card.faces ? "" : "bare",
      "data-name": card.name,
      title: card.name,
      "aria-label": `${card.name}: ${faces}, ${card.settled} settled${doubt}`,
      click: () => open(card.name, false),
    },
    make("span.cover", crop(card.picture, "")),
    make("span.name", { dir: "auto" }, card.name),
    make("span.many", card.faces ? `${faces} · ${settled(card)}` : settled(card)),
    make("span.settled", { "aria-hidden": "true" }, make("i", { style: `width:${share}%` })),
    card.doubtful ? make("span.doubtful", `${card.doubtful} doubtful`) : null,
  );
}

function settled(card) {
  if (!card.faces) return "no faces";
  if (card.settled === card.faces) return "all settled ✓";
  return card.settled ? `${card.settled} settled` : "none settled";
}
