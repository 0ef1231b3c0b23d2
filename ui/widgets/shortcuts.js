const FIELDS = "input, textarea, select";

// Calls `act` with each key, wherever the focus is, except where somebody types or a dialog is open.
// Returns the function that ends it.
export function shortcuts(act) {
  const listen = (event) => {
    const target = event.composedPath()[0];
    const typing = target instanceof HTMLElement && (target.matches(FIELDS) || target.isContentEditable);
    if (typing || event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
    act(event);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
