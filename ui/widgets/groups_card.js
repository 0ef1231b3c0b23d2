// A group as a card: its crops, how long it is seen, the names it may have, and what else it may be.
import { crop, SILHOUETTE } from "./crops.js";
import { joinGroups, mark, nameGroup, settle, toggleOut } from "./groups_act.js";
import { cardAt, G, outOf, pictured, sayGroup } from "./groups_state.js";
import { make, single } from "./nodes.js";
import { namePicker } from "./picker.js";

const drawn = new Map(); // group -> its card as it was drawn last, and what it shows

// The cards, those that show what they showed as the same nodes: their pictures need not be decoded anew.
export function groupCards(cards) {
  for (const key of drawn.keys()) if (!cards.some((card) => card.key === key)) drawn.delete(key);
  return cards.map((card, k) => {
    const portraits = card.offers.map((offer) => portraitOf(offer.name));
    const missing = [...card.crops, ...portraits].filter((mark) => mark && !G.pictures.has(mark));
    const shows = JSON.stringify([card, portraits, missing, [...outOf(card)], G.marked === card.key]);
    if (drawn.get(card.key)?.shows !== shows) drawn.set(card.key, { shows, node: groupCard(card) });
    const { node } = drawn.get(card.key);
    const here = card.key === G.at;
    node.classList.toggle("here", here);
    node.setAttribute("aria-current", String(here));
    node.setAttribute("aria-label", `Group ${k + 1}: ${card.words}`);
    return node;
  });
}

const portraitOf = (name) => Object.hasOwn(G.data.portraits, name) ? G.data.portraits[name] : null;

function groupCard(card) {
  const more = card.faces.length - card.crops.length;
  return make(
    "section.group",
    {
      class: G.marked === card.key ? "marked" : "",
      "data-group": card.key,
      draggable: "true",
      mousedown: () => reach(card),
      ...dragging(card),
    },
    make(
      "div.crops",
      card.crops.map((picture, k) => cropButton(card, picture, k)),
      more > 0 ? make("button.more", { title: "Look closer", click: () => look(card) }, `+${more}`) : null,
    ),
    make("p.words", card.words, outOf(card).size ? make("b.left", ` ${outOf(card).size} left out`) : null),
    make("div.offers", card.offers.map((offer) => offerButton(card, offer))),
    others(card),
    make(
      "div.rest",
      small("Nobody I know", "n", "A stranger: never to be asked about again", () => settle(card, "ignore", "Nobody")),
      small("Not a face", "x", "Take it out", () => settle(card, "no face", "Not a face")),
      small(G.marked === card.key ? "Merge with…?" : "Merge", "m", "Merge with another group", () => mark(card)),
    ),
  );
}

const look = (card) => sayGroup("open", { one: card.faces[0] });

function reach(card) {
  if (G.at === card.key) return;
  G.at = card.key;
  for (const node of G.root.querySelectorAll(".group")) {
    node.classList.toggle("here", node.dataset.group === String(card.key));
  }
}

function cropButton(card, picture, k) {
  const face = card.faces[k];
  const out = outOf(card).has(face);
  const about = {
    "data-face": face,
    "aria-pressed": String(!out),
    "aria-label": `Face ${k + 1}, ${out ? "left out" : "belongs to this person"}`,
    title: out ? "Left out: click to take it in again" : "Somebody else? Click to leave this face out",
    click: () => toggleOut(card, face),
  };
  return make("button.crop", { class: k === 0 ? "first" : "", ...about }, pictured(picture));
}

function offerButton(card, offer) {
  return make(
    "button.offer",
    {
      class: offer.best ? "best" : "",
      "data-name": offer.name,
      "aria-label": `This is ${offer.name}: ${offer.words}`,
      title: `${offer.name}: ${offer.words}`,
      click: single(() => nameGroup(card, offer.name)),
    },
    portraitOf(offer.name) ? pictured(portraitOf(offer.name)) : crop(SILHOUETTE, ""),
    make("span.word", make("b", { dir: "auto" }, offer.name), make("small", offer.best ? offer.words : offer.brief)),
    offer.key || offer.best ? make("kbd", [offer.key || "", offer.best ? "↵" : ""].join(" ").trim()) : null,
  );
}

const others = (card) =>
  namePicker(
    () => G.data.names,
    card.offers.length ? "Somebody else…" : "Who is this?",
    (name) => nameGroup(card, name),
  );

const small = (words, key, title, click) =>
  make("button.small", { title, click: single(click) }, words, make("kbd", key));

// --- Dragging: one group onto another, or onto somebody who has a name ---

function dragging(card) {
  return {
    dragstart: (event) => event.dataTransfer.setData("text/plain", String(card.key)),
    ...dropping((dragged) => joinGroups(dragged, card)),
  };
}

export function dropping(drop) {
  return {
    dragover: (event) => {
      event.preventDefault();
      event.currentTarget.classList.add("over");
    },
    dragleave: (event) => event.currentTarget.classList.remove("over"),
    drop: (event) => {
      event.preventDefault();
      event.currentTarget.classList.remove("over");
      const dragged = cardAt(Number(event.dataTransfer.getData("text/plain")));
      if (dragged) drop(dragged);
    },
  };
}
