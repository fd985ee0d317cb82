// What the page keeps in this browser: choices, history, saved requests. Nothing leaves it.

const PREFIX = "mockddb.";

export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: the page works all the same.
  }
}

/** Puts one in front of a list of at most `most`, once. */
export function rememberIn(name, one, most) {
  const same = JSON.stringify(one);
  remember(name, [one, ...recall(name, []).filter((other) => JSON.stringify(other) !== same)].slice(0, most));
}
