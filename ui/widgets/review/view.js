// The frame as it stands: what Python sent, with the events laid over it that Python has not seen yet.
import { SILHOUETTE } from "../crops.js";
import { make } from "../nodes.js";
import { S } from "./state.js";

const KNOWN = 0.5; // what is less probable is no answer

export const called = (name) => (name === "" ? "Nobody" : name === null ? "Not a face" : name);

export function shown() {
  const view = S.views.get(S.frame) ?? [...S.views.values()][0];
  if (!view) return null;
  const faces = view.faces.map((face) => ({ ...face, said: [...face.said], refused: [...face.refused] }));
  const now = { ...view, faces, names: [...view.names], ghosts: [...(view.ghosts ?? [])] };
  for (const event of S.pending) if (event.frame === view.id) lay(now, event);
  for (const face of now.faces) {
    face.open = new Set(face.said.map((said) => said.name)).size !== 1;
    face.links = links(face, now.faces);
    face.best = face.links.find((link) => link.kind === "said" || link.kind === "thought") ?? null;
    face.unknown = face.open && !face.best;
  }
  const many = Map.groupBy(now.faces.filter((face) => face.best?.name), (face) => face.best.name);
  for (const face of now.faces) face.twice = (many.get(face.best?.name)?.length ?? 0) > 1;
  return now;
}

function lay(view, event) {
  const face = view.faces.find((other) => other.id === event.face);
  if (event.kind in ON_FRAME) ON_FRAME[event.kind](view, event);
  else if (face && event.kind in ON_FACE) ON_FACE[event.kind](face, event.name, view);
}

const ON_FRAME = {
  frame: (view, event) => {
    for (const [id, name] of event.answers) {
      const face = view.faces.find((other) => other.id === id);
      if (face) answer(face, name);
    }
  },
  mention: (view, event) => addName(view, event.name, true),
  box: (view, event) => view.ghosts.push(event.box),
};

const ON_FACE = {
  is: (face, name, view) => {
    answer(face, name);
    if (name) addName(view, name, false);
  },
  confirm: (face, name, view) => ON_FACE.is(face, name, view),
  ignore: (face) => answer(face, "", true),
  refuse: (face, name) => {
    ON_FACE.strike(face, name);
    if (!face.refused.includes(name)) face.refused.push(name);
  },
  strike: (face, name) => face.said = face.said.filter((said) => said.name !== name),
  allow: (face, name) => face.refused = face.refused.filter((other) => other !== name),
  "take back": (face) => face.said = [],
  "no face": (face, _, view) => view.faces = view.faces.filter((other) => other !== face),
};

function answer(face, name, stranger = false) {
  face.said = [{ name, who: S.data.me, stranger }];
  face.refused = face.refused.filter((other) => other !== name);
}

function addName(view, name, here) {
  if (!view.names.some((other) => other.name === name)) view.names.push({ name, here, added: true });
}

// A face's links. What a person gave to another face of the frame is not thought here any more.
function links(face, faces) {
  const link = (name, kind, confidence, who) => ({ face: face.id, name, kind, confidence, who });
  const refused = face.refused.map((name) => link(name, "refused", 0));
  if (face.said.length) return [...refused, ...face.said.map((said) => link(said.name, "said", 1, said.who))];
  const others = faces.filter((other) => other !== face && other.said.length === 1);
  const given = new Set(others.map((other) => other.said[0].name));
  const left = face.thought.filter(([name]) => name === "" || !(given.has(name) || face.refused.includes(name)));
  if (!left.length || left[0][1] < KNOWN) return refused; // unknown: no answer, so no link
  const thought = left.map(([name, confidence], k) => link(name, k === 0 ? "thought" : "maybe", confidence));
  return [...refused, ...thought.reverse()];
}

// The face that clicks on names and keys are about: the one picked, else the one asked about, else the first open one.
export function pickedFace(view) {
  const { faces } = view;
  const chosen = faces.find((face) => face.id === S.picked.get(view.id));
  const asked = faces.find((face) => face.id === view.asks && face.open);
  return chosen ?? asked ?? faces.find((face) => face.open) ?? faces[0] ?? null;
}

// Who that is, as a small picture; a silhouette where nobody knows yet, and none for nobody.
export function portrait(name) {
  const src = Object.hasOwn(S.data.portraits, name) ? S.data.portraits[name] : SILHOUETTE;
  return name ? make("img.portrait", { src, alt: "", draggable: "false" }) : null;
}

// The name that a number key stands for.
export const keyed = (view, key) => view.names.find((name) => name.key === key)?.name;
