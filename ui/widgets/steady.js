// Streamlit calls a component's function whenever Python has sent something. Three things could lose a click there:
// - A click is a press and a release on the same element. What is drawn anew in between is another element, so what
//   Python sends meanwhile is drawn after the release.
// - A place on the page that is gone already may still be called. It is passed over.
// - Where a run moves a component, its old and its new place are there at once, and are called in any order. A
//   component that is on a page once is drawn in its youngest place, and in the one that is left when that goes.
const LONGEST = 5000; // milliseconds of a press after which what has come is drawn all the same
const ENDS = ["pointerup", "pointercancel", "dragend", "keyup"];

let held = 0; // the timer of the press, if there is one
const afterwards = new Map(); // place -> the function that draws it after the press

// `show` draws what one call says, and returns the function that ends what it began, if it began anything. `once`:
// the component is on a page once, and its places share one state.
export function steady(show, once = false) {
  const calls = new Map(); // place on the page, the youngest last -> the last call for it
  const ends = new Map(); // place -> the function that ends what was begun there
  const youngest = () => [...calls.keys()].at(-1);

  function end(place) {
    ends.get(place)?.();
    ends.delete(place);
  }

  function draw(place) {
    if (held) return void afterwards.set(place, draw);
    if (!calls.has(place) || (once && place !== youngest())) return;
    for (const other of once ? [...ends.keys()] : [place]) end(other);
    ends.set(place, show(calls.get(place)));
  }

  return (component) => {
    const place = component.parentElement;
    if (!place.isConnected) return () => {};
    calls.set(place, component);
    draw(place);
    return () => {
      if (calls.get(place) !== component) return; // it was called again since
      calls.delete(place);
      end(place);
      if (once && calls.size && !ends.has(youngest())) draw(youngest());
    };
  };
}

function hold() {
  clearTimeout(held);
  held = setTimeout(letGo, LONGEST);
}

function letGo() {
  clearTimeout(held);
  held = 0;
  const due = [...afterwards];
  afterwards.clear();
  for (const [place, draw] of due) draw(place);
}

globalThis.addEventListener("pointerdown", hold, true);
globalThis.addEventListener("keydown", (event) => event.key === " " && hold(), true);
globalThis.addEventListener("pointermove", (event) => held && !event.buttons && letGo(), true);
for (const what of ENDS) globalThis.addEventListener(what, () => held && setTimeout(letGo), true); // after the click
