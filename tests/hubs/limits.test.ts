import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, type Reply, refusal } from '../support/client.ts';
import { aNumber } from '../support/contacts.ts';
import { granted } from '../support/graph.ts';
import { aHub, aMemberOf, anInviteLink, type Hub, requestInvite } from '../support/hubs.ts';
import { invitationsOf, later, linksOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara');
  hub = await aHub(amara);
});

const DAY_IN_SECONDS = 24 * 60 * 60;
const LIMITED = refusal(429, 'RATE_LIMITED');

/** `inviter` asks for invitations of `size` new numbers, at most fifty, in one request. */
const requestInviteMany = (inviter: Client, size: number, to: Hub = hub): Promise<Reply> =>
  requestInvite(inviter, to, ...Array.from({ length: size }, aNumber));

/** `inviter` invites `size` new numbers, fifty a request. */
async function inviteMany(inviter: Client, size: number, to: Hub = hub): Promise<void> {
  for (let left = size; left > 0; left -= 50)
    await granted(requestInviteMany(inviter, Math.min(left, 50), to));
}

const invited = async (to: Hub = hub, viewer: Client = amara) => (await invitationsOf(viewer, to)).length;

function expectLimited(reply: Reply): void {
  expect(reply).toMatchObject(LIMITED);
  expect(reply.error.details.retryAfterSeconds).toBeLessThanOrEqual(DAY_IN_SECONDS);
}

describe('in a day somebody invites', () => {
  test('three hundred numbers, into whatever hubs, and no more', async () => {
    const other = await aHub(amara);
    await inviteMany(amara, 150);
    await inviteMany(amara, 150, other);
    for (const to of [hub, other, await aHub(amara)]) expectLimited(await requestInviteMany(amara, 2, to));
    expect([await invited(hub), await invited(other)]).toEqual([150, 150]);
  });

  test('as many again a day later', async () => {
    await inviteMany(amara, 300);
    const [amaraLater] = await later(opine, '1 day 1 minute', amara);
    await inviteMany(amaraLater, 300);
    expectLimited(await requestInviteMany(amaraLater, 2));
  });

  test('all of a request or none of it', async () => {
    await inviteMany(amara, 290);
    expectLimited(await requestInviteMany(amara, 20));
    expect(await invited()).toBe(290);
    await inviteMany(amara, 10);
    expect(await invited()).toBe(300);
  });

  test('a number that stands twice in a request once', async () => {
    await inviteMany(amara, 280);
    const numbers = Array.from({ length: 20 }, aNumber);
    expect((await requestInvite(amara, hub, ...numbers, ...numbers)).status).toBe(201);
    expect(await invited()).toBe(300);
  });

  test('three hundred by requests that come at once as well', async () => {
    const replies = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => requestInviteMany(amara, 50)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
    expect(await invited()).toBe(300);
  });

  test('as many as they may, whatever others have done', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    await inviteMany(amara, 290);
    await inviteMany(jonas, 300);
    expectLimited(await requestInviteMany(jonas, 2));
  });
});

describe('in a day a hub', () => {
  /** Members of the hub who have invited, together with Amara, a thousand numbers but `left`. */
  async function audience(left: number): Promise<Person[]> {
    const people: Person[] = [];
    for (const size of [300, 300, 300]) {
      const person = await aMemberOf(opine, amara, hub);
      people.push(person);
      await inviteMany(person, size);
    }
    // Those three were invited as well.
    await inviteMany(amara, 1000 - 900 - 3 - left);
    return people;
  }

  test('has a thousand numbers invited, by whomever, and no more', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    await audience(1 + 4);
    await inviteMany(jonas, 4);
    for (const person of [amara, jonas]) expectLimited(await requestInviteMany(person, 3));
    expect(await invited()).toBe(1000);
  });

  test('refuses without using up what its members may invite elsewhere', async () => {
    await audience(0);
    for (const _ of [1, 2, 3, 4, 5]) expectLimited(await requestInviteMany(amara, 50));
    const other = await aHub(amara);
    await inviteMany(amara, 200, other);
    expect([await invited(), await invited(other)]).toEqual([1000, 200]);
  });

  test('takes as many again a day later', async () => {
    await audience(0);
    const [amaraLater] = await later(opine, '1 day 1 minute', amara);
    await inviteMany(amaraLater, 300);
    expect(await invited(hub, amaraLater)).toBe(1300);
  });
});

describe('in a day a hub has a hundred links', () => {
  const askForLink = (person: Client, key: string) =>
    person.post(`/hubs/${hub.id}/invite-links`, {}, { headers: { 'idempotency-key': key } });
  const makeLinks = async (person: Client, size: number) => {
    for (let index = 0; index < size; index += 1) await granted(askForLink(person, `link-${index}`));
  };

  test('whoever makes them, and no more', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    await makeLinks(amara, 60);
    await makeLinks(jonas, 40);
    for (const person of [amara, jonas]) expectLimited(await askForLink(person, 'one-more'));
    expect(await linksOf(amara, hub)).toHaveLength(100);
    expect((await anInviteLink(amara, await aHub(amara))).useCount).toBe(0);
  });

  test('and none more where one is revoked; one that was made is answered again', async () => {
    await makeLinks(amara, 100);
    expect((await askForLink(amara, 'link-7')).status).toBe(201);
    const [link] = await linksOf(amara, hub);
    await granted(amara.delete(`/hubs/${hub.id}/invite-links/${link.id}`));
    expectLimited(await askForLink(amara, 'one-more'));
    expect(await linksOf(amara, hub)).toHaveLength(99);
  });

  test('and as many again a day later', async () => {
    await makeLinks(amara, 100);
    const [amaraLater] = await later(opine, '1 day 1 minute', amara);
    await makeLinks(amaraLater, 100);
    expectLimited(await askForLink(amaraLater, 'one-more'));
  });
});
