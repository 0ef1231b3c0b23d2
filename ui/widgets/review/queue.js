// Beside the frame: what is asked and why, the next frames, how much is settled, and the last run.
import { counted, fill, make } from "../nodes.js";
import { act } from "./act.js";
import { button, meter } from "./button.js";
import { leave, tell, tellAndWait } from "./loop.js";
import { S } from "./state.js";

export function drawQueue(view) {
  const { queue, progress } = S.data;
  const left = queue.left
    ? `${counted(queue.left, "frame")} left`
    : queue.rest
    ? "No more questions"
    : "Everything is settled";
  const settled = `${progress.settled} of ${progress.faces} faces settled`;
  fill(
    S.parts.side,
    make(
      "div.ask",
      make("h3", view.reason || nothing(view)),
      view.known.map((said) => make("p.known", { dir: "auto" }, said)),
      make(
        "p",
        left,
        " ",
        view.next === null || !queue.left && !queue.rest ? null : button("Skip", "s", act.skip, { class: "inline" }),
      ),
    ),
    make(
      "div.choices",
      make("label", make("span", "Order"), choice("order", queue.orders, queue.order)),
      make("label", make("span", "Only"), choice("person", [["", "Everybody"], ...queue.people], queue.person)),
    ),
    queue.rest ? done(queue.rest) : make(
      "ol.next.scrolls",
      { "aria-label": "The next frames" },
      queue.items.map((item) => make("li", next(item, view))),
    ),
    make(
      "div.progress",
      meter(progress.faces ? progress.settled / progress.faces : 0, { role: "img", "aria-label": settled }),
      make("p", make("b", String(progress.settled)), ` of ${progress.faces} faces settled`),
      make("p", known(progress)),
      S.data.ran ? make("p", finish(progress, queue.rest)) : null,
    ),
    progress.job ? running(progress.job) : lastRun(progress),
  );
}

function nothing(view) {
  if (!view.faces.length) return "No faces here";
  return view.faces.some((face) => face.open) ? "Nothing in doubt here" : "All settled here";
}

// Behind the finish line nobody is asked any more: what is left is accepted at once, or looked through.
const done = (rest) =>
  make(
    "div.done.scrolls",
    make("b", "Done"),
    make("p", `Nothing is in doubt any more. Nobody has confirmed ${counted(rest, "face")} yet.`),
    make("button.primary", { "data-key": "accept", click: () => tell("accept") }, "Accept what is sure"),
    make("button", {
      "data-key": "browse",
      click: () => tellAndWait("order", { name: "time" }),
    }, "Look through the rest"),
  );

function next(item, view) {
  const here = item.frame === view.id;
  return make(
    "button",
    {
      "data-key": `queue ${item.frame}`,
      class: here ? "here" : "",
      "aria-current": here ? "true" : false,
      click: () => leave("go", item.frame),
    },
    make("img", { src: item.thumb, alt: "", class: item.wide ? "wide" : "" }),
    make("span", make("b", { dir: "auto" }, item.reason), make("small", item.title)),
  );
}

// A list to choose from; hundreds of names are only written anew when there are others.
function choice(what, options, chosen) {
  const change = (event) => {
    event.target.blur();
    tellAndWait(what, { name: event.target.value });
  };
  const kept = S.choices[what] ??= { select: make("select", { "data-key": what, change }), offers: "" };
  const offers = JSON.stringify(options);
  if (kept.offers !== offers) {
    kept.offers = offers;
    fill(kept.select, options.map(([value, text]) => make("option", { value }, text)));
  }
  kept.select.value = chosen;
  return kept.select;
}

function known({ named, faces, unknown, answers }) {
  const nobody = faces - named - unknown;
  const rest = `${nobody ? `, ${nobody} nobody` : ""}${unknown ? `, ${unknown} unknown` : ""}`;
  const said = `${named} of ${faces} named${rest}`;
  if (!S.data.ran) return said;
  return `${said}. ${answers ? `About ${counted(answers, "answer")} left for 99\u00a0%` : "99\u00a0% reached"}.`;
}

const finish = ({ unknown, settled, faces }, rest) => [
  rest ? null : make("button.inline", {
    "data-key": "accept",
    class: settled < faces ? "" : "none-left", // its place stays
    click: () => tell("accept"),
  }, "Accept what is sure"),
  unknown
    ? [rest ? "" : " · ", make("button.inline", { "data-key": "who", click: () => tell("who") }, "Name groups")]
    : null,
];

function running(job) {
  return make("div.run", { role: "status" }, meter(job.share, { class: "busy" }), make("p", `Running: ${job.stage}`));
}

// After answers, or where the last run failed; nothing else would come of it.
const worthARun = ({ job, since, failed }) => !job && Boolean(!S.data.ran || since || failed);

export function runAgain() {
  if (worthARun(S.data.progress)) tell("run");
}

function lastRun(progress) {
  const { since, changed, failed } = progress;
  const { ran } = S.data;
  const answers = since ? counted(since, "answer") : "No answers";
  const about = { "data-key": "run", class: ran ? "" : "primary", disabled: !worthARun(progress) };
  return make(
    "div.run",
    changed === null ? null : make("p.quiet", changed ? whatChanged(changed) : "No face changed", " in the last run."),
    failed ? make("p.failed", failed) : null,
    make("p", ran ? `${answers} since the last run` : "The model has not run yet."),
    make("button", { ...about, click: runAgain }, ran ? "Run again" : "Run the model", make("kbd", "a")),
  );
}

const whatChanged = (many) =>
  make(
    "button.inline",
    { "data-key": "changed", click: () => tellAndWait("changed") },
    `${counted(many, "face")} changed`,
  );
