import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal, refusalOf } from '../support/client.ts';
import {
  aHub,
  aHubWorld,
  aMemberOf,
  FORBIDDEN,
  type Hub,
  join,
  NON_MEMBERS,
  requestAppoint,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const requestSettings = (person: Client, { id }: Hub) => person.get(`/hubs/${id}/notification-settings`);

const requestMute = (person: Client, { id }: Hub, contentMuted: unknown = true) =>
  person.patch(`/hubs/${id}/notification-settings`, { contentMuted });

const isMuted = async (person: Client, hub: Hub): Promise<boolean> =>
  (await expectOk(requestSettings(person, hub))).contentMuted;

/** Creates a Hub of Amara that Jonas has muted. */
async function aMutedHub(): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  await expectOk(requestMute(jonas, hub));
  return { hub, amara, jonas };
}

describe('the content mute of a Hub', () => {
  test('a member mutes and unmutes a Hub, which starts unmuted', async () => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara);
    expect((await requestSettings(amara, hub)).data).toEqual({ contentMuted: false });
    for (const contentMuted of [true, true, false, false, true]) {
      const { status, data } = await requestMute(amara, hub, contentMuted);
      expect([status, data]).toEqual([200, { contentMuted }]);
      expect((await requestSettings(amara, hub)).data).toEqual({ contentMuted });
    }
  });

  test('the mute survives a change of role', async () => {
    const { hub, amara, jonas } = await aMutedHub();
    await expectOk(requestAppoint(amara, hub, jonas));
    expect(await isMuted(jonas, hub)).toBe(true);
  });

  test.each([
    ['leaves', (_: Person, hub: Hub, jonas: Person) => requestLeave(jonas, hub)],
    ['is removed', requestRemove],
  ])('the mute of a member who %s applies again after rejoining', async (_, end) => {
    const { hub, amara, jonas } = await aMutedHub();
    await expectOk(end(amara, hub, jonas));
    for (const refused of [await requestSettings(jonas, hub), await requestMute(jonas, hub, false)])
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN'));
    await join(amara, hub, [jonas, await hubReadyPerson(opine, 'Lena')]);
    expect(await isMuted(jonas, hub)).toBe(true);
    expect(await isMuted(amara, hub)).toBe(false);
    await expectOk(requestMute(jonas, hub, false));
    await expectOk(end(amara, hub, jonas));
    await join(amara, hub, [jonas]);
    expect(await isMuted(jonas, hub)).toBe(false);
  });
});

describe('refused requests to /hubs/{hubId}/notification-settings', () => {
  test('a non-member can neither read nor change the settings', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS) {
      expect(refusalOf(await requestSettings(people[membershipStatus], hub)), membershipStatus).toEqual(
        FORBIDDEN,
      );
      expect(refusalOf(await requestMute(people[membershipStatus], hub)), membershipStatus).toEqual(
        FORBIDDEN,
      );
    }
    await join(people.admin, hub, [people.former]);
    expect(await isMuted(people.former, hub)).toBe(false);
  });
});
