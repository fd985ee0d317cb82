// Any request, as a command, as JSON or as PartiQL: also those that are not of one table.

import { fill, h } from "../lib/dom.js";
import { hint, requestPanel } from "../lib/panel.js";
import { WAYS } from "../lib/ways.js";

export const title = "Request";

export async function show(view, { params }) {
  const panel = await requestPanel({ at: ["request", []], params, ways: WAYS, idle: (out) => fill(out, hint()) });
  fill(view, h("h1", {}, "Request"), panel.element);
  panel.begin();
  return { gone: panel.stop, refresh: (what) => (what === "clock" ? panel.outdate() : panel.readRules()) };
}
