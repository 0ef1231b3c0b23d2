// What the page of groups knows, for all its modules, and how Python hears of it.
//
// Every click is an event with a number. Events wait here until Python acknowledges them, and are sent again with those
// that come meanwhile: a click that falls into a redraw is not lost.
import { crop, SILHOUETTE } from "./crops.js";
import { followLink } from "./leaving.js";

const random = [...crypto.getRandomValues(new Uint8Array(16))];
const PICTURES = 3000; // so many are kept, and Python is told not to send them again
const PATIENCE = 2500; // milliseconds until events without an answer are sent once more

export const G = {
  client: random.map((byte) => byte.toString(16).padStart(2, "0")).join(""), // this loaded page, for Python
  number: 0, // of the last event
  pending: [], // events that Python has not acknowledged
  timer: 0,
  root: null, // where the page is drawn
  data: null, // what Python sent last
  at: null, // the key of the group that the keyboard is at
  marked: null, // the group that waits to be merged with another
  pictures: new Map(), // mark -> what Python sent
  missing: false, // whether one was drawn that is not here
  out: new Map(), // group -> faces that were left out
  said: "", // what the last click settled, before Python has answered
  send: null,
  draw: () => {},
};

export function sayGroup(kind, more = {}, words = "") {
  G.number += 1;
  G.pending.push({ client: G.client, number: G.number, kind, seen: G.data.version, ...more });
  G.said = words;
  sendGroups();
  G.draw();
}

export function sendGroups() {
  if (!G.pending.length || !G.root.isConnected) return;
  G.send("events", { made: G.pending, have: [...G.pictures.keys()] });
  clearTimeout(G.timer);
  G.timer = setTimeout(sendGroups, PATIENCE);
}

// Takes what Python sent; what it has done by now need not be sent again.
export function takeGroups(data) {
  const fresh = G.data?.project !== data.project;
  const before = fresh ? [] : open().map((card) => card.key);
  const undone = G.pending.some((event) => event.kind === "undo" && data.ack[event.client] >= event.number);
  G.data = data;
  if (G.pictures.size > PICTURES) G.pictures.clear();
  for (const [mark, picture] of Object.entries(data.pictures)) G.pictures.set(mark, picture);
  if (fresh) Object.assign(G, { at: null, marked: null, out: new Map(), said: "" });
  G.pending = G.pending.filter((event) => !(data.ack[event.client] >= event.number));
  if (!G.pending.length) {
    clearTimeout(G.timer);
    followLink();
  }
  if (data.message) G.said = data.message;
  const keys = data.cards.map((card) => card.key);
  if (!keys.includes(G.marked)) G.marked = null;
  const back = undone && !fresh ? open().find((card) => !before.includes(card.key)) : null;
  if (back) G.at = back.key; // who takes a slip back answers that group next
  if (!keys.includes(G.at)) G.at = open()[0]?.key ?? null;
}

// The groups that no event on its way has settled.
export function open() {
  const gone = new Set(G.pending.flatMap((event) => (event.kind === "join" ? [] : event.faces ?? [])));
  const joined = new Set(G.pending.flatMap((event) => (event.kind === "join" ? [event.one] : [])));
  return G.data.cards.filter((card) => !card.faces.every((face) => gone.has(face)) && !joined.has(card.key));
}

// A picture by its mark.
export function pictured(mark) {
  G.missing ||= !G.pictures.has(mark);
  return crop(G.pictures.get(mark) ?? SILHOUETTE, "");
}

export function askForMissing() {
  if (G.missing) G.send("events", { made: G.pending, have: [] });
  G.missing = false;
}

export const outOf = (card) => G.out.get(card.key) ?? new Set();

export const cardAt = (key = G.at) => G.data.cards.find((card) => card.key === key);
