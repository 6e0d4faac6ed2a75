// A long text, of which parts are shown as they are asked for.

import { button, el } from "./dom.js";
import { number, visible } from "./text.js";

const STEP = 50_000;

/**
 * @param {string} text
 * @param {string} label
 */
export function longText(text, label) {
  const shown = el("pre.data", { tabindex: 0, role: "region", "aria-label": label });
  const rest = el("span.rest");
  const more = button("Show more", () => extend());
  const bar = el("div.line", rest, more);
  const element = el("div.long-text", shown, bar);
  let end = 0;
  const extend = () => {
    shown.append(visible(text.slice(end, end + STEP)));
    end = Math.min(text.length, end + STEP);
    bar.hidden = end >= text.length;
    rest.textContent = `${number(end)} of ${number(text.length)} characters`;
  };
  extend();
  return element;
}
