// The frame itself: its picture with a box around each face, and its caption with the names marked.
import { fill, make } from "../nodes.js";
import { act, pick } from "./act.js";
import { draft, placed, startBox } from "./box.js";
import { lighting } from "./light.js";
import { S } from "./state.js";
import { called, pickedFace } from "./view.js";
import { onWheel, startPan, unzoom } from "./zoom.js";

const WIDE = 16 / 9;

export function drawShot(view) {
  const { shot } = S.parts;
  const key = `${view.id} ${view.picture.length}`;
  if (shot.dataset.key !== key) {
    shot.dataset.key = key;
    shot.classList.toggle("pictured", Boolean(view.picture));
    shot.style.setProperty("--ratio", view.picture ? view.width / view.height || WIDE : WIDE);
    const boxes = make("div.boxes");
    if (view.picture) {
      boxes.addEventListener("pointerdown", startBox);
      boxes.addEventListener("pointerdown", startPan);
      boxes.addEventListener("wheel", onWheel, { passive: false });
    }
    shot.replaceChildren(picture(view), boxes);
    unzoom();
  }
  const boxes = shot.lastChild;
  const picked = pickedFace(view);
  const framed = view.picture ? view.faces.filter((face) => face.box) : [];
  const looking = () => make("div.box.ghost", { role: "status" }, make("span", "Looking at this face…"));
  boxes.classList.toggle("drawing", S.drawing);
  fill(
    boxes,
    view.picture ? view.screen.filter((one) => one.box).map((one) => placed(written(one), one.box)) : [],
    framed.map((face) => placed(box(face, face === picked), face.box)),
    view.ghosts.map((ghost) => placed(looking(), ghost)),
    draft(),
  );
}

function picture(view) {
  const alt = `The frame: ${view.title}`;
  if (view.picture) return make("img.picture", { src: view.picture, alt, draggable: "false" });
  return make("p.empty", view.faces.length ? "There is no picture of this frame." : "No picture and no faces here.");
}

function box(face, picked) {
  return make(
    "button.box",
    {
      tabindex: "-1",
      class: `${picked ? "picked" : ""} ${face.best?.kind === "said" ? "said" : ""}`,
      "data-face": face.id,
      "aria-label": `Face ${face.place} in the picture`,
      click: () => pick(face.id),
      ...lighting({ face: face.id }),
    },
    make("span", { dir: "auto" }, face.best ? called(face.best.name) : "?"),
  );
}

// A text that was read off the screen, where it stands.
function written({ text, name }) {
  const title = name ? `${text}: read off the screen, names ${name}` : `${text}: read off the screen`;
  return make("div.written", { class: name ? "naming" : "", title, "data-testid": "written" });
}

export function drawCaption(view) {
  const said = view.caption.map(([text, name]) => name === "" ? text : word(view, text, name));
  const inText = new Set(view.caption.map(([, name]) => name));
  for (const one of view.screen) inText.add(one.name);
  const others = view.names.filter((name) => name.here && !inText.has(name.name));
  const read = view.screen.map((one) => one.name ? word(view, one.text, one.name) : make("span", one.text));
  const quiet = view.caption.length ? "" : "quiet";
  const words = said.length ? said : read.length ? null : "No caption";
  fill(
    S.parts.caption,
    words ? make("p.words", { class: quiet, dir: "auto", "data-testid": "caption" }, words) : null,
    read.length ? make("p.screen", { dir: "auto", "data-testid": "screen" }, make("b", "On the screen"), read) : null,
    others.length ? make("p.given", "Named here: ", others.map((name, k) => [k ? ", " : "", given(name.name)])) : null,
    view.around.map(([when, text]) => make("p.around", { dir: "auto" }, make("span", when), text)),
  );
}

function word(view, text, name) {
  const click = () => pickedFace(view) && act.is(name);
  return make("mark", { "data-name": name, ...lighting({ name }), click }, text);
}

const given = (name) => make("mark", { "data-name": name, dir: "auto", ...lighting({ name }) }, name);
