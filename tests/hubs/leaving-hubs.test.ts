import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, refusalOf } from '../support/client.ts';
import {
  aHubWithMember,
  aHubWorld,
  aMemberOf,
  FORBIDDEN,
  hubPreview,
  hubSeenBy,
  join,
  MEMBER_NOT_FOUND,
  requestAppoint,
  requestLeave,
  requestRemove,
  rolesIn,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import { waitUntilDeleted } from '../support/worker.ts';

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
      expect(await hubSeenBy(member, hub)).toEqual(hubPreview(hub, 2));
      expect(refusalOf(await member.get(`/hubs/${hub.id}/members`))).toEqual(FORBIDDEN);
      expect(await rolesIn(manager, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager' });
      expect(refusalOf(await requestRemove(admin, hub, member))).toEqual(MEMBER_NOT_FOUND);
      expect(refusalOf(await requestLeave(member, hub))).toEqual(FORBIDDEN);
    },
  );

  test.each(['admin', 'manager'] as const)('an admin removes a member with the role %s', async (role) => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas, role));
    await expectOk(requestRemove(amara, hub, jonas));
    expect(await rolesIn(amara, hub)).toEqual({ Amara: 'admin' });
  });

  test.each(['member', 'manager', 'admin'] as const)(
    'a member with the role %s leaves and rejoins as member',
    async (role) => {
      const { hub, amara, jonas } = await aHubWithMember(opine);
      if (role !== 'member') await expectOk(requestAppoint(amara, hub, jonas, role));
      const { status, data } = await requestLeave(jonas, hub);
      expect([status, data]).toEqual([200, {}]);
      expect(await hubSeenBy(jonas, hub)).toEqual(hubPreview(hub, 1));
      expect(refusalOf(await requestLeave(jonas, hub))).toEqual(FORBIDDEN);
      await join(amara, hub, [jonas]);
      expect(await hubSeenBy(jonas, hub)).toMatchObject({ viewerRole: 'member', memberCount: 2 });
    },
  );

  test('one of five concurrent requests to leave succeeds', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await aMemberOf(opine, amara, hub, 'Lena');
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestLeave(jonas, hub)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(2);
  });
});

describe('the deletion of the account of a member', () => {
  const end = async (person: Person) => {
    await expectOk(person.delete('/users/me'));
    await waitUntilDeleted(opine, person.id);
  };

  test('the longest-standing manager becomes admin after the last admin', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const maya = await aMemberOf(opine, amara, hub, 'Maya');
    for (const person of [maya, lena]) await expectOk(requestAppoint(amara, hub, person, 'manager'));
    await end(amara);
    expect(await rolesIn(jonas, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'manager' });
  });
});
