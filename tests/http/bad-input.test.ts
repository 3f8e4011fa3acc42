import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { honoursIdempotencyKey } from '../../src/http/operation.ts';
import { badBodies, brokenBodies, poisonedBodies } from '../support/bad-bodies.ts';
import {
  BAD_BEARERS,
  BAD_KEYS,
  BAD_TYPES,
  IGNORED_HEADERS,
  UNEXPECTED_BODIES,
} from '../support/bad-headers.ts';
import { type Json, refusal } from '../support/client.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { startTrustingOpine, type TrustingOpine } from '../support/id-tokens.ts';
import { aConfirmed, aGuest, aHubReady, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { exchange, requestText } from '../support/raw-socket.ts';

type Operation = (typeof ROUTES)[number];

const json = { 'content-type': 'application/json' };
const runs = (count: number) => ({ numRuns: count * inject('depth') });
const RUNS = runs(5);

let opine: TrustingOpine;
let document: ApiDocument;
/** Somebody whom no level stops. */
let maya: Person;
/** A post that is not hers. */
let post: Json;

beforeAll(async () => {
  opine = await startTrustingOpine();
  document = await readDocument(opine.url);
  maya = await aHubReady(opine, 'Maya');
  post = await aSlider(await aConfirmed(opine));
});

afterAll(() => opine.stop());

const methodOf = ({ method }: Operation) => method.toUpperCase();
const idsOf = (): Record<string, string> => ({ userId: maya.id, username: maya.username });
const pathOf = ({ path }: Operation, id?: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => id ?? idsOf()[name] ?? post.id);

/** Sends a body to an operation. The client fails where the answer does not come or is no envelope. */
const send = (route: Operation, body: string | Uint8Array<ArrayBuffer>) =>
  maya.send(methodOf(route), pathOf(route), body, { headers: json });

describe.for(ROUTES.filter(({ body }) => body))('a body of $id', (route) => {
  const schemaOf = () =>
    document.paths[route.path][route.method].requestBody.content['application/json'].schema;

  test('with one thing wrong is refused, and told what', async () => {
    const property = fc.asyncProperty(badBodies(document, schemaOf(), route.example.body), async (body) => {
      const { status, error } = await send(route, body.text);
      expect([status, error?.code]).toEqual([422, 'VALIDATION_FAILED']);
      const told = error.details.issues.map(({ path, message }: Json) => `${path[0]} ${message}`).join();
      expect(told).toContain(body.field);
    });
    await fc.assert(property, runs(20));
  });

  test('with anything for a text breaks nothing', async () => {
    const property = fc.asyncProperty(
      poisonedBodies(document, schemaOf(), route.example.body),
      async (body) => {
        expect((await send(route, body)).status).toBeLessThan(500);
      },
    );
    await fc.assert(property, RUNS);
  });

  test('that is anything is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (body) => {
        expect((await send(route, JSON.stringify(body))).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  test.for(brokenBodies(route.example.body))('that is %s is refused', async ([, body]) => {
    expect(await send(route, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('that is not there is taken for an empty one at most', async () => {
    const { status } = await send(route, '');
    expect([422, (await send(route, '{}')).status]).toContain(status);
  });

  test('that says it is packed is refused', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const body = new Uint8Array([
      31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 171, 174, 5, 0, 67, 191, 166, 163, 2, 0, 0, 0,
    ]);
    const reply = await maya.send(methodOf(route), pathOf(route), body, { headers });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

const BROKEN_IDS = [
  '%',
  '%zz',
  '%00',
  '%E0%A4%A',
  '%c3%28',
  '%ff%fe',
  '%ed%a0%80',
  '..%2f..%2fposts',
  '%2e%2e',
  '%0d%0aX-Injected:%201',
  '{postId}',
  '*',
  'x'.repeat(6000),
];

describe.for(ROUTES.filter(({ params }) => params))('an address of $id', (route) => {
  const callAt = (id: string) =>
    route.example.body === undefined
      ? maya.send(methodOf(route), pathOf(route, id))
      : maya.send(methodOf(route), pathOf(route, id), JSON.stringify(route.example.body), { headers: json });

  // docs/product.md W8: an id that is none is 404, but 422 for the upload of contacts.
  const nowhere = Object.values(route.params ?? {}).includes('VALIDATION_FAILED') ? 422 : 404;

  test.each(BROKEN_IDS)('with %s leads nowhere', async (id) => {
    expect([404, nowhere]).toContain((await callAt(id)).status);
  });

  test('with anything for an id leads nowhere', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (id) => {
      // What `.` and `..` make of an address is another one, which may have other methods.
      expect([404, 405, nowhere]).toContain((await callAt(encodeURIComponent(id))).status);
    });
    await fc.assert(property, RUNS);
  });
});

describe.for(ROUTES.filter(({ method, auth }) => method === 'get' && auth !== 'staff'))(
  'a query of $id',
  (route) => {
    const isLimited = route.errors?.includes('RATE_LIMITED') ?? false;
    const ask = async (query: string) => {
      // Or it would be used up.
      if (isLimited) await opine.database.superuser.deleteFrom('app.rate_limits').execute();
      return maya.get(`${pathOf(route)}?${query}`);
    };
    let usual: number;

    beforeAll(async () => {
      usual = (await maya.get(pathOf(route))).status;
    });

    test.each([
      '%',
      '&&&===',
      'limit=%zz',
      'limit=%00',
      'cursor=%00',
      'cursor=%ff',
      'cursor=%ed%a0%80',
      'limit=1&limit=x',
      'limit[]=1',
      'limit[a]=1',
      '__proto__=1',
      '__proto__[limit]=1',
      'constructor=1',
      'sort=',
      `cursor=${'x'.repeat(8000)}`,
      `limit=${'9'.repeat(5000)}`,
      'limit=-9223372036854775809',
      'limit=1e308',
      'limit=0.1',
      `a=${'&a='.repeat(3000)}`,
    ])('like "%s" breaks nothing', async (query) => {
      expect([usual, 422]).toContain((await ask(query)).status);
    });

    test('like anything breaks nothing', async () => {
      const name = fc.oneof(fc.constantFrom('limit', 'cursor', 'sort', 'hubId'), fc.string());
      const value = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.integer().map(String),
        fc.double().map(String),
      );
      const property = fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        // By chance it may be all that the operation asks for.
        const { status } = await ask(`${new URLSearchParams(pairs)}`);
        expect([usual, route.status, 422]).toContain(status);
      });
      await fc.assert(property, RUNS);
    });
  },
);

describe('a cursor', () => {
  let cursor: string;

  beforeAll(async () => {
    const author = await aConfirmed(opine);
    await aSlider(author);
    await aSlider(author);
    cursor = (await author.get('/posts?limit=1')).data.nextCursor;
    expect((await maya.get(`/posts?${new URLSearchParams({ cursor })}`)).status).toBe(200);
  });

  const statusWith = async (text: string) =>
    (await maya.get(`/posts?${new URLSearchParams({ cursor: text })}`)).status;

  test('that is any text is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await statusWith(text)).toBe(422);
      }),
      runs(30),
    );
  });

  test('that is anything in base64 breaks nothing', async () => {
    const { length } = Buffer.from(cursor, 'base64url');
    const bytes = fc.oneof(
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (cursor) => {
        expect([200, 422]).toContain(await statusWith(cursor.toString('base64url')));
      }),
      runs(30),
    );
  });

  test('that was changed breaks nothing', async () => {
    const change = fc.tuple(fc.nat(), fc.nat(3), fc.string({ maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(change, async ([at, removed, added]) => {
        const from = at % cursor.length;
        const text = cursor.slice(0, from) + added + cursor.slice(from + removed);
        expect([200, 422]).toContain(await statusWith(text));
      }),
      runs(30),
    );
  });
});

describe.for(ROUTES)('a header for $id', (route) => {
  const HEADERS = ['authorization', 'accept', 'accept-language', 'content-type', 'cookie', 'idempotency-key'];
  const OTHERS = ['x-request-id', 'x-forwarded-for', 'forwarded', 'range', 'if-none-match', 'origin', 'te'];
  const names = fc.constantFrom(...HEADERS, ...OTHERS);
  const visible = fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  });
  const call = (headers: Record<string, string>) =>
    aGuest(opine).send(methodOf(route), pathOf(route), route.body && '{"a":', {
      headers: { ...json, ...headers },
    });

  test('that is anything breaks nothing', async () => {
    const value = visible.filter((text) => !text.includes('\u007f'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 3 }), async (headers) => {
        expect((await call(headers)).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  test('that is long breaks nothing', async () => {
    for (const name of ['authorization', 'x-request-id', 'accept', 'idempotency-key']) {
      expect((await call({ [name]: `Bearer ${'x'.repeat(12_000)}` })).status).toBeLessThan(500);
    }
  });
});

/** Sends an operation's example, or as a guest what it refuses at the latest for its body. */
const example = ({ example, body }: Operation) => (body ? JSON.stringify(example.body) : undefined);
const documentedFor = (route: Operation) =>
  Object.keys(document.paths[route.path][route.method].responses).map(Number);

describe.for(ROUTES.filter(honoursIdempotencyKey))('an Idempotency-Key for $id', (route) => {
  test.for(BAD_KEYS)('that is %s is 422', async ([, key]) => {
    const headers = { ...json, 'idempotency-key': key };
    const reply = await maya.send(methodOf(route), pathOf(route), example(route), { headers });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(reply.error.details.issues[0].path).toEqual(['Idempotency-Key']);
    expect(documentedFor(route)).toContain(422);
  });
});

describe.for(ROUTES)('a request to $id', (route) => {
  /** As a guest, with a body that breaks off: nothing is done. */
  const call = (headers: Record<string, string>) =>
    aGuest(opine).send(methodOf(route), pathOf(route), route.body && '{"a":', {
      headers: { ...json, ...headers },
    });

  test('with a bad Authorization header is 401 if the operation checks it, else answered as to a guest', async () => {
    const isChecked = route.auth === 'required' || route.auth === 'checked';
    const asGuest = (await call({})).status;
    for (const [name, authorization] of BAD_BEARERS) {
      const { status } = await call({ authorization });
      expect([name, status]).toEqual([name, isChecked ? 401 : asGuest]);
      expect(documentedFor(route)).toContain(status);
    }
  });

  test('with odd headers that no operation reads is answered as without them', async () => {
    const usual = (await call({})).status;
    expect(documentedFor(route)).toContain(usual);
    for (const [header, value] of IGNORED_HEADERS) {
      const { status, headers } = await call({ [header]: value });
      expect([header, value, status]).toEqual([header, value, usual]);
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{16,64}$/);
    }
  });
});

describe.for(ROUTES.filter(({ body }) => body))('a Content-Type for $id', (route) => {
  test.for(BAD_TYPES)('that is %s is 422', async ([, type]) => {
    const headers = { 'content-type': type };
    const reply = await maya.send(methodOf(route), pathOf(route), example(route), { headers });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

describe.for(ROUTES.filter(({ body }) => !body))('a body for $id, which has none,', (route) => {
  const sendText = (
    text: string,
    headers: Record<string, string> = { ...json, 'content-length': `${text.length}` },
  ) => {
    const bearer = { authorization: `Bearer ${maya.session.accessToken}` };
    return exchange(opine.url, requestText(methodOf(route), pathOf(route), { ...bearer, ...headers }, text));
  };

  test.for(UNEXPECTED_BODIES)('that is %s is 422', async ([, text]) => {
    expect(await sendText(text)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(documentedFor(route)).toContain(422);
  });

  test('that is {} in another media type is 422', async () => {
    const reply = await sendText('{}', { 'content-type': 'text/plain', 'content-length': '2' });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('of more than one mebibyte is 413', async () => {
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    expect(await sendText(large)).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const reply = await sendText(chunked, { ...json, 'transfer-encoding': 'chunked' });
    expect(reply).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
    expect(documentedFor(route)).toContain(413);
  });

  test('that is {} or empty, whatever its Content-Type, is answered as none', async () => {
    const asGuest = (text: string, headers: Record<string, string>) =>
      exchange(opine.url, requestText(methodOf(route), pathOf(route), headers, text));
    const usual = (await asGuest('', {})).status;
    expect((await asGuest('{}', { ...json, 'content-length': '2' })).status).toBe(usual);
    expect((await asGuest('', { 'content-type': 'image/png', 'content-length': '0' })).status).toBe(usual);
    expect((await asGuest('0\r\n\r\n', { 'transfer-encoding': 'chunked' })).status).toBe(usual);
  });
});

test('a header that is too long for any server is refused by the connection', async () => {
  const headers = { cookie: 'x'.repeat(100_000) };
  const { status } = await fetch(`${opine.url}/api/v1/posts`, { headers });
  expect(status).toBe(431);
  expect((await aGuest(opine).get('/posts')).status).toBe(200);
});

test('after all of it everything is as it was', async () => {
  expect((await aGuest(opine).get(`/posts/${post.id}`)).data).toMatchObject({
    sliderText: post.sliderText,
    voteSummary: { totalVotes: 0 },
  });
  expect((await maya.get('/users/me/onboarding/status')).data.level).toBe(4);
});
