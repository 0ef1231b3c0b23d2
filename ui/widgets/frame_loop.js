// The review loop: what is on screen, what a person did, and that nothing of it gets lost.
//
// Every click and key is an event with a number. Events wait here (and in the tab's own storage, so that a reload loses
// none) until Python says that it has them: `ack` holds the last number of each client. They are drawn at once. Whatever
// Python sends is what counts; events that it has not seen yet are laid over it again.
const PATIENCE = 2500; // milliseconds until unanswered events are sent once more

const S = {
  client: Math.random().toString(36).slice(2), number: 0, pending: [], sent: 0, waitingFor: 0, typed: [],
  data: null, views: new Map(), frame: null, trail: [], picked: new Map(), over: null, panel: "", drawing: false, note: "",
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

// --- What people do --------------------------------------------------------------------------------------------------

const act = {
  next: () => leave("go", shown().next),
  previous: () => (S.trail.length ? leave("go", S.trail.pop(), {}, true) : leave("go", shown().previous, {}, true)),
  frame: () => {
    const view = shown();
    const answers = view.faces.filter((face) => face.open && face.said.length === 0 && face.best)
      .map((face) => [face.id, face.best.name]);
    if (view.next !== null) leave("frame", view.next, { answers });
    else if (answers.length) tell("frame", { answers });
  },
  is: (name, face = pickedFace(shown())) => {
    if (!face) return;
    const best = face.links.find((link) => link.kind === "thought");
    tell(best && best.name === name ? "confirm" : "is", { face: face.id, name });
    onward(face);
  },
  confirm: (face = pickedFace(shown())) => {
    if (!face?.best || face.best.kind === "said") return;
    tell("confirm", { face: face.id, name: face.best.name });
    onward(face);
  },
  refuse: (face = pickedFace(shown()), link = face?.best) => {
    if (!link) return;
    if (link.name === "" && link.kind !== "said") say("Nobody cannot be refused: say who it is, or that it is no face.");
    else if (link.kind === "said" && link.name === "") tell("take back", { face: face.id });
    else tell("refuse", { face: face.id, name: link.name });
  },
  link: (link) => {
    const face = shown().faces.find((other) => other.id === link.face);
    S.picked.set(S.frame, face.id);
    if (link.kind === "refused") tell("allow", { face: face.id, name: link.name });
    else if (link.kind !== "said") act.refuse(face, link);
    else if (face.open) tell("strike", { face: face.id, name: link.name });
    else tell("take back", { face: face.id });
  },
  noFace: (face = pickedFace(shown())) => face && (tell("no face", { face: face.id }), say("Not a face: taken out. Press u to undo.")),
  ignore: (face = pickedFace(shown())) => face && (tell("ignore", { face: face.id }), onward(face)),
  spread: (over, face = pickedFace(shown())) => face && tell(over, { face: face.id }),
  mention: (name) => tell("mention", { name }),
  undo: () => unknown("undo"),
  redo: () => unknown("redo"),
  skip: () => leave("skip", shown().next, { answers: [] }),
  why: (face = pickedFace(shown())) => {
    if (S.panel === "why") return close();
    S.panel = "why";
    if (face) tell("why", { face: face.id });
    else draw();
  },
  play: () => S.data.can_play && tell("play"),
  help: () => { S.panel = S.panel === "help" ? "" : "help"; draw(); },
};

function close() {
  S.panel = "";
  S.drawing = false;
  draw();
}

function pick(id) {
  S.picked.set(S.frame, id);
  if (S.panel === "why") tell("why", { face: id });
  else draw();
}

function move(step) {
  const view = shown();
  const place = view.faces.indexOf(pickedFace(view));
  S.refocus = true;
  if (view.faces.length) pick(view.faces[(place + step + view.faces.length) % view.faces.length].id);
}

// After an answer the next open face of the frame is picked.
function onward(face) {
  const faces = shown().faces;
  const place = faces.findIndex((other) => other.id === face.id);
  const next = [...faces.slice(place + 1), ...faces.slice(0, place)].find((other) => other.open);
  S.picked.set(S.frame, (next ?? face).id);
  if (S.panel === "why" && next) tell("why", { face: next.id });
  draw();
}

function say(text) {
  S.note = text;
  draw();
}

// --- Keys ------------------------------------------------------------------------------------------------------------

const KEYS = [
  ["1 – 9", "this face is that name"], ["0 or n", "this face is nobody"], ["Space", "confirm this face"],
  ["Enter or c", "confirm the whole frame, go on"], ["r", "not this person: refuse the link"], ["x", "not a face"],
  ["i", "a stranger: ignore everywhere"], ["t", "same answer for the whole track"], ["g", "same answer for all look-alikes"],
  ["↑ ↓ or Tab", "another face"], ["→ or j", "next frame"], ["← or k", "previous frame"], ["s", "skip this frame"],
  ["/", "find or add a name"], ["b", "draw a box around a missed face"], ["w", "why this name?"], ["p", "play the video here"],
  ["u or Ctrl+Z", "undo"], ["y or Ctrl+Y", "redo"], ["Esc", "close what is open"], ["?", "this help"],
];

const BY_KEY = {
  ArrowRight: act.next, j: act.next, ArrowLeft: act.previous, k: act.previous, ArrowDown: () => move(1), ArrowUp: () => move(-1),
  Enter: act.frame, c: act.frame, " ": () => act.confirm(), n: () => act.is(""), 0: () => act.is(""), x: () => act.noFace(),
  r: () => act.refuse(), i: () => act.ignore(), t: () => act.spread("same track"), g: () => act.spread("same person"), u: act.undo,
  y: act.redo, s: act.skip, "/": () => find(), w: () => act.why(), p: act.play, b: () => toggleDrawing(), "?": act.help, Escape: close,
};

function press(key) {
  if (S.waitingFor && !["?", "Escape"].includes(key)) return void S.typed.push(key); // for the frame that is on its way
  if (/^[1-9]$/.test(key)) {
    const name = numbered(shown())[Number(key) - 1];
    if (name !== undefined) act.is(name);
  } else BY_KEY[key]?.();
}

function onKey(event) {
  if (!S.root?.isConnected || event.isComposing) return;
  const at = event.composedPath()[0];
  if (at instanceof Element && at.closest("input, textarea, select, [contenteditable=true], [role=slider], [role=combobox]")) return;
  if (document.querySelector('[data-testid="stDialog"], [data-testid="stPopoverBody"], [role="dialog"]')) return;
  const held = event.ctrlKey || event.metaKey;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  let key = letter;
  if (held) key = letter === "z" ? (event.shiftKey ? "y" : "u") : letter === "y" ? "y" : null;
  if (key === null || event.altKey || !(key in BY_KEY || /^[1-9]$/.test(key))) return;
  const button = at instanceof Element ? at.closest("button, a, summary") : null;
  if (button && (key === "Enter" || key === " ") && !button.classList.contains("face")) return; // it presses that button
  event.preventDefault();
  event.stopImmediatePropagation(); // Streamlit has meanings of its own for some letters
  if (event.repeat && !key.startsWith("Arrow")) return; // a key held down is not many decisions
  press(key);
}

// A mouse leaves no button focused, or Enter would press that button again instead of confirming.
function onClick(event) {
  const active = document.activeElement;
  if (event.detail > 0 && active?.matches?.("button, a") && !active.closest('[role="dialog"]')) active.blur();
}

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
