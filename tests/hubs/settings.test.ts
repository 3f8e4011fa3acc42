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

const requestSettings = (person: Client, { id }: Hub) => person.get(`/hubs/${id}/notification-settings`);
const requestMute = (person: Client, { id }: Hub, contentMuted: unknown = true) =>
  person.patch(`/hubs/${id}/notification-settings`, { contentMuted });
const isMuted = async (person: Client, hub: Hub): Promise<boolean> =>
  (await granted(requestSettings(person, hub))).contentMuted;

/** Creates a Hub of Amara that Jonas has muted. */
async function aMutedHub(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  await granted(requestMute(jonas, hub));
  return { hub, amara, jonas };
}

describe('the content mute of a Hub', () => {
  test('a member mutes and unmutes a Hub, which starts unmuted', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    expect((await requestSettings(amara, hub)).data).toEqual({ contentMuted: false });
    for (const contentMuted of [true, true, false, false, true]) {
      const { status, data } = await requestMute(amara, hub, contentMuted);
      expect([status, data]).toEqual([200, { contentMuted }]);
      expect((await requestSettings(amara, hub)).data).toEqual({ contentMuted });
    }
  });

  test('members of every role mute the Hub for themselves only', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of MEMBERS) {
      expect(await isMuted(people[membershipStatus], hub)).toBe(false);
      await granted(requestMute(people[membershipStatus], hub));
    }
    await granted(requestMute(people.manager, hub, false));
    const muted = await Promise.all(
      MEMBERS.map((membershipStatus) => isMuted(people[membershipStatus], hub)),
    );
    expect(muted).toEqual([true, false, true]);
  });

  test('the mute applies to one Hub only', async () => {
    const { hub, amara, jonas } = await aMutedHub();
    const other = await aHub(amara);
    await join(amara, other, [jonas]);
    expect([await isMuted(jonas, hub), await isMuted(jonas, other)]).toEqual([true, false]);
  });

  test('the mute survives a change of role', async () => {
    const { hub, amara, jonas } = await aMutedHub();
    await granted(requestAppoint(amara, hub, jonas));
    expect(await isMuted(jonas, hub)).toBe(true);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => requestLeave(jonas, hub)],
    ['is removed', requestRemove],
  ])('the mute of a member who %s applies again after rejoining', async (_, end) => {
    const { hub, amara, jonas } = await aMutedHub();
    await granted(end(amara, hub, jonas));
    for (const refused of [await requestSettings(jonas, hub), await requestMute(jonas, hub, false)])
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

describe('refused requests to /hubs/{hubId}/notification-settings', () => {
  test.each([
    {},
    { contentMuted: null },
    { contentMuted: 'true' },
    { contentMuted: 1 },
    { contentMuted: true, role: 'admin' },
    { publicPostsMuted: true },
    [],
    null,
  ])('the body %j is 422', async (body) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const reply = await amara.patch(`/hubs/${hub.id}/notification-settings`, body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await isMuted(amara, hub)).toBe(false);
  });

  test('a non-member can neither read nor change the settings', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS) {
      expect(refusalIn(await requestSettings(people[membershipStatus], hub)), membershipStatus).toEqual(
        FORBIDDEN,
      );
      expect(refusalIn(await requestMute(people[membershipStatus], hub)), membershipStatus).toEqual(
        FORBIDDEN,
      );
    }
    await join(people.admin, hub, [people.former]);
    expect(await isMuted(people.former, hub)).toBe(false);
  });

  test('a caller below level 4 gets 403 and a guest gets 401', async () => {
    const hub = await aHub(await aHubReady(opine));
    for (const [level, somebody, nextStep] of NOT_READY) {
      const person = await somebody(opine);
      const forbidden = [403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }];
      expect(refusalIn(await requestSettings(person, hub))).toEqual(forbidden);
      expect(refusalIn(await requestMute(person, hub))).toEqual(forbidden);
    }
    for (const reply of [await requestSettings(aGuest(opine), hub), await requestMute(aGuest(opine), hub)])
      expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
