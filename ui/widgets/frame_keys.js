// What people do on the review page, by mouse or by key, and the keys for it.

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
  stopDrawing();
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
  ["/", "find or add a name"], ["b", "box a missed face: drag, or …"], ["↑ ↓ ← →", "… move the box there"], ["Shift + arrows, + −", "… size it"], ["Enter", "… take the face in it"], ["w", "why this name?"], ["p", "play the video here"],
  ["u or Ctrl+Z", "undo"], ["y or Ctrl+Y", "redo"], ["Esc", "close what is open"], ["?", "this help"],
];

const BY_KEY = {
  ArrowRight: act.next, j: act.next, ArrowLeft: act.previous, k: act.previous, ArrowDown: () => move(1), ArrowUp: () => move(-1),
  Enter: act.frame, c: act.frame, " ": () => act.confirm(), n: () => act.is(""), 0: () => act.is(""), x: () => act.noFace(),
  r: () => act.refuse(), i: () => act.ignore(), t: () => act.spread("same track"), g: () => act.spread("same person"), u: act.undo,
  y: act.redo, s: act.skip, "/": () => find(), w: () => act.why(), p: act.play, b: () => toggleDrawing(true), "?": act.help, Escape: close,
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
  if (S.drawing && boxKey(event)) return;
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

