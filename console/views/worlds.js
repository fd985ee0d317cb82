// Worlds and their snapshots: switch, fork, reset, keep, go back, compare two.

import { call, currentWorld, setWorld, verb } from "../lib/api.js";
import { forgetChanges } from "../lib/changes.js";
import { ask, button, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { count, many, size } from "../lib/format.js";
import { remember } from "../lib/memory.js";
import { again } from "../lib/route.js";
import { describe, keyOf, tableNames } from "../lib/schema.js";
import { brief } from "../lib/values.js";

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

function worldRow(world, draw) {
  const name = world.name, current = name === currentWorld();
  return h("tr", {},
    h("th", { scope: "row" }, name, " ", current ? h("span", { class: "tag good" }, "this page") : null),
    h("td", { class: "number" }, count(world.tables ?? 0)), h("td", { class: "number" }, count(world.items ?? 0)), h("td", { class: "number" }, size(world.bytes ?? 0)),
    h("td", {}, h("div", { class: "row" },
      current ? null : button("Switch to it", () => { setWorld(name); forgetChanges(); remember("world", name); again(); }),
      button("Fork", async () => {
        const to = await askName(`Fork ${name}`, "A new world that begins as this one is now.", "Fork");
        if (to) await doing(() => verb("POST", `worlds/${encodeURIComponent(to)}`, { from: name }), `${to} is a copy of ${name}`, draw);
      }),
      name === "default" ? null : button("Drop", async () => {
        const sure = await ask(`Drop ${name}`, h("p", {}, "The world and everything in it is deleted."), [{ text: "Drop", kind: "danger", run: () => true }]);
        if (sure) await doing(() => verb("DELETE", `worlds/${encodeURIComponent(name)}`), `${name} is gone`, draw);
      }, { class: "danger" }))));
}

/** Makes this world what it was; changes of items since then are not there to be taken back. */
async function rewind(path) {
  await verb("POST", path);
  forgetChanges();
}

function snapshotRow(one, again) {
  return h("tr", {}, h("th", { scope: "row" }, one.name), h("td", { class: "number" }, count(one.tables ?? 0)), h("td", { class: "number" }, count(one.items ?? 0)),
    h("td", {}, h("div", { class: "row" },
      button("Go back to it", async () => {
        const sure = await ask(`Go back to ${one.name}`, h("p", {}, `Tables, items, streams and clock of ${currentWorld()} become what they were in the snapshot. What came since is lost, unless another snapshot has it.`), [{ text: "Go back", kind: "danger", run: () => true }]);
        if (sure) await doing(() => rewind(`snapshots/${encodeURIComponent(one.name)}/restore`), `The world is as it was in snapshot “${one.name}”`, again);
      }),
      button("Delete", () => doing(() => verb("DELETE", `snapshots/${encodeURIComponent(one.name)}`), `Snapshot “${one.name}” is deleted`, again), { class: "danger" }))));
}

const table = (label, heads, rows) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
  h("table", {}, h("thead", {}, h("tr", {}, heads.map(([text, number]) => h("th", { scope: "col", class: number ? "number" : null }, text)))), h("tbody", {}, rows)));

// --- comparing ---------------------------------------------------------------------------------------

const SHOWN = 200; // differences

async function inWorld(name, work) {
  const before = currentWorld();
  setWorld(name);
  try {
    return await work();
  } finally {
    setWorld(before);
  }
}

async function itemsOf(world, name) {
  return inWorld(world, async () => {
    const description = await describe(name);
    const found = new Map();
    let start;
    do {
      const page = await call("Scan", { TableName: name, ...(start ? { ExclusiveStartKey: start } : {}) });
      for (const item of page.Items) found.set(JSON.stringify(Object.values(keyOf(description, item))), item);
      start = page.LastEvaluatedKey;
    } while (start);
    return { description, found };
  });
}

/** JSON with members in order, so that equal items are equal texts; sets have none. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => {
    const one = /^(SS|NS|BS)$/.test(name) && Array.isArray(value[name]) ? [...value[name]].sort() : value[name];
    return `${JSON.stringify(name)}:${canonical(one)}`;
  }).join()}}`;
}

async function compare(one, other, progress) {
  const tables = [new Set(await inWorld(one, tableNames)), new Set(await inWorld(other, tableNames))];
  const differences = [];
  for (const name of [...new Set([...tables[0], ...tables[1]])].sort()) {
    progress(name);
    if (!tables[0].has(name) || !tables[1].has(name)) {
      differences.push({ kind: tables[0].has(name) ? "gone" : "added", table: name, key: "the whole table", text: "" });
      continue;
    }
    const [a, b] = [await itemsOf(one, name), await itemsOf(other, name)];
    const keyText = (item) => Object.values(keyOf(a.description, item)).map((value) => brief(value, 60)).join(" · ");
    for (const [key, item] of a.found) {
      const now = b.found.get(key);
      if (!now) differences.push({ kind: "gone", table: name, key: keyText(item), text: "" });
      else if (canonical(now) !== canonical(item)) {
        const names = [...new Set([...Object.keys(item), ...Object.keys(now)])].filter((attribute) => canonical(item[attribute]) !== canonical(now[attribute]));
        differences.push({ kind: "changed", table: name, key: keyText(item), text: names.map((attribute) => `${attribute}: ${item[attribute] ? brief(item[attribute], 50) : "–"} → ${now[attribute] ? brief(now[attribute], 50) : "–"}`).join("; ") });
      }
    }
    for (const [key, item] of b.found) if (!a.found.has(key)) differences.push({ kind: "added", table: name, key: keyText(item), text: "" });
  }
  return differences;
}

function comparison(worlds) {
  const names = worlds.map((one) => one.name);
  if (names.length < 2) return h("p", { class: "quiet" }, "Fork a world, change it, and compare the two here.");
  const state = { one: names[0], other: names[1] }, out = h("div", { "aria-live": "polite" });
  return h("div", {},
    h("div", { class: "row" }, field("From", select(names, state.one, (name) => { state.one = name; })), field("To", select(names, state.other, (name) => { state.other = name; })),
      button("Compare", async () => {
        try {
          const found = await compare(state.one, state.other, (name) => fill(out, h("p", { class: "busy" }, `Reading ${name} …`)));
          fill(out, found.length ? [h("p", {}, `${many(found.length, "difference")}${found.length > SHOWN ? `, the first ${SHOWN} are shown` : ""}.`),
            table("Differences", [["What"], ["Table"], ["Key"], ["Attributes"]], found.slice(0, SHOWN).map((one) => h("tr", { class: one.kind }, [one.kind, one.table, one.key, one.text].map((text) => h("td", {}, text)))))]
            : h("p", {}, "They are equal."));
        } catch (error) {
          fill(out, problem(error));
        }
      }, { class: "primary" })), out);
}

export async function show(view) {
  const place = h("div");
  fill(view, h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Worlds and snapshots"),
    button("Reset this world", async () => {
      const sure = await ask("Reset", h("p", {}, `Tables, items, streams and clock of ${currentWorld()} become what they were in the beginning. Snapshots stay.`), [{ text: "Reset", kind: "danger", run: () => true }]);
      if (sure) await doing(() => rewind("reset"), "The world is as it was in the beginning", draw);
    }),
    button("New world", async () => {
      const name = await askName("New world", "It begins as all worlds of this server do.", "Make the world");
      if (name) await doing(() => verb("POST", `worlds/${encodeURIComponent(name)}`), `${name} is made`, draw);
    }, { class: "primary" })), place);
  async function draw() {
    dispatchEvent(new Event("worlds"));
    const [{ worlds }, { snapshots }] = await Promise.all([verb("GET", "worlds"), verb("GET", "snapshots")]);
    fill(place,
      table("Worlds", [["World"], ["Tables", true], ["Items", true], ["Size", true], ["Actions"]], worlds.map((one) => worldRow(one, draw))),
      h("div", { class: "row middle" }, h("h2", { class: "grow" }, `Snapshots of ${currentWorld()}`),
        button("Take a snapshot", async () => {
          const name = await askName("New snapshot", "The world as it is now, to come back to.", "Take a snapshot");
          if (name) await doing(() => verb("POST", `snapshots/${encodeURIComponent(name)}`), `Snapshot “${name}” was taken`, draw);
        })),
      snapshots.length ? table("Snapshots", [["Snapshot"], ["Tables", true], ["Items", true], ["Actions"]], snapshots.map((one) => snapshotRow(one, draw))) : h("p", { class: "quiet" }, "There are none yet."),
      h("h2", {}, "Compare two worlds"), comparison(worlds));
  }
  await draw();
}
