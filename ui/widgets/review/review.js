// The review page: one component, so that what a click changes is drawn before Python has answered.
import { holdLinks } from "../leaving.js";
import { steady } from "../steady.js";
import { onClick, onKey } from "./keys.js";
import { drawLinks } from "./links.js";
import { receive } from "./loop.js";
import { skeleton } from "./screen.js";
import { S } from "./state.js";

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".review");
  S.send = setTriggerValue;
  if (S.root !== root) Object.assign(S, { root, parts: skeleton(root), sent: 0, shows: new Map(), choices: {} });
  const listening = listen();
  receive(data);
  return () => listening.abort();
}, true);

// Listens to the whole window.
function listen() {
  const listening = new AbortController();
  const { signal } = listening;
  globalThis.addEventListener("keydown", onKey, { capture: true, signal });
  globalThis.addEventListener("click", onClick, { signal });
  holdLinks(() => S.pending.length > 0, signal);
  globalThis.addEventListener("resize", () => drawLinks(), { signal });
  return listening;
}
