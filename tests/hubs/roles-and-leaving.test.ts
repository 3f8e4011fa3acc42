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
  LAST_ADMIN,
  MEMBER_NOT_FOUND,
  requestAppoint,
  requestDismiss,
  requestLeave,
  requestRemove,
  roleOf,
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

// docs/product.md H8, H18
test('an admin makes a member admin, manager and member again', async () => {
  const { hub, amara, jonas } = await aHubWithMember(opine);
  const appoint = (fields: object) => amara.post(`/hubs/${hub.id}/admins`, { userId: jonas.id, ...fields });
  for (const [send, role] of [
    [() => appoint({}), 'admin'],
    [() => appoint({ role: 'manager' }), 'manager'],
    [() => requestDismiss(amara, hub, jonas), 'member'],
  ] as const) {
    const { status, data } = await send();
    expect([status, data]).toEqual([200, { userId: jonas.id, role }]);
    expect(await roleOf(jonas, hub)).toBe(role);
  }
});

// docs/product.md H16
describe('the last admin', () => {
  test('an admin who leaves while other members remain gets LAST_ADMIN', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    expect(refusalOf(await requestLeave(amara, hub))).toEqual(LAST_ADMIN);
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'admin', Jonas: 'member' });
  });

  test('one of the last two admins stays admin if both resign concurrently', async () => {
    for (const _ of Array(8).keys()) {
      const { hub, amara, jonas } = await aHubWithMember(opine);
      await expectOk(requestAppoint(amara, hub, jonas));
      const lena = await aMemberOf(opine, amara, hub, 'Lena');
      const replies = await Promise.all([requestDismiss(amara, hub, amara), requestLeave(jonas, hub)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(Object.values(await rolesIn(lena, hub))).toContain('admin');
    }
  });
});

describe('the end of a membership', () => {
  // docs/product.md H18
  test('a removed member becomes a non-member', async () => {
    const { hub, admin, manager, member } = await aHubWorld(opine);
    const reply = await requestRemove(admin, hub, member);
    expect([reply.status, reply.data]).toEqual([200, {}]);
    expect(await hubSeenBy(member, hub)).toEqual(hubPreview(hub, 2));
    expect(refusalOf(await member.get(`/hubs/${hub.id}/members`))).toEqual(FORBIDDEN);
    expect(await rolesIn(manager, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager' });
    expect(refusalOf(await requestRemove(admin, hub, member))).toEqual(MEMBER_NOT_FOUND);
    expect(refusalOf(await requestLeave(member, hub))).toEqual(FORBIDDEN);
  });

  test('an admin leaves and rejoins as member', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas));
    const { status, data } = await requestLeave(jonas, hub);
    expect([status, data]).toEqual([200, {}]);
    expect(await hubSeenBy(jonas, hub)).toEqual(hubPreview(hub, 1));
    expect(refusalOf(await requestLeave(jonas, hub))).toEqual(FORBIDDEN);
    await join(amara, hub, [jonas]);
    expect(await hubSeenBy(jonas, hub)).toMatchObject({ viewerRole: 'member', memberCount: 2 });
  });

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

  // docs/product.md H17, I19
  test('the longest-standing manager becomes admin after the last admin', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const maya = await aMemberOf(opine, amara, hub, 'Maya');
    for (const person of [maya, lena]) await expectOk(requestAppoint(amara, hub, person, 'manager'));
    await end(amara);
    expect(await rolesIn(jonas, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'manager' });
  });
});
