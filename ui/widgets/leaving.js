// A link that is clicked before Python has heard of all that was done on a page is followed when it has: what Streamlit
// is sent beside a change of the page may get lost, or takes the page back.
const LINK_WAITS = 3000; // milliseconds that a link waits

const left = { link: null, timer: 0, following: false };

export function holdLinks(waits, signal) {
  globalThis.addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey; // another tab, which takes nothing away
    if (!link || left.following || elsewhere || !waits()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    left.link = link;
    clearTimeout(left.timer);
    left.timer = setTimeout(followLink, LINK_WAITS);
  }, { capture: true, signal });
}

// The same for a component that is called with each answer: links wait from what was `told` until it is called again.
export function holdUntilCalled() {
  followLink();
  const listening = new AbortController();
  let waits = false;
  holdLinks(() => waits, listening.signal);
  return { told: () => void (waits = true), end: () => listening.abort() };
}

// Follows the link that was clicked last, if one waits.
export function followLink() {
  const { link } = left;
  clearTimeout(left.timer);
  Object.assign(left, { link: null, following: true });
  if (link?.isConnected) link.click();
  left.following = false;
}
