import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { granted, NO_IDS, NOBODY } from '../support/graph.ts';
import {
  aHubWorld,
  aPair,
  FORBIDDEN,
  MEMBER_NOT_FOUND,
  NON_MEMBERS,
  refusalIn,
  roleOf,
  rolesIn,
  SUBORDINATES,
} from '../support/hub-worlds.ts';
import { requestAppoint, requestDismiss, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const ITEMS = [NOBODY.id, ...NO_IDS];

describe('roles in a Hub', () => {
  test('an admin makes a member admin, manager and member again', async () => {
    const { hub, amara, jonas } = await aPair(opine);
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
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestAppoint(amara, hub, jonas));
    await granted(requestDismiss(jonas, hub, amara));
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'member', Jonas: 'admin' });
    expect(refusalIn(await requestAppoint(amara, hub, amara))).toEqual(FORBIDDEN);
  });

  test('an admin cannot set roles in, or remove members from, another Hub', async () => {
    const [here, there] = [await aPair(opine), await aPair(opine)];
    expect(refusalIn(await requestAppoint(here.amara, there.hub, there.jonas))).toEqual(FORBIDDEN);
    for (const send of [requestDismiss, requestRemove]) {
      expect(refusalIn(await send(here.amara, there.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
      expect(refusalIn(await send(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    }
    expect(refusalIn(await requestAppoint(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    expect(await rolesIn(there.amara, there.hub)).toEqual({ Amara: 'admin', Jonas: 'member' });
  });

  test('an admin gets MEMBER_NOT_FOUND for every kind of non-member', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS)
      for (const send of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalIn(await send(admin, hub, people[membershipStatus])), membershipStatus).toEqual(
          MEMBER_NOT_FOUND,
        );
    expect(refusalIn(await requestAppoint(admin, hub, NOBODY))).toEqual(MEMBER_NOT_FOUND);
    for (const id of ITEMS)
      for (const send of [requestDismiss, requestRemove])
        expect(refusalIn(await send(admin, hub, { id })), id).toEqual(MEMBER_NOT_FOUND);
  });

  test.each([
    {},
    { role: 'admin' },
    { userId: null },
    { userId: 7 },
    { role: 'owner' },
    { role: 'member' },
    { role: null },
    { since: 1 },
  ])('the service rejects the appointment %j', async (fields) => {
    const { hub, amara, jonas } = await aPair(opine);
    const named = 'since' in fields || ('role' in fields && fields.role !== 'admin');
    const body = { ...(named && { userId: jonas.id }), ...fields };
    expect(await amara.post(`/hubs/${hub.id}/admins`, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await roleOf(jonas, hub)).toBe('member');
  });
});

test('a caller who is no admin cannot appoint, dismiss or remove anybody, themselves included', async () => {
  const { hub, admin, ...people } = await aHubWorld(opine);
  for (const membershipStatus of SUBORDINATES) {
    const person = people[membershipStatus];
    for (const target of [people.member, people.manager, admin])
      for (const send of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalIn(await send(person, hub, target)), membershipStatus).toEqual(FORBIDDEN);
  }
  for (const membershipStatus of NON_MEMBERS) {
    const person = people[membershipStatus];
    for (const target of [people.member, admin, person]) {
      expect(refusalIn(await requestAppoint(person, hub, target)), membershipStatus).toEqual(FORBIDDEN);
      for (const send of [requestDismiss, requestRemove])
        expect(refusalIn(await send(person, hub, target)), membershipStatus).toEqual(MEMBER_NOT_FOUND);
    }
  }
  expect(await rolesIn(admin, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager', Carla: 'member' });
});
