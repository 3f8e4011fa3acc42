import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { NONEXISTENT } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine({ WEB_APP: 'true' });
  maya = await registeredPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const READS = ROUTES.filter(({ method, eventPayload }) => method === 'get' && !eventPayload).map(
  ({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, NONEXISTENT.id)}`,
);
const PAGES = [
  '/',
  '/app.js',
  '/app.css',
  '/posts/x',
  '/admin',
  '/admin/accounts',
  '/admin/page.css',
  '/docs',
  '/docs/all',
  '/docs/page.js',
  '/docs/page.css',
  '/api/v1/openapi.json',
  '/.well-known/jwks.json',
  '/healthz',
  '/readyz',
  '/nowhere',
];

// docs/product.md W20
test.for([...PAGES, ...READS])(
  'HEAD %s carries the status and Content-Length of GET, and no body',
  async (path) => {
    for (const headers of [{}, { Authorization: `Bearer ${maya.session.accessToken}` }]) {
      const request = (method: string) => fetch(opine.url + path, { method, headers, redirect: 'manual' });
      const got = await request('GET');
      const { byteLength } = await got.arrayBuffer();
      // A redirect has no body, and no length of it.
      const length = got.headers.has('location') ? null : String(byteLength);
      const head = await request('HEAD');
      expect(await head.text()).toBe('');
      expect([head.status, head.headers.get('content-length')]).toEqual([got.status, length]);
      expect(got.headers.get('content-length')).toBe(length);
      expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    }
  },
);

test('HEAD of a page that a browser has is 304, like GET', async () => {
  const { headers } = await fetch(`${opine.url}/app.js`, { method: 'HEAD' });
  const known = { 'If-None-Match': headers.get('etag') ?? '' };
  for (const method of ['GET', 'HEAD']) {
    expect((await fetch(`${opine.url}/app.js`, { method, headers: known })).status).toBe(304);
  }
});
