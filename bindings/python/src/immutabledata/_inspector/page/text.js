// Text of a program is shown so that it cannot disturb the page: controls are written as escapes.

const CONTROLS =
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200c\\u200e\\u200f";
const SEPARATORS = "\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb";
const LONE_SURROGATE =
  "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";
const INVISIBLE = new RegExp(`[${CONTROLS}${SEPARATORS}]|${LONE_SURROGATE}`, "g");

const BREAKS = /[\t\n]/g;

/** @param {string} character */
function escaped(character) {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
}

/** The text with escapes for control characters, bidirectional controls and lone surrogates.
 *  @param {string} text */
export function visible(text) {
  return text.replace(INVISIBLE, escaped);
}

/** The text as one line of at most `length` characters.
 *  @param {string} text @param {number} length */
export function line(text, length = 200) {
  const short = text.length > length ? text.slice(0, length) + "…" : text;
  return visible(short).replace(BREAKS, escaped);
}

/** @param {unknown} value */
export function compact(value) {
  return value === undefined ? "" : JSON.stringify(value);
}

/** @param {unknown} value */
export function pretty(value) {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

/** @param {number} value */
export function number(value) {
  return value.toLocaleString("en-US");
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit += 1) bytes /= 1024;
  return `${unit && bytes < 100 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
}

/** @param {number | undefined} microseconds */
export function duration(microseconds) {
  if (microseconds === undefined) return "";
  if (microseconds < 1_000) return `${+microseconds.toFixed(1)} µs`;
  if (microseconds < 1_000_000) return `${+(microseconds / 1_000).toFixed(1)} ms`;
  return `${+(microseconds / 1_000_000).toFixed(1)} s`;
}

/** The local date and time, with milliseconds.
 *  @param {number} milliseconds since 1970 */
export function moment(milliseconds) {
  if (!(Math.abs(milliseconds) < 8e15)) return "";
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - offset).toISOString().replace("T", " ").slice(0, -1);
}

/** The time of day.
 *  @param {number} milliseconds since 1970 */
export function clock(milliseconds) {
  return moment(milliseconds).split(" ")[1] ?? "";
}

/** The JSON Pointer to a member of the value at `path`.
 *  @param {string} path @param {string | number} key */
export function join(path, key) {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys of a JSON Pointer.
 *  @param {string} path */
export function split(path) {
  const parts = path.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
