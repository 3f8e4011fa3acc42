import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { granted } from '../support/graph.ts';
import {
  aHubWorld,
  FORBIDDEN,
  invalid,
  LINK_TAKEN,
  NON_MEMBERS,
  refusalIn,
  requestChange,
  requestRelink,
  SUBORDINATES,
} from '../support/hub-worlds.ts';
import { aHub, aMemberOf, hubSeenBy, requestHub } from '../support/hubs.ts';
import { hubsOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('PATCH /hubs/{hubId}', () => {
  test('an admin changes only the given fields', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { description: 'Neighbours.', customLink: 'what-is-changed' });
    const { status, data } = await requestChange(amara, hub, { name: ' Oak Street ' });
    expect([status, data]).toEqual([200, { ...hub, name: 'Oak Street' }]);
    const described = await granted(requestChange(amara, hub, { description: 'Friends.' }));
    expect(described).toEqual({ ...data, description: 'Friends.' });
    expect(await hubSeenBy(amara, hub)).toEqual(described);
    expect((await hubSeenBy(await anAnonymous(opine), hub)).name).toBe('Oak Street');
  });

  test.each(['', null])('the value %j clears the description', async (description) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { description: 'Neighbours.' });
    expect(await granted(requestChange(amara, hub, { description }))).toEqual({ ...hub, description: '' });
  });

  test.each([
    {},
    { name: 'A' },
    { name: null },
    { name: '👍'.repeat(81) },
    { description: 'x'.repeat(501) },
    { profileAssetId: 'no id' },
    { name: 'Oak Street', customLink: 'oak-street' },
    { name: 'Oak Street', viewerRole: 'admin' },
    [],
    null,
  ])('the service rejects the body %j', async (fields) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    expect(await requestChange(amara, hub, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
  });

  test('only admins change the Hub and its link', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine, { customLink: 'by-its-admins' });
    for (const membershipStatus of [...SUBORDINATES, ...NON_MEMBERS]) {
      const person = people[membershipStatus];
      expect(refusalIn(await requestChange(person, hub, { name: 'Mine' })), membershipStatus).toEqual(
        FORBIDDEN,
      );
      expect(refusalIn(await requestRelink(person, hub, 'mine')), membershipStatus).toEqual(FORBIDDEN);
    }
    const jonas = await aMemberOf(opine, admin, hub, 'Jonas', 'admin');
    expect((await granted(requestChange(jonas, hub, { name: 'Ours' }))).viewerRole).toBe('admin');
    expect(await hubSeenBy(admin, hub)).toMatchObject({ name: 'Ours', customLink: 'by-its-admins' });
  });
});

describe('PATCH /hubs/{hubId}/link', () => {
  test.each(['abc', '123', 'a-b', 'x'.repeat(40)])(
    'an admin sets the custom link "%s"',
    async (customLink) => {
      const amara = await aHubReady(opine);
      const hub = await aHub(amara);
      const { status, data } = await requestRelink(amara, hub, customLink);
      expect([status, data]).toEqual([200, { ...hub, customLink }]);
      expect(await granted(requestRelink(amara, hub, customLink))).toEqual(data);
    },
  );

  test.each(['', 'ab', 'x'.repeat(41), 'Elm', 'elm_street', '@elm', 'élm', 7, undefined])(
    'the custom link %j is 422',
    async (customLink) => {
      const amara = await aHubReady(opine);
      const hub = await aHub(amara);
      expect(await requestRelink(amara, hub, customLink)).toMatchObject(invalid('customLink'));
    },
  );

  test('a taken custom link is 409 until its Hub takes another', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const hers = await aHub(amara, { customLink: 'of-one-hub' });
    const his = await aHub(jonas, { customLink: 'his-own-link' });
    expect(refusalIn(await requestRelink(jonas, his, 'of-one-hub'))).toEqual(LINK_TAKEN);
    expect((await hubSeenBy(jonas, his)).customLink).toBe('his-own-link');
    expect(refusalIn(await requestHub(jonas, { customLink: 'of-one-hub' }))).toEqual(LINK_TAKEN);
    expect(await hubsOf(jonas)).toHaveLength(1);
    await granted(requestRelink(amara, hers, 'of-another'));
    expect((await granted(requestRelink(jonas, his, 'of-one-hub'))).customLink).toBe('of-one-hub');
  });

  test('one of four concurrent requests gets a custom link', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => aHubReady(opine)));
    const replies = await Promise.all(people.map((person) => requestHub(person, { customLink: 'at-once' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const hubs = await Promise.all(people.map((person) => aHub(person)));
    const taken = await Promise.all(
      hubs.map((hub, index) => requestRelink(people[index] ?? aGuest(opine), hub, 'later-at-once')),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
