// The paths that stay visible, with their values at the shown commit.

import { get } from "./api.js";
import { button, closeButton, el, fill, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { line } from "./text.js";

export class Pins {
  #latest = new Latest();

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.element = el("ul.pins", { "aria-label": "Pinned paths", hidden: true });
    const load = throttle(150, () => this.load());
    model.on(["pins", "commit", "store", "tab"], load);
  }

  load() {
    const { commit, pins, tab } = this.model;
    if (tab !== "state") return;
    this.element.hidden = pins.length === 0;
    if (!pins.length) fill(this.element);
    if (!pins.length || commit === null) return this.#latest.stop();
    const ask = (/** @type {string} */ path, /** @type {AbortSignal} */ signal) =>
      get(
        this.model.at("state"),
        { commit: this.model.stateAt(), path, from: 0, count: 1 },
        signal,
      ).catch((error) => {
        if (error.code === "unreachable" || error.name === "AbortError") throw error;
        return { preview: "—", kind: "absent" };
      });
    this.#latest.ask(
      (signal) => Promise.all(pins.map((path) => ask(path, signal))),
      (values) => fill(this.element, ...values.map((value, at) => this.#item(pins[at], value))),
      () => {},
    );
  }

  /** @param {string} path @param {{preview: string, kind: string}} value */
  #item(path, value) {
    const name = path === "" ? "state" : line(path, 60);
    return el(
      "li",
      { "data-kind": value.kind },
      button(name, () => this.model.reveal(path), { class: "path", title: line(path, 300) }),
      el("span.preview", line(value.preview, 140)),
      closeButton(`Unpin ${name}`, () => this.model.togglePin(path)),
    );
  }
}
