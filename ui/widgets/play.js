// Boxes, names and captions on the film that plays in the same dialog. A click on a box asks who it is.
import { fill, make } from "./nodes.js";
import { steady } from "./steady.js";

const NEAR = 0.5; // seconds from the nearest known place within which a face is shown there
const EARLY = 0.05; // seconds before the shot at which a player may stand that was sent to its start

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".play");
  root.dataset.theme = data.theme;
  const film = { data, root, video: null, layer: null, loop: true, asked: null, timer: 0 };
  film.answer = (face, name) => setTriggerValue("answer", { face, name });
  film.loop = root.dataset.loop !== "false";
  follow(film);
  return () => {
    cancelAnimationFrame(film.timer);
    film.layer?.remove();
  };
});

// Finds the player, which may come a moment later, and lays the boxes over it as long as it is there.
function follow(film) {
  const dialog = document.querySelector('[data-testid="stDialog"]') ?? document;
  const video = dialog.querySelector("video");
  if (video && film.video !== video) begin(film, video);
  if (film.video?.isConnected) drawFilm(film);
  film.timer = requestAnimationFrame(() => follow(film));
}

function begin(film, video) {
  document.querySelectorAll(".rollcall-layer").forEach((old) => old.remove());
  film.video = video;
  film.layer = make("div.rollcall-layer");
  Object.assign(film.layer.style, { position: "absolute", inset: "0", pointerEvents: "none" });
  video.parentElement.style.position = "relative";
  video.parentElement.append(film.layer);
  const toggle = (event) => {
    film.loop = event.target.checked;
    film.root.dataset.loop = String(film.loop);
  };
  const box = make("input", { type: "checkbox", checked: film.loop, change: toggle });
  film.words = make("p.line", { dir: "auto", "aria-live": "off" });
  film.ask = make("div.ask");
  fill(film.root, film.words, make("label.loop", box, " Loop this shot"), film.ask);
}

function drawFilm(film) {
  const { video, data } = film;
  const now = video.currentTime;
  const away = now >= data.stop || now < data.start - EARLY;
  if (film.loop && data.stop > data.start && away && !video.seeking) video.currentTime = data.start;
  const line = data.lines.find((one) => one.start <= now && now < one.stop);
  film.words.textContent = line?.text ?? "";
  const seen = data.tracks.filter((track) => track.start <= now && now < track.stop);
  const here = seen.map((track) => [track, placeAt(track.boxes, now)]).filter(([, place]) => place);
  const frame = shownArea(video);
  const old = new Map([...film.layer.children].map((node) => [Number(node.dataset.face), node]));
  for (const [track, place] of here) {
    const node = old.get(track.face) ?? film.layer.appendChild(boxOf(film, track));
    old.delete(track.face);
    put(node, place, frame);
  }
  for (const gone of old.values()) gone.remove();
}

// Where the picture lies in the player: a film of another shape leaves bars at its sides.
function shownArea(video) {
  const { clientWidth: wide, clientHeight: high, videoWidth, videoHeight } = video;
  const scale = Math.min(wide / (videoWidth || wide), high / (videoHeight || high));
  const size = [(videoWidth || wide) * scale, (videoHeight || high) * scale];
  return { left: video.offsetLeft + (wide - size[0]) / 2, top: video.offsetTop + (high - size[1]) / 2, size };
}

function put(node, [left, top, right, bottom], frame) {
  Object.assign(node.style, {
    left: `${frame.left + left * frame.size[0]}px`,
    top: `${frame.top + top * frame.size[1]}px`,
    width: `${(right - left) * frame.size[0]}px`,
    height: `${(bottom - top) * frame.size[1]}px`,
  });
}

// Between two moments at which the face was found it lies in between.
function placeAt(boxes, now) {
  const after = boxes.findIndex(([time]) => time >= now);
  const [one, other] = [boxes[after - 1], boxes[after]];
  if (!one || !other) {
    const only = after < 0 ? boxes[boxes.length - 1] : other;
    return only && Math.abs(only[0] - now) <= NEAR ? only.slice(1) : null;
  }
  if (other[0] - one[0] > 2 * NEAR && Math.min(now - one[0], other[0] - now) > NEAR) return null;
  const share = (now - one[0]) / (other[0] - one[0] || 1);
  return one.slice(1).map((edge, k) => edge + share * (other[k + 1] - edge));
}

// The player lies outside of our style sheet, so a box brings its own style.
function boxOf(film, track) {
  const node = make("button", {
    "data-face": track.face,
    "aria-label": `${track.words}: click to answer`,
    click: () => askWho(film, track),
  }, make("span", { dir: "auto" }, `${track.words}${track.said ? " ✓" : ""}`));
  const edge = track.said ? "3px solid #fff" : "2.5px dashed #fff";
  Object.assign(node.style, {
    position: "absolute",
    pointerEvents: "auto",
    cursor: "pointer",
    padding: "0",
    border: edge,
    borderRadius: "6px",
    background: "none",
    boxShadow: "0 0 0 1px rgb(0 0 0 / 50%)",
  });
  Object.assign(node.firstChild.style, {
    position: "absolute",
    left: "-2px",
    bottom: "100%",
    padding: "0 6px",
    borderRadius: "5px 5px 0 0",
    color: "#fff",
    background: "rgb(12 16 18 / 82%)",
    font: "600 13px/20px sans-serif",
    whiteSpace: "nowrap",
  });
  return node;
}

function askWho(film, track) {
  film.video.pause();
  const give = (name) => () => {
    film.answer(track.face, name);
    film.video.focus({ preventScroll: true }); // it goes with the button; Escape closes only from within
    fill(film.ask);
    void film.video.play();
  };
  const words = track.name ? `This is ${track.name}? Choose who it is:` : "Who is this?";
  fill(
    film.ask,
    make("p", words),
    film.data.names.map((name) => make("button", { "data-name": name, dir: "auto", click: give(name) }, name)),
    make("button.nobody", { "data-name": "", click: give("") }, "nobody"),
  );
}
