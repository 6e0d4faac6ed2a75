// The tabs of the right side.

import { button, el, neighbour } from "./dom.js";
import { TABS } from "./model.js";

/**
 * @param {import("./model.js").Model} model
 * @param {Record<string, {element: HTMLElement}>} views
 */
export function makeTabs(model, views) {
  /** @type {Record<string, any>} */
  const tabs = {};
  for (const name of TABS) {
    const title = name[0].toUpperCase() + name.slice(1);
    tabs[name] = button(title, () => model.setTab(name), {
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": `panel-${name}`,
    });
    const { element } = views[name];
    element.id = `panel-${name}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", `tab-${name}`);
    element.tabIndex = -1;
    element.classList.add("panel");
  }
  const list = el("div.tabs", { role: "tablist", "aria-label": "Views" }, ...Object.values(tabs));
  list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const tab = neighbour(event.key, TABS, model.tab, "Left Right");
    if (!tab) return;
    event.preventDefault();
    model.setTab(tab);
    tabs[model.tab].focus();
  });
  const show = () => {
    for (const name of TABS) {
      const shown = name === model.tab;
      tabs[name].setAttribute("aria-selected", String(shown));
      tabs[name].tabIndex = shown ? 0 : -1;
      views[name].element.hidden = !shown;
    }
  };
  model.on(["tab"], show);
  show();
  return { list, panels: TABS.map((name) => views[name].element) };
}
