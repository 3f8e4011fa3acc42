import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, registeredPerson } from '../support/people.ts';

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
const take = (person: Client, username: string) =>
  person.put('/users/me/onboarding/profile-basics', { fullName: 'Somebody', username, termsAccepted: true });

describe('POST /users/handles/availability', () => {
  test('a free username is available', async () => {
    const { status, data } = await requestCheck(await anonymousPerson(opine), ' @Nobody_has_it');
    expect(status).toBe(200);
    expect(data).toEqual({ username: 'nobody_has_it', available: true, reason: null, alternatives: [] });
  });

  // docs/product.md P4
  test('the answer drops every leading @ and echoes no character that a handle cannot have', async () => {
    const person = await anonymousPerson(opine);
    const alternatives = expect.any(Array);
    for (const [given, username] of [
      ['@@Maya!<script>', 'mayascript'],
      ['@@@', ''],
      ['"><b>', 'b'],
    ]) {
      const { data } = await requestCheck(person, given);
      expect(data).toEqual({ username, available: false, reason: 'invalid', alternatives });
    }
    const free = { username: newUsername(), available: true, reason: null, alternatives: [] };
    expect((await requestCheck(person, `@@${free.username}`)).data).toEqual(free);
    expect((await requestCheck(person, `a${'\u0301'.repeat(10_000)}`)).status).toBe(422);
  });
});

// docs/product.md P3
test('a reserved username gets the issue "reserved"', async () => {
  expect(await take(await anonymousPerson(opine), '_a_d_m_i_n_')).toMatchObject(
    refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'], code: 'reserved' }] }),
  );
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
