// Unnamed people: a strip of crops each, to be named in one go or ignored everywhere.
const kept = new Map(); // component -> the function that ends its keys

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".strips");
  root.dataset.theme = data.theme;
  const say = (action, faces, name = "") => setTriggerValue("say", { action, faces, name, version: data.version });
  const bar = make("div", { class: "bar" },
    make("span", { class: "quiet" }, "People who return, but whom no caption names. Leave out a face that does not belong by clicking it."),
    make("span", { class: "stretch" }), make("span", { class: "status", role: "status", "aria-live": "polite" }, data.message),
    make("button", { type: "button", "data-action": "undo", title: "Undo (Z)", disabled: !data.undo, click: () => say("undo", []) }, "Undo"),
    make("button", { type: "button", "data-action": "redo", title: "Redo (Shift Z)", disabled: !data.redo, click: () => say("redo", []) }, "Redo"));
  const rows = data.strips.map((strip, number) => {
    const out = new Set();
    const faces = () => strip.faces.filter((face) => !out.has(face));
    const many = make("b", {}, count(strip.faces.length, "face"));
    const row = make("section", { class: "strip", "aria-label": `Unnamed person ${number + 1}` });
    const done = (action, name) => { row.classList.add("busy"); say(action, faces(), name); };
    const crops = strip.pictures.map((picture, k) => {
      const face = strip.faces[k];
      const button = make("button", { type: "button", class: "face", "data-face": face, "aria-pressed": "true", "aria-label": `Face ${k + 1}, belongs to this person` }, crop(picture, ""));
      button.addEventListener("click", () => {
        out.has(face) ? out.delete(face) : out.add(face);
        button.setAttribute("aria-pressed", String(!out.has(face)));
        button.setAttribute("aria-label", `Face ${k + 1}, ${out.has(face) ? "left out" : "belongs to this person"}`);
        many.textContent = count(faces().length, "face");
      });
      return button;
    });
    const more = strip.faces.length - strip.pictures.length;
    row.append(
      make("div", { class: "crops" }, ...crops, more > 0 ? make("span", { class: "more" }, `+${more}`) : ""),
      make("div", { class: "bar" }, many, make("span", { class: "quiet" }, strip.words), make("span", { class: "stretch" }),
        make("button", { type: "button", class: "plain", "data-action": "look", click: () => setTriggerValue("open", { face: strip.faces[0] }) }, "Look closer"),
        make("button", { type: "button", "data-action": "ignore", title: "A stranger: nobody, and never to be asked about again", click: () => done("ignore") }, "Ignore everywhere"),
        namePicker(data.names, "Who is this?", (name) => done("name", name))));
    return row;
  });
  kept.get(parentElement)?.();
  const end = keys((event) => {
    if (event.key.toLowerCase() !== "z" || event.altKey) return;
    if (event.shiftKey ? data.redo : data.undo) say(event.shiftKey ? "redo" : "undo", []);
  });
  kept.set(parentElement, end);
  root.replaceChildren(bar, ...rows,
    data.left ? make("p", { class: "none" }, `${count(data.left, "more unnamed person").replace("persons", "people")} will come up when these are done.`) : "",
    rows.length ? "" : make("p", { class: "none" }, "Nobody is left here: every person who returns has a name or is ignored."));
  return end;
}
