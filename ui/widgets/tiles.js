// Faces as tiles, or anything as rows: a picture, a few words, and a click that leads to the frame.
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".tiles");
  root.dataset.theme = data.theme;
  const open = (tile) => setTriggerValue("open", { frame: tile.frame });
  const words = (tile) => [
    make("span", { class: "what" }, ...tile.what.flatMap((word, k) =>
      [k ? make("span", { class: "to", "aria-label": " became " }, "→") : "", make("b", { dir: "auto", class: k < tile.what.length - 1 ? "was" : "" }, word)])),
    ...tile.lines.map((line) => make("span", { class: "line", dir: "auto" }, line)),
  ];
  const items = data.tiles.map((tile) => {
    const inside = [tile.picture ? crop(tile.picture, "") : "", make("span", { class: "words" }, ...words(tile))];
    return tile.frame === null
      ? make("div", { class: "tile" }, ...inside)
      : make("button", { type: "button", class: "tile", title: "Look at the frame", click: () => open(tile) }, ...inside);
  });
  const list = make("div", { class: `grid ${data.rows ? "rows" : ""}` }, ...items);
  const go = (page) => setTriggerValue("page", { page });
  root.replaceChildren(list, data.pages > 1 ? pager(data.page, data.pages, go) : "");
}
