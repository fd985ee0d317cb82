// Runs before the page is painted: sets the chosen colours. The rest is loaded after the first
// frame, which it would delay. main.js has the button for the colours.
try {
  const theme = JSON.parse(localStorage.getItem("mockddb.theme"));
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing valid is stored: the browser's own colours.
}
{
  const [, view] = /^#\/([a-z]+)/.exec(location.hash) ?? ["", "tables"];
  const load = () => {
    import("./main.js").catch(() => {
      document.querySelector("#view p").textContent = "Not all of the page came: is the server still running? Reload to try again.";
    });
    import(`./views/${view}.js`).catch(() => {}); // what main.js will need, in parallel; main.js reports errors
  };
  if (document.hidden) load(); // no frame is painted
  else requestAnimationFrame(() => requestAnimationFrame(load)); // the second is called when the first frame is painted
}
