// What is known of one path: its whole value, and the commits that changed it.

import { get } from "./api.js";
import { button, el, fill, problem, setText, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { longText } from "./long-text.js";
import { patchList } from "./patch-list.js";
import { clock, line, pretty } from "./text.js";

/** Larger values are not fetched again for each commit. */
const REPEATED = 200_000;

export class PathDetails {
  #latest = new Latest();
  /** @type {"value" | "blame" | null} */ mode = null;
  length = 0;

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.path = el("code.current");
    this.pin = button("Pin", () => model.togglePin(model.path), { "aria-pressed": "false" });
    this.output = el("div.output");
    this.element = el(
      "section.path-details",
      { "aria-label": "Selected path" },
      el("div.line", this.path),
      el(
        "div.line.buttons",
        button("Whole value", () => this.show("value"), { title: "v" }),
        button("Who changed this", () => this.show("blame"), { title: "b" }),
        this.pin,
        button("Copy path", () => navigator.clipboard?.writeText(model.path)),
      ),
      this.output,
    );
    const again = throttle(250, () => this.#commitChanged());
    model.on(["store"], () => this.#clear());
    model.on(["path"], () => this.#pathChanged());
    model.on(["pins"], () => this.#showPath());
    model.on(["commit"], again);
    this.#showPath();
  }

  #clear() {
    this.mode = null;
    this.#latest.stop();
    fill(this.output, el("p.note", "Select a path to see its whole value, and who changed it."));
  }

  #showPath() {
    const { path, pins } = this.model;
    setText(this.path, path === "" ? "state" : line(path, 300));
    const pinned = pins.includes(path);
    setText(this.pin, pinned ? "Unpin" : "Pin");
    this.pin.setAttribute("aria-pressed", String(pinned));
  }

  #pathChanged() {
    if (this.shownPath !== this.model.path) this.#clear();
    this.#showPath();
  }

  #commitChanged() {
    if (this.mode === "value" && this.length <= REPEATED) this.show("value");
  }

  /** @param {"value" | "blame"} mode */
  show(mode) {
    const { commit, path } = this.model;
    if (commit === null) return;
    this.mode = mode;
    this.shownPath = path;
    const fail = (/** @type {Error} */ error) => fill(this.output, problem(error));
    if (mode === "value") {
      const query = `${this.model.at("value")}?path=${encodeURIComponent(path)}`;
      const ask = (/** @type {AbortSignal} */ signal) =>
        get(query, { commit: this.model.stateAt() }, signal);
      this.#latest.ask(ask, (answer) => this.#showValue(answer), fail);
    } else {
      const query = `${this.model.at("blame")}?path=${encodeURIComponent(path)}`;
      const ask = (/** @type {AbortSignal} */ signal) =>
        get(query, { before: commit, count: 20 }, signal);
      this.#latest.ask(ask, (answer) => this.#showBlame(answer), fail);
    }
  }

  /** @param {{commit: number, value: unknown}} answer */
  #showValue({ commit, value }) {
    const text = pretty(value);
    this.length = text.length;
    const note = el("p.note", `At commit ${commit}`);
    fill(this.output, note, longText(text, "Whole value"));
  }

  /** @param {{commits: any[]}} answer */
  #showBlame({ commits }) {
    if (!commits.length) return fill(this.output, el("p.note", "No commit here changed it."));
    const items = commits.map(({ commit, time, type, operations }) => {
      const label = `#${commit} ${line(type, 80)}`;
      const go = button(label, () => this.model.selectCommit(commit), { class: "path" });
      const list = patchList(operations ?? [], (path) => this.model.reveal(path));
      return el("li", go, el("span.note", ` ${clock(time)}`), list);
    });
    fill(this.output, el("ol.blame", ...items));
  }
}
