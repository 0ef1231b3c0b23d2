// The graph of one frame: faces left, names right, nobody below, links between them. Both columns scroll on their own; the
// links follow, and end at the edge where their face or name is out of sight.
const NUMBERED = 9;

function numbered(view) {
  return view.names.map((name) => name.name).slice(0, NUMBERED);
}

function drawBoard(view) {
  const { faces, names, board, nobody } = S.parts;
  const picked = pickedFace(view);
  board.className = `board ${view.faces.length > 5 ? "many" : view.faces.length > 3 ? "some" : "few"}`;
  const scrolled = [faces.scrollTop, names.scrollTop];
  const fresh = board.dataset.frame !== String(view.id);
  board.dataset.frame = view.id;
  faces.replaceChildren(...view.faces.map((face) => faceCard(face, face === picked)));
  if (!view.faces.length) faces.append(make("p", { class: "empty" }, "No faces were found in this frame."));
  const here = view.names.filter((name) => name.here);
  const elsewhere = view.names.filter((name) => !name.here);
  names.replaceChildren(
    make("h4", {}, here.length ? "In this caption" : "No names in this caption"), ...here.map((name) => nameChip(view, name)),
    ...(elsewhere.length ? [make("h4", {}, "From other captions")] : []), ...elsewhere.map((name) => nameChip(view, name)),
  );
  nobody.replaceChildren(nameChip(view, { name: "", here: false }));
  [faces.scrollTop, names.scrollTop] = fresh ? [0, 0] : scrolled;
  const another = board.dataset.picked !== String(picked?.id);
  board.dataset.picked = picked?.id;
  if (picked && (fresh || another)) faces.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  drawLinks(view);
}

function faceCard(face, picked) {
  const { best } = face;
  const conflict = face.said.length > 0 && face.open;
  const sure = conflict ? "" : best?.kind === "said" ? "✓" : best ? percent(best.confidence) : "";
  const answer = conflict ? "people differ" : best ? called(best.name) : "unknown";
  const told = conflict ? face.said.map((said) => `${said.who} says ${called(said.name)}`).join(", ")
    : best?.kind === "said" ? `said by ${best.who}` : best ? `${sure} sure` : "no run yet";
  const marked = face.mark ? `, ${face.mark}` : "";
  const card = make("button", {
    type: "button", class: `face ${picked ? "picked" : ""} ${best?.kind === "said" ? "said" : ""} ${conflict ? "conflict" : ""}`,
    "data-face": face.id, "data-key": `face ${face.id}`, "aria-pressed": String(picked),
    "aria-label": `Face ${face.place}${marked}: ${answer}, ${told}`, title: `${answer}, ${told}${marked}`,
    click: () => pick(face.id), focus: () => S.picked.get(S.frame) !== face.id && pickQuietly(face.id), ...lighting({ face: face.id }),
  }, make("img", { src: face.crop, alt: "", draggable: "false" }),
  make("span", { class: "answer", dir: "auto" }, answer), make("b", {}, sure));
  if (best && best.kind !== "said") {
    card.classList.add("confirmable");
    return make("div", { class: "slot" }, card, make("button", {
      type: "button", class: "ok", tabindex: "-1", "aria-label": `Confirm: ${called(best.name)}`, title: `Confirm: ${called(best.name)}`,
      click: () => act.confirm(face), ...lighting({ face: face.id }),
    }, "✓"));
  }
  return make("div", { class: "slot" }, card);
}

// The keyboard came to this face: it is picked, but nothing is drawn anew under the fingers.
function pickQuietly(id) {
  S.picked.set(S.frame, id);
  for (const card of S.parts.root.querySelectorAll(".face, .box")) card.classList.toggle("picked", Number(card.dataset.face) === id);
  const view = shown();
  drawActions(view);
  drawLinks(view);
  if (S.panel === "why") tell("why", { face: id });
}

function nameChip(view, { name, here, added }) {
  const key = name === "" ? "0" : numbered(view).indexOf(name) + 1;
  const linked = view.faces.filter((face) => face.best?.name === name || face.said.some((said) => said.name === name));
  const kind = name === "" ? "nobody" : here ? "here" : "elsewhere";
  const picked = pickedFace(view);
  const refused = name !== "" && picked?.refused.includes(name);
  return make("button", {
    type: "button", class: `name ${kind} ${linked.length ? "linked" : ""} ${refused ? "struck" : ""}`, "data-name": name,
    "data-key": `name ${name}`, title: kind === "elsewhere" ? `${name}: not in this caption, known from others` : called(name),
    "aria-label": `${called(name)}${kind === "elsewhere" ? ", from other captions" : ""}${added ? ", added by hand" : ""}`
      + `${refused ? ", refused for the picked face" : ""}`,
    click: () => (picked ? act.is(name) : say("There is no face to give this name to.")), ...lighting({ name }),
  }, make("span", { class: "word", dir: "auto" }, name === "" ? "nobody" : name), key ? make("kbd", {}, String(key)) : null);
}

// --- Links -------------------------------------------------------------------------------------------------------------

function drawLinks(view = shown()) {
  if (!view || !S.parts) return;
  const { board, lines, faces, names } = S.parts;
  const frame = board.getBoundingClientRect();
  if (!frame.width) return;
  const at = (node, column, side) => {
    const box = node.getBoundingClientRect();
    const inside = column?.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    const y = inside ? Math.min(Math.max(middle, inside.top + 3), inside.bottom - 3) : middle;
    return { x: (side === "right" ? box.right : box.left) - frame.left, y: y - frame.top, hidden: inside && y !== middle };
  };
  const faceEnd = new Map([...faces.querySelectorAll(".face")].map((n) => [Number(n.dataset.face), at(n.querySelector("img"), faces, "right")]));
  const nameEnd = new Map([...names.querySelectorAll(".name")].map((n) => [n.dataset.name, at(n, names, "left")]));
  nameEnd.set("", at(S.parts.nobody.firstElementChild, null, "left"));
  const picked = pickedFace(view);
  const order = { refused: 0, maybe: 1, thought: 2, said: 3 };
  const all = view.faces.flatMap((face) => face.links).sort((a, b) => order[a.kind] - order[b.kind] || a.confidence - b.confidence);
  const nodes = all.map((link) => {
    const [from, to] = [faceEnd.get(link.face), nameEnd.get(link.name)];
    return from && to ? drawLink(link, from, to, picked?.id === link.face, view) : null;
  });
  lines.replaceChildren(...nodes.filter(Boolean));
  light();
}

function drawLink(link, from, to, picked, view) {
  const bend = (to.x - from.x) / 2;
  const d = `M${from.x + 4} ${from.y} C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x - 3} ${to.y}`;
  const conflict = link.kind === "said" && view.faces.find((face) => face.id === link.face).open;
  const hidden = from.hidden || to.hidden ? " beyond" : "";
  const about = { "data-face": link.face, "data-name": link.name };
  const line = make("path", { d, class: `line ${link.kind}${hidden}${picked ? " of-picked" : ""}${conflict ? " conflict" : ""}`, ...about });
  line.style.strokeWidth = `${link.kind === "said" ? 4 : link.kind === "thought" ? 1.5 + 5.5 * link.confidence : 1.5}px`;
  const words = {
    said: conflict ? `${link.who} says ${called(link.name)}. Click to strike this answer.` : `${link.who} said so. Click to take it back.`,
    thought: `${called(link.name)}: ${percent(link.confidence)} sure. Click to refuse: not this person.`,
    maybe: `${called(link.name)}: ${percent(link.confidence)}. Click to refuse: not this person.`,
    refused: `Not ${called(link.name)}. Click to allow it again.`,
  }[link.kind];
  const hit = make("path", { d, class: "hit", ...about, click: () => act.link(link), ...lighting(about) }, make("title", {}, words));
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const badge = { said: conflict ? initials(link.who) : "✓", refused: "✕" }[link.kind];
  const mark = badge && make("g", { class: `badge ${link.kind}${conflict ? " conflict" : ""}`, transform: `translate(${x} ${y})`, ...about },
    make("circle", { r: badge.length > 1 ? 12 : 10 }), make("text", { y: 4, "text-anchor": "middle" }, badge));
  return make("g", {}, line, hit, mark);
}

const initials = (who) => who.trim().split(/\s+/).slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase() || "?";

// --- Lighting up: a face, its links, its box, its word in the caption, whichever is under the pointer -----------------

function lighting(ends) {
  const over = { face: ends.face ?? ends["data-face"], name: ends.name ?? ends["data-name"] };
  const off = () => { S.over = null; light(); };
  return { mouseenter: () => { S.over = over; light(); }, mouseleave: off };
}

function light() {
  const { root } = S.parts;
  const { over } = S;
  const strong = (link) => link.kind === "said" || link.kind === "thought";
  const all = over ? shown().faces.flatMap((face) => face.links) : [];
  const lit = all.filter((link) => (over.face === undefined || link.face === over.face) && (over.name === undefined || link.name === over.name));
  const faces = new Set([over?.face, ...lit.filter(strong).map((link) => link.face)]);
  const names = new Set([over?.name, ...lit.filter(strong).map((link) => link.name)]);
  root.classList.toggle("lighting", Boolean(over));
  for (const node of root.querySelectorAll("[data-face], [data-name]")) {
    const { face, name } = node.dataset;
    const both = face !== undefined && name !== undefined;
    const on = both ? lit.some((link) => link.face === Number(face) && link.name === name)
      : face !== undefined ? faces.has(Number(face)) : names.has(name);
    node.classList.toggle("lit", Boolean(over) && on);
  }
}
