// The slider over the commits, with steps, undo and redo.

import { get, post } from "./api.js";
import { button, el, setText } from "./dom.js";
import { number } from "./text.js";

export class Timeline {
  /**
   * @param {import("./model.js").Model} model
   * @param {{report: (error: unknown) => void, say: (text: string) => void}} handlers
   */
  constructor(model, { report, say }) {
    this.model = model;
    this.report = report;
    this.say = say;
    this.slider = el("input.slider", {
      type: "range",
      step: 1,
      "aria-label": "Commit",
      input: () => this.#slid(),
    });
    this.position = el("span.position");
    /** @param {string} sign @param {string} label @param {number} by */
    const step = (sign, label, by) =>
      button(sign, () => this.step(by), { class: "icon", "aria-label": label, title: label });
    this.undo = button("Undo", () => this.control("undo"), {
      title: "Undo the newest step (Shift+U)",
    });
    this.redo = button("Redo", () => this.control("redo"), { title: "Redo a step (Shift+R)" });
    this.jump = button("Jump here", () => this.travel(), {
      title: "Bring the program back to the step of this commit",
    });
    this.mark = button("Mark", () => model.setMark(model.commit), {
      title: "Compare this commit with others (m)",
    });
    this.controls = el("span.controls", this.undo, this.redo, this.jump);
    this.element = el(
      "div.timeline",
      { role: "group", "aria-label": "Time" },
      step("«", "First commit ([)", -Infinity),
      step("‹", "Previous commit (,)", -1),
      this.slider,
      step("›", "Next commit (.)", 1),
      step("»", "Last commit (])", Infinity),
      this.position,
      this.mark,
      this.controls,
    );
    model.on(["store", "rows", "commit", "follow", "mark", "program"], () => this.#show());
  }

  #slid() {
    this.model.selectCommit(this.slider.valueAsNumber);
  }

  /** @param {number} by */
  step(by) {
    const { commit, store } = this.model;
    if (!store?.commits) return;
    if (by === Infinity) this.model.selectCommit(store.last);
    else if (by === -Infinity) this.model.selectCommit(store.first);
    else this.model.selectCommit((commit ?? store.last) + by);
  }

  #show() {
    const { commit, store, mark } = this.model;
    const some = Boolean(store?.commits);
    this.slider.disabled = !some;
    this.slider.min = String(store?.first ?? 0);
    this.slider.max = String(store?.last ?? 0);
    this.slider.value = String(commit ?? 0);
    const last = number(store?.last ?? 0);
    const text = commit === null ? "no commit" : `#${number(commit)} of ${last}`;
    this.slider.setAttribute("aria-valuetext", text);
    setText(this.position, text);
    this.mark.setAttribute("aria-pressed", String(mark !== null && mark === commit));
    this.controls.hidden = !(store?.control && this.model.isLive);
    for (const each of [this.undo, this.redo, this.jump]) {
      each.disabled = !store?.history || !store.open || !this.model.connected;
    }
  }

  /** @param {"undo" | "redo"} what */
  async control(what) {
    if (!this.model.store?.control || !this.model.store.history) return;
    try {
      const { steps } = await post(this.model.at(what), JSON.stringify({ steps: 1 }));
      this.say(steps ? `${what === "undo" ? "Undone" : "Redone"}.` : `Nothing to ${what}.`);
    } catch (error) {
      this.report(error);
    }
  }

  /** Brings the program to the step that the shown commit belongs to. */
  async travel() {
    const { commit } = this.model;
    if (commit === null) return;
    try {
      const { action } = await get(this.model.at(`commit/${commit}`));
      const { entries } = await get(this.model.at("history"));
      const ends = (/** @type {any} */ step) => step.number + step.actions - 1 === commit;
      const isJump = action.type.startsWith("@@history/");
      const step = isJump ? action.payload?.number : entries.find(ends)?.number;
      if (step === undefined) return this.say("The history has no step that ends here.");
      await post(this.model.at("travel"), JSON.stringify({ step }));
      this.say(`The program is at step ${step}.`);
    } catch (error) {
      this.report(error);
    }
  }
}
