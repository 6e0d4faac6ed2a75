// What the page shows: the store, the commit, the path. Views listen to changes of it.

import { get } from "./api.js";

/**
 * @typedef {object} StoreInfo
 * @property {number} store
 * @property {string} name
 * @property {string | null} domain
 * @property {boolean} control
 * @property {boolean} history
 * @property {string | null} log
 * @property {boolean} readOnly
 * @property {boolean} patches
 * @property {number} commits rows that the server knows
 * @property {number} first the number of the first of them
 * @property {number} last
 * @property {number} dropped
 * @property {boolean} open
 * @property {{built: number, total: number}} [keyframes]
 */

/**
 * What changes.
 * @typedef {"program" | "store" | "rows" | "commit" | "follow" | "path" | "tab" | "mark" | "pins"
 *   | "trace"} Topic
 */

/** The tabs of the right side, in order. */
export const TABS = ["state", "commit", "compare", "selectors", "overview", "dispatch"];

export class Model {
  /** @type {any} */ program = null;
  /** @type {StoreInfo | null} */ store = null;
  /** @type {number | null} */ commit = null;
  /** @type {number | null} the commit that others are compared with */ mark = null;
  following = true;
  path = "";
  tab = "state";
  /** @type {string[]} */ pins = [];
  connected = true;
  tracing = false;
  /** @type {Map<Topic, Array<() => void>>} */ #listeners = new Map();

  /** @param {Topic[]} topics @param {() => void} listener */
  on(topics, listener) {
    for (const topic of topics) {
      this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
    }
  }

  /** @param {...Topic} topics */
  emit(...topics) {
    for (const topic of topics) for (const call of this.#listeners.get(topic) ?? []) call();
  }

  /** The path of the API for the store.
   *  @param {string} what */
  at(what) {
    return `stores/${this.store?.store ?? 0}/${what}`;
  }

  /** The shown commit in requests for states. A store without patches only has its present state.
   *  @param {number | null} [commit] */
  stateAt(commit = this.commit) {
    return this.isLive && this.following && this.store?.patches === false ? "latest" : commit;
  }

  get isLive() {
    return this.program?.source === "live";
  }

  /** Takes a new description of the program.
   *  @param {any} program */
  setProgram(program) {
    this.program = program;
    this.connected = program.connected;
    const known = this.store;
    const found = program.stores.find((/** @type {StoreInfo} */ s) => s.store === known?.store);
    if (found) this.store = found;
    this.emit("program");
    if (!found) return this.selectStore(undefined);
    const removed = known?.first !== found.first;
    if (removed || known?.commits !== found.commits) this.#grow(removed);
  }

  /** Takes numbers of a store.
   *  @param {{store: number, total: number, first: number, last: number}} news */
  addCommits({ store, total, first, last }) {
    const stores = this.program?.stores ?? [];
    const info = stores.find((/** @type {StoreInfo} */ each) => each.store === store);
    if (!info || (info.commits === total && info.last === last)) return;
    // Another change of it means that rows were removed, which is an event of the program.
    if (info.commits === 0) info.first = first;
    info.commits = total;
    info.last = last;
    if (this.store?.store === store) {
      this.store = info;
      this.#grow(false);
    }
  }

  /** @param {boolean} removed */
  #grow(removed) {
    this.rowsRemoved = removed;
    if (this.following) this.#setCommit(this.store?.last ?? null);
    this.emit("rows");
  }

  rowsRemoved = false;

  /**
   * Shows a store, at its newest commit or another.
   * @param {number | undefined} number
   * @param {{commit?: number | null, path?: string, pins?: string[]}} moment
   */
  selectStore(number, { commit = null, path = "", pins = [] } = {}) {
    const stores = this.program?.stores ?? [];
    const wanted = (/** @type {StoreInfo} */ each) => each.store === number;
    const before = this.store?.store;
    this.store = stores.find(wanted) ?? stores[0] ?? null;
    this.following = commit === null;
    this.commit = commit ?? this.store?.last ?? null;
    this.mark = null;
    this.path = path;
    this.pins = pins;
    if (this.store?.store !== before || !this.store) this.emit("store");
    this.emit("follow", "commit", "path", "pins", "mark");
  }

  /** Shows a commit, and stops following.
   *  @param {number} commit */
  selectCommit(commit) {
    if (!this.store?.commits) return;
    const { first, last } = this.store;
    this.setFollowing(false);
    this.#setCommit(Math.max(first, Math.min(last, commit)));
  }

  /** @param {number | null} commit */
  #setCommit(commit) {
    if (commit === this.commit) return;
    this.commit = commit;
    this.emit("commit");
  }

  /** @param {boolean} following */
  setFollowing(following) {
    if (following === this.following) return;
    this.following = following;
    this.emit("follow");
    if (following && this.store) this.#setCommit(this.store.last);
  }

  /** @param {string} path */
  setPath(path) {
    if (path === this.path) return;
    this.path = path;
    this.emit("path");
  }

  /** Shows the state at a path.
   *  @param {string} path */
  reveal(path) {
    this.setTab("state");
    this.path = path;
    this.emit("path");
  }

  /** @param {string} tab */
  setTab(tab) {
    if (tab === this.tab || !TABS.includes(tab)) return;
    this.tab = tab;
    this.emit("tab");
  }

  /** @param {boolean} tracing */
  setTracing(tracing) {
    this.tracing = tracing;
    this.emit("trace");
  }

  /** @param {number | null} mark */
  setMark(mark) {
    this.mark = mark;
    this.emit("mark");
  }

  /** @param {string} path */
  togglePin(path) {
    const kept = this.pins.filter((pin) => pin !== path);
    this.pins = kept.length < this.pins.length ? kept : [...kept, path];
    this.emit("pins");
  }

  /** The description of the selectors and actions.
   *  @returns {Promise<any>} */
  describe() {
    return get(this.at("describe"));
  }
}
