// What has to be done before the page is painted: the colours that were chosen last. The rest is loaded behind the first
// frame, which it would hold up. main.js has the button for the colours.
try {
  const theme = JSON.parse(localStorage.getItem("mockddb.theme"));
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing, or kept something else: its own colours.
}
{
  const [, view] = /^#\/([a-z]+)/.exec(location.hash) ?? ["", "tables"];
  const load = () => {
    import("./main.js").catch(() => {
      document.querySelector("#view p").textContent = "Not all of the page came: is the server still running? Reload to try again.";
    });
    import(`./views/${view}.js`).catch(() => {}); // what main.js will want, at the same time; it says what is wrong
  };
  if (document.hidden) load(); // no frame is painted
  else requestAnimationFrame(() => requestAnimationFrame(load)); // the second is called when the first frame is painted
}
