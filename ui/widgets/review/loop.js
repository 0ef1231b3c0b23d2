// The review loop: what a person did, and that nothing of it gets lost.
//
// Every click and key is an event with a number. Events wait here (and in the tab's own storage, so that a reload loses
// none) until Python acknowledges them: `ack` holds the last number of each client. They are drawn at once. Whatever
// Python sends is what counts; events that it has not seen yet are laid over it again.
import { followLink } from "../leaving.js";
import { stopDrawing } from "./box.js";
import { press } from "./keys.js";
import { draw } from "./screen.js";
import { S } from "./state.js";

const PATIENCE = 2500; // milliseconds until events without an answer are sent once more
const NOTHING = { text: "", wrong: false };
const TRAIL = 500; // frames that "previous" leads back through

// The frame that is on its way, if any.
const target = () => S.pending.findLast((event) => event.to !== undefined && event.to !== null)?.to ?? null;

export function tell(kind, more = {}) {
  S.number += 1;
  const to = target() ?? S.frame; // a click on a frame that is being left does not bring it back
  S.pending.push({ client: S.client, number: S.number, kind, frame: S.frame, seen: S.data.version, to, ...more });
  S.note = NOTHING;
  keep();
  flush();
  draw();
  return S.number;
}

// Tells something of which only Python knows where it leads.
export function tellAndWait(kind, more = {}) {
  S.waitingFor = tell(kind, { to: null, ...more });
}

const storage = () => `rollcall events ${S.data.project}`;

function keep() {
  try {
    sessionStorage.setItem(storage(), JSON.stringify(S.pending));
  } catch { /* storage may be full or forbidden: then only a reload in the same instant could lose a click */ }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(storage()) ?? "[]");
  } catch {
    return [];
  }
}

function flush(again = false) {
  if (!S.pending.length || (S.sent && !again) || !S.root.isConnected) return;
  S.sent = performance.now();
  S.send("events", S.pending);
  clearTimeout(S.timer);
  S.timer = setTimeout(() => flush(true), PATIENCE);
}

// Takes what Python sent.
export function receive(data) {
  const first = S.data === null || S.data.project !== data.project;
  S.data = data;
  if (!first && data.note.number > S.heard) S.note = data.note;
  S.heard = data.note.number;
  if (first) {
    Object.assign(S, { views: new Map(), frame: null, trail: [], picked: new Map(), panel: "", typed: [] });
    const own = S.pending.filter((event) => event.client === S.client);
    S.pending = [...kept().filter((event) => event.client !== S.client), ...own];
  }
  const before = S.pending.length;
  S.pending = S.pending.filter((event) => !(data.ack[event.client] >= event.number));
  if (S.pending.length < before || first) S.sent = 0;
  keep();
  receiveViews(data);
  if (!S.pending.some((event) => event.number === S.waitingFor && event.client === S.client)) S.waitingFor = 0;
  flush();
  draw();
  while (S.typed.length && !S.waitingFor) press(S.typed.shift());
  if (!S.pending.length) followLink();
}

function receiveViews(data) {
  const wanted = [S.frame, ...S.pending.map((event) => event.to)]; // other old views know an older queue
  const old = [...S.views].filter(([id]) => wanted.includes(id));
  S.views = new Map([...old, ...data.views.map((view) => [view.id, view])]);
  const url = Number(new URL(location.href).searchParams.get("frame") ?? -1); // newer than data of an older run
  const to = target();
  if (S.views.has(to ?? url)) S.frame = to ?? url;
  else if (to === null || !S.views.has(S.frame)) S.frame = data.frame;
}

// Shows another frame: at once if it is here already, else as soon as Python has sent it; keys wait until then.
export function leave(kind, to, more = {}, back = false) {
  if (to === null || to === undefined) return;
  stopDrawing();
  if (!back) S.trail.push(S.frame);
  if (S.trail.length > TRAIL) S.trail.shift();
  const ready = S.views.has(to);
  const number = tell(kind, { to, ...more });
  if (ready) S.frame = to;
  else S.waitingFor = number;
  S.over = null;
  draw();
}
