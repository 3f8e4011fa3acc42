import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { granted } from '../support/graph.ts';
import { aPair, HUB_NOT_FOUND, LAST_ADMIN, refusalIn, roleOf, rolesIn } from '../support/hub-worlds.ts';
import {
  aHub,
  aMemberOf,
  type Hub,
  hubSeenBy,
  requestAppoint,
  requestDismiss,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('the last admin', () => {
  const endings: [string, (admin: Person, hub: Hub) => Promise<unknown[]>][] = [
    ['is dismissed', async (admin, hub) => refusalIn(await requestDismiss(admin, hub, admin))],
    ['becomes manager', async (admin, hub) => refusalIn(await requestAppoint(admin, hub, admin, 'manager'))],
    ['leaves', async (admin, hub) => refusalIn(await requestLeave(admin, hub))],
    ['is removed', async (admin, hub) => refusalIn(await requestRemove(admin, hub, admin))],
  ];

  test.each(endings)('an admin who %s while other members remain gets LAST_ADMIN', async (_, send) => {
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestAppoint(amara, hub, jonas, 'manager'));
    expect(await send(amara, hub)).toEqual(LAST_ADMIN);
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'admin', Jonas: 'manager' });
    expect((await hubSeenBy(jonas, hub)).memberCount).toBe(2);
    expect(await granted(requestAppoint(amara, hub, amara))).toEqual({ userId: amara.id, role: 'admin' });
  });

  test.each(endings)(
    'an admin who %s beside another admin makes the other the last admin',
    async (_, send) => {
      const { hub, amara, jonas } = await aPair(opine);
      await granted(requestAppoint(amara, hub, jonas));
      expect((await send(amara, hub))[0]).toBe(200);
      expect(await roleOf(amara, hub)).not.toBe('admin');
      expect(await roleOf(jonas, hub)).toBe('admin');
      await aMemberOf(opine, jonas, hub);
      expect(await send(jonas, hub)).toEqual(LAST_ADMIN);
    },
  );

  test.each(endings.slice(0, 2))('an admin who %s as the only member gets LAST_ADMIN', async (_, send) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    expect(await send(amara, hub)).toEqual(LAST_ADMIN);
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
  });

  test.each(endings.slice(2))('an admin who %s as the only member closes the Hub', async (_, send) => {
    const { hub, amara, jonas } = await aPair(opine);
    await granted(requestLeave(jonas, hub));
    expect((await send(amara, hub))[0]).toBe(200);
    for (const person of [amara, jonas])
      expect(refusalIn(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
  });

  test('one of the last two admins stays admin if both resign concurrently', async () => {
    for (const _ of Array(8).keys()) {
      const { hub, amara, jonas } = await aPair(opine);
      await granted(requestAppoint(amara, hub, jonas));
      const lena = await aMemberOf(opine, amara, hub, 'Lena');
      const replies = await Promise.all([requestDismiss(amara, hub, amara), requestLeave(jonas, hub)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(Object.values(await rolesIn(lena, hub))).toContain('admin');
    }
  });
});
