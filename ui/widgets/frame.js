// The frame itself: its picture with a box around each face, and its caption with the names marked.

function drawShot(view) {
  const { shot } = S.parts;
  const key = `${view.id} ${view.picture.length}`;
  if (shot.dataset.key !== key) {
    shot.dataset.key = key;
    shot.classList.toggle("pictured", Boolean(view.picture));
    shot.style.setProperty("--ratio", view.picture ? view.width / view.height || 16 / 9 : 16 / 9);
    const picture = view.picture ? make("img", { class: "picture", src: view.picture, alt: `The frame: ${view.title}`, draggable: "false" })
      : make("p", { class: "empty" }, view.faces.length ? "There is no picture of this frame." : "No picture and no faces here.");
    shot.replaceChildren(picture, make("div", { class: "boxes" }));
    if (view.picture) shot.lastChild.addEventListener("pointerdown", startBox);
  }
  const boxes = shot.lastChild;
  boxes.classList.toggle("drawing", S.drawing);
  const picked = pickedFace(view);
  const framed = view.picture ? view.faces.filter((face) => face.box) : [];
  boxes.replaceChildren(...framed.map((face) => {
    const [left, top, right, bottom] = face.box;
    const node = make("button", {
      type: "button", tabindex: "-1", class: `box ${face === picked ? "picked" : ""} ${face.best?.kind === "said" ? "said" : ""}`,
      "data-face": face.id, "aria-label": `Face ${face.place} in the picture`, click: () => pick(face.id), ...lighting({ face: face.id }),
    }, make("span", { dir: "auto" }, face.best ? called(face.best.name) : "?"));
    return placed(node, left, top, right, bottom);
  }), ...view.ghosts.map(([left, top, right, bottom]) =>
    placed(make("div", { class: "box ghost", role: "status" }, make("span", {}, "Looking at this face…")), left, top, right, bottom)), ...draft());
}

function placed(node, left, top, right, bottom) {
  Object.assign(node.style, { left: `${100 * left}%`, top: `${100 * top}%`, width: `${100 * (right - left)}%`, height: `${100 * (bottom - top)}%` });
  return node;
}

function drawCaption(view) {
  const said = view.caption.map(([text, name]) => (name === "" ? text
    : make("mark", { "data-name": name, ...lighting({ name }), click: () => pickedFace(view) && act.is(name) }, text)));
  const marked = new Set(view.caption.map(([, name]) => name));
  const loose = view.names.filter((name) => name.here && !marked.has(name.name));
  S.parts.caption.replaceChildren(
    make("p", { class: `words ${view.caption.length ? "" : "quiet"}`, dir: "auto", "data-testid": "caption" }, ...(said.length ? said : ["No caption"])),
    ...(loose.length ? [make("p", { class: "given" }, "Named here: ", ...loose.flatMap((name, k) =>
      [k ? ", " : "", make("mark", { "data-name": name.name, dir: "auto", ...lighting({ name: name.name }) }, name.name)]))] : []),
    ...view.around.map(([when, text]) => make("p", { class: "around", dir: "auto" }, make("span", {}, when), text)),
  );
}

// --- When: a strip of the whole film, how much of it is settled, and a click to jump there ------------------------------

function drawStrip(view) {
  const { bins, at, labels } = S.data.strip;
  const most = Math.max(1, ...bins.map(([open, settled]) => open + settled));
  const bars = bins.map(([open, settled], k) => make("g", {},
    make("rect", { class: "settled", x: k, width: 0.8, y: 20 - (18 * settled) / most, height: (18 * settled) / most }),
    make("rect", { class: "open", x: k, width: 0.8, y: 20 - (18 * (settled + open)) / most, height: (18 * open) / most })));
  const here = view.at ?? at;
  const svg = make("svg", { viewBox: `0 0 ${bins.length} 20`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars);
  const now = make("i", { class: "now" });
  now.style.left = `${100 * here}%`;
  const jump = (share) => unknown("jump", { share: Math.min(Math.max(share, 0), 1) });
  const slider = make("div", {
    class: "strip", "data-key": "strip", role: "slider", tabindex: "0", "aria-label": "Jump in time", "aria-valuemin": 0, "aria-valuemax": 100,
    "aria-valuenow": Math.round(100 * here), "aria-valuetext": view.title, title: "Click to jump there",
    click: (event) => { const box = event.currentTarget.getBoundingClientRect(); jump((event.clientX - box.left) / box.width); },
    keydown: (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (step) { event.preventDefault(); jump(here + step / bins.length); }
    },
  }, svg, now);
  S.parts.strip.replaceChildren(slider, make("div", { class: "ends" }, make("span", {}, labels[0]), make("span", {}, labels[1])));
}
