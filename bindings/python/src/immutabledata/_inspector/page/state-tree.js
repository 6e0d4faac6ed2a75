// The state as a tree, of which only the visible rows are elements.

import { el, setText, throttle } from "./dom.js";
import { isContainer, PAGE } from "./state-levels.js";
import { StateLoader } from "./state-loader.js";
import { line, number } from "./text.js";
import { VirtualRows } from "./virtual-rows.js";

/** @typedef {import("./state-levels.js").StateRow} StateRow */

/** Levels deeper than this are not indented further. */
const INDENTED = 24;

function createRow() {
  const parts = ["twist", "key", "preview"].map((name) => el(`span.${name}`));
  return el("div.row", { role: "treeitem" }, ...parts);
}

export class StateTree {
  /** The index of the row that keys act on. */ active = 0;
  /** Whether the active row has not come yet. */ hasNoPath = false;

  /**
   * @param {import("./model.js").Model} model
   * @param {{report: (error: unknown) => void,
   *   menu: (path: string, x: number, y: number) => void}} handlers
   */
  constructor(model, { report, menu }) {
    this.model = model;
    this.menu = menu;
    this.view = el("div.tree", { role: "tree", tabindex: 0, "aria-label": "State" });
    this.problem = el("p.empty", { hidden: true });
    this.element = el("div.body", this.view, this.problem);
    this.loader = new StateLoader(model, {
      changed: () => this.#changed(),
      failed: (error) => this.#failed(error),
    });
    this.rows = new VirtualRows(this.view, {
      create: createRow,
      render: (element, index) => this.#renderRow(element, index),
      drawn: (first, last) => this.#want(first, last),
    });
    this.report = report;
    this.view.addEventListener("click", this.#clicked);
    this.view.addEventListener("contextmenu", (/** @type {MouseEvent} */ event) => {
      const index = this.rows.indexOf(event.target);
      if (index === null) return;
      event.preventDefault();
      this.#activate(index);
      this.#openMenu(event.clientX, event.clientY);
    });
    this.view.addEventListener("keydown", this.#pressed);
    this.load = throttle(
      () => (model.following ? 150 : 20),
      () => this.#load(),
    );
    model.on(["store"], () => {
      this.loader.open = new Set([""]);
      this.active = 0;
      this.rows.scrollTo(0);
    });
    model.on(["store", "commit", "tab"], () => this.load());
    model.on(["path"], () => this.reveal());
    model.on(["pins"], () => this.rows.render(true));
  }

  #load() {
    const { commit, tab } = this.model;
    if (tab !== "state" || (this.busy && this.model.following)) return;
    if (commit === this.loader.commit && this.loaded === this.model.store?.store) return;
    this.busy = true;
    this.loaded = this.model.store?.store;
    this.loader.load(commit, this.#visiblePages()).finally(() => {
      this.busy = false;
      if (this.model.following && this.model.commit !== this.loader.commit) this.load();
    });
  }

  /** The pages of each path that are visible, and those that contain them. */
  #visiblePages() {
    /** @type {Map<string, Set<number>>} */
    const pages = new Map();
    const [first, last] = this.rows.range;
    /** @param {string} path @param {number} index */
    const add = (path, index) => {
      const of = pages.get(path) ?? new Set();
      pages.set(path, of.add(Math.floor(index / PAGE)));
    };
    /** @param {import("./state-levels.js").Level} level @param {number} start */
    const visit = (level, start) => {
      let before = start;
      for (const [index, child] of level.order) {
        const at = before + index;
        if (at < last && at + child.size >= first) {
          add(level.path ?? "", index);
          visit(child, at + 1);
        }
        before += child.size;
      }
    };
    visit(this.loader.top, 0);
    for (let row = first; row <= last; row += 1) {
      const { level, index } = this.loader.top.rowAt(row);
      if (level.path !== null) add(level.path, index);
    }
    return pages;
  }

  #changed() {
    this.problem.hidden = this.loader.top.size > 0;
    setText(this.problem, "No commit yet.");
    this.view.hidden = false;
    this.rows.setCount(this.loader.top.size);
    const row = this.hasNoPath ? null : this.loader.top.rowOf(this.model.path);
    this.active = row ?? Math.min(this.active, Math.max(0, this.loader.top.size - 1));
    const path = this.loader.top.size ? this.loader.top.rowAt(this.active).path : null;
    if (this.hasNoPath && path !== null) {
      this.hasNoPath = false;
      this.model.setPath(path);
    }
    this.rows.render(true);
    this.view.setAttribute("aria-activedescendant", `state-${this.active}`);
    if (this.wanted) this.reveal();
  }

  /** @param {any} error */
  #failed(error) {
    this.loader.commit = null;
    if (this.loader.top.size === 0 || error.code !== "unreachable") {
      this.problem.hidden = false;
      this.view.hidden = true;
      setText(this.problem, error.message);
    }
    this.report(error);
  }

  /** @param {number} first @param {number} last */
  #want(first, last) {
    for (let row = first; row <= last; row += 1) {
      const { level, index, member } = this.loader.top.rowAt(row);
      if (!member) this.loader.want(level, Math.floor(index / PAGE));
    }
  }

  /** @param {any} element @param {number} row */
  #renderRow(element, row) {
    const { level, index, member, path, depth, child } = this.loader.top.rowAt(row);
    const [twist, key, preview] = element.children;
    const opens = isContainer(member) && (member?.count ?? 0) > 0;
    element.id = `state-${row}`;
    element.ariaLevel = String(depth + 1);
    element.ariaPosInSet = String(index + 1);
    element.ariaSetSize = String(level.count);
    element.ariaSelected = String(row === this.active);
    element.ariaExpanded = opens ? String(Boolean(child)) : null;
    element.className = "row";
    element.dataset.kind = member?.kind ?? "";
    element.classList.toggle("changed", Boolean(member?.changed));
    element.classList.toggle("pinned", path !== null && this.model.pins.includes(path));
    element.style.paddingInlineStart = `${6 + 14 * Math.min(depth, INDENTED)}px`;
    setText(twist, opens ? (child ? "▾" : "▸") : "");
    if (!member) {
      setText(key, "…");
      setText(preview, "");
      return;
    }
    const name = level.path === null ? "state" : String(member.key);
    setText(key, name === "" ? '""' : line(name, 80));
    key.classList.toggle("index", typeof member.key === "number");
    const count = isContainer(member) ? `${number(member.count ?? 0)} ` : "";
    setText(preview, (count && `(${count.trim()}) `) + line(member.preview ?? "", 140));
  }

  /** Goes to the path of the model, and opens what contains it. */
  async reveal() {
    const { path } = this.model;
    this.wanted = false;
    const now = this.loader.top.size ? this.loader.top.rowAt(this.active).path : null;
    if (now === path) return;
    if (this.loader.top.size === 0 || this.model.tab !== "state") {
      this.wanted = true;
      return;
    }
    const row = await this.loader.reveal(path);
    if (row === null || path !== this.model.path) return;
    this.active = row;
    this.rows.center(row);
    this.rows.render(true);
    this.view.setAttribute("aria-activedescendant", `state-${row}`);
  }

  /** @param {number} row */
  #activate(row) {
    this.active = row;
    this.rows.show(row);
    this.rows.render(true);
    this.view.setAttribute("aria-activedescendant", `state-${row}`);
    const { path } = this.loader.top.rowAt(row);
    this.hasNoPath = path === null;
    if (path !== null) this.model.setPath(path);
  }

  /** @param {number} x @param {number} y */
  #openMenu(x, y) {
    const { path } = this.loader.top.rowAt(this.active);
    if (path !== null) this.menu(path, x, y);
  }

  #clicked = (/** @type {MouseEvent} */ event) => {
    const index = this.rows.indexOf(event.target);
    if (index === null) return;
    const row = this.loader.top.rowAt(index);
    const onTwist = /** @type {Element} */ (event.target).classList.contains("twist");
    if (onTwist || event.detail === 2) this.loader.toggle(row, !row.child);
    this.#activate(index);
  };

  #pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.loader.top.size) return;
    const row = this.loader.top.rowAt(this.active);
    const { key } = event;
    let target = this.rows.move(key, this.active);
    if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) {
      const item = document.getElementById(`state-${this.active}`)?.getBoundingClientRect();
      this.#openMenu((item?.left ?? 0) + 24, item?.bottom ?? 0);
    } else if (key === "ArrowRight") {
      if (row.child) target = this.active + 1;
      else this.loader.toggle(row, true);
    } else if (key === "ArrowLeft") {
      if (row.child) this.loader.toggle(row, false);
      else target = this.#parentRow(row);
    } else if (key === "Enter" || key === " ") this.loader.toggle(row, !row.child);
    else if (target === null) return;
    event.preventDefault();
    if (target !== null) this.#activate(target);
  };

  /** @param {StateRow} row */
  #parentRow({ level }) {
    return level.path === null ? 0 : (this.loader.top.rowOf(level.path) ?? 0);
  }
}
