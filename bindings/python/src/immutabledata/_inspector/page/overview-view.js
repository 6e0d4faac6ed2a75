// The tab of the overview: the store, its counters, memory and trace.

import { get, listen } from "./api.js";
import { facts } from "./commit-view.js";
import { el, fill, throttle } from "./dom.js";
import { Latest } from "./latest.js";
import { groups } from "./statistics.js";
import { bytes, compact, line, number } from "./text.js";

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

export class OverviewView {
  #latest = new Latest();
  /** @type {EventSource | null} sends lines while the trace is shown */ #source = null;

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.cards = el("div.cards");
    const toggle = el("input", {
      type: "checkbox",
      change: (/** @type {any} */ event) => {
        this.#trace(event.target.checked);
      },
    });
    this.lines = el("ol.trace", { hidden: true, tabindex: 0, role: "log", "aria-label": "Trace" });
    const label = el("label", toggle, " Show new lines of the trace");
    this.element = el("div.overview", this.cards, el("h3", "Trace"), label, this.lines);
    const load = throttle(1000, () => this.load());
    model.on(["store"], () => fill(this.lines));
    model.on(["tab"], () => this.load());
    model.on(["store", "rows", "program"], load);
  }

  load() {
    const { model } = this;
    if (model.tab !== "overview" || !model.store) return;
    this.#latest.ask(
      async (signal) => {
        const asked = get(model.at("statistics"), {}, signal);
        return Promise.all([get("program", {}, signal), asked.catch(() => ({}))]);
      },
      ([program, statistics]) => this.#show(program, statistics),
      () => {},
    );
  }

  /** @param {any} program @param {Record<string, any>} statistics */
  #show(program, statistics) {
    const number_ = this.model.store?.store;
    const store = program.stores.find((/** @type {any} */ each) => each.store === number_);
    if (!store) return;
    const { keyframes, dropped } = store;
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
        ["commits here", number(store.commits)],
        ["numbers", store.commits ? `${store.first} to ${store.last}` : "—"],
        ["dropped", number(dropped ?? 0)],
        ["log", store.log ? line(store.log, 200) : "none"],
        ["history", yes(store.history)],
        ["can be controlled", yes(store.control)],
        ["keyframes", keyframes ? `${keyframes.built} of ${keyframes.total}` : undefined],
      ]),
      card("Memory", [
        ["page", pageMemory()],
        ["inspector", bytes(program.memory?.server ?? 0)],
        ["its database", bytes(program.memory?.database ?? 0)],
      ]),
      ...groups(statistics).map(([title, pairs]) => card(title, pairs)),
    );
  }

  /** @param {boolean} on */
  #trace(on) {
    this.lines.hidden = !on;
    this.#source?.close();
    this.#source = on ? listen({ trace: (news) => this.#addLine(news) }, true) : null;
  }

  /** @param {{store: number, line: unknown}} news */
  #addLine({ store, line: text }) {
    if (store !== this.model.store?.store) return;
    const atEnd = this.lines.scrollTop + this.lines.clientHeight >= this.lines.scrollHeight - 4;
    this.lines.append(el("li", line(typeof text === "string" ? text : compact(text), 500)));
    while (this.lines.childElementCount > LINES) this.lines.firstElementChild?.remove();
    if (atEnd) this.lines.scrollTop = this.lines.scrollHeight;
  }
}
