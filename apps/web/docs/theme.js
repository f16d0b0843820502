// Before the first paint: the theme chosen here or in the console, else the system's.
(() => {
  const key = 'WEIR_COLOR_SCHEME';
  try {
    const chosen = localStorage.getItem(key);
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage is blocked; the system's theme applies.
  }
})();
