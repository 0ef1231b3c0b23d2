// Lighting up: a face, its links, its box, its word in the caption, whichever is under the pointer.
import { S } from "./state.js";
import { shown } from "./view.js";

// The listeners for an element that stands for a face, a name, or a link between them.
export function lighting(over) {
  const set = (value) => () => {
    S.over = value;
    light();
  };
  return { mouseenter: set(over), mouseleave: set(null) };
}

export function light() {
  const { root } = S.parts;
  const { over } = S;
  const fits = (link) =>
    (over.face === undefined || link.face === over.face) && (over.name === undefined || link.name === over.name);
  const lit = over ? shown().faces.flatMap((face) => face.links).filter(fits) : [];
  const strong = lit.filter((link) => link.kind === "said" || link.kind === "thought");
  const faces = new Set([over?.face, ...strong.map((link) => link.face)]);
  const names = new Set([over?.name, ...strong.map((link) => link.name)]);
  const isLit = ({ face, name }) => {
    if (face === undefined) return names.has(name);
    if (name === undefined) return faces.has(Number(face));
    return lit.some((link) => link.face === Number(face) && link.name === name);
  };
  root.classList.toggle("lighting", Boolean(over));
  for (const node of root.querySelectorAll("[data-face], [data-name]")) {
    node.classList.toggle("lit", Boolean(over) && isLit(node.dataset));
  }
}
