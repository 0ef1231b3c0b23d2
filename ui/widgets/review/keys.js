// The keys of the review page. Everything has one.
import { act, close, move } from "./act.js";
import { boxKey, toggleDrawing } from "./box.js";
import { runAgain } from "./queue.js";
import { S } from "./state.js";
import { keyed, shown } from "./view.js";

export const KEYS = [
  ["1 – 9", "this face is that name"],
  ["0 or n", "this face is nobody"],
  ["Space", "confirm this face"],
  ["Enter or c", "confirm the whole frame, go on"],
  ["r", "not this person: refuse the link"],
  ["x", "not a face"],
  ["i", "a stranger: nobody here, and never asked about again"],
  ["t", "same answer for the whole track"],
  ["g", "same answer for all look-alikes"],
  ["↑ ↓ or Tab", "another face"],
  ["→ or j", "next frame"],
  ["← or k", "previous frame"],
  ["s", "skip this frame"],
  ["/", "find or add a name"],
  ["b", "box a missed face: drag, or …"],
  ["↑ ↓ ← →", "… move the box there"],
  ["Shift + arrows, + −", "… size it"],
  ["Enter", "… take the face in it"],
  ["w", "why this name?"],
  ["a", "run again, around what was said"],
  ["p", "play the video here"],
  ["f", "the picture in full size, then close to the face, then back"],
  ["u or Ctrl+Z", "undo"],
  ["y or Ctrl+Y", "redo"],
  ["Esc", "close what is open"],
  ["?", "this help"],
];

const BY_KEY = {
  ArrowRight: () => act.next(),
  j: () => act.next(),
  ArrowLeft: () => act.previous(),
  k: () => act.previous(),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Enter: () => act.frame(),
  c: () => act.frame(),
  " ": () => act.confirm(),
  n: () => act.is(""),
  0: () => act.is(""),
  x: () => act.noFace(),
  r: () => act.refuse(),
  i: () => act.ignore(),
  t: () => act.spread("same track"),
  g: () => act.spread("same person"),
  u: () => act.undo(),
  y: () => act.redo(),
  s: () => act.skip(),
  "/": () => act.find(),
  w: () => act.why(),
  a: () => runAgain(),
  p: () => act.play(),
  f: () => act.zoom(),
  z: () => act.undo(),
  b: () => toggleDrawing(true),
  "?": () => act.help(),
  Escape: () => close(),
};

export function press(key) {
  if (S.waitingFor && !["?", "Escape"].includes(key)) return void S.typed.push(key); // for the frame that is on its way
  if (!/^[1-9]$/.test(key)) return void BY_KEY[key]?.();
  const name = keyed(shown(), Number(key));
  if (name !== undefined) act.is(name);
}

const TYPING = "input, textarea, select, [contenteditable=true], [role=slider], [role=combobox]";
const DIALOG = '[data-testid="stDialog"], [data-testid="stPopoverBody"], [role="dialog"]';

export function onKey(event) {
  if (!S.root?.isConnected || event.isComposing) return;
  const at = event.composedPath()[0];
  if (at instanceof Element && at.closest(TYPING)) return;
  if (document.querySelector(DIALOG)) return;
  if (S.drawing && boxKey(event)) return;
  const key = meant(event);
  if (key === null || event.altKey || !(key in BY_KEY || /^[1-9]$/.test(key))) return;
  const button = at instanceof Element ? at.closest("button, a, summary") : null;
  const presses = button && !button.classList.contains("face") && (key === "Enter" || key === " ");
  if (presses) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // Streamlit has meanings of its own for some letters
  if (event.repeat && !key.startsWith("Arrow")) return; // a key held down is not many decisions
  press(key);
}

function meant(event) {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!event.ctrlKey && !event.metaKey) return letter;
  if (letter === "z") return event.shiftKey ? "y" : "u";
  return letter === "y" ? "y" : null;
}

// A mouse leaves no button focused, or Enter would press that button again instead of confirming.
export function onClick(event) {
  const active = document.activeElement;
  const pressed = event.detail > 0 && active instanceof HTMLElement && active.matches("button, a");
  if (pressed && !active.closest('[role="dialog"]')) active.blur();
}
