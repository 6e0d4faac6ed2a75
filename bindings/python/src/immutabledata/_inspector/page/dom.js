// Elements are made here, and their text is set as text, never as markup.

import { visible } from "./text.js";

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * Makes an element. A function among the attributes listens to the event of its name.
 * @param {string} tag with classes, such as "div.row.selected"
 * @param {...any} parts attributes, if there are any, and children
 * @returns {any}
 */
export function el(tag, ...parts) {
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(key, typeof value === "string" ? visible(value) : String(value));
    }
  }
  fill(element, ...parts);
  return element;
}

/** Replaces the children of an element.
 *  @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  const shown = children.filter(
    (child) => child !== null && child !== undefined && child !== false,
  );
  element.replaceChildren(
    ...shown.map((child) => (child instanceof Node ? child : visible(String(child)))),
  );
}

/** Sets a text, unless it is there already.
 *  @param {Element} element @param {string} text */
export function setText(element, text) {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * A button with a label.
 * @param {string} label
 * @param {(event: Event) => void} click
 * @param {Record<string, any>} [attributes]
 */
export function button(label, click, attributes = {}) {
  return el("button", { type: "button", click, ...attributes }, label);
}

/** @param {string} label of what it closes or removes @param {(event: Event) => void} click */
export function closeButton(label, click) {
  return button("×", click, { class: "icon", "aria-label": label });
}

/** A message of what went wrong.
 *  @param {Error} error */
export function problem(error) {
  return el("p.problem", { role: "alert" }, error.message);
}

/**
 * The one of some elements in a row that a key goes to from one of them.
 * @template T
 * @param {string} key @param {T[]} all @param {T} from @param {"Up Down" | "Left Right"} keys
 */
export function neighbour(key, all, from, keys) {
  const [back, forward] = keys.split(" ").map((each) => `Arrow${each}`);
  const at = all.indexOf(from);
  /** @type {Record<string, number>} */
  const targets = { [forward]: at + 1, [back]: at - 1, Home: 0, End: -1 };
  return key in targets ? all.at(targets[key] % all.length) : undefined;
}

/** Whether keys typed into an element are text.
 *  @param {EventTarget | null} target */
export function takesText(target) {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "range"].includes(target.type))
  );
}

/**
 * Calls a function at most once in `interval` milliseconds: the first time when the script that
 * called has ended, the last time after the last call.
 * @param {number | (() => number)} interval
 * @param {() => void} call
 */
export function throttle(interval, call) {
  let isPending = false;
  let last = -Infinity;
  const run = () => {
    isPending = false;
    last = performance.now();
    call();
  };
  return () => {
    if (isPending) return;
    isPending = true;
    const least = typeof interval === "number" ? interval : interval();
    const wait = last + least - performance.now();
    if (wait > 0) setTimeout(run, wait);
    else queueMicrotask(run);
  };
}

/** Calls a function `milliseconds` after the last call.
 *  @param {number} milliseconds @param {() => void} call */
export function debounce(milliseconds, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}
