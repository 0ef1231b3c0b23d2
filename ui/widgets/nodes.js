// Making elements, for all components. Names and captions are data: they enter the page only as text and attributes.
const SVG = ["svg", "path", "rect", "circle", "text", "title", "g"];

// make("p.quiet", { title: "…" }, "text", child): attributes may be left out; a function listens to the event of its
// key; children that are null, undefined or false are dropped.
export function make(kind, ...rest) {
  const [tag, ...classes] = kind.split(".");
  const given = isPlain(rest[0]) ? rest.shift() : {};
  const node = SVG.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  if (tag === "button") node.setAttribute("type", "button");
  const named = [...classes, given.class].filter(Boolean).join(" ");
  for (const [key, value] of Object.entries({ ...given, class: named || null })) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...present(rest));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

const isThere = (child) => child !== null && child !== undefined && child !== false;
const present = (children) => children.flat(Infinity).filter(isThere);
const isPlain = (value) => Boolean(value) && Object.getPrototypeOf(value) === Object.prototype;

// For what moves on by itself: the second click of a double click would fall on what has come in its place.
export const single = (does) => (event) => event.detail < 2 && does(event);

export const percent = (share) => `${Math.round(100 * share)} %`;

export function counted(many, one, more = `${one}s`) {
  return `${many.toLocaleString("en")} ${many === 1 ? one : more}`;
}
