// Rows of a changing list: a row stays the same element as long as its entry is shown, so
// that it keeps the focus, a selection and its place.

/** Whether the user has selected text in it. */
export function isSelected(element) {
  const selection = getSelection();
  return !selection.isCollapsed && selection.rangeCount > 0 && selection.getRangeAt(0).intersectsNode(element);
}

/** {show(entries), clear()} of a table's body; make(entry) makes a row. Entries that stay keep their order. */
export function rowList(body, make) {
  const rows = new Map(); // id → row
  return {
    show(entries) {
      const wanted = new Set(entries.map((one) => one.id));
      for (const [id, row] of rows) {
        if (wanted.has(id)) continue;
        row.remove();
        rows.delete(id);
      }
      let next = body.firstChild;
      for (const entry of entries) {
        const row = rows.get(entry.id) ?? make(entry);
        if (row === next) next = row.nextSibling;
        else body.insertBefore(row, next);
        rows.set(entry.id, row);
      }
    },
    clear() {
      rows.clear();
      body.replaceChildren();
    },
  };
}
