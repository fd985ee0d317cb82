// What the page stores in this browser: choices, history, saved requests. Nothing is sent anywhere.

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
    // The browser stores nothing: the page still works.
  }
}

/** Puts an element in front of a list of at most `most`, without repeating it. */
export function rememberIn(name, one, most) {
  const same = JSON.stringify(one);
  remember(name, [one, ...recall(name, []).filter((other) => JSON.stringify(other) !== same)].slice(0, most));
}
