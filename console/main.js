// The page's frame: where to go, which world is meant, light or dark. The rest is views.

import { currentWorld, noAnswer, setWorld, verb } from "./lib/api.js";
import { forgetChanges } from "./lib/changes.js";
import { button, fill, h, problem, select } from "./lib/dom.js";
import { recall, remember } from "./lib/memory.js";
import { route } from "./lib/route.js";

// A view: show(element, {parts, params}) fills the element and may answer a function to call when it goes. It is loaded
// when it is shown first, so that the page stands before all of it is here.
const VIEWS = {
  tables: () => import("./views/tables.js"),
  table: () => import("./views/table.js"),
  items: () => import("./views/items.js"),
  rehearse: () => import("./views/rehearse.js"),
  patterns: () => import("./views/patterns.js"),
  live: () => import("./views/live.js"),
  control: () => import("./views/control.js"),
  worlds: () => import("./views/worlds.js"),
  tour: () => import("./views/tour.js"),
};
const MENU_OF = { table: "tables", items: "tables" }; // views that the menu has under another

const view = document.getElementById("view");
let leave = null, shown = 0;
let worlds = ["default"];

// --- the bar ------------------------------------------------------------------------------------------

function applyTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

function markMenu(name) {
  for (const link of document.querySelectorAll("#menu a")) {
    if (link.hash === `#/${MENU_OF[name] ?? name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showState() {
  const theme = recall("theme", "auto"), known = worlds.includes(currentWorld()) ? worlds : [...worlds, currentWorld()];
  fill(document.getElementById("state"),
    h("label", { class: "check" }, "World",
      select(known, currentWorld(), (name) => { setWorld(name); forgetChanges(); remember("world", name); show(); }, { class: "narrow" })),
    button("◐", () => {
      applyTheme({ auto: "dark", dark: "light", light: "auto" }[theme]);
      showState();
    }, { "aria-label": `Colours: ${theme}`, title: `Colours: ${theme}` }));
}

async function readWorlds() {
  try {
    const before = worlds.join();
    worlds = (await verb("GET", "worlds")).worlds.map((one) => one.name);
    if (worlds.join() !== before) showState();
  } catch {
    // The list of before will do: what is wrong shows in the view.
  }
}

// --- views --------------------------------------------------------------------------------------------

async function show() {
  const { view: name, parts, params } = route(), at = ++shown;
  const inner = h("div");
  leave?.();
  leave = null;
  fill(view, inner);
  markMenu(name);
  showState();
  if (!VIEWS[name]) {
    fill(inner, h("h1", {}, "There is no such view"), h("p", {}, h("a", { href: "#/" }, "To the tables")));
    return;
  }
  let one = null;
  try {
    one = await VIEWS[name]().catch((error) => { throw error instanceof TypeError ? noAnswer() : error; });
    if (at !== shown) return;
    document.title = `${one.title} · mockddb`;
    const gone = (await one.show(inner, { parts, params })) ?? null;
    // Whoever went on meanwhile does not come back to end this one.
    if (at === shown) leave = gone;
    else gone?.();
  } catch (error) {
    if (at === shown) fill(inner, h("h1", {}, one?.title ?? "Not loaded"), problem(error), button("Try again", show));
  }
}

// "#view" is the way past the menu.
addEventListener("hashchange", () => {
  if (location.hash === "#view") return;
  // At once, not when the view stands: by then people may be somewhere in it.
  view.focus({ preventScroll: true });
  show();
  readWorlds();
});
addEventListener("worlds", readWorlds); // some were made or dropped
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
});
// A file that misses its place is not shown instead of the page.
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
}

setWorld(recall("world", "default"));
await show();
readWorlds();
for (const load of Object.values(VIEWS)) load().catch(() => {}); // so that nothing is late, and all is here if the server goes
