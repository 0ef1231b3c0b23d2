// The graph of one frame: faces left, names right, nobody below. Both columns scroll on their own; links.js draws the
// links between them.
import { fill, make, percent, single } from "../nodes.js";
import { act, pick, say } from "./act.js";
import { lighting } from "./light.js";
import { drawLinks } from "./links.js";
import { tell } from "./loop.js";
import { drawActions } from "./screen.js";
import { S } from "./state.js";
import { called, pickedFace, portrait, shown } from "./view.js";

export function drawBoard(view) {
  const { faces, names, board, nobody } = S.parts;
  const picked = pickedFace(view);
  const scrolled = [faces.scrollTop, names.scrollTop];
  const fresh = board.dataset.frame !== String(view.id);
  const another = board.dataset.picked !== String(picked?.id);
  board.className = `board ${
    view.faces.length > 8 ? "many crowd" : view.faces.length > 5 ? "many" : view.faces.length > 3 ? "some" : "few"
  }`;
  board.dataset.frame = view.id;
  board.dataset.picked = picked?.id;
  fill(faces, view.faces.map((face) => faceCard(face, face === picked)));
  if (!view.faces.length) faces.append(make("p.empty", "No faces were found in this frame."));
  const here = view.names.filter((name) => name.here);
  const elsewhere = view.names.filter((name) => !name.here);
  fill(
    names,
    make("h4", here.length ? "In this caption" : "No names in this caption"),
    here.map((name) => nameChip(view, name)),
    elsewhere.length ? make("h4", "From other captions") : null,
    elsewhere.map((name) => nameChip(view, name)),
  );
  fill(nobody, nameChip(view, { name: "", here: false, added: false, key: "0" }));
  [faces.scrollTop, names.scrollTop] = fresh ? [0, 0] : scrolled;
  if (picked && (fresh || another)) faces.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  drawLinks(view);
}

// How a face was answered: the answer, how sure it is, and who or what says so.
function answered(face) {
  const { best, said } = face;
  const by = said.map((one) => `${one.who} says ${called(one.name)}`).join(", ");
  if (said.length && face.open) return { answer: "people differ", sure: "", told: by, conflict: true };
  if (!best) return { answer: "who is this?", sure: "", told: S.data.ran ? "unknown" : "no run yet" };
  const stranger = said.some((one) => one.stranger) && best.name === "";
  if (best.kind === "said") {
    return { answer: stranger ? "Stranger" : called(best.name), sure: "✓", told: `said by ${best.who}`, stranger };
  }
  const sure = percent(best.confidence);
  return { answer: called(best.name), sure, told: `${sure} sure` };
}

function faceCard(face, picked) {
  const { best } = face;
  const { answer, sure, told, conflict, stranger } = answered(face);
  const open = best && best.kind !== "said";
  const classes = {
    picked,
    said: best?.kind === "said",
    conflict,
    confirmable: open,
    unknown: face.unknown,
    twice: face.twice,
    stranger,
  };
  const marked = face.mark ? `, ${face.mark}` : "";
  const card = make(
    "button.face",
    {
      class: Object.keys(classes).filter((name) => classes[name]).join(" "),
      "data-face": face.id,
      "data-key": `face ${face.id}`,
      "aria-pressed": String(picked),
      "aria-label": `Face ${face.place}${marked}: ${answer}, ${told}`,
      title: `${answer}, ${told}${marked}`,
      click: () => pick(face.id),
      focus: () => S.picked.get(S.frame) !== face.id && pickQuietly(face.id),
      ...lighting({ face: face.id }),
    },
    make("img", { src: face.crop, alt: "", draggable: "false" }),
    make("span.answer", { dir: "auto" }, answer),
    make("b", sure),
  );
  return make("div.slot", card, open ? confirmButton(face) : null);
}

function confirmButton(face) {
  const words = `Confirm: ${called(face.best.name)}`;
  const click = () => act.confirm(face);
  return make(
    "button.ok",
    { tabindex: "-1", "aria-label": words, title: words, click, ...lighting({ face: face.id }) },
    "✓",
  );
}

// The keyboard came to this face: it is picked, but nothing is drawn anew under the fingers.
function pickQuietly(id) {
  S.picked.set(S.frame, id);
  for (const card of S.parts.root.querySelectorAll(".face, .box")) {
    card.classList.toggle("picked", Number(card.dataset.face) === id);
  }
  const view = shown();
  drawActions(view);
  drawLinks(view);
  if (S.panel === "why") tell("why", { face: id });
}

// How probable the run finds a name for a face that is still unknown.
function chance(face, name) {
  const thought = face?.unknown ? face.thought.find(([other]) => other === name) : null;
  return thought && name !== "" ? make("small.chance", percent(thought[1])) : null;
}

function nameChip(view, { name, here, added, key }) {
  const linked = view.faces.some((face) => face.best?.name === name || face.said.some((said) => said.name === name));
  const kind = name === "" ? "nobody" : here ? "here" : "elsewhere";
  const picked = pickedFace(view);
  const refused = name !== "" && picked?.refused.includes(name);
  const about = [
    called(name),
    kind === "elsewhere" && "from other captions",
    added && "added by hand",
    refused && "refused for the picked face",
  ];
  return make(
    "button.name",
    {
      class: `${kind} ${linked ? "linked" : ""} ${refused ? "struck" : ""}`,
      "data-name": name,
      "data-key": `name ${name}`,
      title: kind === "elsewhere" ? `${name}: not in this caption, known from others` : called(name),
      "aria-label": about.filter(Boolean).join(", "),
      click: single(() => (picked ? act.is(name) : say("There is no face to give this name to."))),
      ...lighting({ name }),
    },
    portrait(name),
    make("span.word", { dir: "auto" }, name === "" ? "nobody" : name),
    chance(picked, name),
    key ? make("kbd", String(key)) : null,
  );
}
