// The filter of the list of actions.

import { button, debounce, el } from "./dom.js";

/** @param {string} name @param {string} label @param {Record<string, any>} attributes */
function field(name, label, attributes) {
  return el("label.field", el("span", label), el("input", { name, ...attributes }));
}

/** Whether a row fits what a filter says of its time, author and duration.
 *  @param {import("./row-cache.js").Row} row @param {Record<string, any>} filter */
export function fits(row, { after, before, writer, slower }) {
  if (after !== undefined && row.time < after) return false;
  if (before !== undefined && row.time > before) return false;
  if (writer && row.writer !== Number(writer)) return false;
  return !slower || (row.microseconds ?? 0) >= Number(slower);
}

export class FilterBar {
  /** @param {() => void} changed */
  constructor(changed) {
    this.types = el("datalist", { id: "known-types" });
    this.search = el("input.search", {
      type: "search",
      name: "search",
      placeholder: "Search, path:/items/3",
      title: "A text, path: with a JSON Pointer to what changed, is:rejected, or is:optimistic",
      "aria-label": "Search actions",
    });
    this.type = el("input.type", {
      type: "search",
      name: "type",
      list: "known-types",
      placeholder: "Type: items/*",
      "aria-label": "Pattern of the type",
    });
    this.more = button("More", () => this.#toggle(), {
      class: "more",
      "aria-expanded": "false",
      "aria-controls": "more-filters",
    });
    this.details = el(
      "div.details",
      { id: "more-filters", hidden: true },
      field("after", "From", { type: "datetime-local", step: 1 }),
      field("before", "To", { type: "datetime-local", step: 1 }),
      field("writer", "Author", { type: "number", min: 0 }),
      field("slower", "At least µs", { type: "number", min: 0 }),
      button("Clear", () => this.clear()),
    );
    const late = debounce(150, changed);
    this.element = el(
      "div.filters",
      { role: "search", input: late },
      el("div.line", this.search, this.type, this.more),
      this.details,
      this.types,
    );
    this.changed = changed;
  }

  #toggle() {
    this.details.hidden = !this.details.hidden;
    this.more.setAttribute("aria-expanded", String(!this.details.hidden));
  }

  /** @param {string} name */
  #value(name) {
    return this.details.querySelector(`[name=${name}]`).value;
  }

  /** The filter as the query of the API.
   *  @returns {Record<string, unknown>} */
  get filter() {
    /** @param {string} text */
    const time = (text) => (text ? new Date(text).getTime() : undefined);
    return {
      search: this.search.value.trim(),
      type: this.type.value.trim(),
      after: time(this.#value("after")),
      before: time(this.#value("before")),
      writer: this.#value("writer"),
      slower: this.#value("slower"),
    };
  }

  clear() {
    for (const input of this.element.querySelectorAll("input")) input.value = "";
    this.changed();
  }

  /** @param {string[]} types */
  suggest(types) {
    this.types.replaceChildren(...types.slice(0, 500).map((value) => el("option", { value })));
  }
}
