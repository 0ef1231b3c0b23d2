// A box around a face that was missed: dragged with the mouse, or placed, moved and sized with keys.
const SMALLEST = 12; // pixels on the screen
const STEP = 0.02; // of the picture, a key
const GROWTH = 1.15;

function toggleDrawing(byKey = false) {
  if (!S.data.can_box || !shown()?.picture) return say("A box can be drawn where the frame has a picture.");
  if (S.drawing) {
    stopDrawing();
    return say("");
  }
  S.drawing = true;
  if (byKey) place();
  say(byKey ? "Arrows move the box, Shift and arrows size it, Enter takes it. Or drag one."
    : "Drag a box around the face that was missed. Esc to leave it.");
}

function stopDrawing() {
  S.drawing = false;
  S.draft = null;
}

function accept(box) {
  stopDrawing();
  tell("box", { box });
}

// --- By key ----------------------------------------------------------------------------------------------------------------

// A box in the middle, about as large as a face is in most frames, and square on the screen.
function place() {
  const { width, height } = S.parts.shot.lastChild.getBoundingClientRect();
  const side = 0.28 * Math.min(width, height);
  S.draft = { x: 0.5, y: 0.5, w: side / (width || 1), h: side / (height || 1) };
}

const edges = ({ x, y, w, h }) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];

// The box as it lies now, to be drawn among the others.
function draft() {
  if (!S.drawing || !S.draft) return [];
  const [left, top, right, bottom] = edges(S.draft);
  const words = `${percent(left)} from the left, ${percent(top)} from the top, ${percent(right - left)} wide, ${percent(bottom - top)} high`;
  return [placed(make("div", { class: "box ghost draft", role: "status", "aria-label": `The box: ${words}` }, make("span", {}, "Enter takes this face")),
    left, top, right, bottom)];
}

// Whether the key was one for the box.
function boxKey(event) {
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
  if (!S.draft) place();
  const box = S.draft;
  if (arrow && event.shiftKey) resize(box.w + 2 * STEP * arrow[0], box.h + 2 * STEP * arrow[1]);
  else if (arrow) shift(box.x + STEP * arrow[0], box.y + STEP * arrow[1]);
  else resize(box.w * growth, box.h * growth);
  draw();
  return true;
}

function resize(w, h) {
  const { width, height } = S.parts.shot.lastChild.getBoundingClientRect();
  S.draft.w = Math.min(Math.max(w, SMALLEST / (width || 1)), 1);
  S.draft.h = Math.min(Math.max(h, SMALLEST / (height || 1)), 1);
  shift(S.draft.x, S.draft.y);
}

// Moves the middle of the box; all of it stays in the picture.
function shift(x, y) {
  S.draft.x = Math.min(Math.max(x, S.draft.w / 2), 1 - S.draft.w / 2);
  S.draft.y = Math.min(Math.max(y, S.draft.h / 2), 1 - S.draft.h / 2);
}

// --- By mouse --------------------------------------------------------------------------------------------------------------

function startBox(event) {
  if (!S.drawing) return;
  event.preventDefault();
  S.draft = null;
  const area = event.currentTarget;
  const size = area.getBoundingClientRect();
  const share = (e) => [Math.min(Math.max((e.clientX - size.left) / size.width, 0), 1), Math.min(Math.max((e.clientY - size.top) / size.height, 0), 1)];
  const [x, y] = share(event);
  area.querySelector(".draft")?.remove();
  const ghost = area.appendChild(make("div", { class: "box ghost" }));
  const corners = (e) => { const [u, v] = share(e); return [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)]; };
  area.setPointerCapture(event.pointerId);
  area.onpointermove = (e) => placed(ghost, ...corners(e));
  area.onpointerup = (e) => {
    area.onpointermove = area.onpointerup = null;
    ghost.remove();
    const box = corners(e);
    if ((box[2] - box[0]) * size.width < SMALLEST || (box[3] - box[1]) * size.height < SMALLEST)
      return say("That box is too small; drag across the whole face.");
    accept(box);
  };
}
