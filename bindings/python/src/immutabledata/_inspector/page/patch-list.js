// A JSON Patch, as a list of operations whose paths lead to the state.

import { button, el } from "./dom.js";
import { longText } from "./long-text.js";
import { compact, counted, line, pretty } from "./text.js";

/** @typedef {{op: string, path: string, from?: string, value?: unknown, old?: string,
 *   preview?: string}} Operation a value that is too large has a preview in its place */

const STEP = 200;
const SHORT = 160;
/** @type {Record<string, string>} */
const SIGNS = { add: "+", remove: "−", replace: "=", move: "→", copy: "⧉", test: "?" };

/** @param {Operation} operation */
function shownValue(operation) {
  if (operation.from !== undefined) return el("span.value", `from ${line(operation.from, SHORT)}`);
  if (operation.preview !== undefined) {
    return el("span.value", `${line(operation.preview, SHORT)} (too large to be shown here)`);
  }
  const { old } = operation;
  if (!("value" in operation)) return old === undefined ? null : el("span.value", line(old, SHORT));
  const text = compact(operation.value);
  const shown = line(text, SHORT) + (old === undefined ? "" : `, before ${line(old, SHORT)}`);
  if (text.length <= SHORT) return el("span.value", shown);
  const whole = button("Show all", () =>
    element.replaceWith(longText(pretty(operation.value), "Value")),
  );
  const element = el("span.value", line(text, SHORT), whole);
  return element;
}

/**
 * @param {Operation[]} patch
 * @param {(path: string) => void} reveal
 */
export function patchList(patch, reveal) {
  if (!patch.length) return el("p.note", "Nothing changed.");
  const list = el("ul.patch");
  const more = button("Show more operations", () => extend());
  let end = 0;
  const extend = () => {
    for (const operation of patch.slice(end, end + STEP)) {
      const { op, path } = operation;
      const sign = el("span.sign", { title: op, "aria-label": op, role: "img" }, SIGNS[op] ?? op);
      const shown = path === "" ? "state" : line(path, 160);
      const link = button(shown, () => reveal(path), { class: "path", title: line(path, 400) });
      list.append(el("li", { "data-op": op }, sign, link, shownValue(operation)));
    }
    end = Math.min(patch.length, end + STEP);
    more.hidden = end >= patch.length;
  };
  extend();
  return el("div", el("p.note", counted(patch.length, "operation")), list, more);
}
