// Unnamed people: a strip of crops each, to be named in one go or ignored everywhere.
import { crop } from "./crops.js";
import { holdUntilCalled } from "./leaving.js";
import { counted, fill, make } from "./nodes.js";
import { namePicker } from "./picker.js";
import { shortcuts } from "./shortcuts.js";
import { steady } from "./steady.js";

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".strips");
  root.dataset.theme = data.theme;
  const links = holdUntilCalled();
  const say = (action, faces, name = "") => {
    links.told();
    setTriggerValue("say", { action, faces, name, version: data.version });
  };
  const open = (face) => setTriggerValue("open", { face });
  const end = shortcuts((event) => {
    const key = event.key.toLowerCase();
    if (!["z", "u", "y"].includes(key) || event.altKey) return;
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if (redo ? data.redo : data.undo) say(redo ? "redo" : "undo", []);
  });
  const left = counted(data.left, "more unnamed person", "more unnamed people");
  const none = "Nobody is left here: every person who returns has a name or is ignored.";
  fill(
    root,
    bar(data, say),
    data.strips.map((strip, k) => row(strip, k + 1, data.names, say, open)),
    data.left ? make("p.none", `${left} will come up when these are done.`) : null,
    data.strips.length ? null : make("p.none", none),
  );
  return () => {
    links.end();
    end();
  };
});

function bar(data, say) {
  const what = "People who return, but whom no caption names. Leave out a face that does not belong by clicking it.";
  const turn = (action, title, possible, words) =>
    make("button", { "data-action": action, title, disabled: !possible, click: () => say(action, []) }, words);
  return make(
    "div.bar",
    make("span.quiet", what),
    make("span.stretch"),
    make("span.status", { role: "status", "aria-live": "polite" }, data.message),
    turn("undo", "Undo (U)", data.undo, "Undo"),
    turn("redo", "Redo (Y)", data.redo, "Redo"),
  );
}

function row(strip, number, names, say, open) {
  const out = new Set(); // faces that were left out
  const faces = () => strip.faces.filter((face) => !out.has(face));
  const many = make("b", counted(strip.faces.length, "face"));
  const strangers = "A stranger: nobody, and never to be asked about again";
  const done = (action, name) => {
    whole.classList.add("busy");
    say(action, faces(), name);
  };
  const crops = strip.pictures.map((picture, k) => {
    const face = strip.faces[k];
    const toggle = () => {
      out.has(face) ? out.delete(face) : out.add(face);
      button.setAttribute("aria-pressed", String(!out.has(face)));
      button.setAttribute("aria-label", `Face ${k + 1}, ${out.has(face) ? "left out" : "belongs to this person"}`);
      many.textContent = counted(faces().length, "face");
    };
    const words = `Face ${k + 1}, belongs to this person`;
    const button = make(
      "button.face",
      { "data-face": face, "aria-pressed": "true", "aria-label": words, click: toggle },
      crop(picture, ""),
    );
    return button;
  });
  const more = strip.faces.length - strip.pictures.length;
  const whole = make(
    "section.strip",
    { "aria-label": `Unnamed person ${number}` },
    make("div.crops", crops, more > 0 ? make("span.more", `+${more}`) : null),
    make(
      "div.bar",
      many,
      make("span.quiet", strip.words),
      make("span.stretch"),
      make("button.plain", { "data-action": "look", click: () => open(strip.faces[0]) }, "Look closer"),
      make("button", { "data-action": "ignore", title: strangers, click: () => done("ignore") }, "Ignore everywhere"),
      namePicker(() => names, "Who is this?", (name) => done("name", name)),
    ),
  );
  return whole;
}
