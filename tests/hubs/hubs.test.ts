import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, NONEXISTENT, refusalOf } from '../support/client.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  anInviteLink,
  callHubOperation,
  HUB_NOT_FOUND,
  HUB_OPERATIONS,
  type Hub,
  hubSeenBy,
  invalid,
  join,
  LINK_TAKEN,
  requestChange,
  requestHub,
  requestLeave,
  requestRelink,
  tokenIn,
} from '../support/hubs.ts';
import { hubsOf } from '../support/invitations.ts';
import { aGuest, anonymousPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, fetchFile, photoUrlOf, storedKeys } from '../support/uploads.ts';
import { expectAfterWorker, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uploadPhoto = (person: Client) => anUpload(person, picture, 'hub_photo');
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const isStored = async (photo: Json) => (await storedKeys(opine.storage)).includes(`photos/${photo.assetId}`);

describe('POST /hubs', () => {
  // docs/product.md H9
  test('the creator is the first member and admin of a new Hub', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const { status, data } = await requestHub(amara);
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      name: 'Elm Street',
      description: '',
      profilePhotoUrl: null,
      customLink: null,
      memberCount: 1,
      activeUsers24h: 1,
      viewerStatus: 'member',
      viewerRole: 'admin',
    });
    expect(await hubSeenBy(amara, data)).toEqual(data);
  });

  test('a new Hub has the given description, custom link and photo', async () => {
    const amara = await hubReadyPerson(opine);
    const photo = await anUpload(amara, picture, 'hub_photo');
    const description = `${'👍'.repeat(499)}.`;
    const given = { description, customLink: 'what-is-given' };
    const hub = await aHub(amara, { ...given, profileAssetId: photo.assetId });
    const url = photoUrlOf(opine.storage, photo);
    expect(hub).toMatchObject({ ...given, profilePhotoUrl: url });
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
    expect((await fetchFile(url)).bytes).toEqual(picture);
  });

  test.each([{ name: ' A ' }, { customLink: 'élm' }, { customLink: 'elm\n' }])(
    'the service rejects the fields %j',
    async (fields) => {
      const amara = await hubReadyPerson(opine);
      const [field = ''] = Object.keys(fields);
      expect(await requestHub(amara, fields)).toMatchObject(invalid(field));
      expect(await hubsOf(amara)).toEqual([]);
    },
  );
});

describe('POST /hubs with an Idempotency-Key', () => {
  const send = (person: Client, fields: object = {}) =>
    person.post('/hubs', { name: 'Once', ...fields }, { headers: { 'idempotency-key': 'a-key' } });

  test('concurrent and later requests with one key create one Hub', async () => {
    const amara = await hubReadyPerson(opine);
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(amara)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const { data } = await send(amara);
    for (const reply of replies) expect(reply.data).toEqual(data);
    const renamed = await expectOk(requestChange(amara, data, { name: 'Renamed' }));
    const again = await send(amara);
    expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([renamed, 'true']);
    expect((await hubsOf(amara)).map(({ id }) => id)).toEqual([data.id]);
  });
});

describe('PATCH /hubs/{hubId}', () => {
  test('an admin changes only the given fields', async () => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara, { description: 'Neighbours.', customLink: 'what-is-changed' });
    const { status, data } = await requestChange(amara, hub, { name: ' Oak Street ' });
    expect([status, data]).toEqual([200, { ...hub, name: 'Oak Street' }]);
    const described = await expectOk(requestChange(amara, hub, { description: 'Friends.' }));
    expect(described).toEqual({ ...data, description: 'Friends.' });
    expect(await hubSeenBy(amara, hub)).toEqual(described);
    expect((await hubSeenBy(await anonymousPerson(opine), hub)).name).toBe('Oak Street');
  });
});

describe('PATCH /hubs/{hubId}/link', () => {
  test('an admin sets a custom link, also the same again', async () => {
    const customLink = 'a-1';
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara);
    const { status, data } = await requestRelink(amara, hub, customLink);
    expect([status, data]).toEqual([200, { ...hub, customLink }]);
    expect(await expectOk(requestRelink(amara, hub, customLink))).toEqual(data);
  });

  // docs/product.md H9
  test('a taken custom link is 409 until its Hub takes another', async () => {
    const [amara, jonas] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
    const hers = await aHub(amara, { customLink: 'of-one-hub' });
    const his = await aHub(jonas, { customLink: 'his-own-link' });
    expect(refusalOf(await requestRelink(jonas, his, 'of-one-hub'))).toEqual(LINK_TAKEN);
    expect((await hubSeenBy(jonas, his)).customLink).toBe('his-own-link');
    expect(refusalOf(await requestHub(jonas, { customLink: 'of-one-hub' }))).toEqual(LINK_TAKEN);
    expect(await hubsOf(jonas)).toHaveLength(1);
    await expectOk(requestRelink(amara, hers, 'of-another'));
    expect((await expectOk(requestRelink(jonas, his, 'of-one-hub'))).customLink).toBe('of-one-hub');
  });

  test('one of four concurrent requests gets a custom link', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => hubReadyPerson(opine)));
    const replies = await Promise.all(people.map((person) => requestHub(person, { customLink: 'at-once' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const hubs = await Promise.all(people.map((person) => aHub(person)));
    const taken = await Promise.all(
      hubs.map((hub, index) => requestRelink(people[index] ?? aGuest(opine), hub, 'later-at-once')),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('the photo of a Hub', () => {
  /** Creates a Hub of Amara with a photo. */
  async function hubWithPhoto(): Promise<{ amara: Person; photo: Json; hub: Json }> {
    const amara = await hubReadyPerson(opine, 'Amara');
    const photo = await uploadPhoto(amara);
    return { amara, photo, hub: await aHub(amara, { profileAssetId: photo.assetId }) };
  }

  const setPhoto = (person: Client, hub: Hub, photo: Json | null) =>
    requestChange(person, hub, { profileAssetId: photo?.assetId ?? null });

  test('a replaced or removed photo is deleted', async () => {
    const { amara, photo, hub } = await hubWithPhoto();
    const next = await uploadPhoto(amara);
    expect(await expectOk(setPhoto(amara, hub, next))).toEqual({ ...hub, profilePhotoUrl: urlOf(next) });
    await expectAfterWorker(opine, () => isStored(photo)).toBe(false);
    expect(await expectOk(setPhoto(amara, hub, null))).toEqual({ ...hub, profilePhotoUrl: null });
    await expectAfterWorker(opine, () => isStored(next)).toBe(false);
    expect((await expectOk(setPhoto(amara, hub, null))).profilePhotoUrl).toBeNull();
  });

  test('profilePhotoUrl works or is null after the uploader deleted their account', async () => {
    const { amara, hub } = await hubWithPhoto();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    await expectOk(amara.delete('/users/me'));
    await waitUntilDeleted(opine, amara.id);
    const { profilePhotoUrl } = await hubSeenBy(jonas, hub);
    if (profilePhotoUrl !== null) expect((await fetchFile(profilePhotoUrl)).status).toBe(200);
  });
});

describe('a missing Hub', () => {
  // docs/product.md H7
  test.each([NONEXISTENT.id, 'no-uuid'])(
    'every operation on the unknown id %j is HUB_NOT_FOUND',
    async (id) => {
      const amara = await hubReadyPerson(opine);
      expect(refusalOf(await amara.get(`/hubs/${id}`))).toEqual(HUB_NOT_FOUND);
      for (const operation of HUB_OPERATIONS)
        expect(refusalOf(await callHubOperation(amara, { id }, operation)), operation.join(' ')).toEqual(
          HUB_NOT_FOUND,
        );
    },
  );

  // docs/product.md H16
  test('nobody can use, find or join a Hub after its last member left', async () => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara, { customLink: 'no-more', name: 'Nomore Nevermore' });
    const people = await Promise.all(['Jonas', 'Lena', 'Maya'].map((name) => hubReadyPerson(opine, name)));
    const [former, invited, pending] = people;
    if (!former || !invited || !pending) throw new Error('Nobody came.');
    await join(amara, hub, [former]);
    await expectOk(requestLeave(former, hub));
    const { inviteUrl } = await anInvitation(amara, hub, invited);
    const { token } = await anInviteLink(amara, hub);
    await aJoinRequest(amara, hub, pending);
    const left = await requestLeave(amara, hub);
    expect([left.status, left.data]).toEqual([200, {}]);

    for (const operation of HUB_OPERATIONS)
      expect(refusalOf(await callHubOperation(amara, hub, operation)), operation.join(' ')).toEqual(
        HUB_NOT_FOUND,
      );
    for (const person of [amara, ...people]) {
      expect(refusalOf(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
      expect(await hubsOf(person)).toEqual([]);
      expect((await expectOk(person.get('/search/hubs?q=nomore'))).items).toEqual([]);
      expect((await person.get(`/hub-invitations/by-token/${tokenIn(inviteUrl)}`)).status).toBe(404);
      expect((await person.get(`/hub-invite-links/${token}`)).status).toBe(404);
    }
    expect((await aHub(pending, { customLink: 'no-more' })).customLink).toBe('no-more');
  });
});

// docs/product.md H8, N13
test('a member mutes and unmutes a Hub, which starts unmuted', async () => {
  const amara = await hubReadyPerson(opine);
  const path = `/hubs/${(await aHub(amara)).id}/notification-settings`;
  expect((await amara.get(path)).data).toEqual({ contentMuted: false });
  for (const contentMuted of [true, false]) {
    const { status, data } = await amara.patch(path, { contentMuted });
    expect([status, data]).toEqual([200, { contentMuted }]);
    expect((await amara.get(path)).data).toEqual({ contentMuted });
  }
});
