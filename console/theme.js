// The colours that were chosen last, as early as can be without holding up the first paint; main.js has the button.
try {
  const theme = JSON.parse(localStorage.getItem("mockddb.theme"));
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing, or kept something else: its own colours.
}
