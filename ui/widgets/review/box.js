// A box around a face that was missed: dragged with the mouse, or placed, moved and sized with keys.
import { make, percent } from "../nodes.js";
import { say } from "./act.js";
import { tell } from "./loop.js";
import { draw } from "./screen.js";
import { S } from "./state.js";
import { shown } from "./view.js";

const SMALLEST = 12; // pixels on the screen
const STEP = 0.02; // of the picture, a key
const GROWTH = 1.15;
const USUAL = 0.28; // of the picture's shorter side, about as large as a face is in most frames

export function toggleDrawing(byKey = false) {
  if (!S.data.can_box || !shown()?.picture) return say("A box can be drawn where the frame has a picture.");
  if (S.drawing) {
    stopDrawing();
    return say("");
  }
  S.drawing = true;
  if (byKey) centre();
  say(
    byKey
      ? "Arrows move the box, Shift and arrows size it, Enter takes it. Or drag one."
      : "Drag a box around the face that was missed. Esc to leave it.",
  );
}

export function stopDrawing() {
  S.drawing = false;
  S.draft = null;
}

function accept(box) {
  stopDrawing();
  tell("box", { box });
}

// Places an element over the picture; the edges are shares of its size.
export function placed(node, edges) {
  const [left, top, right, bottom] = edges;
  Object.assign(node.style, {
    left: `${100 * left}%`,
    top: `${100 * top}%`,
    width: `${100 * (right - left)}%`,
    height: `${100 * (bottom - top)}%`,
  });
  return node;
}

const between = (value, low, high) => Math.min(Math.max(value, low), high);

// --- By key ---

// A box in the middle, square on the screen.
function centre() {
  const { width, height } = S.parts.shot.lastChild.getBoundingClientRect();
  const side = USUAL * Math.min(width, height);
  S.draft = { x: 0.5, y: 0.5, w: side / (width || 1), h: side / (height || 1) };
}

const edges = ({ x, y, w, h }) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];

// The box as it lies now, to be drawn among the others.
export function draft() {
  if (!S.drawing || !S.draft) return null;
  const [left, top] = edges(S.draft);
  const where = `${percent(left)} from the left, ${percent(top)} from the top`;
  const words = `The box: ${where}, ${percent(S.draft.w)} wide, ${percent(S.draft.h)} high`;
  const box = make(
    "div.box.ghost.draft",
    { role: "status", "aria-label": words },
    make("span", "Enter takes this face"),
  );
  return placed(box, edges(S.draft));
}

// Whether the key was one for the box.
export function boxKey(event) {
  const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const growth = { "+": GROWTH, "=": GROWTH, "-": 1 / GROWTH, _: 1 / GROWTH }[event.key];
  const held = event.ctrlKey || event.metaKey || event.altKey;
  if (held || !(arrow || growth || (event.key === "Enter" && S.draft))) return false;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Enter") {
    if (!event.repeat) accept(edges(S.draft));
    return true;
  }
  if (!S.draft) centre();
  const box = S.draft;
  if (arrow && event.shiftKey) resize(box.w + 2 * STEP * arrow[0], box.h + 2 * STEP * arrow[1]);
  else if (arrow) shift(box.x + STEP * arrow[0], box.y + STEP * arrow[1]);
  else resize(box.w * growth, box.h * growth);
  draw();
  return true;
}

function resize(w, h) {
  const { width, height } = S.parts.shot.lastChild.getBoundingClientRect();
  S.draft.w = between(w, SMALLEST / (width || 1), 1);
  S.draft.h = between(h, SMALLEST / (height || 1), 1);
  shift(S.draft.x, S.draft.y);
}

// Moves the middle of the box; all of it stays in the picture.
function shift(x, y) {
  S.draft.x = between(x, S.draft.w / 2, 1 - S.draft.w / 2);
  S.draft.y = between(y, S.draft.h / 2, 1 - S.draft.h / 2);
}

// --- By mouse ---

export function startBox(event) {
  if (!S.drawing) return;
  event.preventDefault();
  S.draft = null;
  const area = event.currentTarget;
  const size = area.getBoundingClientRect();
  const share = (at) => [
    between((at.clientX - size.left) / size.width, 0, 1),
    between((at.clientY - size.top) / size.height, 0, 1),
  ];
  const [x, y] = share(event);
  area.querySelector(".draft")?.remove();
  const ghost = area.appendChild(make("div.box.ghost"));
  const corners = (at) => {
    const [u, v] = share(at);
    return [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)];
  };
  area.setPointerCapture(event.pointerId);
  area.onpointermove = (at) => placed(ghost, corners(at));
  area.onpointerup = (at) => {
    area.onpointermove = area.onpointerup = null;
    ghost.remove();
    const box = corners(at);
    const small = (box[2] - box[0]) * size.width < SMALLEST || (box[3] - box[1]) * size.height < SMALLEST;
    if (small) say("That box is too small; drag across the whole face.");
    else accept(box);
  };
}
