// Shows the visible ones of any number of rows.
//
// Rows are in a layer that stays in place while the element scrolls, and are moved by hand. So they
// do not depend on the height of the content, which browsers bound: Chromium at 33,554,428 px.
// Beyond TALLEST the content is as tall as that, and the scroll bar stands for the true height:
// dragging it jumps in proportion, while a wheel moves by pixels.

import { el } from "./dom.js";

export const ROW = 24;
const TALLEST = 30_000_000;
const OVERSCAN = 4;

export class VirtualRows {
  count = 0;
  /** The distance of the top of the view from the first row, in pixels. */ top = 0;
  /** Whether a drawing follows from scrolling. */ isScrolling = false;
  /** @type {any[]} */ #slots = [];
  #known = 0;
  #height = 0;
  #measured = false;

  /**
   * @param {HTMLElement} view scrolls; has the header rows already
   * @param {{create: () => HTMLElement, render: (element: any, index: number) => void,
   *   drawn?: (first: number, last: number) => void, role?: string, header?: number}} options
   */
  constructor(view, { create, render, drawn, role = "none", header = 0 }) {
    this.view = view;
    this.header = header;
    this.create = create;
    this.renderRow = render;
    this.drawn = drawn;
    this.layer = el("div.layer", { role });
    this.sizer = el("div.sizer", { role: "none" });
    view.append(this.layer, this.sizer);
    view.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    view.addEventListener("scrollend", () => this.#settled());
    new ResizeObserver(() => {
      this.#measured = false;
      this.#place();
      this.render();
    }).observe(view);
  }

  /** The height of the view without its header. */
  get height() {
    if (!this.#measured) {
      this.#height = Math.max(0, this.view.clientHeight - this.header);
      this.#measured = true;
    }
    return this.#height;
  }

  get #virtualEnd() {
    return Math.max(0, this.count * ROW - this.height);
  }

  get #physicalEnd() {
    return Math.max(0, Math.min(TALLEST, this.count * ROW) - this.height);
  }

  /** The first and last visible row.
   *  @returns {[number, number]} */
  get range() {
    const first = Math.max(0, Math.floor(this.top / ROW));
    return [first, Math.min(this.count - 1, Math.floor((this.top + this.height - 1) / ROW))];
  }

  /** @param {number} count */
  setCount(count) {
    if (count === this.count) return;
    this.count = count;
    this.sizer.style.height = `${Math.min(TALLEST, count * ROW)}px`;
    this.#place();
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = top;
    this.#place();
    this.render();
  }

  /** Scrolls as little as needed to show a row.
   *  @param {number} index */
  show(index) {
    const top = index * ROW;
    if (top < this.top) this.scrollTo(top);
    else if (top + ROW > this.top + this.height) this.scrollTo(top + ROW - this.height);
  }

  /** Scrolls so that a row that is not visible is in the middle.
   *  @param {number} index */
  center(index) {
    const [first, last] = this.range;
    if (index < first || index > last || !this.height) {
      this.scrollTo(index * ROW - this.height / 2 + ROW / 2);
    }
  }

  #place() {
    this.top = Math.max(0, Math.min(this.#virtualEnd, this.top));
    const end = this.#virtualEnd;
    this.#known = end ? Math.round((this.top / end) * this.#physicalEnd) : 0;
    if (this.view.scrollTop !== this.#known) this.view.scrollTop = this.#known;
    this.#known = this.view.scrollTop;
  }

  #scrolled() {
    const at = this.view.scrollTop;
    const moved = at - this.#known;
    if (moved === 0) return;
    this.#known = at;
    const isShort = Math.abs(moved) < 3 * this.height;
    const isEnd = at <= 0 || at >= this.#physicalEnd;
    const scaled = this.#virtualEnd > this.#physicalEnd;
    if (!scaled || (isShort && !isEnd)) this.top = scaled ? this.top + moved : at;
    else this.top = (at / (this.#physicalEnd || 1)) * this.#virtualEnd;
    this.top = Math.max(0, Math.min(this.#virtualEnd, this.top));
    this.isScrolling = true;
    this.render();
    this.isScrolling = false;
  }

  /** After short scrolls the scroll bar goes where it belongs, and rows in their order. */
  #settled() {
    this.#place();
    const used = this.#slots.filter((slot) => slot.index >= 0);
    used.sort((a, b) => a.index - b.index);
    this.layer.append(...used.map((slot) => slot.element));
  }

  /** Draws the rows; those that are shown already are only moved, unless `again`. */
  render(again = false) {
    const [visible, end] = this.range;
    const first = Math.max(0, visible - OVERSCAN);
    const last = this.height ? Math.min(this.count - 1, end + OVERSCAN) : -1;
    const needed = Math.ceil(this.height / ROW) + 1 + 2 * OVERSCAN;
    while (this.#slots.length < needed) {
      this.#slots.push({ element: this.create(), index: -1 });
    }
    const shift = first * ROW - this.top;
    this.layer.style.transform = `translateY(${shift}px)`;
    this.#slots.forEach((slot, at) => {
      const offset = (at - (first % this.#slots.length) + this.#slots.length) % this.#slots.length;
      const index = first + offset;
      if (index > last) {
        slot.element.remove();
        slot.index = -1;
        return;
      }
      if (slot.index !== index || again) {
        if (slot.index === -1) this.layer.append(slot.element);
        this.renderRow(slot.element, index);
        slot.index = index;
      }
      slot.element.style.transform = `translateY(${(index - first) * ROW}px)`;
    });
    if (last >= first) this.drawn?.(visible, end);
  }

  /** The row that shows an element.
   *  @param {EventTarget | null} target */
  indexOf(target) {
    const slot = this.#slots.find((each) => each.element.contains(target));
    return slot && slot.index >= 0 ? slot.index : null;
  }

  /** The index that a key goes to from `index`; null if the key does not move.
   *  @param {string} key @param {number} index */
  move(key, index) {
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      PageUp: index - page,
      PageDown: index + page,
      Home: 0,
      End: this.count - 1,
    };
    if (!(key in targets) || this.count === 0) return null;
    return Math.max(0, Math.min(this.count - 1, targets[key]));
  }
}
