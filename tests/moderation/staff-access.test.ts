import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { type Reply, refusal } from '../support/client.ts';
import { aStaffCookie, type OpineWithIdp, startOpineWithIdp, withCookie } from '../support/id-tokens.ts';
import { advanceTime } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person } from '../support/people.ts';

const EXPIRED = 'expired@opine.example';
const LIVE = 'live@opine.example';
const TABLE = ROUTES.filter(({ path }) => path.startsWith('/admin/'));
const SIGN_IN = ['get_staff_config', 'start_staff_session'];
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

type Operation = (typeof ROUTES)[number];

let opine: OpineWithIdp;
let maya: Person;
/** Cookies that open nothing. */
let deadCookies: (string | undefined)[];
let live: string;

beforeAll(async () => {
  opine = await startOpineWithIdp(EXPIRED, LIVE);
  const expired = await aStaffCookie(opine, opine.provider, EXPIRED);
  await advanceTime(opine, '9 hours');
  live = await aStaffCookie(opine, opine.provider, LIVE);
  deadCookies = [undefined, '', 'not-a-token', expired];
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const json = { 'content-type': 'application/json' };

/** Requests that an operation refuses for what they send. */
const BAD_REQUESTS: readonly (readonly [string, string, string | undefined, Record<string, string>])[] = [
  ['a malformed id and a malformed query', 'no-id?limit=x&cursor=?&kind=x', undefined, {}],
  ['malformed JSON', 'no-id', '{', json],
  ['a body of two megabytes', 'no-id', `"${'x'.repeat(2 * 1024 * 1024)}"`, json],
  ['a body that is no JSON', 'no-id', 'reason=spam', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['unknown fields', 'no-id', '{"unknown":1}', json],
];

function sendTo(
  client: Pick<Person, 'send'>,
  { method, path }: Operation,
  [, tail, body, headers]: (typeof BAD_REQUESTS)[number],
  cookie: string | undefined,
): Promise<Reply> {
  const [id = '', query = ''] = tail.split('?');
  const at = `${path.replaceAll(/\{\w+\}/g, id)}${query && `?${query}`}`;
  const withBody = method === 'get' ? undefined : body;
  const cookies = cookie === undefined ? {} : withCookie(cookie).headers;
  return client.send(method.toUpperCase(), at, withBody, { headers: { ...headers, ...cookies } });
}

// docs/product.md S1
test('every operation below /admin needs a staff session, except sign-in and its configuration', () => {
  expect(TABLE.filter(({ auth }) => auth !== 'staff').map(({ id }) => id)).toEqual(SIGN_IN);
});

// docs/product.md S3
describe.for(TABLE.filter(({ auth }) => auth === 'staff'))('$id without a live staff session', (route) => {
  test.for(BAD_REQUESTS)('%s is 401', async (request) => {
    for (const cookie of deadCookies)
      for (const client of [aGuest(opine), maya])
        expect(await sendTo(client, route, request, cookie)).toMatchObject(UNAUTHORIZED);
  });
});

test.for(BAD_REQUESTS.slice(1, 4))(
  'with a live staff session %s is refused for what it is',
  async (request) => {
    const route = TABLE.find(({ id }) => id === 'find_accounts');
    if (route === undefined) throw new Error('There is no such operation.');
    const { status } = await sendTo(aGuest(opine), route, request, live);
    expect([413, 422]).toContain(status);
  },
);

describe('the pages of staff without a live session', () => {
  test.each([
    ['POST', '/admin/reports/no-id/remove', 'reason=x'],
    ['POST', '/admin/accounts', 'x'.repeat(20_000)],
    ['GET', '/admin/users/no-id', undefined],
    ['GET', '/admin/appeals?cursor=x', undefined],
  ])('%s %s leads to the sign-in', async (method, path, body) => {
    for (const cookie of deadCookies) {
      const cookies = cookie === undefined ? {} : withCookie(cookie).headers;
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...cookies };
      const reply = await fetch(opine.url + path, {
        method,
        body: body ?? null,
        headers,
        redirect: 'manual',
      });
      expect([reply.status, reply.headers.get('location')]).toEqual([303, '/admin']);
    }
  });

  test('the files of the sign-in page are open', async () => {
    for (const file of ['page.css', 'sign-in.js'])
      expect((await fetch(`${opine.url}/admin/${file}`)).status).toBe(200);
  });
});
