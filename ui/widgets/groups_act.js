// What people do with a group.
import { cardAt, G, open, outOf, sayGroup } from "./groups_state.js";
import { counted } from "./nodes.js";

const lasting = (seconds) => (seconds ? `, ${seconds < 90 ? `${Math.round(seconds)} s` : clockOf(seconds)}` : "");
const clockOf = (seconds) => `${Math.round(seconds / 60)} min`;

export function nameGroup(card, name) {
  if (!card || !name) return;
  settle(card, "name", name, { name });
}

// Groups of whose name the last run or the people library is sure.
export const sureGroups = () => open().filter((card) => card.offers[0]?.sure);

export function nameSure() {
  const cards = sureGroups();
  for (const card of cards) nameGroup(card, card.offers[0].name);
  G.said = `${counted(cards.length, "group")} named; undo takes them back one by one.`;
  G.draw();
}

export function settle(card, kind, words, more = {}) {
  if (!card) return;
  const out = outOf(card);
  const faces = card.faces.filter((face) => !out.has(face));
  if (!faces.length) return;
  onwardFrom(card);
  const what = `${words}: ${counted(faces.length, "face")}${kind === "no face" ? "" : lasting(card.seconds)} settled.`;
  sayGroup(kind, { faces, without: kind === "name" ? [...out] : [], ...more }, what);
}

// The keyboard goes to the next group that waits.
function onwardFrom(card) {
  const cards = open();
  const place = cards.findIndex((other) => other.key === card.key);
  G.at = (cards[place + 1] ?? cards[place - 1])?.key ?? null;
  if (G.marked === card.key) G.marked = null;
}

export function joinGroups(one, other) {
  if (!one || !other || one.key === other.key) return;
  G.at = other.key;
  G.marked = null;
  sayGroup("join", { one: one.key, other: other.key }, "Merged into one group; name it to settle it.");
}

// The first press marks a group, the second merges it with the one that the keyboard is at by then.
export function mark(card = cardAt()) {
  if (!card) return;
  if (G.marked !== null && G.marked !== card.key) return joinGroups(cardAt(G.marked), card);
  G.marked = G.marked === card.key ? null : card.key;
  G.said = G.marked === null ? "" : "Go to the group of the same person and press m again; Esc to leave it.";
  G.draw();
}

export function answerPair(pair, same) {
  if (!pair) return;
  const card = cardAt(pair.one);
  if (same && pair.name) nameGroup(card, pair.name);
  else if (same) joinGroups(card, cardAt(pair.other));
  else {
    const words = pair.name ? `Noted: not ${pair.name}.` : "Kept apart: two people.";
    sayGroup("apart", { one: pair.one, other: pair.other, name: pair.name }, words);
  }
}

export function toggleOut(card, face) {
  const out = new Set(outOf(card));
  out.has(face) ? out.delete(face) : out.add(face);
  G.out.set(card.key, out);
  G.at = card.key;
  G.draw();
}

export function moveTo(step) {
  const cards = open();
  const place = cards.findIndex((card) => card.key === G.at);
  if (cards.length) G.at = cards[Math.min(Math.max(place + step, 0), cards.length - 1)].key;
  G.draw();
}
