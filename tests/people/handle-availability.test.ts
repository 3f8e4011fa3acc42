import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const CANONICAL = /^[a-z0-9_]{3,30}$/;

const ask = (person: Client, username: unknown) => person.post('/users/handles/availability', { username });
const check = async (username: string): Promise<Json> => (await ask(await anAnonymous(opine), username)).data;
const take = (person: Client, username: string) =>
  person.put('/users/me/onboarding/profile-basics', { fullName: 'Somebody', username, termsAccepted: true });

/** Somebody whose handle is `username`. */
async function ownerOf(username: string): Promise<Client> {
  const owner = await anAnonymous(opine);
  expect((await take(owner, username)).status).toBe(200);
  return owner;
}

describe('a handle is', () => {
  test('available where nobody has it', async () => {
    const { status, data } = await ask(await anAnonymous(opine), 'nobody_has_it');
    expect(status).toBe(200);
    expect(data).toEqual({ username: 'nobody_has_it', available: true, reason: null, alternatives: [] });
  });

  test('taken where somebody has it', async () => {
    await ownerOf('somebody_has');
    expect(await check('somebody_has')).toMatchObject({ available: false, reason: 'taken' });
  });

  test.each([
    '',
    '  ',
    '@',
    'ab',
    'a'.repeat(31),
    'ma ya',
    'may-a',
    'mäya',
    'ｍａｙａ',
    'mауa',
    '👍👍👍',
    'ma.ya',
    'ﬁna',
  ])('invalid as %j', async (username) => {
    expect(await check(username)).toMatchObject({ available: false, reason: 'invalid' });
  });

  test.each(['admin', 'Admin', '@admin', 'ad_min', '_a_d_m_i_n_'])('reserved as "%s"', async (username) => {
    expect(await check(username)).toMatchObject({ available: false, reason: 'reserved' });
  });

  test.each([
    [' @Canon ', 'canon'],
    ['@canon', 'canon'],
    ['CANON_1', 'canon_1'],
    ['\t canon_2\n', 'canon_2'],
  ])('checked in its canonical form: %j', async (written, username) => {
    expect(await check(written)).toMatchObject({ username, available: true, reason: null });
  });

  test('taken in its canonical form', async () => {
    await ownerOf('canonically');
    expect(await check(' @Canonically')).toMatchObject({ username: 'canonically', reason: 'taken' });
  });

  test("available to whoever's it is", async () => {
    const owner = await ownerOf('mine_already');
    const mine = { username: 'mine_already', available: true, reason: null };
    expect((await ask(owner, '@Mine_Already')).data).toMatchObject(mine);
    expect((await check('mine_already')).available).toBe(false);
  });

  test('not kept for whoever asked', async () => {
    const [asker, quicker] = [await anAnonymous(opine), await anAnonymous(opine)];
    expect((await ask(asker, 'first_come')).data.available).toBe(true);
    expect((await take(quicker, 'first_come')).status).toBe(200);
    expect((await ask(asker, 'first_come')).data.reason).toBe('taken');
  });
});

describe('alternatives', () => {
  test.each(['popular', 'p'.repeat(30), 'abc', '007', 'maya_12', '___'])(
    'to "%s" are up to three, end in a number, and can be had',
    async (username) => {
      await ownerOf(username);
      const { alternatives } = await check(username);
      expect(alternatives.length).toBeGreaterThanOrEqual(1);
      expect(alternatives.length).toBeLessThanOrEqual(3);
      expect(new Set(alternatives).size).toBe(alternatives.length);
      for (const alternative of alternatives) {
        expect(alternative).toMatch(CANONICAL);
        expect(alternative).toMatch(/\d$/);
        expect(alternative).not.toBe(username);
        await ownerOf(alternative);
      }
    },
  );

  test('are others once those are taken', async () => {
    await ownerOf('very_popular');
    const seen = new Set<string>();
    for (const _ of [1, 2, 3]) {
      const { alternatives } = await check('very_popular');
      expect(alternatives).not.toHaveLength(0);
      for (const alternative of alternatives) {
        expect(seen).not.toContain(alternative);
        seen.add(alternative);
        await ownerOf(alternative);
      }
    }
  });

  test.each(['', 'ab', 'a'.repeat(31), 'Zoë Größe', '漢字', '👍', 'admin', 'x'.repeat(200)])(
    'to %j, which nobody may have, can be had',
    async (username) => {
      const { alternatives } = await check(username);
      expect(alternatives.length).toBeLessThanOrEqual(3);
      for (const alternative of alternatives) {
        expect(alternative).toMatch(CANONICAL);
        expect(alternative).toMatch(/\d$/);
        expect(await check(alternative)).toMatchObject({ available: true, reason: null });
      }
      if (alternatives.length > 0) await ownerOf(alternatives[0]);
    },
  );

  test('to a reserved or an ill-spelt word are there', async () => {
    expect((await check('admin')).alternatives).not.toHaveLength(0);
    expect((await check('lena ortiz')).alternatives).not.toHaveLength(0);
  });
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
])('what is called available can be taken: %j', async (written) => {
  const maya = await anAnonymous(opine);
  const { status, data } = await ask(maya, written);
  expect(status).toBe(200);
  if (data.available) expect((await take(maya, data.username)).status).toBe(200);
  else expect(data.reason).toBe('invalid');
});

describe('asking', () => {
  test('is for everybody who has a session', async () => {
    for (const person of [await anAnonymous(opine), await aRegistered(opine), await aConfirmed(opine)]) {
      expect((await ask(person, 'for_everybody')).data.available).toBe(true);
    }
    expect(await ask(aGuest(opine), 'for_everybody')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test.each([undefined, null, 1, true, [], {}, 'x'.repeat(201)])(
    'takes no %j for a handle',
    async (username) => {
      expect(await ask(await anAnonymous(opine), username)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'] }] }),
      );
    },
  );

  test('for a handle that Postgres cannot store is no accident', async () => {
    for (const username of ['ma\u0000ya', 'ma\ud800ya', '%', '\\', "'; drop table app.profiles --"]) {
      const { status, data } = await ask(await anAnonymous(opine), username);
      expect([200, 422]).toContain(status);
      if (status === 200) expect(data.reason).toBe('invalid');
    }
  });
});

describe('sixty checks a minute', () => {
  /** `person` asks `times` times at once; how many were answered, and what the first one refused was told. */
  async function askAtOnce(person: Client, times: number) {
    const replies = await Promise.all(Array.from({ length: times }, () => ask(person, 'again_and_again')));
    const refused = replies.find(({ status }) => status !== 200);
    return { answered: replies.filter(({ status }) => status === 200).length, refused };
  }

  test('are answered, then one is told when to come back', async () => {
    const person = await anAnonymous(opine);
    const started = performance.now();
    const { answered, refused } = await askAtOnce(person, 80);
    const seconds = Math.ceil((performance.now() - started) / 1000);
    expect(answered).toBeGreaterThanOrEqual(60);
    expect(answered).toBeLessThanOrEqual(60 + seconds);
    expect(refused).toMatchObject(refusal(429, 'RATE_LIMITED'));
    const { retryAfterSeconds } = refused?.error.details ?? {};
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(refused?.headers.get('retry-after')).toBe(String(retryAfterSeconds));
    if (retryAfterSeconds > 2) {
      await timePasses(opine, `${retryAfterSeconds - 2} seconds`);
      expect((await ask(person, 'again_and_again')).status).toBe(429);
      await timePasses(opine, '2 seconds');
    } else {
      await timePasses(opine, `${retryAfterSeconds} seconds`);
    }
    expect((await ask(person, 'again_and_again')).status).toBe(200);
  });

  test('are answered again after a minute', async () => {
    const person = await anAnonymous(opine);
    await askAtOnce(person, 62);
    await timePasses(opine, '1 minute');
    expect((await askAtOnce(person, 60)).answered).toBe(60);
  });

  test('are counted for each user, whether the handle is valid or not', async () => {
    const [person, other] = [await anAnonymous(opine), await anAnonymous(opine)];
    const replies = await Promise.all(Array.from({ length: 80 }, () => ask(person, '')));
    expect(replies.map(({ status }) => status)).toContain(429);
    expect((await ask(other, 'again_and_again')).status).toBe(200);
  });
});
