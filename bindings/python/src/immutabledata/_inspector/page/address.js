// The moment that the page shows, in the fragment of its address.

import { throttle } from "./dom.js";

/** The moment of an address; its commit is null for the newest.
 *  @param {string} fragment */
export function read(fragment) {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const whole = (/** @type {string} */ name) => {
    const text = query.get(name);
    return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  return {
    store: whole("store") ?? undefined,
    commit: whole("commit"),
    path: query.get("path") ?? "",
    tab: query.get("tab"),
    pins: query.getAll("pin"),
  };
}

/** @typedef {import("./model.js").Model} Model */

/** @param {Pick<Model, "store" | "commit" | "following" | "path" | "tab" | "pins">} model */
export function write({ store, commit, following, path, tab, pins }) {
  const encode = (/** @type {string} */ text) => encodeURIComponent(text).replaceAll("%2F", "/");
  const parts = [`store=${store?.store ?? ""}`];
  if (commit !== null && !following) parts.push(`commit=${commit}`);
  if (path !== "" && path.length < 2_000) parts.push(`path=${encode(path)}`);
  if (tab !== "state") parts.push(`tab=${tab}`);
  for (const pin of pins.slice(0, 20)) if (pin.length < 500) parts.push(`pin=${encode(pin)}`);
  return `#${parts.join("&")}`;
}

/** @param {Model} model @param {ReturnType<typeof read>} moment */
export function restore(model, { store, commit, path, tab, pins }) {
  if (tab) model.setTab(tab);
  model.selectStore(store, { commit, path, pins });
}

/** Keeps the address and the model equal. Browsers bound how often an address may change.
 *  @param {Model} model */
export function follow(model) {
  const update = throttle(300, () => {
    const fragment = write(model);
    if (fragment !== location.hash) history.replaceState(null, "", fragment);
  });
  model.on(["store", "commit", "follow", "path", "tab", "pins"], update);
  // Not what the address is now: `update` may have changed it since.
  addEventListener("hashchange", ({ newURL }) => restore(model, read(new URL(newURL).hash)));
}
