// Messages: of what failed, and of whether the program is there.

import { closeButton, el, fill, setText } from "./dom.js";

/** How long a message stays. */
const SHOWN = 8_000;

export class Notices {
  #timer = 0;

  constructor() {
    this.text = el("span", { role: "status", "aria-live": "polite" });
    this.toast = el(
      "div.toast",
      { hidden: true },
      this.text,
      closeButton("Close the message", () => (this.toast.hidden = true)),
    );
    this.banner = el("div.banner", { role: "status", "aria-live": "polite", hidden: true });
  }

  /** @param {string} text */
  say(text, isProblem = false) {
    this.toast.hidden = false;
    this.toast.classList.toggle("bad", isProblem);
    setText(this.text, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.toast.hidden = true), SHOWN);
  }

  /** @param {any} error */
  report = (error) => {
    if (error?.code !== "unreachable") this.say(error?.message ?? String(error), true);
  };

  /** Shows a banner, or none.
   *  @param {string | null} text @param {"bad" | "good"} kind */
  show(text, kind = "bad") {
    this.banner.hidden = text === null;
    this.banner.dataset.kind = kind;
    if (text === null) return fill(this.banner);
    const close = closeButton("Close the banner", () => this.show(null));
    fill(this.banner, el("span", text), kind === "good" ? close : null);
  }
}

/** Shows whether the program is there.
 *  @param {import("./model.js").Model} model @param {Notices} notices */
export function watchConnection(model, notices) {
  let wasGone = false;
  let reachable = true;
  const update = () => {
    const { program, store, connected } = model;
    const name = program?.program ?? "The program";
    if (!reachable) notices.show("The inspector does not answer. Trying again…");
    else if (program && !connected && model.isLive) {
      notices.show(`${name} has ended. Its commits up to then are here; the page waits for it.`);
    } else if (store && !store.open && model.isLive) {
      notices.show(`${name} has closed this store. Its commits up to then are here.`);
    } else if (wasGone) notices.show(`${name} is back.`, "good");
    else if (notices.banner.dataset.kind !== "good") notices.show(null);
    wasGone = !reachable || Boolean(program && !connected);
  };
  model.on(["program", "store"], update);
  /** @param {boolean} value */
  const setReachable = (value) => {
    reachable = value;
    update();
  };
  return { setReachable };
}
