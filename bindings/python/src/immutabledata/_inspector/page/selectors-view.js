// The tab of the selectors: evaluate one, or an expression, and watch them.

import { post } from "./api.js";
import { button, el, fill, problem, setText } from "./dom.js";
import { Latest } from "./latest.js";
import { longText } from "./long-text.js";
import { counted, duration, line, number, pretty } from "./text.js";
import { body, Watches } from "./watches.js";

/** Empty for no arguments.
 *  @param {string} label @param {string} [value] */
function argumentsInput(label, value = "") {
  const placeholder = 'Arguments, such as {"least": 3}';
  return el("input.arguments", {
    type: "text",
    spellcheck: "false",
    "aria-label": label,
    placeholder,
    value,
  });
}

/** @param {any} schema */
function template(schema) {
  const names = Object.keys(schema?.properties ?? {});
  return names.length ? JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))) : "";
}

export class SelectorsView {
  #latest = new Latest();
  /** @type {string | null} what the list was made from */ described = null;
  shown = -1;

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.watches = new Watches(model);
    this.expression = el("input.expression", {
      type: "text",
      spellcheck: "false",
      "aria-label": "Expression",
      placeholder: "Expression, such as items[?price > `3`].name",
    });
    const given = argumentsInput("Arguments of the expression");
    const query = () => ({ expression: this.expression.value, arguments: given.value });
    this.output = el("div.output");
    this.list = el("ul.selectors", { "aria-label": "Selectors" });
    const evaluate = () => this.evaluate(query());
    this.watch = button("Watch", () => this.expression.value && this.watches.add(query()));
    this.form = el(
      "form.line",
      {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          evaluate();
        },
      },
      this.expression,
      given,
      el("button", "Evaluate"),
      this.watch,
      button("First where true", () => this.expression.value && this.search(query()), {
        title: "Go to the first commit after which the expression is true",
      }),
    );
    this.live = el("div", this.form, this.output, this.watches.element);
    this.element = el(
      "div.selectors-view",
      this.live,
      el("h3", "Selectors of the store"),
      this.list,
    );
    model.on(["store", "tab"], () => this.load());
  }

  async load() {
    const { model } = this;
    if (model.tab !== "selectors" || !model.store) return;
    this.live.hidden = !model.isLive && !model.store.patches;
    this.watch.hidden = !model.isLive;
    const shown = model.store.store;
    if (shown !== this.shown) fill(this.output);
    try {
      const { selectors = [] } = await model.describe();
      const text = `${shown} ${model.isLive} ${JSON.stringify(selectors)}`;
      if (model.store?.store !== shown || text === this.described) return;
      [this.shown, this.described] = [shown, text];
      const none = el("li.note", "The store has no named selectors.");
      const items = selectors.map((/** @type {any} */ selector) => this.#item(selector));
      fill(this.list, ...(items.length ? items : [none]));
    } catch (/** @type {any} */ error) {
      this.described = null;
      fill(this.list, el("li.problem", error.message));
    }
  }

  /** @param {any} selector */
  #item(selector) {
    const { name, expression, incremental, because, inputs, each, summary } = selector;
    const { runs, calls } = selector;
    const badge = incremental ? "span.badge.good" : "span.badge";
    const kind = incremental ? "incremental" : "not incremental";
    const names = inputs?.map((/** @type {string} */ input) => line(input, 80)).join(", ");
    const took = (/** @type {any} */ { microseconds, count, longest }) =>
      `${duration(microseconds / count)} each, ${duration(longest)} at most`;
    const notes = [
      summary && line(summary, 300),
      because && line(because, 300),
      names && `Function of ${names}`,
      each && `Called for each element of ${line(each, 80)}`,
      runs && `${counted(runs.count, "run")}, ${number(runs.changed)} changed: ${took(runs)}`,
      calls && `${counted(calls.count, "call")} of observers: ${took(calls)}`,
    ];
    const given = argumentsInput(`Arguments of ${name}`, template(selector.arguments));
    given.hidden = !given.value;
    const query = () => ({ selector: name, arguments: given.value });
    const buttons = [
      button("Evaluate", () => this.evaluate(query()), { "aria-label": `Evaluate ${name}` }),
      button("Watch", () => this.watches.add(query()), { "aria-label": `Watch ${name}` }),
    ];
    const title = el("div.line", el("strong", line(name, 120)));
    if (incremental !== undefined) title.append(el(badge, kind));
    title.append(given, ...(this.model.isLive ? buttons : []));
    const code = expression && el("code", line(expression, 400));
    return el("li", title, code, ...notes.map((note) => note && el("p.note", note)));
  }

  /** @param {import("./watches.js").Query} query */
  evaluate(query) {
    const commit = this.model.commit ?? undefined;
    this.#latest.ask(
      async () => post(this.model.at("select"), body(query, { commit })),
      ({ commit, value }) => {
        const name = line(query.expression ?? query.selector ?? "", 120);
        const note = el("p.note", el("code", name), ` at commit ${commit}`);
        fill(this.output, note, longText(pretty(value), "Output"));
      },
      (error) => fill(this.output, problem(error)),
    );
  }

  /** Goes to the first commit after which an expression is true. The server answers in parts.
   *  @param {import("./watches.js").Query} query */
  search(query) {
    const progress = el("span.note", { role: "status" }, "Searching…");
    const stop = button("Stop", () => {
      this.#latest.stop();
      stop.remove();
      progress.append(" Stopped.");
    });
    fill(this.output, el("div.line", progress, stop));
    this.#latest.ask(
      async (signal) => {
        /** @type {any} */
        let all = { next: null, skipped: 0, failed: 0, problem: null };
        do {
          const text = body(query, { from: all.next });
          const { commit, next, ...part } = await post(this.model.at("first"), text, signal);
          const [skipped, failed] = [all.skipped + part.skipped, all.failed + part.failed];
          all = { commit, next, skipped, failed, problem: part.problem ?? all.problem };
          if (next !== null) setText(progress, `Searched up to #${number(next - 1)}.`);
        } while (all.next !== null);
        return all;
      },
      ({ commit, skipped, failed, problem }) => {
        const notes = [
          commit === null ? "It is true nowhere." : `First true at #${number(commit)}.`,
          skipped && `${counted(skipped, "state")} on the way: not known.`,
          failed && `${counted(failed, "state")} on the way: ${line(problem, 300)}`,
        ].filter(Boolean);
        fill(this.output, el("p.note", { role: "status" }, notes.join(" ")));
        if (commit !== null) this.model.selectCommit(commit);
      },
      (error) => fill(this.output, problem(error)),
    );
  }
}
