import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { granted } from '../support/graph.ts';
import { aHubWorld, FORBIDDEN, MEMBERS, NON_MEMBERS, NOT_READY, refusalIn } from '../support/hub-worlds.ts';
import {
  aHub,
  aMemberOf,
  type Hub,
  join,
  requestAppoint,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const ask = (person: Client, { id }: Hub) => person.get(`/hubs/${id}/notification-settings`);
const requestMute = (person: Client, { id }: Hub, contentMuted: unknown = true) =>
  person.patch(`/hubs/${id}/notification-settings`, { contentMuted });
const isMuted = async (person: Client, hub: Hub): Promise<boolean> =>
  (await granted(ask(person, hub))).contentMuted;

/** Amara's Hub, and Jonas, who has muted it. */
async function aMutedHub(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  await granted(requestMute(jonas, hub));
  return { hub, amara, jonas };
}

describe('a Hub', () => {
  test('is heard of until somebody mutes it, and when they do so no longer', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    expect((await ask(amara, hub)).data).toEqual({ contentMuted: false });
    for (const contentMuted of [true, true, false, false, true]) {
      const { status, data } = await requestMute(amara, hub, contentMuted);
      expect([status, data]).toEqual([200, { contentMuted }]);
      expect((await ask(amara, hub)).data).toEqual({ contentMuted });
    }
  });

  test('is muted by each member for themselves, of whatever role', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const standing of MEMBERS) {
      expect(await isMuted(people[standing], hub)).toBe(false);
      await granted(requestMute(people[standing], hub));
    }
    await granted(requestMute(people.manager, hub, false));
    const muted = await Promise.all(MEMBERS.map((standing) => isMuted(people[standing], hub)));
    expect(muted).toEqual([true, false, true]);
  });

  test('is muted alone, and no other one', async () => {
    const { hub, amara, jonas } = await aMutedHub();
    const other = await aHub(amara);
    await join(amara, other, [jonas]);
    expect([await isMuted(jonas, hub), await isMuted(jonas, other)]).toEqual([true, false]);
  });

  test('stays muted in another role', async () => {
    const { hub, amara, jonas } = await aMutedHub();
    await granted(requestAppoint(amara, hub, jonas));
    expect(await isMuted(jonas, hub)).toBe(true);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => requestLeave(jonas, hub)],
    ['is removed', requestRemove],
  ])('stays muted for a member who %s and comes back, and for nobody else', async (_, end) => {
    const { hub, amara, jonas } = await aMutedHub();
    await granted(end(amara, hub, jonas));
    for (const refused of [await ask(jonas, hub), await requestMute(jonas, hub, false)])
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN'));
    await join(amara, hub, [jonas, await aHubReady(opine, 'Lena')]);
    expect(await isMuted(jonas, hub)).toBe(true);
    expect(await isMuted(amara, hub)).toBe(false);
    await granted(requestMute(jonas, hub, false));
    await granted(end(amara, hub, jonas));
    await join(amara, hub, [jonas]);
    expect(await isMuted(jonas, hub)).toBe(false);
  });
});

describe('nothing is muted', () => {
  test.each([
    {},
    { contentMuted: null },
    { contentMuted: 'true' },
    { contentMuted: 1 },
    { contentMuted: true, role: 'admin' },
    { publicPostsMuted: true },
    [],
    null,
  ])('by %j', async (body) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const reply = await amara.patch(`/hubs/${hub.id}/notification-settings`, body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await isMuted(amara, hub)).toBe(false);
  });

  test('by non-members, and nothing is told to them', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const standing of NON_MEMBERS) {
      expect(refusalIn(await ask(people[standing], hub)), standing).toEqual(FORBIDDEN);
      expect(refusalIn(await requestMute(people[standing], hub)), standing).toEqual(FORBIDDEN);
    }
    await join(people.admin, hub, [people.former]);
    expect(await isMuted(people.former, hub)).toBe(false);
  });

  test('by whoever has not come to Hubs, or has no bearer', async () => {
    const hub = await aHub(await aHubReady(opine));
    for (const [level, somebody, nextStep] of NOT_READY) {
      const person = await somebody(opine);
      const wanting = [403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }];
      expect(refusalIn(await ask(person, hub))).toEqual(wanting);
      expect(refusalIn(await requestMute(person, hub))).toEqual(wanting);
    }
    for (const reply of [await ask(aGuest(opine), hub), await requestMute(aGuest(opine), hub)])
      expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
