// What the review page knows, for all its modules: a tab shows one review page at a time.
const random = [...crypto.getRandomValues(new Uint8Array(16))];

export const S = {
  client: random.map((byte) => byte.toString(16).padStart(2, "0")).join(""), // this loaded page, for Python
  number: 0, // of the last event
  pending: [], // events that Python has not acknowledged
  sent: 0, // when they were sent last; 0 if they were not
  timer: 0,
  waitingFor: 0, // the event whose answer shows another frame
  typed: [], // keys pressed meanwhile
  data: null, // what Python sent last
  views: new Map(), // frames that can be shown
  frame: null, // the one that is
  trail: [], // frames shown before it
  picked: new Map(), // frame -> the face picked in it
  over: null, // face and name under the pointer
  panel: "", // "why" or "help" where it is open
  drawing: false, // whether a missed face is being boxed
  draft: null, // the box that keys move
  note: { text: "", wrong: false }, // what is said instead of the hint
  heard: 0, // the number of the last note from Python
  root: null,
  send: null,
  parts: null, // the elements of the page
  shows: new Map(), // element -> what it shows, to build it anew only where that changed
  choices: {}, // the lists to choose from, kept between redraws
  drawn: true, // false while a redraw is due
  looked: null, // the frame in which faces out of sight were pointed out
  warned: null, // the frame in which one name on several faces was warned about
  zoom: { times: 1, x: 0, y: 0 }, // how close the picture is, and where it begins
  zoomed: false, // whether the picture fills the page
  refocus: false, // whether the redraw gives the focus to the picked face
};
