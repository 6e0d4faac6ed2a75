// The tab of the shown commit: its action, and what that changed.

import { get } from "./api.js";
import { el, fill, problem, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { longText } from "./long-text.js";
import { patchList } from "./patch-list.js";
import { clock, duration, line, moment, pretty } from "./text.js";

/** @param {Array<[string, string | undefined]>} pairs */
export function facts(pairs) {
  const rows = pairs
    .filter(([, text]) => text !== undefined && text !== "")
    .map(([name, text]) => el("div", el("dt", name), el("dd", text)));
  return el("dl.facts", ...rows);
}

export class CommitView {
  #latest = new Latest();

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.element = el("div.commit");
    const load = throttle(80, () => this.load());
    model.on(["store", "commit", "tab"], load);
  }

  load() {
    const { commit, tab } = this.model;
    if (tab !== "commit") return;
    if (commit === null || !this.model.store?.commits) {
      this.shown = null;
      return fill(this.element, el("p.empty", "No commit yet."));
    }
    if (commit === this.shown && this.store === this.model.store?.store) return;
    this.#latest.ask(
      (signal) => get(this.model.at(`commit/${commit}`), {}, signal),
      (answer) => this.#show(answer),
      (error) => fill(this.element, problem(error)),
    );
  }

  /** @param {any} answer */
  #show(answer) {
    const { commit, action, patch, patchTruncated, problem, time, microseconds, writer } = answer;
    this.shown = commit;
    this.store = this.model.store?.store;
    const dropped = answer.dropped ? `${answer.dropped} commits before it were dropped` : undefined;
    fill(
      this.element,
      el("h2", el("span.ordinal", `#${commit} `), line(String(action?.type ?? ""), 200)),
      facts([
        ["Time", moment(time)],
        ["Reducer", duration(microseconds)],
        ["Author", writer === undefined || writer === null ? undefined : `store ${writer}`],
        ["Batch", answer.batch ? "another commit of the batch follows" : undefined],
        ["Gap", dropped],
      ]),
      el("h3", "Changes"),
      problem ? el("p.problem", line(String(problem), 500)) : null,
      patch ? patchList(patch, (path) => this.model.reveal(path)) : null,
      !patch && !problem ? el("p.note", "The changes are not known.") : null,
      patchTruncated ? el("p.note", "There are more operations, which are not shown.") : null,
      el("h3", "Action"),
      longText(pretty(action), "Action"),
      ...(answer.rejected ?? []).flatMap((/** @type {any} */ each) => [
        el("h3", `Rejected after it, at ${clock(each.time)}`),
        el("p.problem", line(each.message, 500)),
        longText(pretty(each.action), "Rejected action"),
      ]),
    );
  }
}
