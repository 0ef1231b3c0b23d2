// What stands around the frame: the bar above, the actions below, the queue (or the reasons) beside, help, the search.

function skeleton(root) {
  const part = (name, tag = "div", more = {}) => make(tag, { class: name, ...more });
  const parts = {
    root, bar: part("bar"), shot: part("shot"), caption: part("caption"), strip: part("timeline"), hint: part("hint", "p", { "aria-live": "polite" }),
    board: part("board"), faces: part("faces", "div", { role: "group", "aria-label": "Faces" }), lines: make("svg", { class: "lines" }),
    names: part("names", "div", { role: "group", "aria-label": "Names" }), nobody: part("nobody-slot"), search: part("search"),
    actions: part("actions"), side: part("side", "aside"), cover: part("cover"),
  };
  for (const column of [parts.faces, parts.names]) column.addEventListener("scroll", () => drawLinks(), { passive: true });
  parts.board.append(parts.faces, make("div", { class: "gap" }), make("div", { class: "right" }, parts.names, parts.nobody, parts.search), parts.lines);
  parts.field = searchField(parts.search);
  root.replaceChildren(
    parts.bar,
    make("div", { class: "columns" },
      make("section", { class: "scene", "aria-label": "The frame" }, parts.shot, parts.caption, parts.strip),
      make("section", { class: "graph", "aria-label": "Faces and names" }, parts.hint, parts.board, parts.actions), parts.side),
    parts.cover,
  );
  // The mouse leaves the keyboard where it is; fields and lists take it.
  root.addEventListener("mousedown", (event) => { if (!event.target.closest("input, select, .scrolls")) event.preventDefault(); });
  new ResizeObserver(() => drawLinks()).observe(parts.board);
  return parts;
}

// Draws what has changed, once, when the click or key is done with.
function draw() {
  if (!S.drawn) return;
  S.drawn = false;
  queueMicrotask(() => {
    S.drawn = true;
    if (S.root?.isConnected && S.data) paint();
  });
}

// Builds a part anew only if what it shows is another.
function anew(part, shows, build) {
  const before = S.shows.get(part) ?? [];
  if (before.length === shows.length && before.every((value, k) => value === shows[k])) return;
  S.shows.set(part, shows);
  build();
}

function paint() {
  const view = shown();
  const { parts, data } = S;
  const active = parts.root.getRootNode().activeElement;
  const key = active?.dataset?.key;
  if (!view) return;
  drawBar(view);
  drawShot(view);
  anew(parts.caption, [view.id, view.caption, view.names.length], () => drawCaption(view));
  anew(parts.strip, [view.id, data.strip], () => drawStrip(view));
  drawHint(view);
  drawBoard(view);
  drawActions(view);
  if (S.panel === "why") drawWhy(view);
  else anew(parts.side, [view.id, data.queue, data.progress, S.panel === "why"], () => drawQueue(view));
  if (S.panel === "why") S.shows.delete(parts.side);
  drawHelp();
  parts.root.dataset.frame = view.id;
  parts.root.dataset.pending = S.pending.length;
  const free = document.activeElement === document.body || document.activeElement === null;
  const again = key && [...parts.root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
  if (S.refocus || key?.startsWith("face ")) parts.faces.querySelector(".picked")?.focus({ preventScroll: true });
  else if (again) { if (again !== active) again.focus({ preventScroll: true }); }
  else if (S.panel === "help") parts.cover.querySelector("button")?.focus();
  else if (free || key) parts.faces.querySelector(".picked")?.focus({ preventScroll: true });
  S.refocus = false;
}

const button = (words, key, click, more = {}) => make("button", { type: "button", "data-key": words, ...more, click },
  words, key ? make("kbd", {}, key) : null);

function drawBar(view) {
  const { data } = S;
  fill(S.parts.bar, [
    button("Previous", "←", act.previous, { class: "quiet", disabled: !S.trail.length && view.previous === null }),
    button("Next", "→", act.next, { class: "quiet", disabled: view.next === null }),
    make("h2", { title: view.title }, view.title), make("span", { class: "stretch" }),
    button("Undo", "u", act.undo, { class: "quiet", disabled: !data.can_undo && !S.pending.length }),
    button("Redo", "y", act.redo, { class: "quiet", disabled: !data.can_redo }),
    data.can_box && view.picture ? button("Add a face", "b", (event) => toggleDrawing(event.detail === 0), { class: `quiet ${S.drawing ? "on" : ""}`, "aria-pressed": String(S.drawing) }) : null,
    data.can_play ? button("Play", "p", act.play, { class: "quiet" }) : null,
    button("Keys", "?", act.help, { class: "quiet" }),
  ]);
}

function drawHint(view) {
  const open = view.faces.filter((face) => face.open);
  const picked = pickedFace(view);
  const words = S.note || (!view.faces.length ? "Nothing to answer here. Press → for the next frame."
    : !S.data.ran ? "Rollcall has not looked at these faces yet: run the model, or name them yourself."
    : !open.length ? "All settled. Press Enter for the next frame."
    : picked?.said.length > 1 ? "People differ on this face: click the right name, or strike an answer."
    : picked?.open ? "Who is this? Click a name or press its number. Enter confirms the whole frame." : "Settled. Pick another face, or press Enter to go on.");
  S.parts.hint.textContent = words;
}

function drawActions(view) {
  const face = pickedFace(view);
  const open = view.faces.filter((other) => other.open && other.best && !other.said.length).length;
  const settled = face && !face.open;
  const many = (count, what) => `Same for ${count} ${what}`;
  const words = open ? `Confirm ${open === 1 ? "1 face" : `all ${open} faces`}` : "Next frame";
  fill(S.parts.actions, [
    ...(face ? [
      button("Not this person", "r", () => act.refuse(), { disabled: !face.best || (face.best.kind !== "said" && face.best.name === "") }),
      button("Not a face", "x", () => act.noFace()),
      settled ? null : button("Stranger", "i", () => act.ignore(), { title: "Nobody we know: do not ask again, here or elsewhere" }),
      settled && face.track ? button(many(face.track, "more in this shot"), "t", () => act.spread("same track"), { class: "spread" }) : null,
      settled && face.person ? button(many(face.person, face.person > 1 ? "look-alikes" : "look-alike"), "g", () => act.spread("same person"), { class: "spread" }) : null,
      button("Why?", "w", () => act.why(), { class: S.panel === "why" ? "on" : "", "aria-pressed": String(S.panel === "why") }),
    ] : []),
    make("button", { type: "button", class: "primary", "data-key": "confirm", disabled: !open && view.next === null, click: act.frame }, words, make("kbd", {}, "↵")),
  ]);
}

// --- The queue -----------------------------------------------------------------------------------------------------------

function drawQueue(view) {
  const { queue, progress } = S.data;
  const choose = (what, options, chosen, label) => make("label", {}, make("span", {}, label), choice(what, options, chosen));
  const share = progress.faces ? progress.settled / progress.faces : 0;
  S.parts.side.replaceChildren(
    make("div", { class: "ask" }, make("h3", {}, view.reason || (view.faces.length ? "All settled here" : "No faces here")),
      make("p", {}, queue.left ? `${queue.left} ${queue.left === 1 ? "frame" : "frames"} left` : "Everything is settled", " ",
        view.next === null ? null : button("Skip", "s", act.skip, { class: "inline" }))),
    make("div", { class: "choices" }, choose("order", queue.orders, queue.order, "Order"),
      choose("person", [["", "Everybody"], ...queue.people], queue.person, "Only")),
    make("ol", { class: "next scrolls", "aria-label": "The next frames" }, ...queue.items.map((item) => make("li", {}, make("button", {
      type: "button", "data-key": `queue ${item.frame}`, class: item.frame === view.id ? "here" : "", "aria-current": item.frame === view.id ? "true" : false,
      click: () => leave("go", item.frame) }, make("img", { src: item.thumb, alt: "", class: item.wide ? "wide" : "" }),
    make("span", {}, make("b", { dir: "auto" }, item.reason), make("small", {}, item.title)))))),
    make("div", { class: "progress" },
      make("div", { class: "meter", role: "img", "aria-label": `${progress.settled} of ${progress.faces} faces settled` }, placedBar(share)),
      make("p", {}, make("b", {}, `${progress.settled}`), ` of ${progress.faces} faces settled`)),
    drawRun(progress),
  );
}

// A list to choose from; hundreds of names are only written anew when there are others.
function choice(what, options, chosen) {
  const select = S.choices[what] ??= make("select", {
    "data-key": what, change: (event) => { event.target.blur(); unknown(what, { name: event.target.value }); } });
  const words = JSON.stringify(options);
  if (select.offers !== words) {
    select.offers = words;
    fill(select, options.map(([value, text]) => make("option", { value }, text)));
  }
  select.value = chosen;
  return select;
}

function placedBar(share) {
  const bar = make("i");
  bar.style.width = `${100 * share}%`;
  return bar;
}

function drawRun(progress) {
  const { job, since, changed, failed } = progress;
  if (job) return make("div", { class: "run", role: "status" }, make("div", { class: "meter busy" }, placedBar(job.share)),
    make("p", {}, `Running: ${job.stage}`));
  const words = !S.data.ran ? "The model has not run yet." : since ? `${since} ${since === 1 ? "correction" : "corrections"} since the last run`
    : "No corrections since the last run";
  return make("div", { class: "run" },
    changed === null ? null : make("p", { class: "quiet" }, changed
      ? make("button", { type: "button", class: "inline", "data-key": "changed", click: () => unknown("changed") }, `${changed} ${changed === 1 ? "face" : "faces"} changed`)
      : "No face changed", " in the last run."),
    failed ? make("p", { class: "failed" }, failed) : null,
    make("p", {}, words),
    make("button", { type: "button", "data-key": "run", class: S.data.ran ? "" : "primary", disabled: S.data.ran && !since && !failed, click: () => tell("run") },
      S.data.ran ? "Run again" : "Run the model"));
}

// --- The reasons -----------------------------------------------------------------------------------------------------------

function drawWhy(view) {
  const face = pickedFace(view);
  const found = S.data.why && face && S.data.why.face === face.id ? S.data.why : null;
  const head = make("div", { class: "head" }, make("h3", {}, "Why?"), button("Close", "Esc", close, { class: "inline" }));
  if (!face) return void S.parts.side.replaceChildren(head, make("p", {}, "There is no face here."));
  const top = make("div", { class: "who" }, make("img", { src: face.crop, alt: "" }), make("p", { dir: "auto" }, face.said.length && face.open ? "People differ" : face.best ? called(face.best.name) : "Unknown"));
  if (!found) return void S.parts.side.replaceChildren(head, top, make("p", { class: "quiet" }, "Looking up the evidence…"));
  const considered = found.considered.map((name) => make("li", {},
    make("div", {}, make("span", { dir: "auto" }, called(name.name)), make("b", {}, percent(name.score))),
    make("div", { class: "meter" }, placedBar(name.score)), name.note ? make("small", {}, name.note) : null));
  const alike = found.alike.map((other) => make("li", {}, make("button", {
    type: "button", "data-key": `alike ${other.face}`, title: other.caption, click: () => leave("go", other.frame),
  }, make("img", { src: other.crop, alt: "" }), make("span", {}, make("b", { dir: "auto" }, `${called(other.name)} `), make("small", {}, `${percent(other.similarity)} alike`),
    make("q", { dir: "auto" }, other.caption)))));
  S.parts.side.replaceChildren(head, make("div", { class: "scrolls reasons" }, top,
    make("h4", {}, "Names considered"), found.considered.length ? make("ol", {}, ...considered) : make("p", {}, "The model has not seen this face yet."),
    ...(found.ruled.length ? [make("h4", {}, "Ruled out"), make("ul", {}, ...found.ruled.map((words) => make("li", { dir: "auto" }, words)))] : []),
    make("h4", {}, "Look-alikes in other frames"), alike.length ? make("ol", { class: "alike" }, ...alike) : make("p", {}, "Nobody in another frame looks like this.")));
}

// --- Help, and the search for a name -----------------------------------------------------------------------------------------

function drawHelp() {
  const { cover } = S.parts;
  const open = S.panel === "help";
  cover.classList.toggle("open", open);
  if (open === Boolean(cover.firstChild)) return;
  if (!open) return void cover.replaceChildren();
  cover.replaceChildren(make("div", { class: "card", "aria-label": "Keys" },
    make("div", { class: "head" }, make("h3", {}, "Everything has a key"), button("Close", "Esc", close, { class: "inline" })),
    make("dl", {}, ...KEYS.map(([key, words]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)))),
    make("p", { class: "legend" }, ...[["said", "somebody said so ✓"], ["thought", "Rollcall thinks so; wider is surer"], ["maybe", "less likely"], ["refused", "refused ✕"]]
      .map(([kind, words]) => make("span", { class: kind }, make("i"), words)))));
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const SHOWN_NAMES = 40;

// Names that fit what was typed: recently used ones first, then this caption's, then all.
function fitting(text) {
  const view = shown();
  const typed = plain(text.trim());
  const all = [...new Set([...S.data.recent, ...view.names.map((name) => name.name), ...S.data.names])];
  const fits = all.filter((name) => plain(name).includes(typed));
  const ranked = typed ? [...fits.filter((name) => plain(name).startsWith(typed)), ...fits.filter((name) => !plain(name).startsWith(typed))] : fits;
  const here = new Set(view.names.filter((name) => name.here).map((name) => name.name));
  const rows = ranked.slice(0, SHOWN_NAMES).map((name) => ({ name, note: here.has(name) ? "this caption" : S.data.recent.includes(name) ? "recent" : "", here: here.has(name) }));
  const exact = text.trim().replace(/\s+/g, " ");
  if (exact && !all.some((name) => plain(name) === plain(exact))) rows.push({ name: exact, note: "new name", fresh: true, here: false });
  return rows;
}

function searchField(place) {
  const field = make("input", { type: "text", placeholder: "Find or add a name", "aria-label": "Find or add a name", autocomplete: "off",
    role: "combobox", "aria-expanded": "false", "data-key": "find", maxlength: 200, dir: "auto", spellcheck: "false" });
  const list = make("ul", { class: "found scrolls", role: "listbox" });
  let rows = [];
  let at = 0;
  const done = () => {
    field.value = "";
    list.replaceChildren();
    field.setAttribute("aria-expanded", "false");
    field.blur();
    S.parts.faces.querySelector(".picked")?.focus({ preventScroll: true });
  };
  const choose = (row, mention) => {
    if (!row) return;
    const face = pickedFace(shown());
    done();
    if (mention || !face) act.mention(row.name);
    else act.is(row.name);
  };
  const list_ = () => {
    rows = fitting(field.value);
    at = Math.min(at, Math.max(rows.length - 1, 0));
    field.setAttribute("aria-expanded", "true");
    list.replaceChildren(...rows.map((row, k) => make("li", { role: "option", class: k === at ? "at" : "", "aria-selected": String(k === at), mousedown: (e) => { e.preventDefault(); choose(row, false); } },
      make("span", { dir: "auto" }, row.fresh ? `Add “${row.name}”` : row.name), make("small", {}, row.note),
      row.here ? null : make("button", { type: "button", tabindex: "-1", title: "Only add it to this frame's names", "aria-label": `Add ${row.name} to this frame`,
        mousedown: (e) => { e.preventDefault(); e.stopPropagation(); choose(row, true); } }, "to frame"))));
    if (!rows.length) list.append(make("li", { class: "quiet" }, "No names yet: type one."));
    list.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => { at = 0; list_(); });
  field.addEventListener("focus", list_);
  field.addEventListener("blur", () => { list.replaceChildren(); field.setAttribute("aria-expanded", "false"); });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % Math.max(rows.length, 1);
      list_();
    } else if (event.key === "Enter") choose(rows[at], event.shiftKey);
    else if (event.key === "Escape") done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  place.append(make("div", { class: "field" }, field, make("kbd", {}, "/")), list);
  return field;
}

function find() {
  S.parts.field.focus();
}
