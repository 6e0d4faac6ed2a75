// The levels of a state tree that are open, and which row each member is in.
//
// Only open levels are here, and of these only the pages of members that were asked for. A row is
// found by a walk over the open children of a level, in O(open children) for any number of members.

import { join } from "./text.js";

export const PAGE = 200;

/**
 * @typedef {object} Member
 * @property {string | number} key
 * @property {string} kind
 * @property {number} [count]
 * @property {string} preview
 * @property {boolean} [changed]
 */

/**
 * @typedef {object} StateRow
 * @property {Level} level
 * @property {number} index of the member in its level
 * @property {Member | undefined} member undefined until its page came
 * @property {string | null} path
 * @property {number} depth
 * @property {Level | undefined} child its own level, if it is open
 */

/** @param {Member | undefined} member */
export function isContainer(member) {
  return member?.kind === "object" || member?.kind === "array";
}

export class Level {
  /** @type {Map<number, Member[]>} */ pages = new Map();
  /** @type {Map<number, Level>} Open children, by index. */ children = new Map();
  /** @type {Array<[number, Level]>} */ order = [];
  /** The number of rows, those of open children included. */ size = 0;

  /**
   * @param {string | null} path null for the level of which the state is the only member
   * @param {number} count
   * @param {number} depth
   */
  constructor(path, count, depth) {
    this.path = path;
    this.count = count;
    this.depth = depth;
  }

  /** @param {number} index */
  member(index) {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** @param {Member} member */
  pathOf(member) {
    return this.path === null ? "" : join(this.path, member.key);
  }

  /** Takes a page of members, and opens those that were open.
   *  @param {number} page @param {Member[]} members @param {Set<string>} open */
  setPage(page, members, open) {
    this.pages.set(page, members);
    members.forEach((member, at) => {
      const index = page * PAGE + at;
      const path = this.pathOf(member);
      if (!isContainer(member) || !open.has(path)) this.children.delete(index);
      else if (this.children.get(index)?.path !== path) {
        this.children.set(index, new Level(path, member.count ?? 0, this.depth + 1));
      }
    });
  }

  /** Counts the rows again, after a change. */
  measure() {
    this.order = [...this.children].sort(([a], [b]) => a - b);
    this.size = this.count;
    for (const [, child] of this.order) this.size += child.measure();
    return this.size;
  }

  /** @param {number} row @returns {StateRow} */
  rowAt(row) {
    let before = 0;
    for (const [index, child] of this.order) {
      const at = index + before;
      if (row <= at) break;
      if (row <= at + child.size) return child.rowAt(row - at - 1);
      before += child.size;
    }
    const index = row - before;
    const member = this.member(index);
    const path = member ? this.pathOf(member) : null;
    return { level: this, index, member, path, depth: this.depth, child: this.children.get(index) };
  }

  /** The row of the member at a path, if the pages on the way are here and open.
   *  @param {string} path @returns {number | null} */
  rowOf(path) {
    for (const [page, members] of this.pages) {
      const at = members.findIndex((member) => {
        const inner = this.pathOf(member);
        return path === inner || path.startsWith(inner + "/");
      });
      if (at < 0) continue;
      const index = page * PAGE + at;
      let row = index;
      for (const [open, child] of this.order) if (open < index) row += child.size;
      if (this.pathOf(members[at]) === path) return row;
      const inside = this.children.get(index)?.rowOf(path);
      return inside === null || inside === undefined ? null : row + 1 + inside;
    }
    return null;
  }
}
