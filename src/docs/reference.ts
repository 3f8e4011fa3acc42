import { html } from 'hono/html';
import type { ApiDocument, Route, Schema } from './api-document.ts';
import { operationSection } from './operation.ts';
import { referencedName, schemaSection } from './schema.ts';
import { formatText, type Html } from './text.ts';

/** The pages, each with the document that it shows. */
export const PAGES = [
  { path: '/docs', file: 'openapi.app.json', name: 'For apps' },
  { path: '/docs/all', file: 'openapi.json', name: 'With staff' },
] as const;

/** Renders the page of a document. @param path the path of the page, as in PAGES */
export function referencePage(document: ApiDocument, path: string): Html {
  const { info, servers, tags, components } = document;
  const groups = listGroups(document);
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Opine API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/page.css">
  <script type="module" src="/docs/page.js"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header>
    ${documentMenu(path)}
    <label for="search">Search</label>
    <input id="search" type="search" placeholder="Operation, path or property" autocomplete="off">
    <output id="found" for="search"></output>
    <nav aria-label="Contents">${groups.map(({ name, entries }) => contents(name, entries))}</nav>
  </header>
  <main id="main" tabindex="-1">
    <h1>Opine API <small>${info.version}</small></h1>
    <p>Paths are below ${servers.map(({ url }) => html`<code>${url}</code>`)}.</p>
    ${formatText(info.description)}
    <section class="token">
      <label for="token">Access token</label>
      <input id="token" type="password" autocomplete="off">
      <p class="quiet">The <code>accessToken</code> of a session. Requests from this page send it; the page forgets it when you leave.</p>
    </section>
    ${tags.map(
      ({ name, description }) => html`<div class="group">
      <h2>${name}</h2>
      ${formatText(description)}
      ${listRoutes(document, name).map((route) => operationSection(route, components.schemas))}
    </div>`,
    )}
    <div class="group">
      <h2>Schemas</h2>
      ${namedSchemas(document).map(([name, schema]) => schemaSection(name, schema))}
    </div>
    <div class="group">
      <h2>Headers of answers</h2>
      <dl>${Object.entries(components.headers).map(
        ([name, { description }]) =>
          html`<dt id="header-${name}"><code>${name}</code></dt><dd>${formatText(description)}</dd>`,
      )}</dl>
    </div>
  </main>
</body>
</html>
`;
}

function documentMenu(current: string): Html {
  return html`<nav aria-label="Documents"><ul>
      ${PAGES.map(
        ({ path, name, file }) =>
          html`<li><a href="${path}"${path === current ? html` aria-current="page"` : ''}>${name}</a>
        <a class="quiet" href="/api/v1/${file}">${file}</a></li>`,
      )}
    </ul></nav>`;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly method?: string;
}

function listGroups(document: ApiDocument): { name: string; entries: Entry[] }[] {
  const operations = document.tags.map(({ name }) => ({
    name,
    entries: listRoutes(document, name).map(({ operationId, summary, method }) => ({
      id: operationId,
      name: summary,
      method,
    })),
  }));
  const schemas = namedSchemas(document).map(([name]) => ({ id: `schema-${name}`, name }));
  return [...operations, { name: 'Schemas', entries: schemas }];
}

function contents(name: string, entries: readonly Entry[]): Html {
  return html`<div class="group"><h2>${name}</h2><ul>${entries.map(
    ({ id, name, method }) => html`
      <li data-for="${id}"><a href="#${id}">${name}</a>${method && html` <span class="method ${method}">${method}</span>`}</li>`,
  )}</ul></div>`;
}

function listRoutes({ paths }: ApiDocument, tag: string): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** Returns the schemas but those that an operation shows whole: its body and the envelopes of its answers. */
function namedSchemas({ paths, components }: ApiDocument): [string, Schema][] {
  const shown = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
    .flatMap((message) => Object.values(message?.content ?? {}))
    .map(({ schema }) => referencedName(schema));
  const references = JSON.stringify(components.schemas);
  return Object.entries(components.schemas).filter(
    ([name]) => !shown.includes(name) || references.includes(`"#/components/schemas/${name}"`),
  );
}
