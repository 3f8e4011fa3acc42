import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;
let count = 0;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const take = (person: Client, username: string) =>
  person.put('/users/me/onboarding/profile-basics', { fullName: 'Somebody', username, termsAccepted: true });
const endAccount = (person: Client) => person.delete('/users/me');

function aHandle(): string {
  count += 1;
  return `wanted_${count}`;
}

describe('a reserved word', () => {
  test.each(['admin', 'ad_min', '_admin_', 'a_d_m_i_n', '__admin__'])(
    'is nobody\'s handle, however it is spaced: "%s"',
    async (username) => {
      const maya = await anAnonymous(opine);
      expect(await take(maya, username)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'], code: 'reserved' }] }),
      );
      const { data } = await maya.get('/users/me/onboarding/status');
      expect(data.profileBasics).toBe(false);
    },
  );

  test('may be part of one', async () => {
    expect((await take(await anAnonymous(opine), 'badminton_club')).status).toBe(200);
  });

  test('takes no handle away from whoever tries', async () => {
    const amara = await aConfirmed(opine, 'Amara');
    expect((await take(amara, 'admin')).status).toBe(422);
    const { author } = await aSlider(amara);
    expect(author.username).toBe(amara.username);
  });
});

describe('of two who take one handle at once', () => {
  test('one gets it and the other is told, again and again', async () => {
    for (const _ of Array(15).keys()) {
      const pair = await Promise.all([anAnonymous(opine), anAnonymous(opine)]);
      const username = aHandle();
      const replies = await Promise.all(pair.map((person) => take(person, username)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const told = replies.find(({ status }) => status === 409);
      expect(told).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    }
  });

  test('one gets it also where both have another one', async () => {
    for (const _ of Array(5).keys()) {
      const pair = await Promise.all([aRegistered(opine), aRegistered(opine)]);
      const username = aHandle();
      const replies = await Promise.all(pair.map((person) => take(person, username)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = pair[replies.findIndex(({ status }) => status === 409)];
      // The one who did not get it has kept their own.
      expect((await take(await anAnonymous(opine), loser?.username ?? '')).status).toBe(409);
    }
  });

  test('who swap theirs, neither waits for the other for ever', async () => {
    const [one, other] = [await aRegistered(opine), await aRegistered(opine)];
    const replies = await Promise.all([take(one, other.username), take(other, one.username)]);
    for (const { status } of replies) expect([200, 409]).toContain(status);
  });
});

describe('a handle is free at once', () => {
  test('when its owner takes another', async () => {
    const [amara, next] = [await aRegistered(opine), await anAnonymous(opine)];
    expect((await take(next, amara.username)).status).toBe(409);
    expect((await take(amara, aHandle())).status).toBe(200);
    expect((await take(next, amara.username)).status).toBe(200);
    expect(await take(amara, amara.username)).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
  });

  test('when its owner ends the account', async () => {
    const [amara, next] = [await aConfirmed(opine), await anAnonymous(opine)];
    await aSlider(amara);
    expect((await endAccount(amara)).status).toBe(200);
    expect((await take(next, amara.username)).status).toBe(200);
  });

  test('and is of whoever has it now wherever it stands', async () => {
    const [amara, next] = [await aConfirmed(opine), await aConfirmed(opine)];
    const [hers, theirs] = [await aSlider(amara), await aSlider(next)];
    const renamed = aHandle();
    await take(amara, renamed);
    await take(next, amara.username);
    const authorOf = async (id: string) => (await aGuest(opine).get(`/posts/${id}`)).data.author;
    expect(await authorOf(hers.id)).toMatchObject({ id: amara.id, username: renamed });
    expect(await authorOf(theirs.id)).toMatchObject({ id: next.id, username: amara.username });
  });
});
