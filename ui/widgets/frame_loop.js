// The review loop: what is on screen, what a person did, and that nothing of it gets lost.
//
// Every click and key is an event with a number. Events wait here (and in the tab's own storage, so that a reload loses
// none) until Python says that it has them: `ack` holds the last number of each client. They are drawn at once. Whatever
// Python sends is what counts; events that it has not seen yet are laid over it again.
const PATIENCE = 2500; // milliseconds until unanswered events are sent once more

const S = {
  client: [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join(""), number: 0, pending: [], sent: 0, waitingFor: 0, typed: [],
  data: null, views: new Map(), frame: null, trail: [], picked: new Map(), over: null, panel: "", drawing: false, draft: null, note: "",
  root: null, send: null, parts: null, timer: 0, drawn: true, shows: new Map(), choices: {}, refocus: false,
};

// --- Making nodes. Names and captions are data: they enter only as text and attributes -------------------------------

function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "path", "rect", "circle", "text", "title", "g"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  return fill(node, children, true);
}

function fill(node, children, append = false) {
  const real = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  if (append) node.append(...real);
  else node.replaceChildren(...real);
  return node;
}

const percent = (share) => `${Math.round(100 * share)} %`;
const called = (name) => (name === "" ? "Nobody" : name === null ? "Not a face" : name);

// --- The frame as it stands: what Python said, with the pending events laid over it ----------------------------------

function shown() {
  const view = S.views.get(S.frame) ?? [...S.views.values()][0];
  if (!view) return null;
  const faces = view.faces.map((face) => ({ ...face, said: [...face.said], refused: [...face.refused] }));
  const now = { ...view, faces, names: [...view.names], ghosts: [...(view.ghosts ?? [])] };
  for (const event of S.pending) if (event.frame === view.id) lay(now, event);
  for (const face of now.faces) {
    face.open = new Set(face.said.map((said) => said.name)).size !== 1;
    face.links = links(face, now.faces);
    face.best = face.links.find((link) => link.kind === "said" || link.kind === "thought") ?? null;
  }
  return now;
}

function lay(view, event) {
  const face = view.faces.find((other) => other.id === event.face);
  const say = (who, name) => {
    who.said = [{ name, who: S.data.me }];
    who.refused = who.refused.filter((other) => other !== name);
  };
  if (event.kind === "frame") {
    for (const [id, name] of event.answers) {
      const told = view.faces.find((other) => other.id === id);
      if (told) say(told, name);
    }
  } else if (event.kind === "mention") addName(view, event.name);
  else if (event.kind === "box") view.ghosts.push(event.box);
  else if (!face) return;
  else if (event.kind === "is" || event.kind === "confirm") {
    say(face, event.name);
    if (event.name) addName(view, event.name, true);
  } else if (event.kind === "ignore") say(face, "");
  else if (event.kind === "refuse") {
    face.said = face.said.filter((said) => said.name !== event.name);
    if (!face.refused.includes(event.name)) face.refused.push(event.name);
  } else if (event.kind === "strike") face.said = face.said.filter((said) => said.name !== event.name);
  else if (event.kind === "allow") face.refused = face.refused.filter((name) => name !== event.name);
  else if (event.kind === "take back") face.said = [];
  else if (event.kind === "no face") view.faces = view.faces.filter((other) => other !== face);
}

function addName(view, name, elsewhere = false) {
  if (!view.names.some((other) => other.name === name)) view.names.push({ name, here: !elsewhere, added: true });
}

// A face's links. What a person gave to another face of the frame is not thought here any more.
function links(face, faces) {
  const refused = face.refused.map((name) => ({ face: face.id, name, kind: "refused", confidence: 0 }));
  if (face.said.length)
    return [...refused, ...face.said.map((said) => ({ face: face.id, name: said.name, kind: "said", who: said.who, confidence: 1 }))];
  const given = new Set(faces.filter((other) => other !== face && other.said.length === 1).map((other) => other.said[0].name));
  const left = face.thought.filter(([name]) => name === "" || !(given.has(name) || face.refused.includes(name)));
  const thought = left.map(([name, confidence], place) =>
    ({ face: face.id, name, confidence, kind: place === 0 ? "thought" : "maybe" }));
  return [...refused, ...thought.reverse()];
}

function pickedFace(view) {
  const chosen = view.faces.find((face) => face.id === S.picked.get(view.id));
  return chosen ?? view.faces.find((face) => face.id === view.asks && face.open) ?? view.faces.find((face) => face.open)
    ?? view.faces[0] ?? null;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// The frame that is on its way, if any.
const target = () => S.pending.findLast((event) => event.to !== undefined && event.to !== null)?.to ?? null;

function tell(kind, more = {}) {
  S.number += 1;
  const to = target() ?? S.frame; // a click on a frame that is being left does not bring it back
  S.pending.push({ client: S.client, number: S.number, kind, frame: S.frame, seen: S.data.version, to, ...more });
  S.note = "";
  keep();
  flush();
  draw();
  return S.number;
}

function keep() {
  try {
    sessionStorage.setItem(`rollcall events ${S.data.project}`, JSON.stringify(S.pending));
  } catch { /* storage may be full or forbidden: then only a reload in the same instant could lose a click */ }
}

function flush(again = false) {
  if (!S.pending.length || (S.sent && !again)) return;
  S.sent = performance.now();
  S.send("events", S.pending);
  clearTimeout(S.timer);
  S.timer = setTimeout(() => flush(true), PATIENCE);
}

function heard(data) {
  const first = S.data === null || S.data.project !== data.project;
  if (first) Object.assign(S, { views: new Map(), frame: null, trail: [], picked: new Map(), panel: "", typed: [] });
  S.data = data;
  if (first) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(`rollcall events ${data.project}`) ?? "[]");
      S.pending = [...kept.filter((old) => old.client !== S.client), ...S.pending.filter((e) => e.client === S.client)];
    } catch { S.pending = []; }
  }
  const before = S.pending.length;
  S.pending = S.pending.filter((event) => !(data.ack[event.client] >= event.number));
  if (S.pending.length < before || first) S.sent = 0;
  keep();
  const wanted = [S.frame, ...S.pending.map((event) => event.to)]; // older views know an older queue: only what is on its way stays
  S.views = new Map([...[...S.views].filter(([id]) => wanted.includes(id)), ...data.views.map((view) => [view.id, view])]);
  const url = Number(new URL(location).searchParams.get("frame") ?? -1); // newer than data of a run that began before it
  const to = target();
  if (S.views.has(to ?? url)) S.frame = to ?? url;
  else if (to === null || !S.views.has(S.frame)) S.frame = data.frame;
  if (!S.pending.some((event) => event.number === S.waitingFor && event.client === S.client)) S.waitingFor = 0;
  flush();
  draw();
  while (S.typed.length && !S.waitingFor) press(S.typed.shift());
}

// Shows another frame: at once if it is here already, else as soon as Python has sent it; keys wait until then.
function leave(kind, to, more = {}, back = false) {
  if (to === null || to === undefined) return;
  const from = S.frame;
  stopDrawing();
  if (!back) S.trail.push(from);
  if (S.trail.length > 500) S.trail.shift();
  const ready = S.views.has(to);
  const number = tell(kind, { to, ...more });
  if (ready) S.frame = to;
  else S.waitingFor = number;
  S.over = null;
  draw();
}

const unknown = (kind, more = {}) => { S.waitingFor = tell(kind, { to: null, ...more }); }; // only Python knows what it leads to

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".review");
  S.send = setTriggerValue;
  if (S.root !== root) {
    S.root = root;
    S.parts = skeleton(root);
    Object.assign(S, { sent: 0, shows: new Map(), choices: {} });
    window.rollcallKeys?.abort();
    window.rollcallKeys = new AbortController();
    const { signal } = window.rollcallKeys;
    window.addEventListener("keydown", onKey, { capture: true, signal });
    window.addEventListener("click", onClick, { signal });
    window.addEventListener("resize", () => drawLinks(), { signal });
  }
  heard(data);
}
