// Every state of the page is a URL: #/VIEW/PART?name=value. Views read it and write it.

/** {view, parts, params} of the address. */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view || "tables", parts, params: new URLSearchParams(query) };
}

/** The address of a state; params with null, "" or false are left out. */
export function href(view, parts = [], params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) query.append(name, one === true ? "1" : one);
    }
  }
  const text = query.toString();
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

export function go(view, parts, params) {
  location.hash = href(view, parts, params);
}

/** Shows the state that the address has anew. */
export const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

/** Notes a state in the address without another look at the view. */
export function note(view, parts, params) {
  history.replaceState(null, "", href(view, parts, params));
}
