// Cards of which one is chosen: a radio group, moved through by arrows.
import { make } from "./nodes.js";
import { steady } from "./steady.js";

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".choices");
  root.dataset.theme = data.theme;
  const focused = root.getRootNode().activeElement?.dataset?.name;
  const group = make("div.group", { role: "radiogroup", "aria-label": data.label });
  const pick = (name) => {
    mark(name);
    setTriggerValue("pick", { name });
  };
  group.append(...data.options.map((option) =>
    make(
      "button.choice",
      {
        role: "radio",
        "data-name": option.name,
        "aria-disabled": option.unfit ? "true" : null,
        click: () => !option.unfit && pick(option.name),
      },
      make("span.title", option.title, make("small", option.note)),
      make("span.what", option.unfit ? `Not here: ${option.unfit}` : option.what),
    )
  ));
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
});
