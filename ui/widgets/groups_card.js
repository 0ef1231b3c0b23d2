// A group as a card: its crops, how long it is seen, the names it may have, and what else it may be.
import { crop } from "./crops.js";
import { joinGroups, mark, nameGroup, settle, toggleOut } from "./groups_act.js";
import { cardAt, G, outOf, sayGroup } from "./groups_state.js";
import { make, single } from "./nodes.js";
import { namePicker } from "./picker.js";

export function groupCard(card, number) {
  const here = card.key === G.at;
  const classes = [here && "here", G.marked === card.key && "marked"].filter(Boolean).join(" ");
  const more = card.faces.length - card.crops.length;
  const node = make(
    "section.group",
    {
      class: classes,
      "data-group": card.key,
      "aria-label": `Group ${number}: ${card.words}`,
      "aria-current": here ? "true" : false,
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
    make("div.offers", card.offers.map((offer, k) => offerButton(card, offer, k))),
    others(card),
    make(
      "div.rest",
      small("Nobody I know", "n", "A stranger: never to be asked about again", () => settle(card, "ignore", "Nobody")),
      small("Not a face", "x", "Take it out", () => settle(card, "no face", "Not a face")),
      small(G.marked === card.key ? "Merge with…?" : "Merge", "m", "Merge with another group", () => mark(card)),
    ),
  );
  return node;
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
  return make("button.crop", { class: k === 0 ? "first" : "", ...about }, crop(picture, ""));
}

function offerButton(card, offer, k) {
  return make(
    "button.offer",
    {
      class: k === 0 ? "best" : "",
      "data-name": offer.name,
      "aria-label": `This is ${offer.name}: ${offer.words}`,
      title: `${offer.name}: ${offer.words}`,
      click: single(() => nameGroup(card, offer.name)),
    },
    Object.hasOwn(G.data.portraits, offer.name) ? crop(G.data.portraits[offer.name], "") : null,
    make("span.word", make("b", { dir: "auto" }, offer.name), make("small", k === 0 ? offer.words : offer.brief)),
    offer.key || k === 0 ? make("kbd", [offer.key || "", k === 0 ? "↵" : ""].join(" ").trim()) : null,
  );
}

const others = (card) =>
  namePicker(G.data.names, card.offers.length ? "Somebody else…" : "Who is this?", (name) => nameGroup(card, name));

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
