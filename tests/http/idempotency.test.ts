import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdempotency } from '../../src/http/idempotency.ts';
import { type Client, clientOf, type Json, type Reply, refusal } from '../support/client.ts';
import { homeFeed } from '../support/feeds.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const REPLAYED = 'idempotency-replayed';
const CONFLICT = refusal(409, 'IDEMPOTENCY_KEY_CONFLICT');

const publish = (author: Client, key: string, thoughtText = 'Once.'): Promise<Reply> =>
  author.post('/posts', { thoughtText, visibility: 'public' }, { headers: { 'idempotency-key': key } });

describe('POST /posts with an Idempotency-Key', () => {
  // docs/product.md W17
  test('a repeated request returns the same post and the same response', async () => {
    const maya = await confirmedPerson(opine);
    const first = await publish(maya, 'a-key');
    expect([first.status, first.headers.get(REPLAYED)]).toEqual([201, null]);
    for (const _ of [1, 2]) {
      const again = await publish(maya, 'a-key');
      expect([again.status, again.headers.get(REPLAYED)]).toEqual([201, 'true']);
      expect([again.data, again.message]).toEqual([first.data, first.message]);
    }
    expect(await homeFeed(maya)).toEqual([first.data.id]);
  });

  test('ten concurrent requests with one key create one post', async () => {
    const maya = await confirmedPerson(opine);
    const replies = await Promise.all(Array.from({ length: 10 }, () => publish(maya, 'a-key')));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
    expect(await homeFeed(maya)).toHaveLength(1);
  });

  // docs/product.md W17
  test('a repeated key with another body is refused with 409 and keeps the first post', async () => {
    const maya = await confirmedPerson(opine);
    const first = await publish(maya, 'a-key');
    expect(await publish(maya, 'a-key', 'Twice.')).toMatchObject(CONFLICT);
    expect((await publish(maya, 'a-key')).data).toEqual(first.data);
    expect(await homeFeed(maya)).toHaveLength(1);
  });

  test('two concurrent requests with one key and different bodies create one post', async () => {
    const maya = await confirmedPerson(opine);
    const replies = await Promise.all(['One.', 'Other.'].map((text) => publish(maya, 'a-key', text)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await homeFeed(maya)).toHaveLength(1);
  });

  test('two users with the same key create two posts', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const hers = await publish(maya, 'a-key');
    const his = await publish(jonas, 'a-key');
    expect([his.status, his.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(his.data.id).not.toBe(hers.data.id);
    expect((await publish(jonas, 'a-key', 'Another.')).status).toBe(409);
  });

  test('two keys that differ in case create two posts', async () => {
    const maya = await confirmedPerson(opine);
    const [one, other] = [await publish(maya, 'a-key'), await publish(maya, 'a-Key')];
    expect(one.data.id).not.toBe(other.data.id);
  });

  // docs/product.md W17
  test('a key is remembered for 24 hours across sessions', async () => {
    const maya = await confirmedPerson(opine);
    const first = await publish(maya, 'a-key');
    await advanceTime(opine, '23 hours 59 minutes');
    const later = await signedInAgain(maya.session);
    expect((await publish(later, 'a-key')).data.id).toBe(first.data.id);
    await advanceTime(opine, '2 minutes');
    const next = await publish(later, 'a-key', 'Tomorrow.');
    expect([next.status, next.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(next.data.id).not.toBe(first.data.id);
  });
});

describe('a refused request', () => {
  test('a request refused for its body leaves the key usable', async () => {
    const maya = await confirmedPerson(opine);
    expect((await publish(maya, 'a-key', ' ')).status).toBe(422);
    expect((await publish(maya, 'a-key')).status).toBe(201);
  });

  test('a request refused for the level of its author leaves the key usable', async () => {
    const maya = await registeredPerson(opine);
    expect((await publish(maya, 'a-key')).status).toBe(403);
    await maya.put('/users/me/onboarding/media', {});
    const phoneNumber = newPhoneNumber();
    await maya.post('/auth/otp/request', { phoneNumber });
    await maya.post('/auth/otp/verify', { phoneNumber, code: '4242' });
    const reply = await publish(maya, 'a-key');
    expect([reply.status, reply.headers.get(REPLAYED)]).toEqual([201, null]);
  });
});

// docs/product.md W16
describe('an Idempotency-Key', () => {
  let maya: Person;

  beforeAll(async () => {
    maya = await confirmedPerson(opine);
  });

  test.each(['k', '!', '~', 'k'.repeat(128), `{"a":"b"}'--;\\`])('the key "%s" is accepted', async (key) => {
    expect((await publish(maya, key)).status).toBe(201);
  });

  test.each(['', 'two words', 'k'.repeat(129), 'schl\u00fcssel', 'tab\there'])(
    'the key "%s" is refused with 422',
    async (key) => {
      expect(await publish(maya, key)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );

  test('a GET request ignores the key', async () => {
    const headers = { 'idempotency-key': 'a-key' };
    const first = await maya.get('/posts?limit=1', { headers });
    await publish(maya, 'another-key', 'Since then.');
    const second = await maya.get('/posts?limit=1', { headers });
    expect(second.data.items[0].id).not.toBe(first.data.items[0]?.id);
    expect(second.headers.get(REPLAYED)).toBeNull();
  });

  test('a repeated sign-in with the same key returns a new session', async () => {
    const headers = { 'idempotency-key': 'a-key' };
    const open = () =>
      aGuest(opine).post('/auth/anonymous/session', { deviceId: 'install with a key' }, { headers });
    const [first, second] = [await open(), await open()];
    expect(second.headers.get(REPLAYED)).toBeNull();
    expect(second.data.refreshToken).not.toBe(first.data.refreshToken);
  });

  test('a key of another user gives no access without the bearer', async () => {
    await publish(maya, 'her-key');
    expect(await publish(aGuest(opine), 'her-key')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await publish(await anonymousPerson(opine), 'her-key')).status).toBe(403);
  });
});

async function signedInAgain({ refreshToken }: Json): Promise<Client> {
  const { data } = await aGuest(opine).post('/auth/session/refresh', { refreshToken });
  return clientOf(opine.url, data.accessToken);
}

test('an Idempotency-Key stands for one operation with one set of arguments', () => {
  const fingerprintOf = (operation: string, args: object) =>
    parseIdempotency('a-key', operation, args)?.fingerprint;
  const same = fingerprintOf('create_post', { thoughtText: 'Trams.' });
  expect(fingerprintOf('create_post', { thoughtText: 'Trams.' })).toBe(same);
  expect(fingerprintOf('create_comment', { thoughtText: 'Trams.' })).not.toBe(same);
  expect(fingerprintOf('create_post', { thoughtText: 'Trams!' })).not.toBe(same);
  expect(parseIdempotency(undefined, 'create_post', {})).toBeNull();
});
