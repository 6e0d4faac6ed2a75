// One row of the list of actions.

import { el, setText } from "./dom.js";
import { clock, duration, line, moment, number } from "./text.js";

const COLUMNS = ["number", "time", "type", "preview", "duration", "changes"];

export function createRow() {
  const cells = COLUMNS.map((name) => el(`div.cell.${name}`, { role: "gridcell" }));
  return el("div.row", { role: "row" }, el("i.bracket", { role: "none" }), ...cells);
}

export function createHeader() {
  const titles = ["#", "Time", "Type", "Payload", "Took", "±"];
  const cells = COLUMNS.map((name, at) =>
    el(`div.cell.${name}`, { role: "columnheader" }, titles[at]),
  );
  const bracket = el("i", { role: "none" });
  const row = el("div.row.head", { role: "row", "aria-rowindex": 1 }, bracket, ...cells);
  return el("div.heading", { role: "rowgroup" }, row);
}

/**
 * Where a row is in its batch.
 * @param {import("./row-cache.js").Row | undefined} before
 * @param {import("./row-cache.js").Row} row
 */
function bracket(before, row) {
  const follows = before?.batch === true && before.commit === row.commit - 1;
  if (row.batch) return follows ? "middle" : "begin";
  return follows ? "end" : "";
}

/**
 * @param {any} element
 * @param {number} index
 * @param {{row?: import("./row-cache.js").Row, before?: import("./row-cache.js").Row,
 *   selected: boolean, marked: boolean}} shown
 */
export function renderRow(element, index, { row, before, selected, marked }) {
  element.id = `action-${index}`;
  element.ariaRowIndex = String(index + 2);
  element.ariaSelected = String(selected);
  const [bracketElement, at, time, type, preview, took, changes] = element.children;
  element.classList.toggle("waiting", !row);
  element.classList.toggle("gap", Boolean(row?.dropped));
  element.classList.toggle("jump", Boolean(row?.jump));
  element.classList.toggle("rejected", Boolean(row?.rejected));
  element.classList.toggle("marked", marked);
  bracketElement.dataset.batch = row ? bracket(before, row) : "";
  if (!row) {
    for (const cell of [at, time, preview, took, changes]) setText(cell, "");
    setText(type, "…");
    element.removeAttribute("title");
    return;
  }
  setText(at, row.rejected ? "" : String(row.commit));
  setText(time, clock(row.time));
  setText(type, line(row.type, 120));
  const lost = row.dropped ? `[${number(row.dropped)} dropped before] ` : "";
  const update = row.optimistic ? `[${row.optimistic}] ` : "";
  const refusal = row.rejected && `rejected: ${row.rejected}`;
  setText(preview, lost + update + line(refusal ?? row.preview ?? "", 160));
  setText(took, duration(row.microseconds));
  setText(changes, row.changes === null ? (refusal ? "" : "?") : String(row.changes ?? ""));
  const author = row.writer === undefined ? "" : `, author ${row.writer}`;
  const batch = bracketElement.dataset.batch ? ", in a batch" : "";
  const payload = refusal ? ` ${row.preview}  ${refusal}` : "";
  element.title = line(`${moment(row.time)}${author}${batch}  ${row.type}${payload}`, 400);
}
