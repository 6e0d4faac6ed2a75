// The counters of a store, in groups that a person can read.

import { bytes, compact, line, moment, number } from "./text.js";

/** @typedef {[label: string, text: string]} Fact */

/** @type {Array<[title: string, counters: Record<string, string>]>} */
const GROUPS = [
  [
    "Observers",
    {
      observations: "observations",
      visits: "visits by dispatches",
      deliveries: "calls to observers",
      overruns: "actions for full streams",
    },
  ],
  ["Selectors", { selects: "selects", evaluations: "evaluations" }],
  [
    "Effects",
    { effects: "effects begun", failedEffects: "failed effects", droppedEvents: "dropped events" },
  ],
];

/** @type {Record<string, string>} */
const TITLES = {
  incremental: "Incremental results",
  log: "Log",
  requests: "Requests",
  optimistic: "Optimistic updates",
  process: "Memory of the program",
};

/** "unsyncedBytes" as "unsynced bytes".
 *  @param {string} name */
function words(name) {
  return line(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase(), 60);
}

/** @param {string} name @param {unknown} value */
function format(name, value) {
  if (value === null) return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return line(value, 200);
  if (typeof value !== "number") return line(compact(value), 200);
  if (/bytes$/i.test(name)) return bytes(value);
  if (/time$/i.test(name) && value > 1e11) return moment(value);
  return number(value);
}

/**
 * @param {Record<string, any>} statistics
 * @returns {Array<[title: string, facts: Fact[]]>}
 */
export function groups(statistics) {
  const rest = { ...statistics };
  /** @type {Array<[string, Fact[]]>} */
  const result = [];
  for (const [title, counters] of GROUPS) {
    /** @type {Fact[]} */
    const facts = [];
    for (const [name, label] of Object.entries(counters)) {
      if (name in rest) facts.push([label, format(name, rest[name])]);
      delete rest[name];
    }
    if (facts.length) result.push([title, facts]);
  }
  /** @type {Fact[]} */
  const other = [];
  for (const [name, value] of Object.entries(rest)) {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      const inner = Object.entries(value);
      const title = TITLES[name] ?? words(name).replace(/^./, (first) => first.toUpperCase());
      result.push([title, inner.map(([key, each]) => [words(key), format(key, each)])]);
    } else other.push([words(name), format(name, value)]);
  }
  if (other.length) result.push(["Other", other]);
  return result;
}
