import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import { contactNumber } from '../support/contacts.ts';
import { aHub, aMemberOf, anInviteLink, type Hub, requestInvite } from '../support/hubs.ts';
import { invitationsOf, linksOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara');
  hub = await aHub(amara);
});

const DAY_IN_SECONDS = 24 * 60 * 60;
const LIMITED = refusal(429, 'RATE_LIMITED');

/** Requests invitations of `size` new numbers, at most fifty, as `inviter`. */
const requestInviteMany = (inviter: Client, size: number, to: Hub = hub): Promise<Reply> =>
  requestInvite(inviter, to, ...Array.from({ length: size }, contactNumber));

/** Invites `size` new numbers as `inviter`, fifty per request. */
async function inviteMany(inviter: Client, size: number, to: Hub = hub): Promise<void> {
  for (let left = size; left > 0; left -= 50)
    await expectOk(requestInviteMany(inviter, Math.min(left, 50), to));
}

const invitationCount = async (to: Hub = hub, viewer: Client = amara) =>
  (await invitationsOf(viewer, to)).length;

function expectLimited(reply: Reply): void {
  expect(reply).toMatchObject(LIMITED);
  expect(reply.error.details.retryAfterSeconds).toBeLessThanOrEqual(DAY_IN_SECONDS);
}

describe('the daily limit of 300 invitations of a member', () => {
  test('a request beyond the limit invites nobody and uses up nothing', async () => {
    await inviteMany(amara, 290);
    expectLimited(await requestInviteMany(amara, 20));
    expect(await invitationCount()).toBe(290);
    await inviteMany(amara, 10);
    expect(await invitationCount()).toBe(300);
  });

  test('a number that a request repeats counts once', async () => {
    await inviteMany(amara, 280);
    const numbers = Array.from({ length: 20 }, contactNumber);
    expect((await requestInvite(amara, hub, ...numbers, ...numbers)).status).toBe(201);
    expect(await invitationCount()).toBe(300);
  });

  test('concurrent requests invite 300 numbers in total', async () => {
    const replies = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => requestInviteMany(amara, 50)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
    expect(await invitationCount()).toBe(300);
  });
});

describe('the daily limit of 1,000 invitations of a Hub', () => {
  /** Adds three members who invite, together with Amara, 1,000 numbers minus `left`. */
  async function addInviters(left: number): Promise<Person[]> {
    const people: Person[] = [];
    for (const size of [300, 300, 300]) {
      const person = await aMemberOf(opine, amara, hub);
      people.push(person);
      await inviteMany(person, size);
    }
    // The three members joined by invitation, which counts too.
    await inviteMany(amara, 1000 - 900 - 3 - left);
    return people;
  }

  test('the limit covers all members of the Hub together', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    await addInviters(1 + 4);
    await inviteMany(jonas, 4);
    for (const person of [amara, jonas]) expectLimited(await requestInviteMany(person, 3));
    expect(await invitationCount()).toBe(1000);
  });

  test('a refused request does not count towards the limit of the member', async () => {
    await addInviters(0);
    for (const _ of [1, 2, 3, 4, 5]) expectLimited(await requestInviteMany(amara, 50));
    const other = await aHub(amara);
    await inviteMany(amara, 200, other);
    expect([await invitationCount(), await invitationCount(other)]).toEqual([1000, 200]);
  });
});

describe('the daily limit of 100 invite links of a Hub', () => {
  const requestLink = (person: Client, key: string) =>
    person.post(`/hubs/${hub.id}/invite-links`, {}, { headers: { 'idempotency-key': key } });
  const createLinks = async (person: Client, size: number) => {
    for (let index = 0; index < size; index += 1) await expectOk(requestLink(person, `link-${index}`));
  };

  test('the limit covers all members of the Hub together and no other Hub', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    await createLinks(amara, 60);
    await createLinks(jonas, 40);
    for (const person of [amara, jonas]) expectLimited(await requestLink(person, 'one-more'));
    expect(await linksOf(amara, hub)).toHaveLength(100);
    expect((await anInviteLink(amara, await aHub(amara))).useCount).toBe(0);
  });

  test('a revocation gives back no link, and a replay is not limited', async () => {
    await createLinks(amara, 100);
    expect((await requestLink(amara, 'link-7')).status).toBe(201);
    const [link] = await linksOf(amara, hub);
    await expectOk(amara.delete(`/hubs/${hub.id}/invite-links/${link.id}`));
    expectLimited(await requestLink(amara, 'one-more'));
    expect(await linksOf(amara, hub)).toHaveLength(99);
  });
});
