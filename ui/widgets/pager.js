import { make } from "./nodes.js";

// One line that leads through pages. `go` is called with the page's number, from 0.
export function pager(page, pages, go) {
  if (pages < 2) return make("span");
  const step = (to, label, sign) =>
    make(
      "button.plain",
      { "aria-label": label, title: label, disabled: to < 0 || to >= pages, click: () => go(to) },
      sign,
    );
  return make(
    "nav.pager",
    { "aria-label": "Pages" },
    step(page - 1, "Previous page", "‹"),
    make("span", `${page + 1} of ${pages}`),
    step(page + 1, "Next page", "›"),
  );
}
