// Requests to the server of the page.

/** An answer of the server that says why it refused. */
export class ApiError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Parses JSON; integers that a double cannot hold keep their digits.
 *  @param {string} text */
export function parse(text) {
  const exact = /** @type {any} */ (JSON).rawJSON;
  if (!exact || !/\d{16}/.test(text)) return JSON.parse(text);
  /** @type {any} */
  const keepDigits = (
    /** @type {string} */ _,
    /** @type {unknown} */ value,
    /** @type {any} */ at,
  ) =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? exact(at.source)
      : value;
  return JSON.parse(text, keepDigits);
}

const base = new URL("api/", document.baseURI);

/** @param {string} path @param {Record<string, unknown>} [query] */
export function address(path, query = {}) {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      url.searchParams.set(name, String(value));
    }
  }
  return url;
}

/** @param {URL} url @param {RequestInit} options @returns {Promise<any>} */
async function request(url, options) {
  let response;
  let text;
  try {
    response = await fetch(url, options);
    text = await response.text();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(
      "unreachable",
      "The inspector does not answer. Is imd inspect still running?",
    );
  }
  let answer;
  try {
    answer = parse(text);
  } catch {
    throw new ApiError(
      "invalid",
      `The inspector answered with status ${response.status}, not JSON.`,
    );
  }
  if (!response.ok) {
    const { code = "unknown", message = `status ${response.status}` } = answer.error ?? {};
    throw new ApiError(code, message);
  }
  return answer;
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [query]
 * @param {AbortSignal} [signal]
 */
export function get(path, query, signal) {
  return request(address(path, query), { signal });
}

/** @param {string} path @param {string} body JSON @param {AbortSignal} [signal] */
export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return request(address(path), { method: "POST", headers, body, signal });
}

/** Downloads what an address has, unless the server refuses.
 *  @param {string} href */
export async function download(href) {
  const controller = new AbortController();
  const response = await fetch(href, { signal: controller.signal });
  if (!response.ok) {
    const { error } = await response.json();
    throw new ApiError(error.code, error.message);
  }
  controller.abort();
  Object.assign(document.createElement("a"), { href, download: "" }).click();
}

/**
 * Listens to what the server reports.
 * @param {Record<string, (data: any) => void>} handlers
 * @param {boolean} trace whether the program is asked for lines of its trace
 */
export function listen(handlers, trace = false) {
  const source = new EventSource(address("events", { trace: Number(trace) }));
  for (const [name, handle] of Object.entries(handlers)) {
    if (name === "open" || name === "error") source.addEventListener(name, handle);
    else source.addEventListener(name, (event) => handle(parse(/** @type {any} */ (event).data)));
  }
  return source;
}
