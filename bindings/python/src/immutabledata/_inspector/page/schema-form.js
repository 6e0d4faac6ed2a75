// Makes the fields of a form from a JSON Schema, and reads a value back as JSON.
//
// A field reads as JSON text, so that a number keeps all of its digits. What a form cannot show
// is a field of JSON.

import { button, el, fill } from "./dom.js";
import { line } from "./text.js";

/** @typedef {{element: HTMLElement, read: () => string}} Field reads as JSON, or throws */
/** @typedef {{defs: Record<string, any>, depth: number}} Context */

/** A mistake in a field, which gets the focus. */
export class FieldError extends Error {
  /** @param {string} message @param {HTMLElement} input */
  constructor(message, input) {
    super(message);
    this.input = input;
  }
}

let labels = 0;

/** Follows references.
 *  @param {any} schema @param {Context} context @returns {any} */
function resolve(schema, { defs }) {
  for (let steps = 0; schema?.$ref && steps < 16; steps += 1) {
    schema = defs[schema.$ref.replace(/^#\/\$defs\//, "")];
  }
  return schema && typeof schema === "object" ? schema : {};
}

/** @param {any} schema */
function typesOf(schema) {
  if (schema.properties && !schema.type) return ["object"];
  return Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
}

/**
 * @param {any} schema
 * @param {string} name
 * @param {Context} context
 * @returns {Field}
 */
export function makeField(schema, name, context) {
  const resolved = resolve(schema, context);
  const inner = { ...context, depth: context.depth + 1 };
  const types = typesOf(resolved);
  if (inner.depth > 12) return jsonField(resolved, name);
  if ("const" in resolved) return constantField(resolved.const, name);
  if (resolved.enum) return enumField(resolved.enum, name);
  const options = resolved.oneOf ?? resolved.anyOf;
  if (options) return choiceField(options, name, inner);
  if (types.length > 1) {
    const alternatives = types.map((/** @type {string} */ type) => ({ ...resolved, type }));
    return choiceField(alternatives, name, inner);
  }
  if (types[0] === "object" && resolved.properties) return objectField(resolved, name, inner);
  if (types[0] === "array" && resolved.items) return arrayField(resolved, name, inner);
  if (types[0] === "string") return stringField(resolved, name);
  if (types[0] === "integer" || types[0] === "number") return numberField(resolved, name, types[0]);
  if (types[0] === "boolean") return booleanField(name);
  if (types[0] === "null") return constantField(null, name);
  return jsonField(resolved, name);
}

/** @param {string} name @param {HTMLElement} input @param {any} [schema] */
function labelled(name, input, schema) {
  labels += 1;
  input.id ||= `field-${labels}`;
  const label = el("label", { for: input.id }, line(name, 80));
  const hint = schema?.description ? el("span.note", line(schema.description, 200)) : null;
  return el("div.form-field", label, input, hint);
}

/** @param {any} value @param {string} name @returns {Field} */
function constantField(value, name) {
  const text = JSON.stringify(value);
  const shown = el("div.form-field", el("span", line(name, 80)), el("code", text));
  return { element: shown, read: () => text };
}

/** @param {any[]} values @param {string} name @returns {Field} */
function enumField(values, name) {
  const texts = values.map((value) => JSON.stringify(value));
  const options = values.map((value, at) =>
    el("option", { value: at }, typeof value === "string" ? line(value, 80) : texts[at]),
  );
  const select = el("select", ...options);
  return { element: labelled(name, select), read: () => texts[select.selectedIndex] };
}

/** @param {any} schema @param {string} name @returns {Field} */
function stringField(schema, name) {
  const input = el("textarea", { rows: 1, spellcheck: "false" });
  if (typeof schema.default === "string") input.value = schema.default;
  const read = () => {
    const length = [...input.value].length;
    if (length < (schema.minLength ?? 0)) throw new FieldError(`"${name}" is too short.`, input);
    if (length > (schema.maxLength ?? Infinity))
      throw new FieldError(`"${name}" is too long.`, input);
    return JSON.stringify(input.value);
  };
  return { element: labelled(name, input, schema), read };
}

/** @param {any} schema @param {string} name @param {string} type @returns {Field} */
function numberField(schema, name, type) {
  const value = schema.default ?? "";
  const input = el("input", { type: "text", inputmode: "decimal", value, spellcheck: "false" });
  const read = () => {
    const text = input.value.trim();
    const form =
      type === "integer" ? /^-?(0|[1-9]\d*)$/ : /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
    const noun = type === "integer" ? "an integer" : "a number";
    if (!form.test(text)) throw new FieldError(`"${name}" must be ${noun}.`, input);
    if (Number(text) < (schema.minimum ?? -Infinity)) {
      throw new FieldError(`"${name}" must be at least ${schema.minimum}.`, input);
    }
    if (Number(text) > (schema.maximum ?? Infinity)) {
      throw new FieldError(`"${name}" must be at most ${schema.maximum}.`, input);
    }
    return text;
  };
  return { element: labelled(name, input, schema), read };
}

/** @param {string} name @returns {Field} */
function booleanField(name) {
  const input = el("input", { type: "checkbox" });
  return { element: labelled(name, input), read: () => String(input.checked) };
}

/** @param {any} schema @param {string} name @returns {Field} */
function jsonField(schema, name) {
  const input = el("textarea.data", { rows: 2, spellcheck: "false", placeholder: "JSON" });
  const read = () => {
    try {
      JSON.parse(input.value);
    } catch {
      throw new FieldError(`"${name}" must be JSON.`, input);
    }
    return input.value;
  };
  return { element: labelled(name, input, schema), read };
}

/** @param {any} schema @param {string} name @param {Context} context @returns {Field} */
function objectField(schema, name, context) {
  const required = new Set(schema.required ?? []);
  /** @type {Array<{key: string, read: () => string | undefined}>} */
  const members = [];
  const group = el("fieldset", el("legend", line(name, 80)));
  for (const [key, member] of Object.entries(schema.properties)) {
    const make = required.has(key) ? makeField : optionalField;
    const { element, read } = make(member, key, context);
    group.append(element);
    members.push({ key, read });
  }
  const read = () => {
    const parts = members.map(({ key, read }) => ({ key, text: read() }));
    const given = parts.filter(({ text }) => text !== undefined);
    return `{${given.map(({ key, text }) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
  };
  return { element: group, read };
}

/** @param {any} schema @param {string} name @param {Context} context */
function optionalField(schema, name, context) {
  /** @type {Field | null} */
  let field = null;
  const place = el("div");
  const toggle = el("input", {
    type: "checkbox",
    change: () => {
      field = toggle.checked ? makeField(schema, name, context) : null;
      fill(place, field?.element);
    },
  });
  const label = el("label.optional", toggle, ` Give ${line(name, 80)}`);
  return { element: el("div.optional-field", label, place), read: () => field?.read() };
}

/** @param {any[]} options @param {string} name @param {Context} context @returns {Field} */
function choiceField(options, name, context) {
  const titles = options.map((option, at) => {
    const resolved = resolve(option, context);
    const first = Object.keys(resolved.properties ?? {})[0];
    return option.title ?? resolved.title ?? first ?? typesOf(resolved)[0] ?? `form ${at + 1}`;
  });
  const place = el("div");
  const select = el(
    "select",
    { change: () => choose() },
    ...titles.map((title, at) => el("option", { value: at }, line(String(title), 80))),
  );
  /** @type {Field} */
  let field;
  const choose = () => {
    field = makeField(options[select.selectedIndex], name, context);
    fill(place, field.element);
  };
  select.selectedIndex = 0;
  choose();
  const element = el("div.choice", labelled(`${name}: kind`, select), place);
  return { element, read: () => field.read() };
}

/** @param {any} schema @param {string} name @param {Context} context @returns {Field} */
function arrayField(schema, name, context) {
  /** @type {Field[]} */
  let fields = [];
  const list = el("div");
  const add = () => {
    const field = makeField(schema.items, `${name} ${fields.length + 1}`, context);
    const remove = button("Remove", () => {
      fields = fields.filter((each) => each !== field);
      item.remove();
    });
    const item = el("div.item", field.element, remove);
    fields.push(field);
    list.append(item);
  };
  for (let count = 0; count < Math.min(schema.minItems ?? 0, 20); count += 1) add();
  const legend = el("legend", line(name, 80));
  const element = el("fieldset", legend, list, button(`Add to ${line(name, 40)}`, add));
  return { element, read: () => `[${fields.map((field) => field.read()).join(",")}]` };
}
