// The colours that were chosen last, before anything is drawn; main.js has the button. No module, since those run late.
try {
  const theme = JSON.parse(localStorage.getItem("mockddb.theme"));
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing, or kept something else: its own colours.
}
