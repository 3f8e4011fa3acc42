import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, registeredPerson } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

let count = 0;

/** Returns a new username. */
function newUsername(): string {
  count += 1;
  return `wanted_${count}`;
}

const requestCheck = (person: Client, username: unknown) =>
  person.post('/users/handles/availability', { username });
const check = async (username: string): Promise<Json> =>
  (await requestCheck(await anonymousPerson(opine), username)).data;
const take = (person: Client, username: string) =>
  person.put('/users/me/onboarding/profile-basics', { fullName: 'Somebody', username, termsAccepted: true });

/** Creates a user whose username is `username`. */
async function ownerOf(username: string): Promise<Client> {
  const owner = await anonymousPerson(opine);
  expect((await take(owner, username)).status).toBe(200);
  return owner;
}

describe('POST /users/handles/availability', () => {
  test('a free username is available', async () => {
    const { status, data } = await requestCheck(await anonymousPerson(opine), ' @Nobody_has_it');
    expect(status).toBe(200);
    expect(data).toEqual({ username: 'nobody_has_it', available: true, reason: null, alternatives: [] });
  });

  test('alternatives of a taken username can be taken', async () => {
    await ownerOf('popular');
    const { available, reason, alternatives } = await check('popular');
    expect([available, reason, alternatives.length]).toEqual([false, 'taken', 3]);
    for (const alternative of alternatives) await ownerOf(alternative);
  });

  test.each([
    ...['', '  ', '@', 'ab', 'a'.repeat(31), 'ma ya', 'may-a', 'ma.ya', '👍👍👍'].map((name) => [
      name,
      'invalid',
    ]),
    ...['mäya', 'ｍａｙａ', 'mауa', 'ﬁna'].map((name) => [name, 'invalid']),
    ...['admin', '@Admin', '_a_d_m_i_n_'].map((name) => [name, 'reserved']),
  ])('the username %j is %s', async (username, reason) => {
    expect(await check(username)).toMatchObject({ available: false, reason });
  });

  test.each([
    '\u212Aelly',
    'İstanbul',
    'ﬀoo',
    'ſam',
    'Ⅷ_kings',
    'a\u0300bc',
    '\u202Emaya',
    'm\u200Baya',
    '@@twice',
    '@ apart',
  ])('the username %j is invalid or, as the check returns it, can be taken', async (written) => {
    const maya = await anonymousPerson(opine);
    const { status, data } = await requestCheck(maya, written);
    expect(status).toBe(200);
    if (data.available) expect((await take(maya, data.username)).status).toBe(200);
    else expect(data.reason).toBe('invalid');
  });

  test.each([undefined, null, 1, true, [], {}, 'x'.repeat(201)])(
    'the username %j is refused',
    async (username) => {
      expect(await requestCheck(await anonymousPerson(opine), username)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'] }] }),
      );
    },
  );

  test('a username that Postgres cannot store is invalid or refused', async () => {
    for (const username of ['ma\u0000ya', 'ma\ud800ya', '%', '\\', "'; drop table app.profiles --"]) {
      const { status, data } = await requestCheck(await anonymousPerson(opine), username);
      expect([200, 422]).toContain(status);
      if (status === 200) expect(data.reason).toBe('invalid');
    }
  });

  test('a guest cannot check a username', async () => {
    expect(await requestCheck(aGuest(opine), 'for_everybody')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('checks above 60 a minute get 429 until the Retry-After has passed', async () => {
    const person = await anonymousPerson(opine);
    const started = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 80 }, () => requestCheck(person, 'again_and_again')),
    );
    const seconds = Math.ceil((performance.now() - started) / 1000);
    const answered = replies.filter(({ status }) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(60);
    expect(answered).toBeLessThanOrEqual(60 + seconds);
    const refused = replies.find(({ status }) => status !== 200);
    expect(refused).toMatchObject(refusal(429, 'RATE_LIMITED'));
    const { retryAfterSeconds } = refused?.error.details ?? {};
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(refused?.headers.get('retry-after')).toBe(String(retryAfterSeconds));
    if (retryAfterSeconds > 2) {
      await advanceTime(opine, `${retryAfterSeconds - 2} seconds`);
      expect((await requestCheck(person, 'again_and_again')).status).toBe(429);
      await advanceTime(opine, '2 seconds');
    } else {
      await advanceTime(opine, `${retryAfterSeconds} seconds`);
    }
    expect((await requestCheck(person, 'again_and_again')).status).toBe(200);
  });
});

describe('a reserved username', () => {
  test.each(['admin', '_a_d_m_i_n_'])('the username "%s" gets the issue "reserved"', async (username) => {
    const maya = await anonymousPerson(opine);
    expect(await take(maya, username)).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'], code: 'reserved' }] }),
    );
    const { data } = await maya.get('/users/me/onboarding/status');
    expect(data.profileBasics).toBe(false);
  });

  test('a username can contain a reserved word', async () => {
    expect((await take(await anonymousPerson(opine), 'badminton_club')).status).toBe(200);
  });
});

describe('two users who take usernames at once', () => {
  test('one of two new users gets a username, the other gets 409', async () => {
    for (const _ of Array(15).keys()) {
      const pair = await Promise.all([anonymousPerson(opine), anonymousPerson(opine)]);
      const username = newUsername();
      const replies = await Promise.all(pair.map((person) => take(person, username)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loserReply = replies.find(({ status }) => status === 409);
      expect(loserReply).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    }
  });

  test('one of two users gets a new username, the other keeps their own', async () => {
    for (const _ of Array(5).keys()) {
      const pair = await Promise.all([registeredPerson(opine), registeredPerson(opine)]);
      const username = newUsername();
      const replies = await Promise.all(pair.map((person) => take(person, username)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = pair[replies.findIndex(({ status }) => status === 409)];
      expect((await take(await anonymousPerson(opine), loser?.username ?? '')).status).toBe(409);
    }
  });

  test('two users who swap usernames get an answer each', async () => {
    const [one, other] = [await registeredPerson(opine), await registeredPerson(opine)];
    const replies = await Promise.all([take(one, other.username), take(other, one.username)]);
    for (const { status } of replies) expect([200, 409]).toContain(status);
  });
});

test('a username is free as soon as its owner takes another', async () => {
  const [amara, next] = [await registeredPerson(opine), await anonymousPerson(opine)];
  expect((await take(next, amara.username)).status).toBe(409);
  expect((await take(amara, newUsername())).status).toBe(200);
  expect((await take(next, amara.username)).status).toBe(200);
  expect(await take(amara, amara.username)).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
});
