import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { granted, NOBODY } from '../support/graph.ts';
import {
  call,
  HUB_OPERATIONS,
  invalid,
  LINK_TAKEN,
  NOT_READY,
  refusalIn,
  requestChange,
} from '../support/hub-worlds.ts';
import { aHub, hubSeenBy, requestHub } from '../support/hubs.ts';
import { hubsOf } from '../support/invitations.ts';
import { aGuest, aHubReady } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, fetched, photoUrlOf } from '../support/uploads.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('POST /hubs', () => {
  test('the creator is the first member and admin of a new Hub', async () => {
    const amara = await aHubReady(opine, 'Amara');
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
    const amara = await aHubReady(opine);
    const picture = await aPng();
    const photo = await anUpload(amara, picture, 'hub_photo');
    const description = `${'👍'.repeat(499)}.`;
    const given = { description, customLink: 'what-is-given' };
    const hub = await aHub(amara, { ...given, profileAssetId: photo.assetId });
    const url = photoUrlOf(opine.storage, photo);
    expect(hub).toMatchObject({ ...given, profilePhotoUrl: url });
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
    expect((await fetched(url)).bytes).toEqual(picture);
  });

  test.each(['Al', '👍'.repeat(80), "O'Brien \\ 100% <b>"])(
    'the service accepts the name %j',
    async (name) => {
      const hub = await aHub(await aHubReady(opine), { name });
      expect(hub.name).toBe(name);
    },
  );

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
  ])('the service rejects %s = %j', async (field, value) => {
    const amara = await aHubReady(opine);
    const reply = await requestHub(amara, { [field]: value });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(JSON.stringify(reply.error.details.issues)).toContain(field);
    expect(await hubsOf(amara)).toEqual([]);
  });

  test('a missing name is 422', async () => {
    const amara = await aHubReady(opine);
    expect(await amara.post('/hubs', { description: 'Nameless.' })).toMatchObject(invalid('name'));
  });

  test.each(NOT_READY)('a caller of level %i can use no Hub operation', async (level, somebody, nextStep) => {
    const person = await somebody(opine);
    const forbidden = [403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }];
    expect(refusalIn(await requestHub(person))).toEqual(forbidden);
    for (const operation of HUB_OPERATIONS)
      expect(refusalIn(await call(person, NOBODY, operation))).toEqual(forbidden);
  });

  test('a guest cannot create a Hub', async () => {
    expect(await requestHub(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

describe('POST /hubs with an Idempotency-Key', () => {
  const send = (person: Client, fields: object = {}) =>
    person.post('/hubs', { name: 'Once', ...fields }, { headers: { 'idempotency-key': 'a-key' } });

  test('concurrent and later requests with one key create one Hub', async () => {
    const amara = await aHubReady(opine);
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(amara)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const { data } = await send(amara);
    for (const reply of replies) expect(reply.data).toEqual(data);
    await granted(requestChange(amara, data, { name: 'Renamed' }));
    const again = await send(amara);
    expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([data, 'true']);
    expect((await hubsOf(amara)).map(({ id }) => id)).toEqual([data.id]);
  });

  test('the same key with another body is 409, and the key of another user is independent', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const first = await send(amara);
    expect(await send(amara, { name: 'Twice' })).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect((await send(jonas)).data.id).not.toBe(first.data.id);
    expect(await hubsOf(amara)).toHaveLength(1);
  });

  test('a key can be used again after a refusal', async () => {
    const amara = await aHubReady(opine);
    await aHub(amara, { customLink: 'was-refused' });
    expect(refusalIn(await send(amara, { customLink: 'was-refused' }))).toEqual(LINK_TAKEN);
    expect((await send(amara)).status).toBe(201);
  });
});
