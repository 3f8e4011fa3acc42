import { html } from 'hono/html';
import type { Route, Schema, Schemas } from './api-document.ts';
import { type Field, fieldList, listProperties, renderType, resolve } from './schema.ts';
import { formatLine, formatText, type Html } from './text.ts';

/** Renders an operation: its input, its answers, and a form that sends it. */
export function operationSection(route: Route, schemas: Schemas): Html {
  const { operationId, summary, description, method, path } = route;
  return html`<section id="${operationId}" data-entry>
      <h3><a href="#${operationId}">${summary}</a></h3>
      <p class="route"><span class="method ${method}">${method}</span> <code>${path}</code> <code class="quiet">${operationId}</code></p>
      ${formatText(description)}
      ${renderInput(route, schemas)}
      ${renderSuccess(route, schemas)}
      ${renderErrors(route)}
      ${requestForm(route)}
    </section>`;
}

function renderInput({ parameters = [], requestBody }: Route, schemas: Schemas): Html {
  const fields = parameters.map(
    ({ name, schema, description, required = false, in: location }): Field => ({
      name,
      schema,
      description,
      isRequired: required,
      note: `${location},`,
    }),
  );
  const body = requestBody?.content['application/json']?.schema;
  return html`${fields.length > 0 && html`<h4>Parameters</h4>${fieldList(fields)}`}
      ${body && html`<h4>Body</h4>${renderBody(resolve(body, schemas))}`}`;
}

function renderBody(schema: Schema): Html {
  return schema.properties ? fieldList(listProperties(schema)) : html`<p>${renderType(schema)}</p>`;
}

function renderSuccess({ responses }: Route, schemas: Schemas): Html {
  return html`${Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description, headers, content }]) =>
      Object.values(content).map(({ schema, example }) => {
        const { properties, contentSchema } = resolve(schema, schemas);
        const data = contentSchema ?? properties?.data;
        return html`<h4>Answer ${status}</h4>
      <p>${description} ${data && html`${contentSchema ? 'Events hold' : 'Its data is'} ${renderType(data)}.`}</p>
      <p class="quiet">Headers: ${Object.keys(headers).map((name) => html`<a href="#header-${name}">${name}</a> `)}</p>
      <details><summary>Example</summary><pre>${asText(example)}</pre></details>`;
      }),
    )}`;
}

function renderErrors({ responses }: Route): Html {
  const errors = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, { description }]) =>
      description.split('\n').map((line) => html`<li>${status} ${formatLine(line.replace(/^- /, ''))}</li>`),
    );
  return html`<h4>Errors</h4><ul>${errors}</ul>`;
}

function requestForm({ operationId, method, path, parameters = [], requestBody }: Route): Html {
  const body = requestBody?.content['application/json'];
  return html`<details class="try"><summary>Try it</summary>
      <form data-method="${method}" data-path="${path}">
        ${parameters.map(({ name, in: location, required }) => {
          const id = `${operationId}-${name}`;
          return html`<label for="${id}">${name}</label>
        <input id="${id}" name="${name}" data-in="${location}" autocomplete="off"${required ? ' required' : ''}>`;
        })}
        ${
          body &&
          html`<label for="${operationId}-body">Body</label>
        <textarea id="${operationId}-body" name="body" rows="${countRows(asText(body.example))}" spellcheck="false">${asText(body.example)}</textarea>`
        }
        <button>Send</button>
        <output></output>
      </form></details>`;
}

function asText(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2);
}

function countRows(text: string): number {
  return Math.min(text.split('\n').length, 12);
}
