import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { runTool } from '../../scripts/tools.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { honoursIdempotencyKey } from '../../src/http/operation.ts';
import type { Json } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';

const committed = (name: string): Json => JSON.parse(readFileSync(path.join(ROOT, 'docs', name), 'utf8'));
const COMMITTED = committed('openapi.json');

/** The response headers by status, besides X-Request-Id. */
const HEADERS: Readonly<Record<string, string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// docs/product.md R9
test.each(['openapi.json', 'openapi.app.json'])(
  'the committed document %s equals the served one',
  async (name) => {
    const response = await fetch(`${opine.url}/api/v1/${name}`);

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(committed(name));
    expect(committed(name).openapi).toMatch(/^3\.1\./);
  },
);

// docs/product.md R9
test("the app's document has every operation but staff's, and no schema of theirs", () => {
  const { paths, components, tags } = committed('openapi.app.json');
  const idsIn = (document: Json) =>
    Object.values<Json>(document).flatMap((methods) =>
      Object.values<Json>(methods).map(({ operationId }) => operationId),
    );
  const ofStaff = ROUTES.filter(({ path }) => path.startsWith('/admin/')).map(({ id }) => id);
  expect(idsIn(paths).sort()).toEqual(
    idsIn(COMMITTED.paths)
      .filter((id) => !ofStaff.includes(id))
      .sort(),
  );
  expect(tags.map(({ name }: Json) => name)).not.toContain('Staff');
  expect(Object.keys(components.schemas)).not.toContain('OpenReport');
});

test('scripts/openapi.ts --check fails after an operation changes, until the document is regenerated', async () => {
  const copy = copyOfRepository();
  const run = (...args: string[]) => runTool('node', ['scripts/openapi.ts', ...args], { cwd: copy });
  expect(await run('--check')).toMatchObject({ code: 0, output: '' });

  edit(path.join(copy, 'src/domains/votes/operations.ts'), 'once and for good', 'whenever you like');
  expect(await run('--check')).toMatchObject({
    code: 1,
    output: 'docs/openapi.json differs from the operations of src/domains. Run `npm run docs:openapi`.',
  });
  expect(await run()).toMatchObject({ code: 0, output: '' });
  expect(await run('--check')).toMatchObject({ code: 0, output: '' });
});

test('every tag of the OpenAPI document has a description', () => {
  expect(COMMITTED.tags.map(({ name }: Json) => name)).toEqual([...new Set(ROUTES.map(({ tag }) => tag))]);
  for (const { description } of COMMITTED.tags) expect(description).toMatch(/\w/);
});

test.for(ROUTES)('the OpenAPI document lists the required level and the headers of $id', (route) => {
  const { parameters = [], responses, ...operation } = COMMITTED.paths[route.path][route.method];
  expect(operation['x-level']).toBe(route.level);
  if (route.level) expect(operation.description).toContain(`level ${route.level}`);

  const mayBeReplayed = parameters.some(({ name }: Json) => name === 'Idempotency-Key');
  expect(mayBeReplayed).toBe(honoursIdempotencyKey(route));
  const hasPosition = route.method !== 'get' && route.onlyReads === undefined && route.auth !== 'staff';
  for (const [status, { headers }] of Object.entries<Json>(responses)) {
    const isReplayed = mayBeReplayed && status === String(route.status);
    const names = [
      'X-Request-Id',
      ...(HEADERS[status] ?? []),
      ...(isReplayed ? ['Idempotency-Replayed'] : []),
      ...(hasPosition && status === String(route.status) ? ['X-Opine-Position'] : []),
      ...(route.fileName !== undefined && status === String(route.status) ? ['Content-Disposition'] : []),
    ];
    expect(headers).toEqual(
      Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    );
    for (const name of names) expect(COMMITTED.components.headers[name].description).toMatch(/\w/);
  }
});

/** Returns the places of objects and enums without a name below a schema. */
function unnamedIn(schema: Json, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isNamed = schema.$ref !== undefined || !(schema.properties || schema.enum?.length > 1);
  const inside = Object.entries<Json>(schema).filter(
    ([key]) => !['enum', 'example', 'required'].includes(key),
  );
  return [
    ...(isNamed ? [] : [place]),
    ...inside.flatMap(([key, value]) => unnamedIn(value, `${place}/${key}`)),
  ];
}

test('every object and enum of the OpenAPI document has a name, from which generators name their models', () => {
  const { schemas } = COMMITTED.components;
  const inComponents = Object.entries<Json>(schemas).flatMap(([name, { properties = {}, items = {} }]) =>
    unnamedIn({ ...properties, items }, name),
  );
  const inOperations = ROUTES.flatMap(({ id, path, method }) => {
    const { parameters = [], requestBody = {}, responses } = COMMITTED.paths[path][method];
    const contents = [requestBody, ...Object.values<Json>(responses)].map(({ content = {} }) => content);
    const ofContents = contents.flatMap((content) =>
      Object.values<Json>(content).map(({ schema }) => schema),
    );
    return [...parameters.map(({ schema }: Json) => schema), ...ofContents].flatMap((schema) =>
      unnamedIn(schema, id),
    );
  });
  expect([...inComponents, ...inOperations]).toEqual([]);
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['VoteResult', 'VoteResultResponse', 'ArticleMedia']),
  );
});

/** Copies the scripts, sources and documents of the repository to a folder that is removed after the test. */
function copyOfRepository(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'opine-openapi-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of ['package.json', 'docs', 'scripts', 'src']) {
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
