// The whole review page: its elements, and drawing anew what has changed in them.
import { fill, make, single } from "../nodes.js";
import { act } from "./act.js";
import { drawBoard } from "./board.js";
import { toggleDrawing } from "./box.js";
import { button } from "./button.js";
import { drawCaption, drawShot } from "./frame.js";
import { drawHelp } from "./help.js";
import { drawLinks } from "./links.js";
import { drawQueue } from "./queue.js";
import { searchField } from "./search.js";
import { S } from "./state.js";
import { drawStrip } from "./timeline.js";
import { pickedFace, shown } from "./view.js";
import { drawWhy } from "./why.js";

export function skeleton(root) {
  const parts = {
    root,
    bar: make("div.bar"),
    shot: make("div.shot"),
    caption: make("div.caption"),
    strip: make("div.timeline"),
    hint: make("p.hint", { "aria-live": "polite" }),
    board: make("div.board"),
    faces: make("div.faces", { role: "group", "aria-label": "Faces" }),
    lines: make("svg.lines"),
    names: make("div.names", { role: "group", "aria-label": "Names" }),
    nobody: make("div.nobody-slot"),
    search: make("div.search"),
    actions: make("div.actions"),
    side: make("aside.side"),
    cover: make("div.cover"),
  };
  parts.field = searchField(parts.search);
  const right = make("div.right", parts.names, parts.nobody, parts.search);
  parts.board.append(parts.faces, make("div.gap"), right, parts.lines);
  const scene = make("section.scene", { "aria-label": "The frame" }, parts.shot, parts.caption, parts.strip);
  const about = { "aria-label": "Faces and names" };
  const graph = make("section.graph", about, parts.hint, parts.board, parts.actions);
  root.replaceChildren(parts.bar, make("div.columns", scene, graph, parts.side), parts.cover);
  for (const column of [parts.faces, parts.names]) {
    column.addEventListener("scroll", () => drawLinks(), { passive: true });
  }
  // The mouse leaves the keyboard where it is; fields and lists take it.
  root.addEventListener("mousedown", (event) => {
    if (!event.target.closest("input, select, .scrolls")) event.preventDefault();
  });
  new ResizeObserver(() => drawLinks()).observe(parts.board);
  return parts;
}

// Draws what has changed, once, when the click or key is done with.
export function draw() {
  if (!S.drawn) return;
  S.drawn = false;
  queueMicrotask(() => {
    S.drawn = true;
    const view = S.root?.isConnected && S.data ? shown() : null;
    if (view) paint(view);
  });
}

function paint(view) {
  const { parts, data } = S;
  const active = parts.root.getRootNode().activeElement;
  drawBar(view);
  drawShot(view);
  ifChanged(parts.caption, [view.id, view.caption, view.screen, view.names.length], () => drawCaption(view));
  ifChanged(parts.strip, [view.id, data.strip], () => drawStrip(view));
  drawHint(view);
  drawBoard(view);
  drawActions(view);
  if (S.panel === "why") {
    drawWhy(view);
    S.shows.delete(parts.side);
  } else ifChanged(parts.side, [view.id, data.queue, data.progress], () => drawQueue(view));
  drawHelp();
  parts.root.classList.toggle("zoomed", S.zoomed && Boolean(view.picture));
  parts.root.dataset.frame = view.id;
  parts.root.dataset.pending = S.pending.length;
  focusAgain(active);
  S.refocus = false;
}

// Builds a part anew only if what it shows is another.
function ifChanged(part, shows, build) {
  const before = S.shows.get(part) ?? [];
  if (before.length === shows.length && before.every((value, k) => value === shows[k])) return;
  S.shows.set(part, shows);
  build();
}

// Gives the focus back to what had it before it was drawn anew; where nothing has it, to the picked face.
function focusAgain(active) {
  const { parts } = S;
  const key = active?.dataset?.key;
  const free = document.activeElement === document.body || document.activeElement === null;
  const again = key && [...parts.root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
  const focus = (node) => node?.focus({ preventScroll: true });
  if (S.refocus || key?.startsWith("face ")) focus(parts.faces.querySelector(".picked"));
  else if (again) again !== active && focus(again);
  else if (S.panel === "help") focus(parts.cover.querySelector("button"));
  else if (free || key) focus(parts.faces.querySelector(".picked"));
}

function drawBar(view) {
  const { data } = S;
  const box = { class: `quiet ${S.drawing ? "on" : ""}`, "aria-pressed": String(S.drawing) };
  const startDrawing = (event) => toggleDrawing(event.detail === 0); // 0: the button was pressed with a key
  fill(
    S.parts.bar,
    button("Previous", "←", act.previous, { class: "quiet", disabled: !S.trail.length && view.previous === null }),
    button("Next", "→", act.next, { class: "quiet", disabled: view.next === null }),
    make("h2", { title: view.title }, view.title),
    make("span.stretch"),
    button("Undo", "u", act.undo, { class: "quiet", disabled: !data.can_undo && !S.pending.length }),
    button("Redo", "y", act.redo, { class: "quiet", disabled: !data.can_redo }),
    data.can_box && view.picture ? button("Add a face", "b", startDrawing, box) : null,
    view.picture ? button("Full size", "f", act.zoom, { class: "quiet", "aria-pressed": String(S.zoomed) }) : null,
    data.can_play ? button("Play", "p", act.play, { class: "quiet" }) : null,
    button("Keys", "?", act.help, { class: "quiet" }),
  );
}

function drawHint(view) {
  S.parts.hint.textContent = S.note.text || hint(view);
  S.parts.hint.classList.toggle("noted", S.note.text !== "");
  S.parts.hint.classList.toggle("wrong", S.note.wrong);
}

function hint(view) {
  const picked = pickedFace(view);
  if (!picked) return "Nothing to answer here. Press → for the next frame.";
  if (!S.data.ran) return "Rollcall has not looked at these faces yet: run the model, or name them yourself.";
  if (!view.faces.some((face) => face.open)) return "All settled. Press Enter for the next frame.";
  if (picked.said.length > 1) return "People differ on this face: click the right name, or strike an answer.";
  if (picked.unknown) return "Who is this? Click a name or press its number. Enter leaves unknown faces open.";
  if (picked.open) return "Who is this? Click a name or press its number. Enter confirms the whole frame.";
  return "Settled. Pick another face, or press Enter to go on.";
}

export function drawActions(view) {
  const face = pickedFace(view);
  const open = view.faces.filter((other) => other.open && other.best && !other.said.length).length;
  const unknown = view.faces.filter((other) => other.unknown).length;
  const all = open === 1 ? "1 face" : unknown ? `${open} faces` : `all ${open} faces`;
  const left = unknown ? `, ${unknown} unknown ${unknown === 1 ? "stays" : "stay"} open` : "";
  const twice = view.faces.find((other) => other.open && other.twice)?.best.name;
  const words = open ? `Confirm ${all}${left}${twice ? ` (${twice} on several)` : ""}` : "Next frame";
  const confirm = {
    "data-key": "confirm",
    disabled: !open && view.next === null,
    click: single(() => act.frame(false)),
  };
  fill(S.parts.actions, face ? faceActions(face) : null, make("button.primary", confirm, words, make("kbd", "↵")));
}

function faceActions(face) {
  const { best, track, person } = face;
  const alike = person === 1 ? "look-alike" : "look-alikes";
  const stranger = { title: "Nobody we know: do not ask again, here or elsewhere" };
  const why = { class: S.panel === "why" ? "on" : "", "aria-pressed": String(S.panel === "why") };
  const spread = { class: "spread" };
  const cannotRefuse = !best || (best.kind !== "said" && best.name === "");
  return [
    button("Not this person", "r", () => act.refuse(), { disabled: cannotRefuse }),
    button("Not a face", "x", () => act.noFace()),
    face.open ? button("Stranger", "i", () => act.ignore(), stranger) : null,
    !face.open && track
      ? button(`Same for ${track} more in this shot`, "t", () => act.spread("same track"), spread)
      : null,
    !face.open && person ? button(`Same for ${person} ${alike}`, "g", () => act.spread("same person"), spread) : null,
    button("Why?", "w", () => act.why(), why),
  ];
}
