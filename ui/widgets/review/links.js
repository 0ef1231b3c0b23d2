// The links between faces and names. They follow when a column scrolls, and end at its edge where their face or name is
// out of sight.
import { make, percent } from "../nodes.js";
import { act } from "./act.js";
import { light, lighting } from "./light.js";
import { S } from "./state.js";
import { called, pickedFace, shown } from "./view.js";

const ORDER = { refused: 0, maybe: 1, thought: 2, said: 3 }; // from the lowest to the topmost
const INSIDE = 3; // pixels from the edge of a column at which a link to something out of sight ends

export function drawLinks(view = shown()) {
  if (!view || !S.parts) return;
  const { board, lines, faces, names, nobody } = S.parts;
  const frame = board.getBoundingClientRect();
  if (!frame.width) return;
  const faceEnd = new Map(
    [...faces.querySelectorAll(".face")].map((card) => [
      Number(card.dataset.face),
      end(card.querySelector("img"), faces, "right", frame),
    ]),
  );
  const nameEnd = new Map(
    [...names.querySelectorAll(".name")].map((chip) => [chip.dataset.name, end(chip, names, "left", frame)]),
  );
  nameEnd.set("", end(nobody.firstElementChild, null, "left", frame));
  const picked = pickedFace(view);
  const all = view.faces.flatMap((face) => face.links);
  all.sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || a.confidence - b.confidence);
  const there = all.filter((link) => faceEnd.has(link.face) && nameEnd.has(link.name));
  lines.replaceChildren(
    ...there.map((link) => drawn(link, faceEnd.get(link.face), nameEnd.get(link.name), picked?.id === link.face, view)),
  );
  light();
}

// Where a link meets an element: the middle of its side, held inside the column that it scrolls in.
function end(node, column, side, frame) {
  const box = node.getBoundingClientRect();
  const inside = column?.getBoundingClientRect();
  const middle = (box.top + box.bottom) / 2;
  const y = inside ? Math.min(Math.max(middle, inside.top + INSIDE), inside.bottom - INSIDE) : middle;
  return { x: box[side] - frame.left, y: y - frame.top, hidden: y !== middle };
}

function drawn(link, from, to, picked, view) {
  const bend = (to.x - from.x) / 2;
  const d = `M${from.x + 4} ${from.y} C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x - 3} ${to.y}`;
  const conflict = link.kind === "said" && view.faces.find((face) => face.id === link.face).open;
  const classes = { beyond: from.hidden || to.hidden, "of-picked": picked, conflict };
  const about = { "data-face": link.face, "data-name": link.name };
  const kind = [link.kind, ...Object.keys(classes).filter((name) => classes[name])].join(" ");
  const line = make("path.line", { d, class: kind, ...about });
  line.style.strokeWidth = `${width(link)}px`;
  const { face, name } = link;
  const hit = make("path.hit", { d, ...about, click: () => act.link(link), ...lighting({ face, name }) });
  hit.append(make("title", explained(link, conflict)));
  return make("g", line, hit, badge(link, conflict, about, (from.x + to.x) / 2, (from.y + to.y) / 2));
}

const width = (link) => link.kind === "said" ? 4 : link.kind === "thought" ? 1.5 + 5.5 * link.confidence : 1.5;

function explained(link, conflict) {
  const name = called(link.name);
  if (link.kind === "refused") return `Not ${name}. Click to allow it again.`;
  if (conflict) return `${link.who} says ${name}. Click to strike this answer.`;
  if (link.kind === "said") return `${link.who} said so. Click to take it back.`;
  const sure = link.kind === "thought" ? " sure" : "";
  return `${name}: ${percent(link.confidence)}${sure}. Click to refuse: not this person.`;
}

function badge(link, conflict, about, x, y) {
  if (link.kind !== "said" && link.kind !== "refused") return null;
  const sign = link.kind === "refused" ? "✕" : conflict ? initials(link.who) : "✓";
  return make(
    "g.badge",
    { class: `${link.kind} ${conflict ? "conflict" : ""}`, transform: `translate(${x} ${y})`, ...about },
    make("circle", { r: sign.length > 1 ? 12 : 10 }),
    make("text", { y: 4, "text-anchor": "middle" }, sign),
  );
}

function initials(who) {
  const words = who.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0] ?? "").join("").toUpperCase() || "?";
}
