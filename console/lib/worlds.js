// New worlds: their names are free.

import { verb } from "./api.js";

const known = async () => (await verb("GET", "worlds", undefined, "default")).worlds.map((one) => one.name);

/** Makes a world called PREFIX-N with the first free number, from the members of POST worlds/NAME; answers its name. */
export async function newWorld(prefix, members) {
  for (let i = 1, names = await known(); ; i++) {
    const name = `${prefix}-${i}`;
    if (names.includes(name)) continue;
    try {
      await verb("POST", `worlds/${name}`, members, "default");
      dispatchEvent(new Event("worlds"));
      return name;
    } catch (error) {
      names = await known();
      if (!names.includes(name)) throw error; // else another tab has made it meanwhile
    }
  }
}

const temporary = new Set();

/** Drops a world that this page made. */
export async function dropWorld(name) {
  await verb("DELETE", `worlds/${name}`, undefined, "default").catch(() => {});
  dispatchEvent(new Event("worlds"));
}

/** Runs work(name) in a world that is dropped afterwards, also when the page is left or loaded again meanwhile. */
export async function inTemporary(members, work) {
  const name = `temporary-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  temporary.add(name);
  try {
    await verb("POST", `worlds/${name}`, members, "default");
    return await work(name);
  } finally {
    temporary.delete(name);
    await dropWorld(name);
  }
}

addEventListener("pagehide", () => {
  for (const name of temporary) fetch(`/_mockddb/worlds/${name}`, { method: "DELETE", keepalive: true });
});
