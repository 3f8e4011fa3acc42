import { html } from 'hono/html';
import type { Schema, Schemas } from './api-document.ts';
import { formatText, type Html } from './text.ts';

/** Returns the name of the component that a schema refers to. */
export function referencedName({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** Returns the schema itself where `schema` refers to a component. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  return schemas[referencedName(schema) ?? ''] ?? schema;
}

/** Renders the type of a value: `array of PostCard or null`, with links to named schemas. */
export function renderType(schema: Schema): Html {
  const name = referencedName(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return joinTypes(choices.map(renderType));
  if (schema.enum !== undefined) return joinTypes(schema.enum.map((value) => html`<code>${value}</code>`));
  return joinTypes([schema.type ?? 'any value'].flat().map((type) => html`${simpleType(type, schema)}`));
}

function joinTypes(types: readonly Html[]): Html {
  return html`${types.map((type, index) => html`${index > 0 ? ' or ' : ''}${type}`)}`;
}

function simpleType(type: string, { items, format, additionalProperties }: Schema): Html {
  if (type === 'array' && items !== undefined) return html`array of ${renderType(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return html`object with values of ${renderType(additionalProperties)}`;
  return html`${type}${type === 'string' && format !== undefined ? ` (${format})` : ''}`;
}

const LIMITS = {
  minLength: 'length at least %s',
  maxLength: 'length at most %s',
  minItems: 'size at least %s',
  maxItems: 'size at most %s',
  minimum: 'at least %s',
  maximum: 'at most %s',
  exclusiveMinimum: 'more than %s',
  pattern: 'matches `%s`',
  default: '`%s` by default',
};

/** Returns the limits of a value as a text; empty without any. */
export function describeLimits(schema: Schema): string {
  return Object.entries(LIMITS)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, text]) => text.replace('%s', () => String(schema[keyword])))
    .join(', ');
}

/** A named value with its schema: a property or a parameter. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** What stands behind the name, such as the place of a parameter. */
  readonly note?: string;
}

/** Renders fields as a list of definitions. */
export function fieldList(fields: readonly Field[]): Html {
  return html`<dl>${fields.map(
    ({ name, schema, isRequired, description, note }) => html`
      <dt><code>${name}</code> <span class="quiet">${note} ${renderType(schema)}${isRequired ? '' : ', optional'}</span></dt>
      <dd>${formatText(sentence(description, describeLimits(schema)))}${inlineProperties(schema)}</dd>`,
  )}</dl>`;
}

function sentence(description = '', limits: string): string {
  const said = limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  return [description, said].filter(Boolean).join(' ');
}

function inlineProperties(schema: Schema): Html | undefined {
  const object = schema.items ?? schema;
  return object.properties && fieldList(listProperties(object));
}

/** Returns the properties of an object. */
export function listProperties({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    description: schema.description,
    isRequired: required.includes(name),
  }));
}

/** Renders a named schema. */
export function schemaSection(name: string, schema: Schema): Html {
  return html`<section id="schema-${name}" data-entry>
      <h3><a href="#schema-${name}">${name}</a></h3>
      ${formatText(sentence(schema.description, describeLimits(schema)))}
      ${schema.properties ? fieldList(listProperties(schema)) : html`<p>${renderType(schema)}</p>`}
    </section>`;
}
