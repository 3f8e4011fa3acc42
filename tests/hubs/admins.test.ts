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

describe('an admin', () => {
  test('makes a member admin, manager, and member again', async () => {
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

  test("by somebody else's word is as good a one, and may dismiss the founder", async () => {
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestAppoint(amara, hub, jonas));
    await granted(requestDismiss(jonas, hub, amara));
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'member', Jonas: 'admin' });
    expect(refusalIn(await requestAppoint(amara, hub, amara))).toEqual(FORBIDDEN);
  });

  test('has power in their own Hub alone', async () => {
    const [here, there] = [await aPair(opine), await aPair(opine)];
    expect(refusalIn(await requestAppoint(here.amara, there.hub, there.jonas))).toEqual(FORBIDDEN);
    for (const ask of [requestDismiss, requestRemove]) {
      expect(refusalIn(await ask(here.amara, there.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
      expect(refusalIn(await ask(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    }
    expect(refusalIn(await requestAppoint(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    expect(await rolesIn(there.amara, there.hub)).toEqual({ Amara: 'admin', Jonas: 'member' });
  });

  test('says nothing of who is no member', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine);
    for (const standing of NON_MEMBERS)
      for (const ask of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalIn(await ask(admin, hub, people[standing])), standing).toEqual(MEMBER_NOT_FOUND);
    expect(refusalIn(await requestAppoint(admin, hub, NOBODY))).toEqual(MEMBER_NOT_FOUND);
    for (const id of ITEMS)
      for (const ask of [requestDismiss, requestRemove])
        expect(refusalIn(await ask(admin, hub, { id })), id).toEqual(MEMBER_NOT_FOUND);
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
  ])('appoints nobody by %j', async (fields) => {
    const { hub, amara, jonas } = await aPair(opine);
    const named = 'since' in fields || ('role' in fields && fields.role !== 'admin');
    const body = { ...(named && { userId: jonas.id }), ...fields };
    expect(await amara.post(`/hubs/${hub.id}/admins`, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await roleOf(jonas, hub)).toBe('member');
  });
});

test('whoever is no admin appoints, dismisses and removes nobody, themselves neither', async () => {
  const { hub, admin, ...people } = await aHubWorld(opine);
  for (const standing of SUBORDINATES) {
    const person = people[standing];
    for (const target of [people.member, people.manager, admin])
      for (const ask of [requestAppoint, requestDismiss, requestRemove])
        expect(refusalIn(await ask(person, hub, target)), standing).toEqual(FORBIDDEN);
  }
  for (const standing of NON_MEMBERS) {
    const person = people[standing];
    for (const target of [people.member, admin, person]) {
      expect(refusalIn(await requestAppoint(person, hub, target)), standing).toEqual(FORBIDDEN);
      for (const ask of [requestDismiss, requestRemove])
        expect(refusalIn(await ask(person, hub, target)), standing).toEqual(MEMBER_NOT_FOUND);
    }
  }
  expect(await rolesIn(admin, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager', Carla: 'member' });
});
