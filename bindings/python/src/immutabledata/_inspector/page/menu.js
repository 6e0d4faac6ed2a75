// The menu of a path.

import { button, el, neighbour } from "./dom.js";

/** @type {any} */
let shown = null;

/**
 * Opens a menu; the keyboard goes back to `owner` when it closes.
 * @param {HTMLElement} owner
 * @param {number} x
 * @param {number} y
 * @param {Array<[string, () => void]>} entries
 */
export function openMenu(owner, x, y, entries) {
  const before = shown;
  shown = null;
  before?.remove();
  const close = (back = true) => {
    if (shown === menu) shown = null;
    menu.remove();
    if (back) owner.focus();
  };
  const items = entries.map(([label, run]) =>
    button(
      label,
      () => {
        close();
        run();
      },
      { role: "menuitem", tabindex: -1 },
    ),
  );
  const menu = el("div.menu", { role: "menu", "aria-label": "Path" }, ...items);
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const next = neighbour(event.key, items, document.activeElement, "Up Down");
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (!next) return;
    else next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener("focusout", (/** @type {FocusEvent} */ event) => {
    if (shown === menu && !menu.contains(/** @type {Node} */ (event.relatedTarget))) close(false);
  });
  document.body.append(menu);
  shown = menu;
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 4))}px`;
  items[0].focus();
}
