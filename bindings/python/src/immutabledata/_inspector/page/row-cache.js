// The rows of the list of commits, fetched by pages, of which the last used are kept.

import { ApiError, get, isAbort } from "./api.js";
import { fits } from "./filter-bar.js";

const PAGE = 200;
const KEPT = 100;

/**
 * @typedef {object} Row
 * @property {number} row
 * @property {number} commit
 * @property {number} time
 * @property {string} type
 * @property {string} preview
 * @property {number} [microseconds]
 * @property {number} [writer]
 * @property {boolean} [batch]
 * @property {number | null} changes
 * @property {boolean} [jump]
 * @property {number} [dropped]
 * @property {string} [optimistic] what became of the optimistic update that it begins
 * @property {string} [rejected] why it was rejected; `commit` is then the one before it
 */

export class RowCache {
  total = 0;
  /** Whether any rows were asked for and came. */ answered = false;
  /** @type {Map<number, Row[]>} */ #pages = new Map();
  /** @type {Map<number, AbortController>} */ #asked = new Map();
  /** @type {Set<number>} */ #failed = new Set();
  /** @type {Set<number>} pages with updates whose outcome may have come */ #stale = new Set();

  /**
   * @param {string} path of the commits in the API
   * @param {Record<string, unknown>} filter
   * @param {{changed: () => void, failed: (error: unknown) => void}} handlers
   */
  constructor(path, filter, handlers) {
    this.path = path;
    this.filter = filter;
    this.handlers = handlers;
  }

  get isFiltered() {
    return Object.values(this.filter).some((value) => value !== undefined && value !== "");
  }

  /** @param {number} index @returns {Row | undefined} */
  at(index) {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** The index of a commit among the rows that are here.
   *  @param {number} commit */
  find(commit) {
    for (const [page, rows] of this.#pages) {
      if (!rows.length || rows[0].commit > commit || rows[rows.length - 1].commit < commit)
        continue;
      const at = rows.findIndex((row) => row.commit === commit && !row.rejected);
      if (at >= 0) return page * PAGE + at;
    }
    return null;
  }

  /** Asks for rows that are not here.
   *  @param {number} first @param {number} last */
  want(first, last) {
    const [begin, end] = [Math.floor(first / PAGE), Math.floor(Math.max(first, last) / PAGE)];
    for (const [page, controller] of this.#asked) {
      if (page < begin - 1 || page > end + 1) {
        controller.abort();
        this.#asked.delete(page);
      }
    }
    for (let page = begin; page <= end; page += 1) this.#fetch(page);
  }

  /** The number of rows grew.
   *  @param {number} total */
  grow(total) {
    if (total <= this.total) return;
    this.total = total;
    this.#failed.clear();
    this.#markStale();
  }

  #markStale() {
    const waits = (/** @type {Row} */ row) => row.optimistic === "pending";
    for (const [page, rows] of this.#pages) if (rows.some(waits)) this.#stale.add(page);
  }

  /** Asks for the newest rows, also if they are here. */
  refresh() {
    this.#markStale();
    const last = Math.max(0, Math.floor((this.total - 1) / PAGE));
    this.#failed.delete(last);
    this.#fetch(last, true);
  }

  /** @param {number} page */
  #isComplete(page) {
    const rows = this.#pages.get(page);
    if (rows === undefined || this.#stale.has(page)) return false;
    return rows.length >= Math.min(PAGE, this.total - page * PAGE);
  }

  /** @param {number} page */
  async #fetch(page, again = false) {
    if (this.#asked.has(page) || this.#failed.has(page) || (!again && this.#isComplete(page)))
      return;
    const controller = new AbortController();
    this.#asked.set(page, controller);
    try {
      const query = { from: page * PAGE, count: PAGE, ...this.filter };
      this.#take(page, await get(this.path, query, controller.signal));
      this.#asked.delete(page);
      this.handlers.changed();
    } catch (error) {
      if (this.#asked.get(page) === controller) this.#asked.delete(page);
      if (isAbort(error)) return;
      this.#failed.add(page);
      this.handlers.failed(error);
    }
  }

  /** Asks for the page of a commit. The index of the commit, or of the next one.
   *  @param {number} commit @param {AbortSignal} signal @returns {Promise<number>} */
  async locate(commit, signal) {
    const answer = await get(this.path, { commit, count: PAGE, ...this.filter }, signal);
    this.#take(answer.from / PAGE, answer);
    return answer.row;
  }

  /** @param {number} page @param {{total: number, rows: Row[]}} answer */
  #take(page, { total, rows }) {
    if (!rows.every((row) => fits(row, this.filter))) {
      const text = "This inspector does not filter by time, author and duration.";
      throw new ApiError("unsupported", text);
    }
    this.#stale.delete(page);
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    this.total = this.isFiltered ? total : Math.max(this.total, total);
    this.answered = true;
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) break;
      this.#pages.delete(page);
    }
  }

  /** Gives up what was asked for. */
  close() {
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
  }
}
