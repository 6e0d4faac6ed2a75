// Dark or light: that of the system, until it is toggled.

export function toggleTheme() {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = (dataset.theme ?? system) === "dark" ? "light" : "dark";
}
