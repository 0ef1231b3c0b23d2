// Draws one frame's links. Names and captions are data: they enter only through textContent and setAttribute.
// Only `shot` and `picture` are markup; both are drawn by ui/widgets/cartoon.py from numbers alone.
const SVG = "http://www.w3.org/2000/svg";
const NOBODY = -1;
const picked = new WeakMap(); // component -> the face waiting for a name

function make(tag, attributes = {}, ...children) {
  const node = tag === "svg" || tag === "path" || tag === "title"
    ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function drawn(markup, attributes) {
  const node = make("span", attributes);
  node.innerHTML = markup;
  return node;
}

// Where each row stands, in percent of the height; names stand in three blocks: this caption's, other captions', nobody.
function faceHeights(faces) {
  return new Map(faces.map((f, k) => [f.face, (100 * (k + 0.5)) / faces.length]));
}

function nameHeights(names) {
  const gap = 0.4;
  let y = 0;
  const rows = names.map((n, k) => {
    const before = names[k - 1];
    if (before && (before.here !== n.here || n.name === NOBODY)) y += gap;
    y += 1;
    return [n.name, y - 0.5];
  });
  return new Map(rows.map(([name, at]) => [name, (100 * at) / y]));
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".frame");
  const focus = root.getRootNode().activeElement?.getAttribute("data-key");
  const faceAt = faceHeights(data.faces);
  const nameAt = nameHeights(data.names);
  const text = new Map(data.names.map((n) => [n.name, n.text]));
  const best = new Map(data.links.filter((l) => l.best).map((l) => [l.face, l]));
  if (!faceAt.has(picked.get(parentElement))) picked.delete(parentElement);

  const say = (face, name) => {
    picked.delete(parentElement);
    setTriggerValue("said", { face, name });
    mark();
  };
  const pick = (face) => {
    if (picked.get(parentElement) === face) picked.delete(parentElement);
    else picked.set(parentElement, face);
    mark();
  };

  // --- The shot, its caption, the cast -------------------------------------------------------------------------------
  const shot = drawn(data.shot, { class: "shot" });
  for (const seen of shot.querySelectorAll(".seen")) seen.addEventListener("click", () => pick(Number(seen.dataset.face)));
  const caption = make("p", { class: "caption", "data-testid": "caption" });
  for (const [words, isName] of data.caption) caption.append(isName ? make("mark", {}, words) : words);
  const cast = make("div", { class: "cast" });
  for (const [name, picture] of data.cast)
    cast.append(make("figure", {}, drawn(picture, { class: "portrait" }), make("figcaption", {}, name)));
  const left = make("div", { class: "left" }, shot, caption,
    make("p", { class: "note" }, data.cast_note), cast);

  // --- Faces, links, names -------------------------------------------------------------------------------------------
  const hint = make("p", { class: "hint", "aria-live": "polite" });
  const board = make("div", { class: "board" });
  const lines = make("svg", { class: "lines", viewBox: "0 0 100 100", preserveAspectRatio: "none" });
  const ticks = make("div", { class: "ticks" });
  board.append(make("div", { class: "between" }, lines, ticks));

  for (const link of [...data.links].sort((a, b) => a.best - b.best || a.said - b.said)) {
    const [from, to] = [faceAt.get(link.face), nameAt.get(link.name)];
    const d = `M0 ${from} C45 ${from} 55 ${to} 100 ${to}`;
    const kind = link.said ? "said" : link.best ? "thought" : "runner-up";
    const nobody = link.name === NOBODY ? " to-nobody" : "";
    const line = make("path", { d, class: `line ${kind}${nobody}`, "data-face": link.face, "data-name": link.name });
    line.style.strokeWidth = `${link.said ? 4 : link.best ? 1.5 + 7 * link.confidence : 1.5}px`;
    lines.append(line);
    const hit = make("path", { d, class: "hit" });
    const whole = `${Math.round(100 * link.confidence)} %`;
    hit.append(make("title", {}, link.said ? "You said so. Click to take it back."
      : `${text.get(link.name)}: ${whole}. Click to say that this is right.`));
    hit.addEventListener("click", () => say(link.face, link.said ? null : link.name));
    lines.append(hit);
    if (link.said) {
      const tick = make("span", { class: "tick", "aria-hidden": "true" }, "✓");
      tick.style.top = `${(from + to) / 2}%`;
      ticks.append(tick);
    }
  }
  for (const { face, picture } of data.faces) {
    const link = best.get(face);
    const name = link ? text.get(link.name) : "";
    const sure = link?.said ? "✓" : link ? `${Math.round(100 * link.confidence)} %` : "";
    const button = make("button", {
      class: "face" + (link?.said ? " said" : ""), type: "button", "data-face": face, "data-key": `face ${face}`,
      "aria-label": `Face: ${name}, ${link?.said ? "said by you" : `${sure} sure`}`,
    }, drawn(picture, { class: "portrait" }), make("span", { class: "answer" }, name, make("b", {}, ` ${sure}`)));
    button.style.top = `${faceAt.get(face)}%`;
    button.addEventListener("click", () => pick(face));
    board.append(button);
  }
  for (const { name, text: words, here } of data.names) {
    const taken = data.links.some((l) => l.best && l.name === name);
    const kind = name === NOBODY ? "nobody" : here ? "here" : "elsewhere";
    const button = make("button", {
      class: `name ${kind}${taken ? " taken" : ""}`, type: "button", "data-name": name, "data-key": `name ${name}`,
      title: kind === "elsewhere" ? "Not in this caption: the name comes from other captions" : "",
    }, make("span", { class: "word" }, words));
    if (kind === "elsewhere") button.append(make("small", {}, "other captions"));
    button.style.top = `${nameAt.get(name)}%`;
    button.addEventListener("click", () => {
      const face = picked.get(parentElement);
      if (face !== undefined) say(face, name);
      else mark("First click a face, then this name.");
    });
    board.append(button);
  }

  function mark(message) {
    const face = picked.get(parentElement);
    hint.textContent = message ?? (face === undefined
      ? "Somebody wrong? Click the face, then the right name. A click on a link confirms it."
      : "Now click this face's name, or Nobody.");
    root.classList.toggle("picking", face !== undefined);
    for (const node of root.querySelectorAll("[data-face]"))
      node.classList.toggle("picked", Number(node.dataset.face) === face);
    for (const node of root.querySelectorAll("button.face"))
      node.setAttribute("aria-pressed", String(Number(node.dataset.face) === face));
  }

  root.onkeydown = (event) => {
    if (event.key === "Escape" && picked.has(parentElement)) pick(picked.get(parentElement));
  };
  const legend = make("p", { class: "legend" });
  for (const [kind, words] of [["thought", "Rollcall thinks so; thicker is surer"], ["maybe", "less likely"], ["said", "You said so ✓"]])
    legend.append(make("span", { class: kind }, make("i"), words));
  root.replaceChildren(left, make("div", { class: "right" }, hint, board, legend));
  mark();
  if (focus) [...root.querySelectorAll("button")].find((b) => b.dataset.key === focus)?.focus({ preventScroll: true });
}
