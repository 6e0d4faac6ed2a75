// Fetches the levels of a state. The state before is shown until the visible levels are there.

import { get, isAbort } from "./api.js";
import { isContainer, Level, PAGE } from "./state-levels.js";
import { join, split } from "./text.js";

/** How many pages are looked through for a key. */
const SEARCHED = 25;

export class StateLoader {
  top = new Level(null, 0, 0);
  /** @type {Set<string>} the paths that are open, also while they are not in the state */
  open = new Set([""]);
  /** @type {number | null} */ commit = null;
  #controller = new AbortController();
  /** @type {Map<string, Promise<void>>} */ #asked = new Map();

  /**
   * @param {import("./model.js").Model} model
   * @param {{changed: () => void, failed: (error: unknown) => void}} handlers
   */
  constructor(model, handlers) {
    this.model = model;
    this.handlers = handlers;
  }

  /** @param {string} path @param {number} page @param {number | null} commit */
  #fetch(path, page, commit = this.commit) {
    const query = { commit: this.model.stateAt(commit), from: page * PAGE, count: PAGE };
    const signal = this.#controller.signal;
    const request = `${this.model.at("state")}?path=${encodeURIComponent(path)}`;
    return get(request, query, signal);
  }

  /**
   * Shows the state of a commit, with the pages that are visible now.
   * @param {number | null} commit
   * @param {Map<string, Set<number>>} visible the pages of each path
   */
  async load(commit, visible) {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#asked.clear();
    const { signal } = this.#controller;
    try {
      const next = new Level(null, commit === null ? 0 : 1, 0);
      if (commit !== null) await this.#build(next, commit, visible);
      if (signal.aborted) return;
      this.commit = commit;
      this.top = next;
      this.top.measure();
      this.handlers.changed();
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.handlers.failed(error);
    }
  }

  /** @param {Level} top @param {number} commit @param {Map<string, Set<number>>} visible */
  async #build(top, commit, visible) {
    const first = await this.#fetch("", 0, commit);
    const { kind, count, preview } = first;
    const changed = (first.members ?? []).some((/** @type {any} */ member) => member.changed);
    top.setPage(0, [{ key: "", kind, count, preview, changed }], this.open);
    const root = top.children.get(0);
    if (!root) return;
    root.setPage(0, first.members ?? [], this.open);
    await this.#fill(root, commit, visible);
  }

  /** @param {Level} level @param {number} commit @param {Map<string, Set<number>>} visible */
  async #fill(level, commit, visible) {
    const path = level.path ?? "";
    const pages = [...(visible.get(path) ?? [])].filter(
      (page) => !level.pages.has(page) && page * PAGE < level.count,
    );
    const answers = await Promise.all(pages.map((page) => this.#fetch(path, page, commit)));
    for (const [at, answer] of answers.entries()) {
      level.setPage(pages[at], answer.members ?? [], this.open);
    }
    const children = [...level.children.values()].filter((child) => visible.has(child.path ?? ""));
    await Promise.all(children.map((child) => this.#fill(child, commit, visible)));
  }

  /** Asks for a page, unless it is here.
   *  @param {Level} level @param {number} page */
  want(level, page) {
    if (level.path === null || level.pages.has(page)) return Promise.resolve();
    const asked = `${page} ${level.path}`;
    const answer = this.#asked.get(asked) ?? this.#add(level, page);
    this.#asked.set(asked, answer);
    return answer;
  }

  /** @param {Level} level @param {number} page */
  async #add(level, page) {
    const { signal } = this.#controller;
    try {
      const answer = await this.#fetch(level.path ?? "", page);
      level.setPage(page, answer.members ?? [], this.open);
      this.#asked.delete(`${page} ${level.path}`);
      this.top.measure();
      this.handlers.changed();
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.handlers.failed(error);
    }
  }

  /** Opens or closes a member.
   *  @param {import("./state-levels.js").StateRow} row @param {boolean} open */
  toggle({ level, index, member, path }, open) {
    if (!isContainer(member) || path === null || !member) return;
    if (open) {
      this.open.add(path);
      if (!level.children.has(index)) {
        level.children.set(index, new Level(path, member.count ?? 0, level.depth + 1));
      }
    } else {
      this.open.delete(path);
      level.children.delete(index);
    }
    this.top.measure();
    this.handlers.changed();
  }

  /** Opens what contains a path. The row of the path, or null.
   *  @param {string} path */
  async reveal(path) {
    const keys = split(path);
    let inner = "";
    for (const key of keys) {
      const row = this.top.rowOf(inner);
      if (row === null) return null;
      const found = this.top.rowAt(row);
      this.toggle(found, true);
      const level = found.level.children.get(found.index);
      if (!level || !(await this.#search(level, key))) return null;
      inner = join(inner, key);
    }
    return this.top.rowOf(path);
  }

  /** Whether a page with a key of a level is here now.
   *  @param {Level} level @param {string} key */
  async #search(level, key) {
    const has = () =>
      [...level.pages.values()].some((members) => members.some((m) => String(m.key) === key));
    if (has()) return true;
    const isIndex = /^\d{1,9}$/.test(key) && Number(key) < level.count;
    if (isIndex) await this.want(level, Math.floor(Number(key) / PAGE));
    const pages = Math.min(SEARCHED, Math.ceil(level.count / PAGE));
    for (let page = 0; page < pages && !has(); page += 1) await this.want(level, page);
    return has();
  }
}
