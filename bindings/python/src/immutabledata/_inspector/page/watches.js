// Selectors and expressions that are evaluated again at new commits.

import { post } from "./api.js";
import { closeButton, el, fill, throttle } from "./dom.js";
import { longText } from "./long-text.js";
import { line, pretty } from "./text.js";

const INTERVAL = 250;

/** @typedef {{expression?: string, selector?: string, arguments?: string}} Query */

/** The JSON of a request about a selector, or an expression, which may have more members.
 *  @param {Query} query @param {Record<string, number | null | undefined>} [more] */
export function body(query, more = {}) {
  const name = query.expression === undefined ? "selector" : "expression";
  const value = JSON.stringify(query.expression ?? query.selector);
  const given = query.arguments?.trim();
  if (given) JSON.parse(given);
  const rest = name === "selector" ? "" : JSON.stringify(more).slice(1, -1);
  return `{"${name}":${value}${given ? `,"arguments":${given}` : ""}${rest && `,${rest}`}}`;
}

export class Watches {
  /** @type {any[]} */ items = [];

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.element = el("ul.watches", { "aria-label": "Watched" });
    this.again = throttle(INTERVAL, () => this.evaluate());
    model.on(["rows", "tab"], this.again);
    model.on(["store"], () => this.clear());
  }

  clear() {
    this.items = [];
    fill(this.element);
  }

  /** @param {Query} query */
  add(query) {
    const title = line(query.expression ?? query.selector ?? "", 200);
    const output = el("div.output");
    const note = el("span.note");
    const remove = () => {
      this.items = this.items.filter((item) => item.element !== element);
      element.remove();
    };
    const given = query.arguments?.trim() ? ` ${line(query.arguments, 80)}` : "";
    const element = el(
      "li",
      el(
        "div.line",
        el("code", title + given),
        note,
        closeButton(`Stop watching ${title}`, remove),
      ),
      output,
    );
    const item = { query, element, output, note, isBusy: false, isLate: false, text: "" };
    this.items.push(item);
    this.element.append(element);
    this.#evaluate(item);
  }

  evaluate() {
    if (this.model.tab !== "selectors" || !this.model.connected) return;
    for (const item of this.items) this.#evaluate(item);
  }

  /** @param {any} item */
  async #evaluate(item) {
    item.isLate = item.isBusy;
    if (item.isBusy) return;
    item.isBusy = true;
    try {
      const answer = await post(this.model.at("select"), body(item.query));
      fill(item.note, `at commit ${answer.commit}`);
      const text = pretty(answer.value);
      if (text !== item.text) fill(item.output, longText(text, "Output"));
      item.text = text;
    } catch (/** @type {any} */ error) {
      fill(item.output, el("p.problem", error.message));
      item.text = "";
    } finally {
      item.isBusy = false;
      if (item.isLate) this.again();
    }
  }
}
