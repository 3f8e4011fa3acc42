import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { honoursIdempotencyKey } from '../../src/http/operation.ts';
import {
  BAD_BEARERS,
  BAD_KEYS,
  BAD_TYPES,
  badBodies,
  brokenBodies,
  IGNORED_HEADERS,
  poisonedBodies,
  UNEXPECTED_BODIES,
} from '../support/bad-requests.ts';
import { type Json, refusal } from '../support/client.ts';
import { scaled } from '../support/depth.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { type OpineWithIdp, startOpineWithIdp, withCookie } from '../support/id-tokens.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { aStaffMember, type StaffMember } from '../support/staff.ts';

type Operation = (typeof ROUTES)[number];

/**
 * Returns all cases for the first route of each kind in `routes`, because the routes of a kind share what refuses bad input, and one
 * case for the others. Deep tests try all cases on every route.
 */
function casesFor<T>(route: Operation, routes: readonly Operation[], cases: readonly T[]): readonly T[] {
  const kindOf = (other: Operation) => `${other.method} ${other.auth} ${honoursIdempotencyKey(other)}`;
  const isFirst = route === routes.find((other) => kindOf(other) === kindOf(route));
  return isFirst || inject('depth') > 1 ? cases : cases.slice(0, 1);
}

const WITH_BODY = ROUTES.filter(({ body }) => body);
const WITHOUT_BODY = ROUTES.filter(({ body }) => !body);
const WITH_KEY = ROUTES.filter(honoursIdempotencyKey);
const WITH_PARAMS = ROUTES.filter(({ params }) => params);
const READS = ROUTES.filter(({ method, auth }) => method === 'get' && auth !== 'staff');

const json = { 'content-type': 'application/json' };
const runs = (count: number) => ({ numRuns: scaled(16 * count) });
const RUNS = runs(5);

let opine: OpineWithIdp;
let document: ApiDocument;
/** A person of the highest level. */
let maya: Person;
/** A member of staff, who may call every operation of staff. */
let ada: StaffMember;
/** A post by somebody other than Maya. */
let post: Json;

beforeAll(async () => {
  opine = await startOpineWithIdp();
  document = await readDocument(opine.url);
  maya = await hubReadyPerson(opine, 'Maya');
  ada = await aStaffMember(opine, 'admin', 'ada');
  post = await aSlider(await confirmedPerson(opine));
});

afterAll(() => opine.stop());

const methodOf = ({ method }: Operation) => method.toUpperCase();
/** Staff could suspend Maya. */
const idsOf = ({ auth }: Operation): Record<string, string> =>
  auth === 'staff' ? {} : { userId: maya.id, username: maya.username };
const pathOf = (route: Operation, id?: string) =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => id ?? idsOf(route)[name] ?? post.id);

const headersFor = ({ auth }: Operation) =>
  auth === 'staff' ? { ...json, ...withCookie(ada.cookie).headers } : json;

/** Sends a body to an operation. The client throws if the response is missing or is not the JSON envelope. */
const send = (route: Operation, body: string | Uint8Array<ArrayBuffer>, id?: string) =>
  maya.send(methodOf(route), pathOf(route, id), body, { headers: headersFor(route) });

describe.for(WITH_BODY)('the body of $id', (route) => {
  const schemaOf = () =>
    document.paths[route.path][route.method].requestBody.content['application/json'].schema;

  // docs/product.md W12
  test('a body with one invalid field is refused with 422 and an issue that names the field', async () => {
    const property = fc.asyncProperty(badBodies(document, schemaOf(), route.example.body), async (body) => {
      const { status, error } = await send(route, body.text);
      expect([status, error?.code]).toEqual([422, 'VALIDATION_FAILED']);
      const reported = error.details.issues.map(({ path, message }: Json) => `${path[0]} ${message}`).join();
      expect(reported).toContain(body.field);
    });
    await fc.assert(property, runs(20));
  });

  test('arbitrary text in a field never causes a 5xx', async () => {
    const property = fc.asyncProperty(
      poisonedBodies(document, schemaOf(), route.example.body),
      async (body) => {
        expect((await send(route, body)).status).toBeLessThan(500);
      },
    );
    await fc.assert(property, RUNS);
  });

  test('an arbitrary JSON body never causes a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (body) => {
        expect((await send(route, JSON.stringify(body))).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  // docs/product.md W12
  test.for(casesFor(route, WITH_BODY, brokenBodies(route.example.body)))(
    'a malformed body is refused with 422: %s',
    async ([, body]) => {
      expect(await send(route, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );

  test('an absent body is refused with 422 or read as {}', async () => {
    const { status } = await send(route, '');
    expect([422, (await send(route, '{}')).status]).toContain(status);
  });

  test('a body with Content-Encoding: gzip is refused with 422', async () => {
    const headers = { ...headersFor(route), 'content-encoding': 'gzip' };
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
  // Three of them fit into the 16 KiB of a request line and its headers.
  'x'.repeat(4000),
];

describe.for(WITH_PARAMS)('the path of $id', (route) => {
  const callAt = (id: string) =>
    route.example.body === undefined
      ? maya.send(methodOf(route), pathOf(route, id), undefined, { headers: headersFor(route) })
      : send(route, JSON.stringify(route.example.body), id);

  // docs/product.md W8: a malformed id is 404, but 422 for a contacts upload.
  const refused = Object.values(route.params ?? {}).includes('VALIDATION_FAILED') ? 422 : 404;

  test.each(casesFor(route, WITH_PARAMS, BROKEN_IDS))('the malformed id %s is refused', async (id) => {
    expect([404, refused]).toContain((await callAt(id)).status);
  });

  test('an arbitrary id is refused', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (id) => {
      // `.` and `..` resolve to another path, which may have other methods.
      expect([404, 405, refused]).toContain((await callAt(encodeURIComponent(id))).status);
    });
    await fc.assert(property, RUNS);
  });
});

const QUERIES = [
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
];

describe.for(READS)('the query of $id', (route) => {
  const isLimited = route.errors?.includes('RATE_LIMITED') ?? false;
  const request = async (query: string) => {
    // Resets the rate limit, which this test would exhaust.
    if (isLimited) await opine.database.superuser.deleteFrom('app.rate_limits').execute();
    return maya.get(`${pathOf(route)}?${query}`);
  };
  let usual: number;

  beforeAll(async () => {
    usual = (await maya.get(pathOf(route))).status;
  });

  test.each(casesFor(route, READS, QUERIES))(
    'the query "%s" is ignored or refused with 422',
    async (query) => {
      expect([usual, 422]).toContain((await request(query)).status);
    },
  );

  test('an arbitrary query is accepted or refused with 422', async () => {
    const name = fc.oneof(fc.constantFrom('limit', 'cursor', 'sort', 'hubId'), fc.string());
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.double().map(String));
    const property = fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
      // The query may be valid by chance.
      const { status } = await request(`${new URLSearchParams(pairs)}`);
      expect([usual, route.status, 422]).toContain(status);
    });
    await fc.assert(property, RUNS);
  });
});

describe('a cursor', () => {
  let author: Person;
  let cursor: string;

  beforeAll(async () => {
    author = await confirmedPerson(opine);
    await aSlider(author);
    await aSlider(author);
    cursor = (await author.get('/posts?limit=1')).data.nextCursor;
    expect(await statusWith(cursor)).toBe(200);
  });

  const statusWith = async (text: string) =>
    (await author.get(`/posts?${new URLSearchParams({ cursor: text })}`)).status;

  test('an arbitrary text is refused with 422', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        expect(await statusWith(text)).toBe(422);
      }),
      runs(30),
    );
  });

  test('arbitrary base64 is refused with 422', async () => {
    const { length } = Buffer.from(cursor, 'base64url');
    const bytes = fc.oneof(
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (cursor) => {
        expect(await statusWith(cursor.toString('base64url'))).toBe(422);
      }),
      runs(30),
    );
  });

  test('a modified cursor is refused with 422', async () => {
    const change = fc.tuple(fc.nat(), fc.nat(3), fc.string({ maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(change, async ([at, removed, added]) => {
        const from = at % cursor.length;
        const text = cursor.slice(0, from) + added + cursor.slice(from + removed);
        expect(await statusWith(text)).toBe(text === cursor ? 200 : 422);
      }),
      runs(30),
    );
  });
});

describe.for(ROUTES)('the headers of $id', (route) => {
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

  test('arbitrary header values never cause a 5xx', async () => {
    const value = visible.filter((text) => !text.includes('\u007f'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 3 }), async (headers) => {
        expect((await call(headers)).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  test('a header value of 12,000 characters never causes a 5xx', async () => {
    for (const name of casesFor(route, ROUTES, [
      'authorization',
      'x-request-id',
      'accept',
      'idempotency-key',
    ])) {
      expect((await call({ [name]: `Bearer ${'x'.repeat(12_000)}` })).status).toBeLessThan(500);
    }
  });
});

/** Returns the example body of an operation as JSON, or undefined if it takes no body. */
const example = ({ example, body }: Operation) => (body ? JSON.stringify(example.body) : undefined);
const documentedFor = (route: Operation) =>
  Object.keys(document.paths[route.path][route.method].responses).map(Number);

describe.for(WITH_KEY)('the Idempotency-Key of $id', (route) => {
  // docs/product.md W16
  test.for(casesFor(route, WITH_KEY, BAD_KEYS))('an invalid key is refused with 422: %s', async ([, key]) => {
    const headers = { ...json, 'idempotency-key': key };
    const reply = await maya.send(methodOf(route), pathOf(route), example(route), { headers });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(reply.error.details.issues[0].path).toEqual(['Idempotency-Key']);
    expect(documentedFor(route)).toContain(422);
  });
});

describe.for(ROUTES)('a request to $id', (route) => {
  /** Sends a truncated body as a guest, so that the operation has no effect. */
  const call = (headers: Record<string, string>) =>
    aGuest(opine).send(methodOf(route), pathOf(route), route.body && '{"a":', {
      headers: { ...json, ...headers },
    });

  test('an invalid Authorization header returns 401 if the operation checks it, and otherwise the response to a guest', async () => {
    const isChecked = route.auth === 'required' || route.auth === 'checked';
    const asGuest = (await call({})).status;
    for (const [name, authorization] of casesFor(route, ROUTES, BAD_BEARERS)) {
      const { status } = await call({ authorization });
      expect([name, status]).toEqual([name, isChecked ? 401 : asGuest]);
      expect(documentedFor(route)).toContain(status);
    }
  });

  test('headers that no operation reads do not change the response', async () => {
    const usual = (await call({})).status;
    expect(documentedFor(route)).toContain(usual);
    for (const [header, value] of casesFor(route, ROUTES, IGNORED_HEADERS)) {
      const { status, headers } = await call({ [header]: value });
      expect([header, value, status]).toEqual([header, value, usual]);
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{16,64}$/);
    }
  });
});

describe.for(WITH_BODY)('the Content-Type of $id', (route) => {
  test.for(casesFor(route, WITH_BODY, BAD_TYPES))(
    'an unsupported type is refused with 422: %s',
    async ([, type]) => {
      const headers = { ...headersFor(route), 'content-type': type };
      const reply = await maya.send(methodOf(route), pathOf(route), example(route), { headers });
      expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );
});

// docs/product.md W13
describe.for(WITHOUT_BODY)('the body of $id, which takes none', (route) => {
  const sendText = (
    text: string,
    headers: Record<string, string> = { ...json, 'content-length': `${text.length}` },
  ) => {
    const caller = { ...headersFor(route), authorization: `Bearer ${maya.session.accessToken}` };
    return exchange(opine.url, requestText(methodOf(route), pathOf(route), { ...caller, ...headers }, text));
  };

  test.for(casesFor(route, WITHOUT_BODY, UNEXPECTED_BODIES))(
    'an unexpected body is refused with 422: %s',
    async ([, text]) => {
      expect(await sendText(text)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
      expect(documentedFor(route)).toContain(422);
    },
  );

  test('{} in another media type is refused with 422', async () => {
    const reply = await sendText('{}', { 'content-type': 'text/plain', 'content-length': '2' });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('a body over 1 MiB is refused with 413', async () => {
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    expect(await sendText(large)).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const reply = await sendText(chunked, { ...json, 'transfer-encoding': 'chunked' });
    expect(reply).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
    expect(documentedFor(route)).toContain(413);
  });

  test('{} and an empty body of any Content-Type return the response to no body', async () => {
    const asGuest = (text: string, headers: Record<string, string>) =>
      exchange(opine.url, requestText(methodOf(route), pathOf(route), headers, text));
    const usual = (await asGuest('', {})).status;
    expect((await asGuest('{}', { ...json, 'content-length': '2' })).status).toBe(usual);
    expect((await asGuest('', { 'content-type': 'image/png', 'content-length': '0' })).status).toBe(usual);
    expect((await asGuest('0\r\n\r\n', { 'transfer-encoding': 'chunked' })).status).toBe(usual);
  });
});

// docs/product.md W20
test('a request with 100 kB of headers is refused with 431', async () => {
  const headers = { cookie: 'x'.repeat(100_000) };
  const { status } = await fetch(`${opine.url}/api/v1/posts`, { headers });
  expect(status).toBe(431);
  expect((await aGuest(opine).get('/posts')).status).toBe(200);
});

test('the invalid requests of this file change neither the post nor the level of the caller', async () => {
  expect((await aGuest(opine).get(`/posts/${post.id}`)).data).toMatchObject({
    sliderText: post.sliderText,
    voteSummary: { totalVotes: 0 },
  });
  expect((await maya.get('/users/me/onboarding/status')).data.level).toBe(4);
});
