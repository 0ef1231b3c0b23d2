// Cards of all names. The search box outlives redraws, so that nobody loses the focus while typing.
const kept = new Map();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".cards");
  root.dataset.theme = data.theme;
  let mine = kept.get(parentElement);
  if (!mine || mine.root !== root) {
    mine = { root, search: make("input", { type: "search", class: "search", placeholder: "Find a name", "aria-label": "Find a name", dir: "auto" }),
      sort: make("select", { "aria-label": "Order" }), found: make("span", { class: "quiet", role: "status" }),
      others: make("span", { class: "others" }), pages: make("span"), grid: make("div", { class: "people", role: "list" }) };
    mine.search.value = data.look.search;
    for (const [value, words] of data.sorts) mine.sort.append(make("option", { value }, words));
    root.replaceChildren(make("div", { class: "bar" }, mine.search, mine.sort, mine.found, make("span", { class: "stretch" }), mine.others, mine.pages), mine.grid);
    kept.set(parentElement, mine);
  }
  const look = (page) => setTriggerValue("look", { search: mine.search.value, sort: mine.sort.value, page });
  let waiting;
  mine.search.oninput = () => { clearTimeout(waiting); waiting = setTimeout(() => look(0), 120); };
  mine.search.onkeydown = (event) => event.stopPropagation();
  mine.sort.value = data.look.sort;
  mine.sort.onchange = () => look(0);
  mine.found.textContent = data.look.search ? `${count(data.found, "name")} found` : count(data.found, "name");
  mine.pages.replaceChildren(pager(data.look.page, data.pages, look));
  mine.others.replaceChildren(...data.others.map(([name, words, many]) =>
    make("button", { type: "button", "data-other": name, click: () => setTriggerValue("open", { name, other: true }) }, `${words} `, make("b", {}, many.toLocaleString("en")))));
  const focus = root.getRootNode().activeElement?.dataset?.name;
  mine.grid.replaceChildren(...data.cards.map((card) => {
    const share = card.faces ? (100 * card.settled) / card.faces : 0;
    const rest = !card.faces ? "no faces" : card.settled === card.faces ? "all settled ✓" : card.settled ? `${card.settled} settled` : "none settled";
    return make("button", { type: "button", role: "listitem", class: `card${card.faces ? "" : " bare"}`, "data-name": card.name, title: card.name,
      "aria-label": `${card.name}: ${count(card.faces, "face")}, ${card.settled} settled${card.doubtful ? `, ${card.doubtful} doubtful` : ""}`,
      click: () => setTriggerValue("open", { name: card.name, other: false }) },
      make("span", { class: "cover" }, crop(card.picture, "")),
      make("span", { class: "name", dir: "auto" }, card.name),
      make("span", { class: "many" }, card.faces ? count(card.faces, "face") : "", card.faces ? " · " : "", rest),
      make("span", { class: "settled", "aria-hidden": "true" }, make("i", { style: `width:${share}%` })),
      card.doubtful ? make("span", { class: "doubtful" }, `${card.doubtful} doubtful`) : "");
  }));
  if (!data.cards.length) mine.grid.append(make("p", { class: "none" }, data.look.search ? "No name holds these letters." : "There are no names yet."));
  if (focus) [...mine.grid.children].find((card) => card.dataset.name === focus)?.focus({ preventScroll: true });
  return () => clearTimeout(waiting);
}
