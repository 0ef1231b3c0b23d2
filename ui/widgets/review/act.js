// What people do on the review page, by mouse or by key.
import { stopDrawing } from "./box.js";
import { leave, tell, tellAndWait } from "./loop.js";
import { draw } from "./screen.js";
import { S } from "./state.js";
import { called, pickedFace, shown } from "./view.js";
import { closeTo, unzoom } from "./zoom.js";

const picked = () => pickedFace(shown());

export const act = {
  next: () => leave("go", shown().next),
  previous: () => leave("go", S.trail.length ? S.trail.pop() : shown().previous, {}, true),
  // The button says what it confirms; the key first warns of what is easily overlooked.
  frame: (warn = true) => {
    const view = shown();
    const open = view.faces.filter((face) => face.open && face.said.length === 0 && face.best);
    const answers = open.map((face) => [face.id, face.best.name]);
    if (warn && S.looked !== view.id && outOfSight(open)) {
      S.looked = view.id;
      return say("Some faces of this frame were out of sight. Look at them, then press Enter again.", true);
    }
    const twice = open.find((face) => face.twice);
    if (warn && twice && S.warned !== view.id) {
      S.warned = view.id;
      const name = twice.best.name;
      return say(`${name} is on several faces here. Correct one, or press Enter again to confirm them all.`, true);
    }
    Object.assign(S, { warned: null, looked: null });
    if (view.next !== null) leave("frame", view.next, { answers });
    else if (answers.length) tell("frame", { answers });
  },
  is: (name, face = picked()) => {
    if (!face) return;
    const best = face.links.find((link) => link.kind === "thought");
    const before = face.said.find((said) => said.who !== S.data.me && said.name !== name);
    tell(best && best.name === name ? "confirm" : "is", { face: face.id, name });
    onward(face);
    if (before) say(`This takes the place of ${before.who}'s answer: ${called(before.name)}. Press u to undo.`);
  },
  confirm: (face = picked()) => {
    if (face?.unknown) return say("Nobody knows yet who this is: press a number, or / to type a name.");
    if (!face?.best || face.best.kind === "said") return;
    tell("confirm", { face: face.id, name: face.best.name });
    onward(face);
  },
  refuse: (face = picked(), link = face?.best) => {
    if (!link) return;
    if (link.name !== "") tell("refuse", { face: face.id, name: link.name });
    else if (link.kind === "said") tell("take back", { face: face.id });
    else say("Nobody cannot be refused: say who it is, or that it is no face.");
  },
  link: (link) => {
    const face = shown().faces.find((other) => other.id === link.face);
    S.picked.set(S.frame, face.id);
    if (link.kind === "refused") tell("allow", { face: face.id, name: link.name });
    else if (link.kind !== "said") act.refuse(face, link);
    else if (face.open) tell("strike", { face: face.id, name: link.name });
    else tell("take back", { face: face.id });
  },
  noFace: (face = picked()) => {
    if (!face) return;
    tell("no face", { face: face.id });
    say("Not a face: taken out. Press u to undo.");
  },
  ignore: (face = picked()) => {
    if (!face) return;
    tell("ignore", { face: face.id });
    onward(face);
  },
  spread: (over, face = picked()) => face && tell(over, { face: face.id }),
  mention: (name) => tell("mention", { name }),
  undo: () => tellAndWait("undo"),
  redo: () => tellAndWait("redo"),
  skip: () => leave("skip", shown().next, { answers: [] }),
  why: (face = picked()) => {
    if (S.panel === "why") return close();
    S.panel = "why";
    if (face) tell("why", { face: face.id });
    else draw();
  },
  play: () => S.data.can_play && tell("play"),
  help: () => {
    S.panel = S.panel === "help" ? "" : "help";
    draw();
  },
  find: () => S.parts.field.focus(),
  // The picture in full size, then close to the picked face, then as it was.
  zoom: () => {
    if (!shown().picture) return;
    if (S.zoomed && S.zoom.times === 1 && picked()?.box) return closeTo(picked());
    S.zoomed = !S.zoomed;
    unzoom();
    draw();
  },
};

// Whether a face that would be confirmed cannot be seen; scrolls it into sight.
function outOfSight(faces) {
  const column = S.parts.faces.getBoundingClientRect();
  const hidden = faces.map((face) => S.parts.faces.querySelector(`[data-face="${face.id}"]`)).filter((card) => {
    const box = card?.getBoundingClientRect();
    return box && ((box.top + box.bottom) / 2 > column.bottom || (box.top + box.bottom) / 2 < column.top);
  });
  hidden.at(-1)?.scrollIntoView({ block: "nearest" });
  return hidden.length > 0;
}

export function close() {
  Object.assign(S, { panel: "", zoomed: false });
  unzoom();
  stopDrawing();
  draw();
}

export function pick(id) {
  S.picked.set(S.frame, id);
  if (S.panel === "why") tell("why", { face: id });
  else draw();
}

// Picks the face that is `step` further down.
export function move(step) {
  const view = shown();
  const place = view.faces.indexOf(pickedFace(view));
  S.refocus = true;
  if (view.faces.length) pick(view.faces[(place + step + view.faces.length) % view.faces.length].id);
}

// After an answer the next open face of the frame is picked.
function onward(face) {
  const faces = shown().faces;
  const place = faces.findIndex((other) => other.id === face.id);
  const next = [...faces.slice(place + 1), ...faces.slice(0, place)].find((other) => other.open);
  S.picked.set(S.frame, (next ?? face).id);
  if (S.panel === "why" && next) tell("why", { face: next.id });
  draw();
}

export function say(text, wrong = false) {
  S.note = { text, wrong };
  draw();
}
