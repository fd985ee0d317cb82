// The page's frame: where to go, which world is meant, light or dark. The rest is views.

import { currentWorld, noAnswer, setWorld, verb } from "./lib/api.js";
import { hasCase } from "./lib/casefile.js";
import { forgetWorld } from "./lib/changes.js";
import { changeClock } from "./lib/clock.js";
import { ask, button, closeDialogs, fill, h, isNotLoaded, notice, problem, select, stay } from "./lib/dom.js";
import { recall, remember } from "./lib/memory.js";
import { forkWorld, openPalette } from "./lib/palette.js";
import { countDifferences } from "./lib/differences.js";
import { arrive, go, guard, href, inWorld, isUnsaved, moved, redirect, route } from "./lib/route.js";

// A view: show(element, {parts, params}) fills the element and may answer a function to call when it goes, or {gone: that function,
// follow(address, {parts, params}), which returns true if the view shows another address of its own without being drawn anew,
// refresh(what): draws again what depends on the world as a whole, of which the page changed the "clock", the "world" or "faults"}. It
// is loaded when it is first shown, so that the page appears before everything is loaded.
const VIEWS = {
  tables: () => import("./views/tables.js"),
  table: () => import("./views/table.js"),
  request: () => import("./views/request.js"),
  collections: () => import("./views/collections.js"),
  plans: () => import("./views/plans.js"),
  schema: () => import("./views/schema.js"),
  patterns: () => import("./views/patterns.js"),
  live: () => import("./views/live.js"),
  control: () => import("./views/control.js"),
  worlds: () => import("./views/worlds.js"),
  history: () => import("./views/history.js"),
  case: () => import("./views/case.js"),
  tour: () => import("./views/tour.js"),
};
const MENU_OF = { table: "tables", case: "tables", history: "worlds", collections: "tables", plans: "request" }; // views that the menu has under another

const REDRAWN = new Set(["collections", "schema", "history"]); // as a whole, when the clock moves

const CLOCK_OFF_MS = 5000; // difference at which the world's clock is not the system's

const view = document.getElementById("view");
let current = null, shown = 0; // current: {view, world, gone, follow} of the view that is shown
let worlds = [{ name: "default" }]; // as GET worlds has them
const isKnown = (name) => worlds.some((one) => one.name === name);

// --- the bar ------------------------------------------------------------------------------------------

function applyTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

/** Where the menu leads is in this world, too. */
function markMenu(name) {
  document.querySelector(".brand").href = href("tables");
  for (const link of document.querySelectorAll("#menu a")) {
    const [, to] = /^#\/(\w+)/.exec(link.hash);
    link.href = href(to);
    if (to === (MENU_OF[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Tells the style how high the line at the bottom is, above which panels end. */
const foot = document.querySelector(".foot"), tellFoot = () => document.documentElement.style.setProperty("--foot", `${foot.offsetHeight}px`);
new ResizeObserver(() => requestAnimationFrame(tellFoot)).observe(foot);

// What the choice of the clock does: [text, body of the verb].
const CLOCK = { freeze: ["Freeze", { freeze: true }], resume: ["Let it run", { resume: true }], hour: ["An hour further", { advance: "1h" }], day: ["A day further", { advance: "24h" }], real: ["The system's time", { real: true }] };

let lookAtClock = () => {};

/** The world's clock: whether it is frozen or ahead, and what changes it; null for a world that is not known yet, which a request
 * would make. */
function clockChoice() {
  if (!isKnown(currentWorld())) return null;
  const words = { running: "Clock: running", frozen: "Clock: frozen", other: "Clock: not the system's" };
  const place = select([["", "Clock"], ...Object.entries(CLOCK).map(([name, [text]]) => [name, text])], "", async (name) => {
    place.value = "";
    try {
      if (Object.hasOwn(CLOCK, name)) await changeClock(CLOCK[name][1]);
    } catch (error) {
      notice(error.message, "wrong");
    }
  }, { class: "narrow clock", "aria-label": "Clock" });
  const look = async () => {
    const { frozen, rate, now_ms: now } = await verb("GET", "clock");
    const state = frozen ? "frozen" : rate !== 1 || Math.abs(now - Date.now()) > CLOCK_OFF_MS ? "other" : "running";
    place.options[0].textContent = words[state];
    place.classList.toggle("off", state !== "running");
  };
  lookAtClock = () => look().catch(() => {}); // the view says what is wrong
  lookAtClock();
  return place;
}

const CASE = " case"; // no name of a world, which has no blank in front

function enterByName(name) {
  showState(); // the choice shows the world of the page
  if (name === CASE) go("case");
  else location.hash = inWorld(name);
}

const COUNTED = 300000; // items of a fork whose differences are counted unasked
const CHANGES_MS = 300;  // for further changes

let counting = new AbortController(), later = 0;

/** How this world differs from the one that it was forked from, and the way to the comparison. */
async function showFork() {
  clearTimeout(later);
  counting.abort();
  counting = new AbortController();
  const { signal } = counting, place = document.getElementById("fork"), name = currentWorld(), one = worlds.find((other) => other.name === name);
  const origin = name === "default" ? null : isKnown(one?.from) ? one.from : "default";
  const tell = (text) => fill(place, text, " ", h("a", { href: href("worlds", [], { from: origin, to: name }) }, `Compare with ${origin}`));
  if (!origin || !one) {
    fill(place);
    return;
  }
  const words = one.from && one.items <= COUNTED ? await countDifferences(origin, name, signal).catch(() => "") : "";
  if (!signal.aborted) tell(words);
}

const palette = () => openPalette([...document.querySelectorAll("#menu a")].map((link) => [link.innerText, /^#\/(\w+)/.exec(link.hash)[1]]));

function showState() {
  const theme = recall("theme", "auto"), known = worlds.map((one) => one.name);
  if (!isKnown(currentWorld())) known.push(currentWorld());
  const choices = [...known, ...(hasCase(currentWorld()) ? [[CASE, "Its case file"]] : [])];
  document.querySelector(".bar").classList.toggle("other", currentWorld() !== "default");
  fill(document.getElementById("state"),
    button("Go to …", palette, { class: "to", title: "Ctrl+K", "aria-keyshortcuts": "Control+K" }),
    h("label", { class: "check" }, h("span", {}, "World"), select(choices, currentWorld(), enterByName, { class: "narrow", "aria-label": "World" })),
    button("Fork", () => forkWorld().catch((error) => notice(error.message, "wrong")), { title: "a copy of this world, to try something in" }),
    button("◐", () => {
      applyTheme({ auto: "dark", dark: "light", light: "auto" }[theme]);
      showState();
    }, { "aria-label": `Colours: ${theme}`, title: `Colours: ${theme}` }));
  fill(document.getElementById("clock"), clockChoice());
}

/** `needed`: the view cannot be shown without. */
async function readWorlds(needed = false) {
  try {
    const before = worlds.map((one) => one.name).join();
    ({ worlds } = await verb("GET", "worlds", undefined, "default"));
    if (worlds.map((one) => one.name).join() !== before) showState();
    showFork();
  } catch (error) {
    if (needed) throw error;
    // The list of before will do: what is wrong shows in the view.
  }
}

function countLater() {
  clearTimeout(later);
  later = setTimeout(showFork, CHANGES_MS);
}

// --- views --------------------------------------------------------------------------------------------

/** That there is no such world: a request to it would make it, which no address does. */
function noWorld(inner, world) {
  fill(inner, h("h1", {}, `There is no world ${world}`), h("p", {}, "The address names a world that this server does not have, or has no more."),
    h("div", { class: "row" }, button("Make it", async () => {
      try {
        await verb("POST", `worlds/${encodeURIComponent(world)}`, undefined, "default");
        show();
      } catch (error) {
        notice(error.message, "wrong");
      }
    }), h("a", { class: "button", href: inWorld("default") }, "The same in default")));
}

/** Whether the view that is shown went to the address by itself. */
function followed() {
  const { view: name, parts, params, world } = route();
  return Boolean(current && current.view === name && current.world === world && current.path === parts.join("/") && current.follow?.(location.hash, { params }));
}

async function show() {
  redirect();
  const { view: name, parts, params, world } = route(), at = ++shown;
  const inner = h("div");
  current?.gone?.();
  current = null;
  guard(null);
  closeDialogs();
  setWorld(world);
  fill(view, inner);
  markMenu(name);
  showState();
  if (!Object.hasOwn(VIEWS, name)) {
    fill(inner, h("h1", {}, "There is no such view"), h("p", {}, h("a", { href: href("tables") }, "To the tables")));
    return;
  }
  let one = null;
  try {
    if (world !== "default") await readWorlds(true);
    if (at !== shown) return;
    if (world !== "default" && !isKnown(world)) {
      noWorld(inner, world);
      return;
    }
    one = await VIEWS[name]().catch((error) => { throw error instanceof TypeError ? noAnswer() : error; });
    if (at !== shown) return;
    document.title = [...parts.slice(0, 1), one.title, ...(world === "default" ? [] : [world]), "mockddb"].join(" · ");
    const answer = await one.show(inner, { parts, params }), ending = typeof answer === "function" ? { gone: answer } : answer ?? {};
    // If the user has moved on meanwhile, there is nothing to end.
    if (at === shown) current = { view: name, world, path: parts.join("/"), ...ending };
    else ending.gone?.();
  } catch (error) {
    if (at === shown) fill(inner, h("h1", {}, one?.title ?? "Not loaded"), problem(error), button("Try again", show));
  }
}

const RETURNS = 5; // tries to come back to the state that is shown, since it has edits
let returning = 0;

/** Asks whether edits may be lost, and if so moves this many places in the browser's history. */
async function askToLeave(by) {
  closeDialogs(); // also this question, if it was not answered
  const sure = await ask("Unsaved edits", h("p", {}, "What you edited is not saved, and is lost when you leave."), [{ text: "Leave without saving", kind: "danger", run: () => true }], "Stay");
  if (!sure) return;
  guard(null);
  history.go(by);
}

addEventListener("hashchange", () => {
  const by = moved();
  if (returning) {
    returning = by ? returning - 1 : 0;
    if (returning) history.go(-by);
    return;
  }
  if (isUnsaved()) {
    if (!by) return; // browsers tell of a way there and back once more
    returning = RETURNS;
    history.go(-by);
    showState(); // the world that was chosen is not the one that is shown
    askToLeave(by);
    return;
  }
  arrive();
  if (followed()) return;
  // At once, not when the view is complete: by then the user may have moved into it.
  view.focus({ preventScroll: true });
  show();
  readWorlds();
});
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault(); // which browsers use for their own search
  palette();
});
addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); view.focus(); }); // the address stays the view's
addEventListener("worlds", () => readWorlds()); // worlds were made or dropped
addEventListener("whole", ({ detail: { what, world } }) => {
  if (what === "world" || what === "other") forgetWorld(world);
  if (what === "other" || world !== currentWorld()) return; // a request to a world that was dropped would make it
  if (what !== "faults") {
    lookAtClock();
    countLater();
  }
  if (current?.refresh) current.refresh(what);
  else if (what === "clock" && REDRAWN.has(current?.view) && !isUnsaved()) stay(view, show);
});
addEventListener("changed", countLater); // items, by the page
addEventListener("unhandledrejection", (event) => {
  const isLost = isNotLoaded(event.reason); // what a button would have shown
  if (isLost) notice(noAnswer().message, "wrong");
  if (isLost || event.reason?.name === "AbortError") event.preventDefault();
});
// A file that misses its place is not shown instead of the page; a case file is opened.
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, async (event) => {
    const isTaken = event.defaultPrevented, file = event.dataTransfer?.files[0];
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    if (isTaken || kind !== "drop" || !/\.json$/i.test(file?.name ?? "")) return;
    try {
      await (await VIEWS.case()).enterCase(file);
    } catch (error) {
      notice(error.message, "wrong");
    }
  });
}

arrive();
await show();
readWorlds();
for (const load of Object.values(VIEWS)) load().catch(() => {}); // so that nothing is late, and all is here if the server goes
