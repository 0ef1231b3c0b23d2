// The review page: one component, so that what a click changes is drawn before Python has answered.
import { onClick, onKey } from "./keys.js";
import { drawLinks } from "./links.js";
import { receive } from "./loop.js";
import { skeleton } from "./screen.js";
import { S } from "./state.js";

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".review");
  S.send = setTriggerValue;
  if (S.root !== root) {
    Object.assign(S, { root, parts: skeleton(root), sent: 0, shows: new Map(), choices: {} });
    listen();
  }
  receive(data);
}

// Listens to the whole window, in place of a review page that was there before.
function listen() {
  globalThis.rollcallKeys?.abort();
  globalThis.rollcallKeys = new AbortController();
  const { signal } = globalThis.rollcallKeys;
  globalThis.addEventListener("keydown", onKey, { capture: true, signal });
  globalThis.addEventListener("click", onClick, { signal });
  globalThis.addEventListener("resize", () => drawLinks(), { signal });
}
