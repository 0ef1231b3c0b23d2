// Why a face has its name: the names considered, what was ruled out, and faces that look alike.
import { fill, make, percent } from "../nodes.js";
import { close } from "./act.js";
import { button, meter } from "./button.js";
import { leave } from "./loop.js";
import { S } from "./state.js";
import { called, pickedFace } from "./view.js";

export function drawWhy(view) {
  const face = pickedFace(view);
  const head = make("div.head", make("h3", "Why?"), button("Close", "Esc", close, { class: "inline" }));
  if (!face) return fill(S.parts.side, head, make("p", "There is no face here."));
  const answer = face.said.length && face.open
    ? "People differ"
    : face.best
    ? called(face.best.name)
    : "Unknown: who is this?";
  const who = make("div.who", make("img", { src: face.crop, alt: "" }), make("p", { dir: "auto" }, answer));
  const found = S.data.why?.face === face.id ? S.data.why : null;
  if (found) fill(S.parts.side, head, reasons(found, who));
  else fill(S.parts.side, head, who, make("p.quiet", "Looking up the evidence…"));
}

function reasons({ considered, ruled, alike }, who) {
  return make(
    "div.scrolls.reasons",
    who,
    make("h4", "Names considered"),
    considered.length ? make("ol", considered.map(consideredName)) : make("p", "The model has not seen this face yet."),
    ruled.length ? make("h4", "Ruled out") : null,
    ruled.length ? make("ul", ruled.map((words) => make("li", { dir: "auto" }, words))) : null,
    make("h4", "Look-alikes in other frames"),
    alike.length ? make("ol.alike", alike.map(lookAlike)) : make("p", "Nobody in another frame looks like this."),
  );
}

function consideredName({ name, score, note }) {
  return make(
    "li",
    make("div", make("span", { dir: "auto" }, called(name)), make("b", percent(score))),
    meter(score),
    note ? make("small", note) : null,
  );
}

function lookAlike(other) {
  const words = make(
    "span",
    make("b", { dir: "auto" }, `${called(other.name)} `),
    make("small", `${percent(other.similarity)} alike`),
    other.caption ? make("q", { dir: "auto" }, other.caption) : make("small", "no caption"),
  );
  const click = () => leave("go", other.frame);
  return make(
    "li",
    make(
      "button",
      { "data-key": `alike ${other.face}`, title: other.caption, click },
      make("img", { src: other.crop, alt: "" }),
      words,
    ),
  );
}
