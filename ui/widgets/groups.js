// Who are these people? Groups of look-alikes, the most seen first, each named with one click.
import { answerPair, mark, moveTo, nameGroup, nameSure, settle, sureGroups } from "./groups_act.js";
import { dropping, groupCards } from "./groups_card.js";
import { askForMissing, cardAt, G, open, pictured, sayGroup, sendGroups, takeGroups } from "./groups_state.js";
import { holdLinks } from "./leaving.js";
import { counted, fill, make, single } from "./nodes.js";
import { shortcuts } from "./shortcuts.js";
import { steady } from "./steady.js";

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".groups");
  root.dataset.theme = data.theme;
  const moved = G.root !== root;
  Object.assign(G, { root, send: setTriggerValue, draw: () => paintGroups(root) });
  takeGroups(data);
  if (moved) sendGroups();
  paintGroups(root);
  const listening = new AbortController();
  holdLinks(() => G.pending.length > 0, listening.signal);
  const end = shortcuts(onGroupKey);
  return () => {
    listening.abort();
    end();
  };
}, true);

function paintGroups(root) {
  const { data } = G;
  const cards = open();
  if (!cards.some((card) => card.key === G.at)) G.at = cards[0]?.key ?? null;
  const typing = root.getRootNode().activeElement?.matches?.("input");
  if (typing && root.dataset.at === String(G.at) && root.dataset.version === String(data.version)) return;
  root.dataset.at = G.at;
  root.dataset.version = data.version;
  root.dataset.pending = G.pending.length;
  const scrolled = root.querySelector(".known")?.scrollLeft ?? 0;
  const pairs = data.pairs.filter((pair) => cards.some((card) => card.key === pair.one));
  fill(
    root,
    groupBar(),
    make("div.known", { role: "list", "aria-label": "Named already" }, data.known.map(known), nobodyYet()),
    make("div.cards", groupCards(cards)),
    data.left ? make("p.none", `${counted(data.left, "more group")} will come up when these are done.`) : null,
    cards.length ? null : make("p.none", "Everybody who was found has an answer. Go on with Review, or export."),
    asides(pairs),
  );
  if (root.querySelector(".known")) root.querySelector(".known").scrollLeft = scrolled;
  const here = root.querySelector(".group.here");
  if (here && root.dataset.seen && root.dataset.seen !== String(G.at)) here.scrollIntoView({ block: "nearest" });
  root.dataset.seen = G.at;
  askForMissing();
}

// What comes and goes lies below the cards, at the edge of the window: nothing moves under the mouse.
function asides(pairs) {
  const about = { role: "group", "aria-label": "Frames that show both" };
  return make(
    "div.asides",
    G.data.met.length ? make("div.met", about, G.data.met.map(met)) : null,
    pairs.length ? make("div.pairs", samePerson(pairs[0], pairs.length)) : null,
  );
}

function groupBar() {
  const { data } = G;
  const turn = (kind, words, key, possible) =>
    make("button", { "data-action": kind, disabled: !possible, click: () => sayGroup(kind) }, words, make("kbd", key));
  const idle = !data.since || Boolean(data.running);
  const words = data.running ? `${data.running}…` : "Run again";
  const about = {
    "data-action": "run",
    class: idle ? "" : "main",
    disabled: idle,
    title: "What you said is kept, and the others follow from it",
  };
  const run = make("button.run", { ...about, click: () => sayGroup("run") }, words, make("kbd", "a"));
  return make(
    "div.bar",
    make("div.title", make("h1", "Who are these people?"), saidOrLead()),
    make(
      "div.does",
      allSure(),
      turn("undo", "Undo", "u", data.undo || G.pending.length),
      turn("redo", "Redo", "y", data.redo),
      run,
      make("button", { "data-action": "review", click: () => sayGroup("review") }, "Review the frames"),
    ),
  );
}

function allSure() {
  const many = sureGroups().length;
  const title = "Names each group of which Rollcall is sure as it suggests; look at their pictures first";
  const about = { "data-action": "sure", class: many > 1 ? "sure" : "sure none-left", title, click: nameSure };
  return make("button", about, `Name ${many} sure ones`, make("kbd", "c"));
}

const saidOrLead = () =>
  make("p", { role: "status", "aria-live": "polite", class: G.said ? "status" : "quiet" }, G.said || G.data.counts);

const nobodyYet = () => G.data.known.length ? null : make("p.quiet", "Those whom you name will stand here.");

function known(person) {
  return make(
    "div.person",
    {
      role: "listitem",
      title: "Drag a group here to give it this name",
      ...dropping((card) => nameGroup(card, person.name)),
    },
    pictured(person.picture),
    make("span", make("b", { dir: "auto" }, person.name), make("small", person.words)),
  );
}

function samePerson(pair, many) {
  const side = (crops) => make("div.side", crops.map(pictured));
  const answer = (same, words, key) =>
    make("button", { "data-same": String(same), click: single(() => answerPair(pair, same)) }, words, make("kbd", key));
  const more = many > 1 ? `, ${many - 1} more to ask` : "";
  return make(
    "section.bar.pair",
    { "aria-label": "Same person?" },
    make(
      "p",
      make("b", pair.name ? `Is this ${pair.name}, too?` : "Same person?"),
      make("small", ` they look alike${more}`),
    ),
    side(pair.crops[0]),
    make("span.and", "="),
    side(pair.crops[1]),
    answer(true, "Same person", "="),
    answer(false, "Two people", "-"),
  );
}

// A frame that shows both of two groups that were called one person: look there, or undo.
const met = (one) =>
  make(
    "button",
    { title: "Look at this frame", click: () => sayGroup("frame", { one: one.frame }) },
    pictured(one.picture),
    make("small", one.words),
  );

const GROUP_KEYS = {
  ArrowRight: () => moveTo(1),
  ArrowDown: () => moveTo(1),
  j: () => moveTo(1),
  ArrowLeft: () => moveTo(-1),
  ArrowUp: () => moveTo(-1),
  k: () => moveTo(-1),
  Enter: () => nameGroup(cardAt(), cardAt()?.offers.find((offer) => offer.best)?.name),
  n: () => settle(cardAt(), "ignore", "Nobody"),
  0: () => settle(cardAt(), "ignore", "Nobody"),
  x: () => settle(cardAt(), "no face", "Not a face"),
  m: () => mark(),
  c: () => sureGroups().length > 1 && nameSure(),
  i: () => settle(cardAt(), "ignore", "Nobody"),
  u: () => sayGroup("undo"),
  z: () => sayGroup("undo"),
  y: () => sayGroup("redo"),
  a: () => G.data.since && !G.data.running && sayGroup("run"),
  "=": () => answerPair(G.data.pairs[0], true),
  "-": () => answerPair(G.data.pairs[0], false),
  "/": () => G.root.querySelector(".group.here input")?.focus(),
  Escape: () => {
    Object.assign(G, { marked: null, said: "" });
    G.draw();
  },
};

function onGroupKey(event) {
  if (event.altKey || event.repeat) return;
  const ctrl = event.ctrlKey || event.metaKey;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = ctrl ? (letter === "z" ? (event.shiftKey ? "y" : "u") : letter === "y" ? "y" : "") : letter;
  const target = event.composedPath()[0];
  const pressing = target instanceof HTMLElement && target.matches("button, a") && (key === "Enter" || key === " ");
  if (pressing) return;
  if (/^[1-9]$/.test(key)) {
    event.preventDefault();
    return nameGroup(cardAt(), cardAt()?.offers.find((offer) => offer.key === Number(key))?.name);
  }
  if (!(key in GROUP_KEYS)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  GROUP_KEYS[key]();
}
