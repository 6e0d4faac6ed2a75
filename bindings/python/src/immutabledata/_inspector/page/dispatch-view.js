// The tab that dispatches an action, from a form or as JSON.

import { post } from "./api.js";
import { el, fill, setText } from "./dom.js";
import { FieldError, makeField } from "./schema-form.js";
import { line } from "./text.js";

export class DispatchView {
  /** @type {any[]} */ actions = [];
  /** @type {import("./schema-form.js").Field | null} */ field = null;
  described = "";

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.type = el("select", { id: "dispatch-type", change: () => this.#chosen() });
    this.summary = el("p.note");
    this.fields = el("div.fields");
    this.json = el("textarea.data", {
      rows: 10,
      spellcheck: "false",
      "aria-label": "Action as JSON",
    });
    this.asJson = el("input", { type: "checkbox", change: () => this.#switch() });
    this.result = el("p.result", { role: "status" });
    this.problem = el("p.problem", { role: "alert", hidden: true });
    this.form = el(
      "form.dispatch-form",
      {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.dispatch();
        },
      },
      el("div.form-field", el("label", { for: "dispatch-type" }, "Type"), this.type),
      this.summary,
      this.fields,
      this.json,
      el("label.optional", this.asJson, " Write the action as JSON"),
      el("div.line", el("button.primary", "Dispatch"), this.result),
      this.problem,
    );
    this.refusal = el("p.empty");
    this.element = el("div.dispatch", this.refusal, this.form);
    model.on(["store", "tab"], () => this.load());
  }

  async load() {
    const { model } = this;
    if (model.tab !== "dispatch" || !model.store) return;
    const allowed = model.store.control && model.isLive;
    this.refusal.hidden = allowed;
    // Until it is filled for this store.
    this.form.hidden = !allowed || !this.described.startsWith(`${model.store.store} `);
    const text =
      'The program does not allow control. It opts in with the option {"control": true}.';
    setText(this.refusal, model.isLive ? text : "A log is read-only here.");
    if (!allowed) return;
    const number = model.store.store;
    let failure = "";
    const description = await model.describe().catch((/** @type {Error} */ error) => {
      failure = error.message;
      return {};
    });
    const described = `${number} ${JSON.stringify(description)}`;
    if (model.store?.store !== number) return;
    this.form.hidden = false;
    if (described === this.described) return;
    this.described = described;
    this.defs = description.$defs ?? {};
    this.actions = description.actions ?? [];
    const options = this.actions.map((action, at) =>
      el("option", { value: at }, line(action.type, 120)),
    );
    fill(this.type, ...options, el("option", { value: "json" }, "Other: as JSON"));
    this.type.selectedIndex = 0;
    this.#chosen();
    if (failure) this.#fail(failure);
  }

  #chosen() {
    const action = this.actions[this.type.selectedIndex];
    this.field = null;
    fill(this.fields);
    setText(this.summary, action?.summary ? line(action.summary, 400) : "");
    this.#say("");
    if (action && "payload" in action) {
      this.field = makeField(action.payload, "payload", { defs: this.defs ?? {}, depth: 0 });
      fill(this.fields, this.field.element);
    }
    this.asJson.checked = !action;
    this.asJson.disabled = !action;
    this.json.value = JSON.stringify({ type: action?.type ?? "" });
    this.#showForm();
  }

  /** Between the form and JSON; what the form has goes to the JSON. */
  #switch() {
    if (this.asJson.checked) {
      try {
        this.json.value = JSON.stringify(JSON.parse(this.#formAction()), null, 2);
      } catch {
        this.json.value = JSON.stringify({
          type: this.actions[this.type.selectedIndex]?.type ?? "",
        });
      }
    }
    this.#showForm();
  }

  #showForm() {
    this.json.hidden = !this.asJson.checked;
    this.fields.hidden = this.asJson.checked;
  }

  /** The action of the form, as JSON. */
  #formAction() {
    const { type } = this.actions[this.type.selectedIndex];
    const payload = this.field ? `,"payload":${this.field.read()}` : "";
    return `{"type":${JSON.stringify(type)}${payload}}`;
  }

  #jsonAction() {
    try {
      JSON.parse(this.json.value);
    } catch (/** @type {any} */ error) {
      throw new FieldError(`The action must be JSON: ${error.message}`, this.json);
    }
    return this.json.value;
  }

  async dispatch() {
    this.#say("");
    try {
      const action = this.asJson.checked ? this.#jsonAction() : this.#formAction();
      const { commit } = await post(this.model.at("dispatch"), `{"action":${action}}`);
      this.#say(`Dispatched; the newest commit is ${commit}.`);
    } catch (/** @type {any} */ error) {
      if (error instanceof FieldError) error.input.focus();
      this.#fail(error.message);
    }
  }

  /** @param {string} text */
  #say(text) {
    this.problem.hidden = true;
    setText(this.result, text);
  }

  /** @param {string} text */
  #fail(text) {
    setText(this.result, "");
    this.problem.hidden = false;
    setText(this.problem, text);
  }
}
