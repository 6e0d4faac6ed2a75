// The top of the page: the program, its stores, and what there is for the whole page.

import { address, download } from "./api.js";
import { button, el, fill, setText } from "./dom.js";
import { line } from "./text.js";
import { toggleTheme } from "./theme.js";

/**
 * @param {import("./model.js").Model} model
 * @param {{showKeys: () => void, copyLink: () => void, report: (error: unknown) => void}} actions
 */
export function makeTopBar(model, { showKeys, copyLink, report }) {
  const dot = el("span.dot", { role: "img" });
  const name = el("h1.program");
  const stores = el("select.stores", {
    "aria-label": "Store",
    change: () => model.selectStore(Number(stores.value)),
  });
  const note = el("span.note");
  const click = (/** @type {any} */ event) => {
    event.preventDefault();
    download(event.target.href).catch(report);
  };
  const jsonLines = el("a", { download: true, click }, "JSON Lines");
  const devtools = el("a", { download: true, click }, "Redux DevTools");

  const show = () => {
    const { program, store } = model;
    if (!program) return;
    const title = line(`${program.program}`, 80);
    setText(name, title);
    document.title = `${title} (inspector)`;
    const state = model.isLive ? (model.connected ? "connected" : "ended") : "log";
    dot.dataset.state = state;
    dot.setAttribute("aria-label", state);
    setText(
      note,
      [program.process ? `process ${program.process}` : "", state].filter(Boolean).join(", "),
    );
    const options = program.stores.map((/** @type {any} */ each) =>
      el("option", { value: each.store }, line(each.name, 60) + (each.open ? "" : " (closed)")),
    );
    fill(stores, ...options);
    stores.value = String(store?.store ?? "");
    jsonLines.href = address(model.at("export"), { format: "jsonl" });
    devtools.href = address(model.at("export"), { format: "devtools" });
  };
  model.on(["program", "store"], show);
  return el(
    "header.top",
    dot,
    name,
    note,
    stores,
    el("span.space"),
    el("span.export", "Export ", jsonLines, " ", devtools),
    button("Copy link", copyLink, { title: "Copy a link to what is shown (l)" }),
    button("◐", toggleTheme, {
      class: "icon",
      "aria-label": "Dark or light",
      title: "Dark or light (t)",
    }),
    button("?", showKeys, { class: "icon", "aria-label": "Keys", title: "Keys (?)" }),
  );
}
