import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from './builders/departures.ts';
import { granted, NO_IDS, NOBODY, profileSeenBy } from './builders/graph.ts';
import {
  aHubWorld,
  FORBIDDEN,
  HUB_NOT_FOUND,
  LAST_ADMIN,
  MEMBER_NOT_FOUND,
  OUTSIDERS,
  previewOf,
  refusalIn,
  SUBORDINATES,
} from './builders/hub-worlds.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  askToAccept,
  askToAppoint,
  askToDismiss,
  askToLeave,
  askToRemove,
  type Hub,
  hubSeenBy,
  join,
} from './builders/hubs.ts';
import { aGuest, aHubReady, type Person } from './builders/people.ts';
import { aPng } from './builders/pictures.ts';
import { type StoringOpine, startStoringOpine } from './builders/storage.ts';
import { anUpload, photoUrlOf } from './builders/uploads.ts';
import { type Client, type Json, refusal } from './harness/client.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const roleOf = async (person: Client, hub: Hub) => (await hubSeenBy(person, hub)).viewerRole;
const rolesIn = async (viewer: Client, { id }: Hub): Promise<Record<string, string>> => {
  const { items } = await granted(viewer.get(`/hubs/${id}/members`));
  return Object.fromEntries(items.map(({ displayName, role }: Json) => [displayName, role]));
};
const ITEMS = [NOBODY.id, ...NO_IDS];

/** Amara's Hub, and Jonas, who is a member. */
async function aPair(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  return { hub, amara, jonas: await aMemberOf(opine, amara, hub, 'Jonas') };
}

describe('an admin', () => {
  test('makes a member admin, manager, and member again', async () => {
    const { hub, amara, jonas } = await aPair();
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
      const { status, data } = await askToDismiss(amara, hub, jonas);
      expect([status, data]).toEqual([200, { userId: jonas.id, role: 'member' }]);
      expect(await roleOf(jonas, hub)).toBe('member');
    }
  });

  test("by somebody else's word is as good a one, and may dismiss the founder", async () => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToAppoint(amara, hub, jonas));
    await granted(askToDismiss(jonas, hub, amara));
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'member', Jonas: 'admin' });
    expect(refusalIn(await askToAppoint(amara, hub, amara))).toEqual(FORBIDDEN);
  });

  test('has power in their own Hub alone', async () => {
    const [here, there] = [await aPair(), await aPair()];
    expect(refusalIn(await askToAppoint(here.amara, there.hub, there.jonas))).toEqual(FORBIDDEN);
    for (const ask of [askToDismiss, askToRemove]) {
      expect(refusalIn(await ask(here.amara, there.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
      expect(refusalIn(await ask(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    }
    expect(refusalIn(await askToAppoint(here.amara, here.hub, there.jonas))).toEqual(MEMBER_NOT_FOUND);
    expect(await rolesIn(there.amara, there.hub)).toEqual({ Amara: 'admin', Jonas: 'member' });
  });

  test('says nothing of who is no member', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine);
    for (const standing of OUTSIDERS)
      for (const ask of [askToAppoint, askToDismiss, askToRemove])
        expect(refusalIn(await ask(admin, hub, people[standing])), standing).toEqual(MEMBER_NOT_FOUND);
    expect(refusalIn(await askToAppoint(admin, hub, NOBODY))).toEqual(MEMBER_NOT_FOUND);
    for (const id of ITEMS)
      for (const ask of [askToDismiss, askToRemove])
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
    const { hub, amara, jonas } = await aPair();
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
      for (const ask of [askToAppoint, askToDismiss, askToRemove])
        expect(refusalIn(await ask(person, hub, target)), standing).toEqual(FORBIDDEN);
  }
  for (const standing of OUTSIDERS) {
    const person = people[standing];
    for (const target of [people.member, admin, person]) {
      expect(refusalIn(await askToAppoint(person, hub, target)), standing).toEqual(FORBIDDEN);
      for (const ask of [askToDismiss, askToRemove])
        expect(refusalIn(await ask(person, hub, target)), standing).toEqual(MEMBER_NOT_FOUND);
    }
  }
  expect(await rolesIn(admin, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager', Carla: 'member' });
});

describe('the last admin', () => {
  const letGo: [string, (admin: Person, hub: Hub) => Promise<unknown[]>][] = [
    ['is dismissed', async (admin, hub) => refusalIn(await askToDismiss(admin, hub, admin))],
    ['becomes manager', async (admin, hub) => refusalIn(await askToAppoint(admin, hub, admin, 'manager'))],
    ['leaves', async (admin, hub) => refusalIn(await askToLeave(admin, hub))],
    ['is removed', async (admin, hub) => refusalIn(await askToRemove(admin, hub, admin))],
  ];

  test.each(letGo)('stays: it is not so that one %s', async (_, ask) => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToAppoint(amara, hub, jonas, 'manager'));
    expect(await ask(amara, hub)).toEqual(LAST_ADMIN);
    expect(await rolesIn(jonas, hub)).toEqual({ Amara: 'admin', Jonas: 'manager' });
    expect((await hubSeenBy(jonas, hub)).memberCount).toBe(2);
    expect(await granted(askToAppoint(amara, hub, amara))).toEqual({ userId: amara.id, role: 'admin' });
  });

  test.each(letGo)('is somebody else where one of two %s', async (_, ask) => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToAppoint(amara, hub, jonas));
    expect((await ask(amara, hub))[0]).toBe(200);
    expect(await roleOf(amara, hub)).not.toBe('admin');
    expect(await roleOf(jonas, hub)).toBe('admin');
    await aMemberOf(opine, jonas, hub);
    expect(await ask(jonas, hub)).toEqual(LAST_ADMIN);
  });

  test.each(letGo.slice(0, 2))(
    'does so alone in the Hub as well: it is not so that one %s',
    async (_, ask) => {
      const amara = await aHubReady(opine);
      const hub = await aHub(amara);
      expect(await ask(amara, hub)).toEqual(LAST_ADMIN);
      expect(await hubSeenBy(amara, hub)).toEqual(hub);
    },
  );

  test.each(letGo.slice(2))('closes the Hub when, alone in it, one %s', async (_, ask) => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToLeave(jonas, hub));
    expect((await ask(amara, hub))[0]).toBe(200);
    for (const person of [amara, jonas])
      expect(refusalIn(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
  });

  test('is one of two who let go at once', async () => {
    for (const _ of Array(8).keys()) {
      const { hub, amara, jonas } = await aPair();
      await granted(askToAppoint(amara, hub, jonas));
      const lena = await aMemberOf(opine, amara, hub, 'Lena');
      const replies = await Promise.all([askToDismiss(amara, hub, amara), askToLeave(jonas, hub)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(Object.values(await rolesIn(lena, hub))).toContain('admin');
    }
  });
});

describe('a member', () => {
  test.each([{}, undefined])('who is removed, by a body of %j, is a stranger', async (body) => {
    const { hub, admin, manager, member } = await aHubWorld(opine);
    const reply = await admin.post(`/hubs/${hub.id}/members/${member.id}/remove`, body);
    expect([reply.status, reply.data]).toEqual([200, {}]);
    expect(await hubSeenBy(member, hub)).toEqual(previewOf(hub, 2));
    expect(refusalIn(await member.get(`/hubs/${hub.id}/members`))).toEqual(FORBIDDEN);
    expect(await rolesIn(manager, hub)).toEqual({ Amara: 'admin', Benedikt: 'manager' });
    expect(refusalIn(await askToRemove(admin, hub, member))).toEqual(MEMBER_NOT_FOUND);
    expect(refusalIn(await askToLeave(member, hub))).toEqual(FORBIDDEN);
  });

  test.each(['admin', 'manager'] as const)('may be removed as %s as well', async (role) => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToAppoint(amara, hub, jonas, role));
    await granted(askToRemove(amara, hub, jonas));
    expect(await rolesIn(amara, hub)).toEqual({ Amara: 'admin' });
  });

  test.each(['member', 'manager', 'admin'] as const)(
    'leaves as %s, and comes back as member',
    async (role) => {
      const { hub, amara, jonas } = await aPair();
      if (role !== 'member') await granted(askToAppoint(amara, hub, jonas, role));
      const { status, data } = await askToLeave(jonas, hub);
      expect([status, data]).toEqual([200, {}]);
      expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
      expect(refusalIn(await askToLeave(jonas, hub))).toEqual(FORBIDDEN);
      await join(amara, hub, [jonas]);
      expect(await hubSeenBy(jonas, hub)).toMatchObject({ viewerRole: 'member', memberCount: 2 });
    },
  );

  test('who leaves many times at once leaves once', async () => {
    const { hub, amara, jonas } = await aPair();
    await aMemberOf(opine, amara, hub, 'Lena');
    const replies = await Promise.all(Array.from({ length: 5 }, () => askToLeave(jonas, hub)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(2);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => askToLeave(jonas, hub)],
    ['is removed', askToRemove],
  ])('who %s leaves no invitation behind', async (_, end) => {
    const { hub, amara, jonas } = await aPair();
    const invitation = await anInvitation(amara, hub, jonas);
    await granted(end(amara, hub, jonas));
    expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
    expect(refusalIn(await askToAccept(jonas, invitation))).toEqual([409, 'INVITATION_NOT_PENDING', {}]);
    await granted(askToAccept(jonas, await anInvitation(amara, hub, jonas)));
    expect(await roleOf(jonas, hub)).toBe('member');
  });

  test('is nobody who was not one, and nobody without a bearer', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const standing of OUTSIDERS)
      expect(refusalIn(await askToLeave(people[standing], hub)), standing).toEqual(FORBIDDEN);
    const guest = aGuest(opine);
    for (const ask of [askToAppoint, askToDismiss, askToRemove])
      expect(await ask(guest, hub, people.member)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await askToLeave(guest, hub)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await hubSeenBy(people.admin, hub)).memberCount).toBe(3);
  });
});

describe('an account that ends leaves its Hubs', () => {
  const end = async (person: Person) => {
    await granted(person.delete('/users/me'));
    await untilGone(opine, person.id);
  };

  test('as a member would', async () => {
    const { hub, amara, jonas } = await aPair();
    await end(jonas);
    expect(await rolesIn(amara, hub)).toEqual({ Amara: 'admin' });
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(1);
  });

  test('to the manager who has been there longest', async () => {
    const { hub, amara, jonas } = await aPair();
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const maya = await aMemberOf(opine, amara, hub, 'Maya');
    for (const person of [maya, lena]) await granted(askToAppoint(amara, hub, person, 'manager'));
    await end(amara);
    expect(await rolesIn(jonas, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'manager' });
  });

  test('to the member who has been there longest, where there is no manager', async () => {
    const { hub, amara, jonas } = await aPair();
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await aMemberOf(opine, amara, hub, 'Maya');
    await granted(askToLeave(jonas, hub));
    await join(amara, hub, [jonas]);
    await end(amara);
    expect(await rolesIn(lena, hub)).toEqual({ Jonas: 'member', Lena: 'admin', Maya: 'member' });
  });

  test('to the other admin, where there is one', async () => {
    const { hub, amara, jonas } = await aPair();
    await aMemberOf(opine, amara, hub, 'Lena', 'manager');
    const maya = await aMemberOf(opine, amara, hub, 'Maya', 'admin');
    await end(amara);
    expect(await rolesIn(maya, hub)).toEqual({ Jonas: 'member', Lena: 'manager', Maya: 'admin' });
    expect(await roleOf(jonas, hub)).toBe('member');
  });

  test('to nobody, where there is nobody: the Hub closes', async () => {
    const { hub, amara, jonas } = await aPair();
    await granted(askToLeave(jonas, hub));
    await end(amara);
    expect(refusalIn(await jonas.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
  });
});

describe("the Hubs on somebody's profile", () => {
  const adminHubsOf = async (viewer: Client, person: Person) =>
    (await profileSeenBy(viewer, person)).adminHubs;

  test('are those that they are admin of, for everybody to see', async () => {
    const { hub, amara, jonas } = await aPair();
    const shown = { id: hub.id, name: 'Elm Street', profilePhotoUrl: null };
    for (const viewer of [aGuest(opine), amara, await aHubReady(opine)]) {
      expect(await adminHubsOf(viewer, amara)).toEqual([shown]);
      expect(await adminHubsOf(viewer, jonas)).toEqual([]);
    }
    expect((await granted(amara.get('/users/me/profile'))).adminHubs).toEqual([shown]);
    const byHandle = await granted(aGuest(opine).get(`/users/by-username/${amara.username}`));
    expect(byHandle.adminHubs).toEqual([shown]);
  });

  test('are none that they manage, and all that they are admin of', async () => {
    const { hub, amara, jonas } = await aPair();
    const [own, other] = [await aHub(jonas, { name: 'Oak' }), await aHub(jonas, { name: 'Fir' })];
    const ids = async () => (await adminHubsOf(amara, jonas)).map(({ id }: Json) => id).sort();
    await granted(askToAppoint(amara, hub, jonas, 'manager'));
    expect(await ids()).toEqual([own.id, other.id].sort());
    await granted(askToAppoint(amara, hub, jonas));
    expect(await ids()).toEqual([hub.id, own.id, other.id].sort());
    await granted(askToDismiss(amara, hub, jonas));
    await granted(askToLeave(jonas, own));
    expect(await ids()).toEqual([other.id]);
  });

  test('look as they look today', async () => {
    const { hub, amara } = await aPair();
    const photo = await anUpload(amara, await aPng(), 'hub_photo');
    const changed = { name: 'Oak Street', profileAssetId: photo.assetId };
    await granted(amara.patch(`/hubs/${hub.id}`, changed));
    expect(await adminHubsOf(aGuest(opine), amara)).toEqual([
      { id: hub.id, name: 'Oak Street', profilePhotoUrl: photoUrlOf(opine.storage, photo) },
    ]);
  });
});
