// What the page stores in this browser: choices, history, saved requests. Nothing is sent anywhere.

const PREFIX = "mockddb.";

function recallFrom(storage, name, otherwise) {
  try {
    return JSON.parse(window[storage].getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function rememberAt(storage, name, value) {
  try {
    window[storage].setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The browser stores nothing: the page still works.
  }
}

export const recall = (name, otherwise) => recallFrom("localStorage", name, otherwise);
export const remember = (name, value) => rememberAt("localStorage", name, value);

/** The same for this tab alone, until it is closed. */
export const recallHere = (name, otherwise) => recallFrom("sessionStorage", name, otherwise);
export const rememberHere = (name, value) => rememberAt("sessionStorage", name, value);

/** Puts an element in front of a list of at most `most`, without repeating it. */
export function rememberIn(name, one, most) {
  const same = JSON.stringify(one);
  remember(name, [one, ...recall(name, []).filter((other) => JSON.stringify(other) !== same)].slice(0, most));
}
