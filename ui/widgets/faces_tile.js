// One face in the grid.
import { make } from "./nodes.js";

export function tile(face, image, does) {
  const { state, where } = face;
  const open = state === "open";
  const differ = state === "conflict";
  const words = open ? `${face.sure} % sure` : differ ? "people differ" : `${state} by ${face.who}`;
  const short = open ? `${face.sure} %` : differ ? "! differ" : `✓ ${state}`;
  const openFrame = (event) => {
    event.stopPropagation();
    does.open(face.face);
  };
  return make(
    "div.tile",
    {
      class: state,
      role: "option",
      "data-face": face.face,
      tabindex: "-1",
      "aria-label": `Face in ${where}: ${words}`,
      title: `${where}: ${words}${face.mark ? `, ${face.mark}` : ""}`,
      mousedown: (event) => event.shiftKey && event.preventDefault(),
      click: (event) => does.toggle(face.face, event.shiftKey),
      dblclick: () => does.open(face.face),
      focus: () => does.focused(face.face),
    },
    make("span.ring", image),
    make("span.check", { "aria-hidden": "true" }, "✓"),
    make("span.words", short),
    make("span.sure", { "aria-hidden": "true" }, make("i", { style: `width:${open ? face.sure : 100}%` })),
    make(
      "button.open",
      { tabindex: "-1", "aria-label": `Open the frame: ${where}`, title: "Open the frame", click: openFrame },
      "↗",
    ),
  );
}
