// Zooming into the picture: the wheel zooms where it points, dragging moves it, a key comes close to the picked face.
import { S } from "./state.js";

const MOST = 8; // times
const CLOSE = 0.45; // of the picture's height that a face fills from close by
const SPEED = 0.0016; // of the wheel

const within = (value, low, high) => Math.min(Math.max(value, low), high);

export function unzoom() {
  S.zoom = { times: 1, x: 0, y: 0 };
  applyZoom();
}

// `x` and `y` are where the picture begins, as shares of what is shown of it.
function setZoom(times, x, y) {
  S.zoom = { times, x: within(x, 1 - times, 0), y: within(y, 1 - times, 0) };
  applyZoom();
}

function applyZoom() {
  const { shot } = S.parts;
  const { times, x, y } = S.zoom;
  for (const [name, value] of [["--times", times], ["--x", x], ["--y", y]]) shot.style.setProperty(name, value);
  shot.classList.toggle("closer", times > 1);
}

export function closeTo(face) {
  const [left, top, right, bottom] = face.box;
  const times = within(CLOSE / Math.max(bottom - top, 1e-3), 1.5, MOST);
  setZoom(times, 0.5 - (times * (left + right)) / 2, 0.5 - (times * (top + bottom)) / 2);
}

export function onWheel(event) {
  event.preventDefault();
  const place = S.parts.shot.getBoundingClientRect();
  const [x, y] = [(event.clientX - place.left) / place.width, (event.clientY - place.top) / place.height];
  const times = within(S.zoom.times * Math.exp(-SPEED * event.deltaY), 1, MOST);
  const grown = times / S.zoom.times;
  setZoom(times, x - grown * (x - S.zoom.x), y - grown * (y - S.zoom.y));
}

export function startPan(event) {
  if (S.drawing || S.zoom.times === 1 || event.target !== event.currentTarget) return;
  const boxes = event.currentTarget;
  const place = S.parts.shot.getBoundingClientRect();
  const { times, x, y } = S.zoom;
  const [fromX, fromY] = [event.clientX, event.clientY];
  const follow = (moved) =>
    setZoom(times, x + (moved.clientX - fromX) / place.width, y + (moved.clientY - fromY) / place.height);
  boxes.setPointerCapture(event.pointerId);
  boxes.addEventListener("pointermove", follow);
  const end = () => boxes.removeEventListener("pointermove", follow);
  boxes.addEventListener("pointerup", end, { once: true });
  boxes.addEventListener("pointercancel", end, { once: true });
}
