// Commands of the AWS CLI, for the real service or, if the user chooses so, for this server.

import { checkbox, code, fill, h } from "./dom.js";
import { recall, remember } from "./memory.js";

/** Whether commands are shown with --endpoint-url of this server. */
const sentHere = () => recall("here", false);

/** The command; `words` are added for the real service. */
export const commandText = (command, words = "") => [command, sentHere() ? `--endpoint-url ${location.origin}` : words].filter(Boolean).join(" \\\n    ");

/** The checkbox for that choice; `draw` is called on a change. */
export const hereChoice = (draw) => checkbox("with --endpoint-url, to this server", sentHere(), (on) => { remember("here", on); draw(); });

/** A command to copy, with the choice. */
export function commandView(command) {
  const place = h("div");
  const draw = () => fill(place, code(commandText(command)));
  draw();
  return h("div", {}, place, hereChoice(draw));
}
