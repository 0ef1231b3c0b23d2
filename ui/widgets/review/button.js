import { make } from "../nodes.js";

// A button with its key beside its words.
export const button = (words, key, click, more = {}) =>
  make("button", { "data-key": words, ...more, click: (event) => click(event) }, words, make("kbd", key));

// A bar as wide as a share of what it lies in.
export function meter(share, more = {}) {
  const bar = make("i");
  bar.style.width = `${100 * share}%`;
  return make("div.meter", more, bar);
}
