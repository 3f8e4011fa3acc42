import fc from 'fast-check';
import type { z } from 'zod';
import type { ROUTES } from '../../../src/domains/all.ts';
import {
  BAD_BEARERS,
  BAD_KEYS,
  BAD_TYPES,
  bodiesWithEach,
  IGNORED_HEADERS,
  oddBodies,
} from '../../support/bad-requests.ts';
import type { Json } from '../../support/client.ts';
import { changedAt } from '../../support/cursors.ts';
import type { ApiDocument } from '../../support/document.ts';
import { LONG_AGO } from '../../support/replicas.ts';
import {
  encoded,
  FORGED_CURSORS,
  inHeader,
  ODD_TEXTS,
  oddParameters,
  oddTexts,
  oddValues,
} from './values.ts';

export type Route = (typeof ROUTES)[number];

/** A request of the fuzz. `headers` replace those that its caller sends otherwise. */
export interface Request {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values that exist, by the name of a parameter or field: the caller's own and those of others. */
export type Known = Readonly<Record<string, readonly Json[]>>;

/** Values of parameters that need none that exists. */
const USUAL: Known = {
  limit: ['1', '2', '50'],
  sort: ['recent', 'trending'],
  unreadOnly: ['true', 'false'],
  kind: ['post', 'user', 'comment'],
  reason: ['spam', 'hate'],
  q: ['a', 'harbour', 'so', '+1202555'],
};

/** Fields that examples lack, so that the fields within are tried, and without those that are free once. */
const BODIES: Readonly<Record<string, object>> = {
  create_post: { article: { title: 'A title', text: 'A text.' } },
  create_hub: { customLink: undefined },
};

/** Returns a valid body. */
const bodyOf = ({ id, example }: Route): Json => ({ ...Object(example.body), ...BODIES[id] });

/** Generates requests of an operation: valid ones in most places, and odd in one or more. */
export function requestsOf(route: Route, document: ApiDocument, known: Known): fc.Arbitrary<Request> {
  return fc
    .record({
      path: pathsOf(route, known),
      query: queriesOf(route, known),
      body: bodiesOf(route, document, known),
      headers: HEADERS,
    })
    .map(({ path, query, body, headers }) => ({
      method: route.method.toUpperCase(),
      path: query === '' ? path : `${path}?${query}`,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    }));
}

/** Returns requests with every odd text in every text of the body, or in the query with every forged cursor. */
export function examplesOf(route: Route, document: ApiDocument, known: Known): Request[] {
  const own = (name: string) => String([known[name]?.at(-1) ?? 'x'].flat()[0]);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(own(name)));
  const method = route.method.toUpperCase();
  if (route.body === undefined) {
    return exampleQueriesOf(route, known).map((query) => ({ method, path: `${path}?${query}`, headers: {} }));
  }
  const headers = { 'content-type': 'application/json' };
  return bodiesWithEach(document, schemaOf(route, document), bodyOf(route), ODD_TEXTS).map((body) => ({
    method,
    path,
    headers,
    body: JSON.stringify(body),
  }));
}

function exampleQueriesOf({ query }: Route, known: Known): string[] {
  const names = Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
  const texts = names.includes('q') ? ODD_TEXTS.map((text) => `q=${encoded(text)}`) : [];
  const cursors = names.includes('cursor') ? [...(known.cursor ?? []), ...FORGED_CURSORS] : [];
  const q = names.includes('q') ? '&q=so' : '';
  return [...texts, ...cursors.map((cursor) => `cursor=${encoded(cursor)}${q}`)];
}

/** Returns the schema of the body. */
function schemaOf({ path, method }: Route, document: ApiDocument): Json {
  return document.paths[path][method].requestBody.content['application/json'].schema;
}

/** Generates values that exist for a name, if there are any. */
function knownOf(name: string, known: Known): fc.Arbitrary<Json>[] {
  const values = [...(known[name] ?? []), ...(USUAL[name] ?? [])];
  return values.length === 0 ? [] : [fc.constantFrom(...values)];
}

function parametersOf(name: string, known: Known): fc.Arbitrary<string> {
  const existing = knownOf(name, known).map((arbitrary) => ({ weight: 4, arbitrary: arbitrary.map(String) }));
  return fc.oneof(...existing, { weight: name === 'q' ? 6 : 1, arbitrary: oddParameters });
}

function pathsOf({ path }: Route, known: Known): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fc
    .tuple(...names.map((name) => parametersOf(name, known)))
    .map((values) =>
      names.reduce((all, name, index) => all.replace(`{${name}}`, () => encoded(values[index] ?? '')), path),
    );
}

function queriesOf({ query }: Route, known: Known): fc.Arbitrary<string> {
  const schema = query as z.ZodObject | undefined;
  if (schema === undefined) return fc.constantFrom('', '', 'cursor=x&limit=0&__proto__=1');
  const names = Object.keys(schema.shape);
  const needed = names.filter((name) => !schema.shape[name]?.safeParse(undefined).success);
  return fc.subarray(names).chain((chosen) => {
    const all = [...new Set([...needed, ...chosen])];
    return fc
      .tuple(...all.map((name) => (name === 'cursor' ? cursorsOf(known) : parametersOf(name, known))))
      .map((values) => all.map((name, index) => `${name}=${encoded(values[index] ?? '')}`).join('&'));
  });
}

/** Generates cursors: of other lists and callers, changed, forged and no cursors. */
function cursorsOf(known: Known): fc.Arbitrary<string> {
  const genuine = fc.constantFrom<string>(...(known.cursor ?? []), ...FORGED_CURSORS);
  const changed = fc.tuple(genuine, fc.nat()).map(([cursor, at]) => changedAt(cursor, at % cursor.length));
  return fc.oneof({ weight: 4, arbitrary: genuine }, { weight: 2, arbitrary: changed }, oddParameters);
}

function bodiesOf(route: Route, document: ApiDocument, known: Known): fc.Arbitrary<Json> {
  if (route.body === undefined) return fc.constant(undefined);
  const odd = (name: string) => fc.oneof(...knownOf(name, known), { weight: 3, arbitrary: oddValues });
  return oddBodies(document, schemaOf(route, document), bodyOf(route), odd);
}

const pairs = (name: string, values: readonly (readonly [string, string])[]) =>
  values.map(([, value]) => [name, value] as const);

const ODD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ...pairs('authorization', BAD_BEARERS),
  ...pairs('idempotency-key', BAD_KEYS),
  ...pairs('content-type', BAD_TYPES),
  ...IGNORED_HEADERS,
  ['origin', 'https://elsewhere.example'],
  ['origin', 'null'],
  ['x-opine-position', LONG_AGO],
  ['x-opine-position', `${LONG_AGO},`.repeat(20)],
  ['x-opine-position', 'x'],
  ['content-encoding', 'gzip'],
];
const TEXT_HEADERS = [
  'idempotency-key',
  'x-request-id',
  'x-opine-position',
  'accept',
  'origin',
  'user-agent',
  'accept-language',
];

/** Generates up to two odd headers, in most requests none. */
const HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.uuid().map((key) => ({ 'idempotency-key': key })) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.oneof(
          fc.constantFrom(...ODD_HEADERS),
          fc.tuple(fc.constantFrom(...TEXT_HEADERS), oddTexts.map(inHeader)),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((all) => Object.fromEntries(all)),
  },
);
