import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { refusal } from '../support/client.ts';
import { granted } from '../support/graph.ts';
import {
  aHubWorld,
  aPair,
  FORBIDDEN,
  HUB_NOT_FOUND,
  MEMBER_NOT_FOUND,
  NON_MEMBERS,
  previewOf,
  refusalIn,
  roleOf,
  rolesIn,
} from '../support/hub-worlds.ts';
import {
  aMemberOf,
  anInvitation,
  type Hub,
  hubSeenBy,
  join,
  requestAccept,
  requestAppoint,
  requestDismiss,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('the end of a membership', () => {
  test.each([{}, undefined])(
    'an admin removes a member with the body %j, who becomes a non-member',
    async (body) => {
      const { hub, admin, manager, member } = await aHubWorld(opine);
      const reply = await admin.post(`/hubs/${hub.id}/members/${member.id}/remove`, body);
      expect([reply.status, reply.data]).toEqual([200, {}]);
      expect(await hubSeenBy(member, hub)).toEqual(previewOf(hub, 2));
      expect(refusalIn(await member.get(`/hubs/${hub.id}/members`))).toEqual(FORBIDDEN);
      expect(await rolesIn(manager, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager' });
      expect(refusalIn(await requestRemove(admin, hub, member))).toEqual(MEMBER_NOT_FOUND);
      expect(refusalIn(await requestLeave(member, hub))).toEqual(FORBIDDEN);
    },
  );

  test.each(['admin', 'manager'] as const)('an admin removes a member with the role %s', async (role) => {
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestAppoint(amara, hub, jonas, role));
    await granted(requestRemove(amara, hub, jonas));
    expect(await rolesIn(amara, hub)).toEqual({ Amara: 'admin' });
  });

  test.each(['member', 'manager', 'admin'] as const)(
    'a member with the role %s leaves and rejoins as member',
    async (role) => {
      const { hub, amara, jonas } = await aPair(opine);
      if (role !== 'member') await granted(requestAppoint(amara, hub, jonas, role));
      const { status, data } = await requestLeave(jonas, hub);
      expect([status, data]).toEqual([200, {}]);
      expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
      expect(refusalIn(await requestLeave(jonas, hub))).toEqual(FORBIDDEN);
      await join(amara, hub, [jonas]);
      expect(await hubSeenBy(jonas, hub)).toMatchObject({ viewerRole: 'member', memberCount: 2 });
    },
  );

  test('one of five concurrent requests to leave succeeds', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    await aMemberOf(opine, amara, hub, 'Lena');
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestLeave(jonas, hub)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(2);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => requestLeave(jonas, hub)],
    ['is removed', requestRemove],
  ])('a member who %s has no open invitation left', async (_, end) => {
    const { hub, amara, jonas } = await aPair(opine);
    const invitation = await anInvitation(amara, hub, jonas);
    await granted(end(amara, hub, jonas));
    expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
    expect(refusalIn(await requestAccept(jonas, invitation))).toEqual([409, 'INVITATION_NOT_PENDING', {}]);
    await granted(requestAccept(jonas, await anInvitation(amara, hub, jonas)));
    expect(await roleOf(jonas, hub)).toBe('member');
  });

  test('a non-member and a guest can neither leave nor remove anybody', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS)
      expect(refusalIn(await requestLeave(people[membershipStatus], hub)), membershipStatus).toEqual(
        FORBIDDEN,
      );
    const guest = aGuest(opine);
    for (const send of [requestAppoint, requestDismiss, requestRemove])
      expect(await send(guest, hub, people.member)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await requestLeave(guest, hub)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await hubSeenBy(people.admin, hub)).memberCount).toBe(3);
  });
});

describe('the deletion of the account of a member', () => {
  const end = async (person: Person) => {
    await granted(person.delete('/users/me'));
    await untilGone(opine, person.id);
  };

  test('the member disappears from the Hub and its member count', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    await end(jonas);
    expect(await rolesIn(amara, hub)).toEqual({ Amara: 'admin' });
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(1);
  });

  test('the longest-standing manager becomes admin after the last admin', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const maya = await aMemberOf(opine, amara, hub, 'Maya');
    for (const person of [maya, lena]) await granted(requestAppoint(amara, hub, person, 'manager'));
    await end(amara);
    expect(await rolesIn(jonas, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'manager' });
  });

  test('the longest-standing member becomes admin if there is no manager', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await aMemberOf(opine, amara, hub, 'Maya');
    await granted(requestLeave(jonas, hub));
    await join(amara, hub, [jonas]);
    await end(amara);
    expect(await rolesIn(lena, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'member' });
  });

  test('no other role changes if there is another admin', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    await aMemberOf(opine, amara, hub, 'Lena', 'manager');
    const maya = await aMemberOf(opine, amara, hub, 'Maya', 'admin');
    await end(amara);
    expect(await rolesIn(maya, hub)).toEqual({ Jonas: 'member', Lena: 'manager', Maya: 'admin' });
    expect(await roleOf(jonas, hub)).toBe('member');
  });

  test('the Hub closes if there is no other member', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestLeave(jonas, hub));
    await end(amara);
    expect(refusalIn(await jonas.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
  });
});
