// Keys that work everywhere, and the dialog that lists all.

import { button, el, takesText } from "./dom.js";

/** @type {Array<[keys: string, what: string]>} */
const HELP = [
  ["?", "show these keys"],
  ["/", "search actions: a text, path:/items/3, is:rejected, is:optimistic"],
  ["f", "follow the newest commit, or stop"],
  [", .", "previous, next commit"],
  ["[ ]", "first, last commit"],
  ["m", "mark the commit, to compare others with it"],
  ["p", "go to a path"],
  ["1 … 6", "State, Commit, Compare, Selectors, Overview, Dispatch"],
  ["F6", "next part of the page"],
  ["l", "copy a link to what is shown"],
  ["t", "dark or light"],
  ["Shift+U, Shift+R", "undo, redo, if the program allows control"],
  ["↑ ↓ PgUp PgDn Home End", "move in the actions and in the state"],
  ["Enter", "in the actions: show the commit; in the state: open or close"],
  ["→ ←", "in the state: open, close, go to the parent"],
  ["v", "in the state: whole value"],
  ["b", "in the state: who changed this"],
  ["i", "in the state: pin"],
  ["Shift+F10", "in the state: menu"],
  ["Esc", "close what is open"],
];

/** @param {Record<string, () => void>} actions by key */
export function makeKeys(actions) {
  const rows = HELP.map(([keys, what]) => el("div", el("dt", keys), el("dd", what)));
  const single = el("input", { type: "checkbox", checked: true });
  const dialog = el(
    "dialog.keys",
    { "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keys"),
    el("dl.facts", ...rows),
    el("label", single, " Keys of one letter work outside of fields"),
    el(
      "div.line",
      button("Close", () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || dialog.open)
      return;
    const { key } = event;
    if (key.length === 1 && (takesText(event.target) || (!single.checked && key !== "?"))) return;
    const run = key === "?" ? () => dialog.showModal() : actions[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
  return () => dialog.showModal();
}
