// The list of actions: a grid of which only the visible rows are elements.

import { createHeader, createRow, renderRow } from "./action-row.js";
import { isAbort } from "./api.js";
import { button, el, setText, throttle } from "./dom.js";
import { FilterBar } from "./filter-bar.js";
import { counted, number } from "./text.js";
import { ROW, VirtualRows } from "./virtual-rows.js";
import { RowCache } from "./row-cache.js";

/** How many milliseconds the scroll bar rests before rows are asked for. */
const RESTS = 60;

export class ActionList {
  /** The first row that was drawn last. */ first = 0;
  /** @type {number | null} the index of a row that was selected before it came */ pending = null;
  #timer = 0;
  /** @type {number | null} the index of the row of the shown commit */ active = null;
  /** @type {RowCache} */ cache = new RowCache("", {}, { changed() {}, failed() {} });

  /**
   * @param {import("./model.js").Model} model
   * @param {(error: unknown) => void} report
   */
  constructor(model, report) {
    this.model = model;
    this.report = report;
    this.filters = new FilterBar(() => this.reset());
    this.count = el("span.count");
    this.follow = button("Follow newest", () => model.setFollowing(!model.following), {
      class: "toggle",
      "aria-pressed": "true",
      title: "Show each new commit as it comes (f)",
    });
    this.rejected = button("Rejected", () => model.setTracing(!model.tracing), {
      class: "toggle",
      "aria-pressed": "false",
      title: "Also list actions that are rejected from now on; the program then sends its trace",
    });
    this.grid = el(
      "div.grid",
      { role: "grid", tabindex: 0, "aria-label": "Actions", "aria-colcount": 6 },
      createHeader(),
    );
    this.empty = el("p.empty", { hidden: true });
    this.element = el(
      "section.actions",
      { "aria-label": "Actions" },
      this.filters.element,
      el("div.bar", this.count, this.rejected, this.follow),
      el("div.body", this.grid, this.empty),
    );
    this.rows = new VirtualRows(this.grid, {
      create: createRow,
      role: "rowgroup",
      header: ROW,
      render: (element, index) => this.#renderRow(element, index),
      drawn: (first, last) => this.#want(first, last),
    });
    this.grid.addEventListener("click", this.#clicked);
    this.grid.addEventListener("keydown", this.#pressed);
    this.refreshFiltered = throttle(500, () => this.cache.refresh());
    this.#listen();
  }

  #listen() {
    const { model } = this;
    model.on(["store"], () => this.reset());
    model.on(["rows"], () => this.#grew());
    model.on(["commit"], () => this.#locate());
    model.on(["mark"], () => this.rows.render(true));
    model.on(["program"], () => (this.rejected.hidden = !model.isLive));
    model.on(["trace"], () => this.rejected.setAttribute("aria-pressed", String(model.tracing)));
    model.on(["follow"], () => {
      this.follow.setAttribute("aria-pressed", String(model.following));
      if (model.following) this.#locate();
    });
  }

  /** Begins again: with another store or filter. */
  reset() {
    this.cache.close();
    this.active = null;
    const { filter } = this.filters;
    /** @type {RowCache} */
    const cache = new RowCache(this.model.at("commits"), filter, {
      changed: () => this.cache === cache && this.#came(),
      failed: (error) => this.report(error),
    });
    this.cache = cache;
    if (!cache.isFiltered) cache.total = this.model.store?.commits ?? 0;
    this.#changed();
    if (cache.isFiltered) cache.refresh();
    this.#locate();
  }

  #grew() {
    if (this.model.rowsRemoved) this.reset();
    else if (this.cache.isFiltered) this.refreshFiltered();
    else {
      this.cache.grow(this.model.store?.commits ?? 0);
      this.#changed();
      if (this.model.following) this.#setActive(this.cache.total - 1);
    }
  }

  /** Rows came. */
  #came() {
    this.#changed();
    this.#snap();
    const { pending } = this;
    if (pending !== null && pending === this.active && this.cache.at(pending)) this.select(pending);
  }

  /** Goes to the next commit if the shown one was dropped. */
  #snap() {
    const { active, cache, model } = this;
    const row = active === null ? undefined : cache.at(active);
    if (!row || cache.isFiltered || this.located !== model.commit || model.following) return;
    if (row.commit !== model.commit) model.selectCommit(row.commit);
  }

  /** Rows came, or their number changed. */
  #changed() {
    const { cache, model } = this;
    const grew = cache.total > this.rows.count;
    this.rows.setCount(cache.total);
    this.grid.setAttribute("aria-rowcount", String(cache.total + 1));
    // Otherwise it would be read out with each commit.
    this.count.ariaLive = cache.isFiltered ? "polite" : "off";
    const all = model.store?.commits ?? 0;
    const some = `${number(cache.total)} of ${counted(all, "action")}`;
    setText(this.count, cache.isFiltered ? some : counted(all, "action"));
    this.empty.hidden = cache.total > 0;
    const none = cache.answered ? "No action matches the filter." : "Searching…";
    setText(this.empty, cache.isFiltered ? none : "No actions yet.");
    if (grew && model.following && cache.isFiltered) {
      this.rows.scrollTo(Infinity);
      this.#locate();
    }
    this.rows.render(true);
  }

  /** Asks for the visible rows. While the scroll bar is dragged, that waits until it rests.
   *  @param {number} first @param {number} last */
  #want(first, last) {
    const isFar = Math.abs(first - this.first) > 2 * (last - first + 1);
    this.first = first;
    clearTimeout(this.#timer);
    const want = () => this.cache.want(Math.max(0, first - 1), last);
    if (isFar && this.rows.isScrolling) this.#timer = setTimeout(want, RESTS);
    else want();
  }

  /** @param {any} element @param {number} index */
  #renderRow(element, index) {
    const row = this.cache.at(index);
    renderRow(element, index, {
      row,
      before: index ? this.cache.at(index - 1) : undefined,
      selected: index === this.active && (!row || row.commit === this.model.commit),
      marked: row !== undefined && row.commit === this.model.mark,
    });
  }

  /** @param {number | null} index */
  #setActive(index) {
    this.active = index !== null && index >= 0 && index < this.cache.total ? index : null;
    if (this.active !== null) {
      if (this.model.following) this.rows.scrollTo(Infinity);
      else this.rows.center(this.active);
      this.grid.setAttribute("aria-activedescendant", `action-${this.active}`);
    } else this.grid.removeAttribute("aria-activedescendant");
    this.rows.render(true);
  }

  /** Finds the row of the shown commit, and shows it. */
  async #locate() {
    const { cache, model } = this;
    const { commit, store } = model;
    this.asked?.abort();
    if (commit === null || !store) return this.#setActive(null);
    if (model.following && !cache.isFiltered) return this.#setActive(cache.total - 1);
    // It may be an action that was rejected after the commit.
    const isActive = this.active !== null && cache.at(this.active)?.commit === commit;
    const known = isActive ? this.active : cache.find(commit);
    if (known !== null) return this.#setActive(known);
    this.rows.render(true);
    const controller = new AbortController();
    this.asked = controller;
    try {
      const row = await cache.locate(commit, controller.signal);
      if (this.cache !== cache || model.commit !== commit) return;
      this.#changed();
      this.#setActive(row);
      this.located = commit;
      this.#snap();
    } catch (error) {
      if (!isAbort(error)) this.#setActive(null);
    }
  }

  /** Shows the commit of a row, or will when the row comes.
   *  @param {number} index */
  select(index) {
    this.model.setFollowing(false);
    this.active = index;
    this.rows.show(index);
    this.grid.setAttribute("aria-activedescendant", `action-${index}`);
    const row = this.cache.at(index);
    this.pending = row ? null : index;
    if (row) this.model.selectCommit(row.commit);
    this.rows.render(true);
  }

  #clicked = (/** @type {MouseEvent} */ event) => {
    const index = this.rows.indexOf(event.target);
    if (index !== null) this.select(index);
  };

  #pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") this.model.setTab("commit");
    const index = this.rows.move(event.key, this.active ?? this.cache.total);
    if (index === null) return;
    event.preventDefault();
    this.select(index);
  };
}
