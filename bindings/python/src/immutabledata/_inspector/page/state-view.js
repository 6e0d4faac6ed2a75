// The tab of the state: a path, pins, the tree, and what is known of the selected path.

import { el, throttle } from "./dom.js";
import { openMenu } from "./menu.js";
import { PathDetails } from "./path-details.js";
import { Pins } from "./pins.js";
import { StateTree } from "./state-tree.js";

export class StateView {
  /**
   * @param {import("./model.js").Model} model
   * @param {(error: unknown) => void} report
   */
  constructor(model, report) {
    this.model = model;
    this.details = new PathDetails(model);
    this.tree = new StateTree(model, { report, menu: (path, x, y) => this.#menu(path, x, y) });
    this.input = el("input.pointer", {
      type: "text",
      spellcheck: "false",
      "aria-label": "Path, a JSON Pointer",
      placeholder: "Path, such as /items/3  (p)",
      change: () => this.#go(),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") this.tree.view.focus();
      },
    });
    const main = el(
      "div.state-main",
      el("div.line", this.input),
      new Pins(model).element,
      this.tree.element,
    );
    this.element = el("div.state", { keydown: (/** @type {any} */ event) => this.#pressed(event) });
    this.element.append(main, this.details.element);
    const show = throttle(50, () => {
      if (document.activeElement !== this.input) this.input.value = model.path;
    });
    model.on(["path", "store"], show);
  }

  #go() {
    const text = this.input.value.trim();
    this.model.reveal(text === "" || text.startsWith("/") ? text : `/${text}`);
  }

  /** @param {string} path @param {number} x @param {number} y */
  #menu(path, x, y) {
    const pinned = this.model.pins.includes(path);
    openMenu(this.tree.view, x, y, [
      ["Whole value", () => this.details.show("value")],
      ["Who changed this", () => this.details.show("blame")],
      [pinned ? "Unpin" : "Pin", () => this.model.togglePin(path)],
      ["Copy path", () => navigator.clipboard?.writeText(path)],
    ]);
  }

  /** Keys of the tree.
   *  @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.target !== this.tree.view || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "v") this.details.show("value");
    else if (event.key === "b") this.details.show("blame");
    else if (event.key === "i") this.model.togglePin(this.model.path);
  }
}
