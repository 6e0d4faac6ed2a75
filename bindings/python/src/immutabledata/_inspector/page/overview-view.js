// The tab of the overview: the store, its counters with their limits, memory, and the trace.

import { get } from "./api.js";
import { facts } from "./commit-view.js";
import { el, fill, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { bytes, compact, line, moment, number } from "./text.js";

/** @typedef {{label: string, value: unknown, kind?: string, limit?: string}} Fact */

const LINES = 300;

/** @param {string} title @param {Array<[string, string | undefined]>} pairs */
function card(title, pairs) {
  return el("section.card", el("h3", title), facts(pairs));
}

/** The memory that the page uses, where the browser tells it. */
function pageMemory() {
  const memory = /** @type {any} */ (performance).memory;
  return memory ? bytes(memory.usedJSHeapSize) : undefined;
}

/** @param {Fact} fact @returns {[string, string]} */
function shown({ label, value, kind, limit }) {
  let text = line(typeof value === "string" ? value : compact(value), 200);
  if (value === null) text = "—";
  else if (typeof value === "boolean") text = value ? "yes" : "no";
  else if (typeof value === "number") {
    text = kind === "bytes" ? bytes(value) : kind === "time" ? moment(value) : number(value);
  }
  return [line(label, 60), limit ? `${text} (at most ${limit})` : text];
}

export class OverviewView {
  #latest = new Latest();

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.cards = el("div.cards");
    const changed = () => model.setTracing(toggle.checked);
    const toggle = el("input", { type: "checkbox", change: changed });
    this.lines = el("ol.trace", { hidden: true, tabindex: 0, role: "log", "aria-label": "Trace" });
    const label = el("label", toggle, " Show new lines of the trace");
    this.element = el("div.overview", this.cards, el("h3", "Trace"), label, this.lines);
    const load = throttle(1000, () => this.load());
    model.on(["store"], () => fill(this.lines));
    model.on(["tab"], () => this.load());
    model.on(["store", "rows", "program"], load);
    model.on(["trace"], () => {
      toggle.checked = model.tracing;
      this.lines.hidden = !model.tracing;
    });
  }

  load() {
    const { model } = this;
    if (model.tab !== "overview" || !model.store) return;
    this.#latest.ask(
      async (signal) => {
        const asked = get(model.at("statistics"), {}, signal);
        return Promise.all([get("program", {}, signal), asked.catch(() => [])]);
      },
      ([program, statistics]) => this.#show(program, statistics),
      () => {},
    );
  }

  /** @param {any} program @param {Array<{title: string, facts: Fact[]}>} statistics */
  #show(program, statistics) {
    const number_ = this.model.store?.store;
    const store = program.stores.find((/** @type {any} */ each) => each.store === number_);
    if (!store) return;
    const { keyframes, dropped } = store;
    const { limits, memory } = program;
    const yes = (/** @type {boolean} */ value) => (value ? "yes" : "no");
    fill(
      this.cards,
      card("Program", [
        ["name", line(String(program.program), 100)],
        ["process", String(program.process ?? "—")],
        ["library", line(String(program.library), 60)],
        ["source", program.source === "log" ? "a log" : "a running program"],
        ["connected", yes(program.connected)],
      ]),
      card("Store", [
        ["name", line(String(store.name), 100)],
        ["domain", store.domain ? line(store.domain, 100) : "a reducer of the program"],
        ["rows here", `${number(store.commits)} (at most ${number(limits.commits)} of all stores)`],
        ["commits", store.commits ? `${store.first} to ${store.last}` : "—"],
        ["dropped", `${number(dropped ?? 0)} (at most ${number(limits.waiting)} wait)`],
        ["log", store.log ? line(store.log, 200) : "none"],
        ["history", yes(store.history)],
        ["can be controlled", yes(store.control)],
        ["keyframes", `${keyframes.built} of ${keyframes.total} (at most ${limits.keyframes})`],
      ]),
      card("Memory", [
        ["page", pageMemory()],
        ["inspector", bytes(memory.server)],
        ["its database", `${bytes(memory.database)} (at most ${bytes(limits.database)})`],
      ]),
      ...statistics.map(({ title, facts }) => card(line(title, 60), facts.map(shown))),
    );
  }

  /** @param {{store: number, line: unknown}} news */
  addLine({ store, line: text }) {
    if (store !== this.model.store?.store) return;
    const atEnd = this.lines.scrollTop + this.lines.clientHeight >= this.lines.scrollHeight - 4;
    this.lines.append(el("li", line(typeof text === "string" ? text : compact(text), 500)));
    while (this.lines.childElementCount > LINES) this.lines.firstElementChild?.remove();
    if (atEnd) this.lines.scrollTop = this.lines.scrollHeight;
  }
}
