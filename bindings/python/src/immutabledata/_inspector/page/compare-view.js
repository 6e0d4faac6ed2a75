// The tab that compares the marked commit with the shown one.

import { get } from "./api.js";
import { button, el, fill, problem, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { patchList } from "./patch-list.js";
import { number } from "./text.js";

export class CompareView {
  #latest = new Latest();

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    const input = (/** @type {string} */ label, /** @type {(commit: number) => void} */ set) =>
      el("input", {
        type: "number",
        min: 0,
        "aria-label": label,
        change: (/** @type {any} */ event) => event.target.value && set(event.target.valueAsNumber),
      });
    this.from = input("Marked commit", (commit) => model.setMark(commit));
    this.to = input("Shown commit", (commit) => model.selectCommit(commit));
    this.output = el("div.output");
    this.element = el(
      "div.compare",
      el(
        "div.line",
        el("label", "From ", this.from),
        el("label", "to ", this.to),
        button("Mark the shown commit", () => model.setMark(model.commit), { title: "m" }),
      ),
      this.output,
    );
    const load = throttle(120, () => this.load());
    model.on(["store", "commit", "mark", "tab"], load);
  }

  load() {
    const { commit, mark, tab } = this.model;
    if (tab !== "compare") return;
    if (document.activeElement !== this.from) this.from.value = mark === null ? "" : String(mark);
    if (document.activeElement !== this.to) this.to.value = commit === null ? "" : String(commit);
    if (commit === null || mark === null) {
      const text = "Mark a commit (m), then select another: this shows what changed between them.";
      this.#latest.stop();
      return fill(this.output, el("p.empty", text));
    }
    this.#latest.ask(
      (signal) => get(this.model.at("compare"), { from: mark, to: commit }, signal),
      ({ patch, truncated }) =>
        fill(
          this.output,
          el("h2", `From #${number(mark)} to #${number(commit)}`),
          patchList(patch, (path) => this.model.reveal(path)),
          truncated ? el("p.note", "There are more operations, which are not shown.") : null,
        ),
      (error) => fill(this.output, problem(error)),
    );
  }
}
