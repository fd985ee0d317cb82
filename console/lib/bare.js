// Objects without a prototype. Attributes may be called constructor or toString, which any other
// object has by itself, and an object's __proto__ is no member of it.

/** Takes the prototypes off a value of JSON, inside as well, and returns it. */
function bare(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    value.forEach(bare);
    return value;
  }
  Object.setPrototypeOf(value, null);
  for (const name in value) bare(value[name]);
  return value;
}

export const parseBare = (text) => bare(JSON.parse(text));

/** An object of [name, value]. */
export const bareOf = (entries) => Object.setPrototypeOf(Object.fromEntries(entries), null);
