// Cards of which one is chosen: a radio group, moved through by arrows.
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".choices");
  root.dataset.theme = data.theme;
  const focused = root.getRootNode().activeElement?.dataset?.name;
  const group = make("div", { class: "group", role: "radiogroup", "aria-label": data.label });
  const pick = (name) => {
    mark(name);
    setTriggerValue("pick", { name });
  };
  for (const option of data.options)
    group.append(make("button", { type: "button", role: "radio", class: "choice", "data-name": option.name, "aria-disabled": option.unfit ? "true" : null,
      click: () => { if (!option.unfit) pick(option.name); } },
      make("span", { class: "title" }, option.title, make("small", {}, option.note)),
      make("span", { class: "what" }, option.unfit ? `Not here: ${option.unfit}` : option.what)));
  function mark(chosen) {
    for (const card of group.children) {
      card.setAttribute("aria-checked", String(card.dataset.name === chosen));
      card.tabIndex = card.dataset.name === chosen ? 0 : -1;
    }
  }
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const fit = [...group.children].filter((card) => !card.hasAttribute("aria-disabled"));
    const at = fit.indexOf(root.getRootNode().activeElement);
    const next = fit[(at + step + fit.length) % fit.length];
    next?.focus();
    if (next) pick(next.dataset.name);
  });
  root.replaceChildren(group);
  mark(data.chosen);
  if (focused) [...group.children].find((card) => card.dataset.name === focused)?.focus({ preventScroll: true });
}
