// The border between the list of actions and the views, which can be moved.

import { el } from "./dom.js";

const LEAST = 240;

/** @param {HTMLElement} container has the width of its first column in --split */
export function makeSplitter(container) {
  const set = (/** @type {number} */ width) => {
    const bounded = Math.round(Math.max(LEAST, Math.min(container.clientWidth - LEAST, width)));
    container.style.setProperty("--split", `${bounded}px`);
    splitter.ariaValueNow = String(Math.round((100 * bounded) / container.clientWidth));
  };
  const width = () => splitter.getBoundingClientRect().left - container.getBoundingClientRect().left;
  const splitter = el("div.splitter", {
    role: "separator",
    tabindex: 0,
    "aria-label": "Width of the actions",
    "aria-orientation": "vertical",
    "aria-valuemin": 10,
    "aria-valuemax": 90,
    "aria-valuenow": 33,
    pointerdown: (/** @type {PointerEvent} */ event) => splitter.setPointerCapture(event.pointerId),
    pointermove: (/** @type {PointerEvent} */ event) => {
      if (splitter.hasPointerCapture(event.pointerId)) {
        set(event.clientX - container.getBoundingClientRect().left);
      }
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
      if (!by) return;
      event.preventDefault();
      set(width() + by);
    },
  });
  return splitter;
}
