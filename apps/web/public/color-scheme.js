// Runs before the first paint, so that a dark page does not flash white. It stands in a file of its own because the
// content security policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('WEIR_COLOR_SCHEME');
  } catch {
    // Storage may be switched off; then the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
