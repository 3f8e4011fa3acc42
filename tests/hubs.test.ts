import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE, untilGone } from './builders/departures.ts';
import { block, granted, NO_IDS, NOBODY, unblock } from './builders/graph.ts';
import {
  aHubWorld,
  call,
  FORBIDDEN,
  HUB_NOT_FOUND,
  HUB_OPERATIONS,
  later,
  NOT_READY,
  OUTSIDERS,
  previewOf,
  refusalIn,
  SUBORDINATES,
} from './builders/hub-worlds.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  anInviteLink,
  askToDecline,
  askToFound,
  askToLeave,
  type Hub,
  hubSeenBy,
  join,
  tokenIn,
} from './builders/hubs.ts';
import {
  aConfirmed,
  aGuest,
  aHubReady,
  anAnonymous,
  aPhone,
  aRegistered,
  type Person,
} from './builders/people.ts';
import { aPng, type Bytes } from './builders/pictures.ts';
import { type StoringOpine, startStoringOpine } from './builders/storage.ts';
import { anUpload, aSent, everythingIn, fetched, type Purpose, photoUrlOf } from './builders/uploads.ts';
import { type Client, type Json, refusal } from './harness/client.ts';

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LINK_TAKEN = [409, 'CUSTOM_LINK_TAKEN', {}];
const change = (person: Client, { id }: Hub, fields: unknown) => person.patch(`/hubs/${id}`, fields);
const relink = (person: Client, { id }: Hub, customLink: unknown) =>
  person.patch(`/hubs/${id}/link`, { customLink });
const hubsOf = async (person: Client): Promise<Json[]> => (await granted(person.get('/users/me/hubs'))).items;
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });
const aPhoto = (person: Client, purpose: Purpose = 'hub_photo') => anUpload(person, picture, purpose);
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const lies = async (photo: Json) => (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

describe('a new Hub', () => {
  test('has its founder for its one member, who is admin', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const { status, data } = await askToFound(amara);
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

  test('has what its founder says of it', async () => {
    const amara = await aHubReady(opine);
    const photo = await aPhoto(amara);
    const description = `${'👍'.repeat(499)}.`;
    const said = { description, customLink: 'what-is-said' };
    const hub = await aHub(amara, { ...said, profileAssetId: photo.assetId });
    expect(hub).toMatchObject({ ...said, profilePhotoUrl: urlOf(photo) });
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
    expect((await fetched(urlOf(photo))).bytes).toEqual(picture);
  });

  test.each(['Al', '👍'.repeat(80), "O'Brien \\ 100% <b>"])('may be called %j', async (name) => {
    const hub = await aHub(await aHubReady(opine), { name });
    expect(hub.name).toBe(name);
  });

  test.each<[string, unknown]>([
    ...['', 'A', '   ', ' A ', '👍'.repeat(81), null, 7, ['Elm'], 'No\u0000t'].map(
      (name): [string, unknown] => ['name', name],
    ),
    ...['x'.repeat(501), 7, {}, 'No\u0000t'].map((text): [string, unknown] => ['description', text]),
    ...[
      '',
      'ab',
      'x'.repeat(41),
      'Elm',
      'elm_street',
      'elm street',
      '@elm',
      'élm',
      'elm/street',
      'elm\n',
      7,
    ].map((link): [string, unknown] => ['customLink', link]),
    ['profileAssetId', 'no id'],
    ['role', 'admin'],
    ['memberCount', 7],
  ])('has no %s like %j', async (field, value) => {
    const amara = await aHubReady(opine);
    const reply = await askToFound(amara, { [field]: value });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(JSON.stringify(reply.error.details.issues)).toContain(field);
    expect(await hubsOf(amara)).toEqual([]);
  });

  test('has a name', async () => {
    const amara = await aHubReady(opine);
    expect(await amara.post('/hubs', { description: 'Nameless.' })).toMatchObject(invalid('name'));
  });

  test.each(NOT_READY)('is not founded at level %i', async (level, somebody, nextStep) => {
    const person = await somebody(opine);
    const wanting = [403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }];
    expect(refusalIn(await askToFound(person))).toEqual(wanting);
    for (const operation of HUB_OPERATIONS)
      expect(refusalIn(await call(person, NOBODY, operation))).toEqual(wanting);
  });

  test('is not founded by a guest', async () => {
    expect(await askToFound(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

describe('a Hub that is asked for with a key', () => {
  const ask = (person: Client, fields: object = {}) =>
    person.post('/hubs', { name: 'Once', ...fields }, { headers: { 'idempotency-key': 'a-key' } });

  test('is one, however often and at once it is asked for', async () => {
    const amara = await aHubReady(opine);
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask(amara)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const { data } = await ask(amara);
    for (const reply of replies) expect(reply.data).toEqual(data);
    await granted(change(amara, data, { name: 'Renamed' }));
    const again = await ask(amara);
    expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([data, 'true']);
    expect((await hubsOf(amara)).map(({ id }) => id)).toEqual([data.id]);
  });

  test('is the one of the first body, and of whoever asked', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const first = await ask(amara);
    expect(await ask(amara, { name: 'Twice' })).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect((await ask(jonas)).data.id).not.toBe(first.data.id);
    expect(await hubsOf(amara)).toHaveLength(1);
  });

  test('may be asked for again where it was refused', async () => {
    const amara = await aHubReady(opine);
    await aHub(amara, { customLink: 'was-refused' });
    expect(refusalIn(await ask(amara, { customLink: 'was-refused' }))).toEqual(LINK_TAKEN);
    expect((await ask(amara)).status).toBe(201);
  });
});

describe('whoever is no member sees of a Hub', () => {
  test('what tells it from others, and nothing else', async () => {
    const { hub, invitation, joinRequest, ...people } = await aHubWorld(opine, {
      description: 'Neighbours.',
      customLink: 'a-secret-link',
    });
    const nobody = { viewerStatus: 'none' };
    const invited = { viewerStatus: 'invited', invitationId: invitation.id };
    const pending = { viewerStatus: 'pending_admin_approval', joinRequestId: joinRequest.id };
    expect(await hubSeenBy(people.invited, hub)).toEqual(previewOf(hub, 3, invited));
    expect(await hubSeenBy(people.pending, hub)).toEqual(previewOf(hub, 3, pending));
    const others = [await anAnonymous(opine), await aRegistered(opine), await aConfirmed(opine)];
    for (const viewer of [people.former, people.stranger, ...others])
      expect(await hubSeenBy(viewer, hub)).toEqual(previewOf(hub, 3, nobody));
  });

  test('nothing without a bearer', async () => {
    const hub = await aHub(await aHubReady(opine));
    expect(await aGuest(opine).get(`/hubs/${hub.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('that they are invited, at level 3 as well', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const jonas = await aConfirmed(opine);
    const { id: invitationId } = await anInvitation(amara, hub, jonas);
    const invited = { viewerStatus: 'invited', invitationId };
    expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1, invited));
  });

  test('that they wait, where they are invited as well', async () => {
    const { hub, admin, member, pending, invited, joinRequest } = await aHubWorld(opine);
    const waiting = { viewerStatus: 'pending_admin_approval' };
    await anInvitation(member, hub, pending);
    const seen = previewOf(hub, 3, { ...waiting, joinRequestId: joinRequest.id });
    expect(await hubSeenBy(pending, hub)).toEqual(seen);
    const { id: joinRequestId } = await aJoinRequest(admin, hub, invited);
    expect(await hubSeenBy(invited, hub)).toEqual(previewOf(hub, 3, { ...waiting, joinRequestId }));
  });

  test('no invitation that is declined, too old, or made for another phone', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const [jonas, lena] = [await aHubReady(opine), await aHubReady(opine)];
    await granted(askToDecline(jonas, await anInvitation(amara, hub, jonas)));
    await anInvitation(amara, hub, lena);
    await anInvitation(amara, hub, { phoneNumber: aPhone() });
    expect((await hubSeenBy(lena, hub)).viewerStatus).toBe('invited');
    for (const viewer of await later(opine, '7 days 1 second', jonas, lena))
      expect(await hubSeenBy(viewer, hub)).toEqual(previewOf(hub, 1));
  });

  test.each(['the inviter', 'the invited'])('no invitation while %s blocks the other', async (who) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const jonas = await aHubReady(opine);
    await anInvitation(amara, hub, jonas);
    const [blocker, blocked] = who === 'the inviter' ? [amara, jonas] : [jonas, amara];
    await block(blocker, blocked);
    expect(await hubSeenBy(jonas, hub)).toEqual(previewOf(hub, 1));
    await unblock(blocker, blocked);
    expect((await hubSeenBy(jonas, hub)).viewerStatus).toBe('invited');
  });
});

test('a member sees the whole Hub and their own role, an invitation or not', async () => {
  const { hub, admin, ...people } = await aHubWorld(opine, { customLink: 'the-whole-hub' });
  await anInvitation(admin, hub, people.member);
  for (const viewerRole of SUBORDINATES) {
    const seen = await hubSeenBy(people[viewerRole], hub);
    expect(seen).toEqual({ ...hub, viewerRole, memberCount: 3, activeUsers24h: expect.any(Number) });
  }
});

describe('a Hub is changed', () => {
  test('in what is said, and nothing else', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { description: 'Neighbours.', customLink: 'what-is-changed' });
    const { status, data } = await change(amara, hub, { name: ' Oak Street ' });
    expect([status, data]).toEqual([200, { ...hub, name: 'Oak Street' }]);
    const described = await granted(change(amara, hub, { description: 'Friends.' }));
    expect(described).toEqual({ ...data, description: 'Friends.' });
    expect(await hubSeenBy(amara, hub)).toEqual(described);
    expect((await hubSeenBy(await anAnonymous(opine), hub)).name).toBe('Oak Street');
  });

  test.each(['', null])('to have no description by %j', async (description) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { description: 'Neighbours.' });
    expect(await granted(change(amara, hub, { description }))).toEqual({ ...hub, description: '' });
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
  ])('not by %j', async (fields) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    expect(await change(amara, hub, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
  });

  test('by its admins alone', async () => {
    const { hub, admin, ...people } = await aHubWorld(opine, { customLink: 'by-its-admins' });
    for (const standing of [...SUBORDINATES, ...OUTSIDERS]) {
      const person = people[standing];
      expect(refusalIn(await change(person, hub, { name: 'Mine' })), standing).toEqual(FORBIDDEN);
      expect(refusalIn(await relink(person, hub, 'mine')), standing).toEqual(FORBIDDEN);
    }
    const jonas = await aMemberOf(opine, admin, hub, 'Jonas', 'admin');
    expect((await granted(change(jonas, hub, { name: 'Ours' }))).viewerRole).toBe('admin');
    expect(await hubSeenBy(admin, hub)).toMatchObject({ name: 'Ours', customLink: 'by-its-admins' });
  });
});

describe('a custom link', () => {
  test.each(['abc', '123', 'a-b', 'x'.repeat(40)])('may be "%s"', async (customLink) => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const { status, data } = await relink(amara, hub, customLink);
    expect([status, data]).toEqual([200, { ...hub, customLink }]);
    expect(await granted(relink(amara, hub, customLink))).toEqual(data);
  });

  test.each(['', 'ab', 'x'.repeat(41), 'Elm', 'elm_street', '@elm', 'élm', 7, undefined])(
    'may not be %j',
    async (customLink) => {
      const amara = await aHubReady(opine);
      const hub = await aHub(amara);
      expect(await relink(amara, hub, customLink)).toMatchObject(invalid('customLink'));
    },
  );

  test('is of one Hub, and free as soon as that has another', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const hers = await aHub(amara, { customLink: 'of-one-hub' });
    const his = await aHub(jonas, { customLink: 'his-own-link' });
    expect(refusalIn(await relink(jonas, his, 'of-one-hub'))).toEqual(LINK_TAKEN);
    expect((await hubSeenBy(jonas, his)).customLink).toBe('his-own-link');
    expect(refusalIn(await askToFound(jonas, { customLink: 'of-one-hub' }))).toEqual(LINK_TAKEN);
    expect(await hubsOf(jonas)).toHaveLength(1);
    await granted(relink(amara, hers, 'of-another'));
    expect((await granted(relink(jonas, his, 'of-one-hub'))).customLink).toBe('of-one-hub');
  });

  test('is of one of those who take it at once', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => aHubReady(opine)));
    const replies = await Promise.all(people.map((person) => askToFound(person, { customLink: 'at-once' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const hubs = await Promise.all(people.map((person) => aHub(person)));
    const taken = await Promise.all(
      hubs.map((hub, index) => relink(people[index] ?? aGuest(opine), hub, 'later-at-once')),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('the photo of a Hub', () => {
  /** Amara's Hub, with a photo of hers. */
  async function aPhotographed(): Promise<{ amara: Person; photo: Json; hub: Json }> {
    const amara = await aHubReady(opine, 'Amara');
    const photo = await aPhoto(amara);
    return { amara, photo, hub: await aHub(amara, { profileAssetId: photo.assetId }) };
  }

  const show = (person: Client, hub: Hub, photo: Json | null) =>
    change(person, hub, { profileAssetId: photo?.assetId ?? null });
  const UNKNOWN = refusal(422, 'VALIDATION_FAILED', {
    issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }],
  });

  test('is for everybody to see', async () => {
    const { amara, photo, hub } = await aPhotographed();
    for (const viewer of [amara, await anAnonymous(opine)])
      expect((await hubSeenBy(viewer, hub)).profilePhotoUrl).toBe(urlOf(photo));
    expect((await fetched(urlOf(photo))).status).toBe(200);
  });

  test('that is replaced or removed is gone', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const next = await aPhoto(amara);
    expect(await granted(show(amara, hub, next))).toEqual({ ...hub, profilePhotoUrl: urlOf(next) });
    await expect.poll(() => lies(photo), PATIENCE).toBe(false);
    expect(await granted(show(amara, hub, null))).toEqual({ ...hub, profilePhotoUrl: null });
    await expect.poll(() => lies(next), PATIENCE).toBe(false);
    expect((await granted(show(amara, hub, null))).profilePhotoUrl).toBeNull();
  });

  test('stays as it is where any admin says so, and is replaced by any', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    const fields = { name: 'Oak Street', profileAssetId: photo.assetId };
    expect((await granted(change(jonas, hub, fields))).profilePhotoUrl).toBe(urlOf(photo));
    const his = await aPhoto(jonas);
    expect((await granted(show(jonas, hub, his))).profilePhotoUrl).toBe(urlOf(his));
    await expect.poll(() => lies(photo), PATIENCE).toBe(false);
    expect((await fetched(urlOf(his))).status).toBe(200);
  });

  test.each<[string, (own: Person) => Promise<Json>]>([
    ['of nobody', async () => ({ assetId: NOBODY.id })],
    ['of somebody else', async () => aPhoto(await aHubReady(opine))],
    ['of a person', (own) => aPhoto(own, 'profile_photo')],
    ['of an article', (own) => aPhoto(own, 'post_image')],
    ['not completed', async (own) => ({ assetId: (await aSent(own, picture, 'hub_photo')).uploadId })],
  ])('is none %s', async (_, uploadedBy) => {
    const { amara, photo, hub } = await aPhotographed();
    const other = await uploadedBy(amara);
    const fields = { profileAssetId: other.assetId, customLink: 'not-with-that-photo' };
    expect(await askToFound(amara, fields)).toMatchObject(UNKNOWN);
    expect(await change(amara, hub, { name: 'Oak', profileAssetId: other.assetId })).toMatchObject(UNKNOWN);
    expect(await hubSeenBy(amara, hub)).toMatchObject({
      name: 'Elm Street',
      profilePhotoUrl: urlOf(photo),
    });
    expect(await hubsOf(amara)).toHaveLength(1);
  });

  test('of two Hubs is there until both have let go of it', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const other = await aHub(amara, { profileAssetId: photo.assetId });
    const [next, last] = [await aPhoto(amara), await aPhoto(amara)];
    await granted(show(amara, hub, next));
    await granted(show(amara, hub, last));
    await expect.poll(() => lies(next), PATIENCE).toBe(false);
    expect((await fetched(urlOf(photo))).status).toBe(200);
    await granted(show(amara, other, null));
    await expect.poll(() => lies(photo), PATIENCE).toBe(false);
  });

  test('is never an address without a photo, also when whoever uploaded it has gone', async () => {
    const { amara, hub } = await aPhotographed();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    await granted(amara.delete('/users/me'));
    await untilGone(opine, amara.id);
    const { profilePhotoUrl } = await hubSeenBy(jonas, hub);
    if (profilePhotoUrl !== null) expect((await fetched(profilePhotoUrl)).status).toBe(200);
  });
});

describe('there is no Hub', () => {
  test.each([NOBODY.id, ...NO_IDS])('called %j', async (id) => {
    const amara = await aHubReady(opine);
    expect(refusalIn(await amara.get(`/hubs/${id}`))).toEqual(HUB_NOT_FOUND);
    for (const operation of HUB_OPERATIONS)
      expect(refusalIn(await call(amara, { id }, operation)), operation.join(' ')).toEqual(HUB_NOT_FOUND);
  });

  test('any more for anybody when its last member has left', async () => {
    const amara = await aHubReady(opine);
    const hub = await aHub(amara, { customLink: 'no-more', name: 'Nomore Nevermore' });
    const people = await Promise.all(['Jonas', 'Lena', 'Maya'].map((name) => aHubReady(opine, name)));
    const [former, invited, pending] = people;
    if (!former || !invited || !pending) throw new Error('Nobody came.');
    await join(amara, hub, [former]);
    await granted(askToLeave(former, hub));
    const { inviteUrl } = await anInvitation(amara, hub, invited);
    const { token } = await anInviteLink(amara, hub);
    await aJoinRequest(amara, hub, pending);
    const left = await askToLeave(amara, hub);
    expect([left.status, left.data]).toEqual([200, {}]);

    for (const person of [amara, ...people]) {
      expect(refusalIn(await person.get(`/hubs/${hub.id}`))).toEqual(HUB_NOT_FOUND);
      for (const operation of HUB_OPERATIONS)
        expect(refusalIn(await call(person, hub, operation)), operation.join(' ')).toEqual(HUB_NOT_FOUND);
      expect(await hubsOf(person)).toEqual([]);
      expect((await granted(person.get('/search/hubs?q=nomore'))).items).toEqual([]);
      expect((await person.get(`/hub-invitations/by-token/${tokenIn(inviteUrl)}`)).status).toBe(404);
      expect((await person.get(`/hub-invite-links/${token}`)).status).toBe(404);
    }
    expect((await aHub(pending, { customLink: 'no-more' })).customLink).toBe('no-more');
  });
});
