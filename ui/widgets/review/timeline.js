// When: a strip of the whole film, how much of it is settled, and a click to jump there.
import { make } from "../nodes.js";
import { tellAndWait } from "./loop.js";
import { S } from "./state.js";

const HIGH = 18; // of the highest bar
const BASE = 20; // height of the strip
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

const jump = (share) => tellAndWait("jump", { share: Math.min(Math.max(share, 0), 1) });

export function drawStrip(view) {
  const { bins, at, labels } = S.data.strip;
  const here = view.at ?? at;
  const now = make("i.now");
  now.style.left = `${100 * here}%`;
  const slider = make(
    "div.strip",
    {
      "data-key": "strip",
      role: "slider",
      tabindex: "0",
      "aria-label": "Jump in time",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Math.round(100 * here),
      "aria-valuetext": view.title,
      title: "Click to jump there",
      click: (event) => {
        const box = event.currentTarget.getBoundingClientRect();
        jump((event.clientX - box.left) / box.width);
      },
      keydown: (event) => {
        const step = STEPS[event.key];
        if (!step) return;
        event.preventDefault();
        jump(here + step / bins.length);
      },
    },
    bars(bins),
    now,
  );
  S.parts.strip.replaceChildren(slider, make("div.ends", make("span", labels[0]), make("span", labels[1])));
}

function bars(bins) {
  const most = Math.max(1, ...bins.map(([open, settled]) => open + settled));
  const bar = (kind, k, from, many) => {
    const [y, height] = [BASE - (HIGH * (from + many)) / most, (HIGH * many) / most];
    return make("rect", { class: kind, x: k, width: 0.8, y, height });
  };
  const all = bins.map(([open, settled], k) => make("g", bar("settled", k, 0, settled), bar("open", k, settled, open)));
  const shape = { viewBox: `0 0 ${bins.length} ${BASE}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return make("svg", shape, all);
}
