import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, MALFORMED_IDS, NONEXISTENT, refusal, refusalOf } from '../support/client.ts';
import {
  aHub,
  aHubWithMember,
  aHubWorld,
  aMemberOf,
  FORBIDDEN,
  HUB_NOT_FOUND,
  type Hub,
  hubSeenBy,
  LAST_ADMIN,
  MEMBER_NOT_FOUND,
  NON_ADMINS,
  NON_MEMBERS,
  requestAppoint,
  requestDismiss,
  requestLeave,
  requestRemove,
  roleOf,
  rolesIn,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const ITEMS = [NONEXISTENT.id, ...MALFORMED_IDS];

describe('roles in a Hub', () => {
  test('an admin makes a member admin, manager and member again', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    const appoint = (fields: object) => amara.post(`/hubs/${hub.id}/admins`, { userId: jonas.id, ...fields });
    for (const [fields, role] of [
      [{}, 'admin'],
      [{ role: 'manager' }, 'manager'],
      [{ role: 'admin' }, 'admin'],
    ] as const) {
      for (const _ of ['at first', 'and again']) {
        const { status, data } = await appoint(fields);
        expect([status, data]).toEqual([200, { userId: jonas.id, role }]);
        expect(await roleOf(jonas, hub)).toBe(role);
      }
    }
    for (const _ of ['at first', 'and again']) {
      const { status, data } = await requestDismiss(amara, hub, jonas);
      expect([status, data]).toEqual([200, { userId: jonas.id, role: 'member' }]);
      expect(await roleOf(jonas, hub)).toBe('member');
    }
  });

  test('an appointed admin dismisses the creator of the Hub', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas));
    await expectOk(requestDismiss(jonas, hub, amara));
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'member', Jonas: 'admin' });
    expect(refusalOf(await requestAppoint(amara, hub, amara))).toEqual(FORBIDDEN);
  });

  test('an admin gets MEMBER_NOT_FOUND for every kind of non-member', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS)
      for (const send of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalOf(await send(admin, hub, people[membershipStatus])), membershipStatus).toEqual(
          MEMBER_NOT_FOUND,
        );
    expect(refusalOf(await requestAppoint(admin, hub, NONEXISTENT))).toEqual(MEMBER_NOT_FOUND);
    for (const id of ITEMS)
      for (const send of [requestDismiss, requestRemove])
        expect(refusalOf(await send(admin, hub, { id })), id).toEqual(MEMBER_NOT_FOUND);
  });

  test.each([{ role: 'owner' }, { role: 'member' }, { role: null }])(
    'the service rejects the appointment %j',
    async (fields) => {
      const { hub, amara, jonas } = await aHubWithMember(opine);
      expect(await amara.post(`/hubs/${hub.id}/admins`, { userId: jonas.id, ...fields })).toMatchObject(
        refusal(422, 'VALIDATION_FAILED'),
      );
      expect(await roleOf(jonas, hub)).toBe('member');
    },
  );
});

test('a caller who is no admin cannot appoint, dismiss or remove anybody, themselves included', async () => {
  const { hub, admin, ...people } = await aHubWorld(opine);
  for (const membershipStatus of NON_ADMINS) {
    const person = people[membershipStatus];
    for (const target of [people.member, people.manager, admin])
      for (const send of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalOf(await send(person, hub, target)), membershipStatus).toEqual(FORBIDDEN);
  }
  for (const membershipStatus of NON_MEMBERS) {
    const person = people[membershipStatus];
    for (const target of [people.member, admin, person]) {
      expect(refusalOf(await requestAppoint(person, hub, target)), membershipStatus).toEqual(FORBIDDEN);
      for (const send of [requestDismiss, requestRemove])
        expect(refusalOf(await send(person, hub, target)), membershipStatus).toEqual(MEMBER_NOT_FOUND);
    }
  }
  expect(await rolesIn(admin, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager', Carla: 'member' });
});

describe('the last admin', () => {
  const endings: [string, (admin: Person, hub: Hub) => Promise<unknown[]>][] = [
    ['is dismissed', async (admin, hub) => refusalOf(await requestDismiss(admin, hub, admin))],
    ['becomes manager', async (admin, hub) => refusalOf(await requestAppoint(admin, hub, admin, 'manager'))],
    ['leaves', async (admin, hub) => refusalOf(await requestLeave(admin, hub))],
    ['is removed', async (admin, hub) => refusalOf(await requestRemove(admin, hub, admin))],
  ];

  test.each(endings)('an admin who %s while other members remain gets LAST_ADMIN', async (_, send) => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await expectOk(requestAppoint(amara, hub, jonas, 'manager'));
    expect(await send(amara, hub)).toEqual(LAST_ADMIN);
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'admin', Jonas: 'manager' });
    expect((await hubSeenBy(jonas, hub)).memberCount).toBe(2);
    expect(await expectOk(requestAppoint(amara, hub, amara))).toEqual({ userId: amara.id, role: 'admin' });
  });

  test.each(endings.slice(0, 2))('an admin who %s as the only member gets LAST_ADMIN', async (_, send) => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara);
    expect(await send(amara, hub)).toEqual(LAST_ADMIN);
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
  });

  test.each(endings.slice(2))('an admin who %s as the only member closes the Hub', async (_, send) => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await expectOk(requestLeave(jonas, hub));
    expect((await send(amara, hub))[0]).toBe(200);
    for (const person of [amara, jonas])
      expect(refusalOf(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
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
