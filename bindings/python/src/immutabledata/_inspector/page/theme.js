// Dark or light: that of the system, until it is toggled.

const KEY = "immutabledata-inspector-theme";

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string | null} theme */
function show(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

export function toggleTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const now = document.documentElement.dataset.theme ?? system;
  const next = now === "dark" ? "light" : "dark";
  show(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage it lasts until the page is closed.
  }
}

show(stored());
