// What the face widgets share. Names are data: they enter the page only through text nodes and setAttribute.
const SILHOUETTE =
  "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><rect width='100' height='100' " +
  "fill='%23b9b4a8'/><circle cx='50' cy='40' r='19' fill='%23e9e5dc'/><path d='M14 100Q16 66 50 66Q84 66 86 100Z' " +
  "fill='%23e9e5dc'/></svg>";

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function crop(picture, alt) {
  const image = make("img", { src: picture, alt, draggable: "false" });
  image.addEventListener("error", () => { image.src = SILHOUETTE; }, { once: true });
  return image;
}

function count(many, what) {
  return `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;
}

// One line that leads through pages; `go` hears the page's number, from 0.
function pager(page, pages, go) {
  if (pages < 2) return make("span");
  const step = (to, label, sign) =>
    make("button", { type: "button", class: "plain", "aria-label": label, title: label, disabled: to < 0 || to >= pages,
      click: () => go(to) }, sign);
  return make("nav", { class: "pager", "aria-label": "Pages" }, step(page - 1, "Previous page", "‹"),
    make("span", {}, `${page + 1} of ${pages}`), step(page + 1, "Next page", "›"));
}

// Type to find or add a name. `names`: recently used ones first. `pick` hears the name.
function namePicker(names, label, pick, leave = () => {}) {
  const id = `names-${Math.random().toString(36).slice(2)}`;
  const list = make("ul", { role: "listbox", id, hidden: true });
  const input = make("input", {
    type: "text", placeholder: label, "aria-label": label, role: "combobox", "aria-expanded": "false", "aria-controls": id,
    "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", dir: "auto", maxlength: "200",
  });
  let shown = [];
  let at = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const take = (name) => {
    close();
    input.value = "";
    pick(name);
  };
  const mark = () => {
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    if (at >= 0) input.setAttribute("aria-activedescendant", `${id}-${at}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const look = () => {
    const typed = input.value.trim().replace(/\s+/g, " ");
    const low = typed.toLocaleLowerCase();
    const same = names.find((name) => name.toLocaleLowerCase() === low);
    const starts = names.filter((name) => name.toLocaleLowerCase().startsWith(low));
    const holds = low ? names.filter((name) => !starts.includes(name) && name.toLocaleLowerCase().includes(low)) : [];
    shown = [...starts, ...holds].slice(0, 8).map((name) => ({ name, text: name }));
    if (typed && !same) shown.push({ name: typed, text: `Add “${typed}”`, fresh: true });
    at = shown.length && typed ? 0 : -1;
    list.replaceChildren(...shown.map((item, k) =>
      make("li", { role: "option", id: `${id}-${k}`, class: item.fresh ? "fresh" : "", dir: "auto",
        mousedown: (event) => { event.preventDefault(); take(item.name); } }, item.text)));
    list.hidden = !shown.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  };
  input.addEventListener("input", look);
  input.addEventListener("focus", look);
  input.addEventListener("blur", () => { close(); leave(); });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (shown.length) at = (at + (event.key === "ArrowDown" ? 1 : shown.length - 1 + (at < 0))) % shown.length;
      mark();
    } else if (event.key === "Enter" && shown[at]) {
      event.preventDefault();
      take(shown[at].name);
    } else if (event.key === "Escape") {
      close();
      input.blur();
    }
  });
  return make("span", { class: "picker" }, input, list);
}

// Keys that work wherever the focus is, except where somebody types or a dialog is open. Gives a function that ends it.
function keys(hear) {
  const listen = (event) => {
    const target = event.composedPath()[0];
    const typing = target instanceof Element && (target.matches("input, textarea, select") || target.isContentEditable);
    if (typing || event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
    hear(event);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
