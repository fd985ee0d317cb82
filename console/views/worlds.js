// Worlds and their snapshots: switch, fork, reset, keep, go back, compare two.

import { currentWorld, verb } from "../lib/api.js";
import { compareWorlds, differencesView } from "../lib/differences.js";
import { ask, button, code, field, fill, grid, h, notice, problem, select, stay } from "../lib/dom.js";
import { count, size } from "../lib/format.js";
import { shownTabs } from "../lib/items.js";
import { reaches } from "../lib/reach.js";
import { href, note, unfolded } from "../lib/route.js";

export const title = "Worlds";

function askName(heading, text, action) {
  const name = h("input", { autocomplete: "off", spellcheck: "false", pattern: "[A-Za-z0-9_\\-][A-Za-z0-9_.\\-]{0,63}" });
  return ask(heading, h("div", {}, h("p", {}, text), field("Name", name, "1 to 64 letters, digits and _ . -")), [{ text: action, run: () => name.value.trim() || undefined }]);
}

async function doing(work, done, again) {
  try {
    await work();
    notice(done);
    await again();
  } catch (error) {
    notice(error.message, "wrong");
  }
}

function worldRow(world, draw, compare) {
  const name = world.name, current = name === currentWorld();
  return h("tr", {},
    h("th", { scope: "row" }, name, " ", current ? h("span", { class: "tag good" }, "this page") : null),
    h("td", { class: "number" }, count(world.tables ?? 0)), h("td", { class: "number" }, count(world.items ?? 0)), h("td", { class: "number" }, size(world.bytes ?? 0)),
    h("td", {}, h("div", { class: "row" },
      current ? null : h("a", { class: "button", href: href("worlds", [], { world: name }) }, "Switch to it"),
      button("Fork", async () => {
        const to = await askName(`Fork ${name}`, "A new world that begins as this one is now.", "Fork");
        if (to) await doing(() => verb("POST", `worlds/${encodeURIComponent(to)}`, { from: name }), `${to} is a copy of ${name}`, draw);
      }),
      current ? null : button("Compare", () => compare(name, currentWorld()), { title: `with ${currentWorld()}`, "aria-label": `Compare ${name} with ${currentWorld()}` }),
      name === "default" ? null : button("Drop", async () => {
        const sure = await ask(`Drop ${name}`, h("p", {}, "The world and everything in it is deleted."), [{ text: "Drop", kind: "danger", run: () => true }]);
        // Leave this page's own world, since a request would make it again.
        const leave = () => { location.hash = href("worlds", [], { world: "default" }); };
        if (sure) await doing(() => verb("DELETE", `worlds/${encodeURIComponent(name)}`), `${name} is gone`, current ? leave : draw);
      }, { class: "danger" }))));
}

function snapshotRow(one, again, compare) {
  return h("tr", {}, h("th", { scope: "row" }, one.name), h("td", { class: "number" }, count(one.tables ?? 0)), h("td", { class: "number" }, count(one.items ?? 0)),
    h("td", { class: "whole" }, one.taken.slice(0, 19)),
    h("td", {}, h("div", { class: "row" },
      button("Compare", () => compare(`${currentWorld()}@${one.name}`, currentWorld()), { title: "with the world as it is now", "aria-label": `Compare ${one.name} with the world as it is now` }),
      button("Go back to it", async () => {
        const sure = await ask(`Go back to ${one.name}`, h("p", {}, `Tables, items, streams and clock of ${currentWorld()} become what they were in the snapshot. What came since is lost, unless another snapshot has it.`), [{ text: "Go back", kind: "danger", run: () => true }]);
        if (sure) await doing(() => verb("POST", `snapshots/${encodeURIComponent(one.name)}/restore`), `The world is as it was in snapshot “${one.name}”`, again);
      }),
      button("Delete", () => doing(() => verb("DELETE", `snapshots/${encodeURIComponent(one.name)}`), `Snapshot “${one.name}” is deleted`, again), { class: "danger" }))));
}

// --- comparing ---------------------------------------------------------------------------------------

// A side is "WORLD", or "WORLD@SNAPSHOT".
const sideText = (side) => { const [world, snapshot] = side.split("@"); return snapshot ? `snapshot “${snapshot}” of ${world}` : world; };

/** Runs work in a side's world; for a snapshot, a temporary world is made. */
async function withSide(side, work) {
  const [world, snapshot] = side.split("@");
  if (!snapshot) return work(world);
  const name = `compare-${world.slice(0, 20)}-${Date.now().toString(36)}`, path = `worlds/${encodeURIComponent(name)}`;
  await verb("POST", path, { from: world, snapshot });
  try {
    return await work(name);
  } finally {
    await verb("DELETE", path);
    dispatchEvent(new Event("worlds")); // lists may show the temporary world
  }
}

/** {element, compare(from, to), stop()}; sides are the existing ones. */
function comparison(sides, params) {
  const out = h("div", { "aria-live": "polite" });
  const asked = (name) => sides.find((one) => one === params.get(name));
  const state = { from: asked("from") ?? sides.find((one) => one.includes("@")) ?? sides.find((one) => one !== currentWorld()) ?? sides[0], to: asked("to") ?? currentWorld() };
  const choice = (name) => select(sides.map((side) => [side, sideText(side)]), state[name], (side) => { state[name] = side; });
  const from = choice("from"), to = choice("to");
  let running = null;
  const run = async () => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    note("worlds", [], { from: state.from, to: state.to });
    fill(out, h("p", { class: "busy" }, "Reading …"), button("Stop", () => running.abort()));
    try {
      const found = await withSide(state.from, (one) => withSide(state.to, (other) => compareWorlds(one, other, signal)));
      fill(out, differencesView(found, [state.from, state.to].map(sideText), [state.from, state.to].map((side) => (side.includes("@") ? null : side))));
    } catch (error) {
      fill(out, error.name === "AbortError" ? h("p", { class: "quiet" }, "Stopped.") : problem(error));
    }
  };
  const compare = (one, other) => {
    Object.assign(state, { from: one, to: other });
    [from.value, to.value] = [one, other];
    out.scrollIntoView({ block: "center" });
    run();
  };
  // An address with two worlds compares at once. A snapshot needs a temporary world, so the user must press Compare.
  if (params.has("from") && params.has("to")) {
    const gone = ["from", "to"].filter((name) => !asked(name)).map((name) => sideText(params.get(name)));
    if (gone.length) fill(out, h("p", { class: "problem", role: "alert" }, `There is no ${gone.join(" and no ")}.`));
    else if ([state.from, state.to].some((side) => side.includes("@"))) fill(out, h("p", { class: "quiet" }, "Press Compare: a world is made of the snapshot for it, and dropped afterwards."));
    else run();
  }
  const words = h("p", { class: "quiet" }, "Take a snapshot or fork a world, change something, and see here what changed.");
  return { compare, stop: () => running?.abort(), element: sides.length < 2 ? words : h("div", {}, h("div", { class: "row" }, field("From", from), field("To", to), button("Compare", run, { class: "primary" })), out) };
}

// --- from code -------------------------------------------------------------------------------------------

function reachView(world) {
  const place = h("div"), list = reaches(location.origin, world);
  const words = world === "default" ? "Requests that name no world mean default." : "A request means this world by its header x-mockddb-world. A world that is named for the first time is made.";
  return h("details", { class: "panel", ...unfolded("reach") }, h("summary", {}, h("strong", {}, `How a program reaches ${world}`)), h("p", {}, words),
    shownTabs(list.map(([name, text, hint]) => [name, () => fill(place, code(text), hint ? h("p", { class: "quiet" }, hint) : null)]), "Client", "lang"), place);
}

export async function show(view, { params }) {
  const place = h("div"), list = h("div");
  let stop = null, drawList = () => {};
  fill(view, h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Worlds and snapshots"), h("a", { class: "button", href: href("history") }, "Time line of writes"),
    button("Reset this world", async () => {
      const sure = await ask("Reset", h("p", {}, `Tables, items, streams and clock of ${currentWorld()} become what they were in the beginning. Snapshots stay.`), [{ text: "Reset", kind: "danger", run: () => true }]);
      if (sure) await doing(() => verb("POST", "reset"), "The world is as it was in the beginning", draw);
    }),
    button("New world", async () => {
      const name = await askName("New world", "It begins as all worlds of this server do.", "Make the world");
      if (name) await doing(() => verb("POST", `worlds/${encodeURIComponent(name)}`), `${name} is made`, draw);
    }, { class: "primary" })), place);
  async function draw(given = new URLSearchParams()) {
    dispatchEvent(new Event("worlds"));
    const [{ worlds }, { snapshots }] = await Promise.all([verb("GET", "worlds"), verb("GET", "snapshots")]);
    const own = currentWorld(), sides = [...worlds.map((one) => one.name), ...snapshots.map((one) => `${own}@${one.name}`)];
    stop?.();
    const { element, compare, stop: end } = comparison(sides, given);
    stop = end;
    const again = () => draw();
    drawList = (all) => fill(list, grid("Worlds", ["World", ["Tables", true], ["Items", true], ["Size", true], "Actions"], all.map((one) => worldRow(one, again, compare)), true));
    drawList(worlds);
    fill(place, list,
      reachView(own),
      h("div", { class: "row middle" }, h("h2", { class: "grow" }, `Snapshots of ${own}`),
        button("Take a snapshot", async () => {
          const name = await askName("New snapshot", "The world as it is now, to come back to.", "Take a snapshot");
          if (name) await doing(() => verb("POST", `snapshots/${encodeURIComponent(name)}`), `Snapshot “${name}” was taken`, again);
        })),
      snapshots.length ? grid("Snapshots", ["Snapshot", ["Tables", true], ["Items", true], "Taken", "Actions"], snapshots.map((one) => snapshotRow(one, again, compare)), true) : h("p", { class: "quiet" }, "No snapshots yet."),
      h("h2", {}, "Compare two worlds or snapshots"), element);
    if (given.has("from")) element.scrollIntoView({ block: "center" });
  }
  await draw(params);
  const refresh = (what) => what === "clock" && stay(list, async () => drawList((await verb("GET", "worlds")).worlds)); // items may have expired
  return { gone: () => stop?.(), refresh };
}
