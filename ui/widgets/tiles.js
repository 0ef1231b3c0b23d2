// Faces as tiles, or anything as rows: a picture, a few words, and a click that leads to the frame.
import { crop } from "./crops.js";
import { fill, make } from "./nodes.js";
import { pager } from "./pager.js";
import { steady } from "./steady.js";

export default steady(({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".tiles");
  root.dataset.theme = data.theme;
  const open = (tile) => setTriggerValue("open", { frame: tile.frame });
  const items = data.tiles.map((tile) => {
    const inside = [tile.picture ? crop(tile.picture, "") : null, make("span.words", words(tile))];
    if (tile.frame === null) return make("div.tile", inside);
    return make("button.tile", { title: "Look at the frame", click: () => open(tile) }, inside);
  });
  const list = make("div.grid", { class: data.rows ? "rows" : "" }, items);
  const go = (page) => setTriggerValue("page", { page });
  fill(root, list, data.pages > 1 ? pager(data.page, data.pages, go) : null);
});

// A chain of names, each but the last crossed out, and the lines below it.
function words(tile) {
  const last = tile.what.length - 1;
  const chain = tile.what.flatMap((word, k) => [
    k ? make("span.to", { "aria-label": " became " }, "→") : null,
    make("b", { dir: "auto", class: k < last ? "was" : "" }, word),
  ]);
  return [make("span.what", chain), ...tile.lines.map((line) => make("span.line", { dir: "auto" }, line))];
}
