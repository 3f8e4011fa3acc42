import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aNumber } from '../support/contacts.ts';
import { everyPage, granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  type Role,
  requestAccept,
  requestAppoint,
  requestDecline,
  requestInvite,
  requestLeave,
} from '../support/hubs.ts';
import { invitationsOf, later, nonMembersOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara Okafor');
  hub = await aHub(amara);
});

const ROLES: Role[] = ['member', 'manager', 'admin'];

const numbersIn = (items: Json[]): string[] => items.map(({ phoneNumber }) => phoneNumber);
const statesIn = (items: Json[]) =>
  Object.fromEntries(items.map(({ phoneNumber, state }) => [phoneNumber, state]));

describe('GET /hubs/{hubId}/invitations', () => {
  test('an entry has number, state and inviter, and neither address nor share text', async () => {
    const { id, phoneNumber, expiresAt } = await anInvitation(amara, hub, { phoneNumber: aNumber() });
    const invitedBy = { userId: amara.id, displayName: 'Amara Okafor' };
    const entry = {
      id,
      phoneNumber,
      state: 'pending',
      inviteUrl: null,
      shareText: null,
      expiresAt,
      invitedBy,
    };
    expect(await invitationsOf(amara, hub)).toEqual([entry]);
  });

  test.each(ROLES)('a %s can invite and lists the invitations that their role may read', async (role) => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', role);
    const [hers, his] = [aNumber(), aNumber()];
    await granted(requestInvite(amara, hub, hers));
    expect((await requestInvite(jonas, hub, his)).status).toBe(201);
    const seen = numbersIn(await invitationsOf(jonas, hub));
    expect(seen).toEqual(role === 'member' ? [his] : [his, hers, jonas.phoneNumber]);
    expect(numbersIn(await invitationsOf(amara, hub))).toEqual([his, hers, jonas.phoneNumber]);
  });

  test('a former manager no longer lists the invitations of others', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'manager');
    await granted(amara.delete(`/hubs/${hub.id}/admins/${jonas.id}`));
    expect(await invitationsOf(jonas, hub)).toEqual([]);
    await granted(requestAppoint(amara, hub, jonas, 'manager'));
    expect(await invitationsOf(jonas, hub)).toHaveLength(1);
  });

  test('an admin lists the invitations of a former member', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    const { id } = await anInvitation(jonas, hub, { phoneNumber: aNumber() });
    await granted(requestLeave(jonas, hub));
    expect(idsOf(await invitationsOf(amara, hub))).toContain(id);
  });

  test('an entry has the state in which its invitation ended', async () => {
    const [yes, no, silent] = [await aHubReady(opine), await aHubReady(opine), aNumber()];
    await granted(requestAccept(yes, await anInvitation(amara, hub, yes)));
    await granted(requestDecline(no, await anInvitation(amara, hub, no)));
    await granted(requestInvite(amara, hub, silent));
    const known = { [yes.phoneNumber]: 'accepted', [no.phoneNumber]: 'declined' };
    expect(statesIn(await invitationsOf(amara, hub))).toEqual({ ...known, [silent]: 'pending' });
    const [amaraLater] = await later(opine, '7 days 1 minute', amara);
    expect(statesIn(await invitationsOf(amaraLater, hub))).toEqual({ ...known, [silent]: 'expired' });
  });

  test('pages of two list each invitation once, newest first', async () => {
    const numbers = [aNumber(), aNumber(), aNumber(), aNumber(), aNumber()];
    for (const number of numbers) await granted(requestInvite(amara, hub, number));
    const pages = await everyPage(amara, `/hubs/${hub.id}/invitations`, { limit: 2 });
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(numbersIn(pages.flat())).toEqual(numbers.toReversed());
  });

  test('the list omits invitations to other Hubs', async () => {
    const other = await aHub(amara);
    await granted(requestInvite(amara, hub, aNumber()));
    expect(await invitationsOf(amara, other)).toEqual([]);
  });
});

describe('access to invitations', () => {
  const expectRefused = async (person: Client, expected: Json, { id }: Json = hub) => {
    expect(await person.post(`/hubs/${id}/invitations`, { phoneNumbers: [aNumber()] })).toMatchObject(
      expected,
    );
    expect(await person.get(`/hubs/${id}/invitations`)).toMatchObject(expected);
  };

  test('a non-member can neither invite nor list invitations', async () => {
    for (const nonMember of Object.values(await nonMembersOf(opine, amara, hub)))
      await expectRefused(nonMember, refusal(403, 'FORBIDDEN'));
  });

  test('a caller below level 4 can neither invite nor list invitations', async () => {
    await expectRefused(await aConfirmed(opine), refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 3 }));
  });

  test.each([...NO_IDS, NOBODY.id])('invitations of the unknown Hub "%s" are 404', async (id) => {
    await expectRefused(amara, refusal(404, 'HUB_NOT_FOUND'), { id });
  });

  test('invitations of a closed Hub are 404', async () => {
    await granted(requestLeave(amara, hub));
    await expectRefused(amara, refusal(404, 'HUB_NOT_FOUND'));
  });
});
