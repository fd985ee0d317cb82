// Commands of the AWS CLI: as they go to the real service or, where people choose that, to this server.

import { checkbox, code, fill, h } from "./dom.js";
import { recall, remember } from "./memory.js";

/** Whether commands are shown with the switch that sends them here. */
const sentHere = () => recall("here", false);

/** The command; `words` are what it has besides where it goes to the real service. */
export const commandText = (command, words = "") => [command, sentHere() ? `--endpoint-url ${location.origin}` : words].filter(Boolean).join(" \\\n    ");

/** The choice, for everything that `draw` draws. */
export const hereChoice = (draw) => checkbox("with --endpoint-url, to this server", sentHere(), (on) => { remember("here", on); draw(); });

/** A command to copy, with the choice. */
export function commandView(command) {
  const place = h("div");
  const draw = () => fill(place, code(commandText(command)));
  draw();
  return h("div", {}, place, hereChoice(draw));
}
