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

describe('a new Hub', () => {
  test('has its founder for its one member, who is admin', async () => {
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

  test('has what its founder says of it', async () => {
    const amara = await aHubReady(opine);
    const picture = await aPng();
    const photo = await anUpload(amara, picture, 'hub_photo');
    const description = `${'👍'.repeat(499)}.`;
    const said = { description, customLink: 'what-is-said' };
    const hub = await aHub(amara, { ...said, profileAssetId: photo.assetId });
    const url = photoUrlOf(opine.storage, photo);
    expect(hub).toMatchObject({ ...said, profilePhotoUrl: url });
    expect(await hubSeenBy(amara, hub)).toEqual(hub);
    expect((await fetched(url)).bytes).toEqual(picture);
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
    const reply = await requestHub(amara, { [field]: value });
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
    expect(refusalIn(await requestHub(person))).toEqual(wanting);
    for (const operation of HUB_OPERATIONS)
      expect(refusalIn(await call(person, NOBODY, operation))).toEqual(wanting);
  });

  test('is not founded by a guest', async () => {
    expect(await requestHub(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
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
    await granted(requestChange(amara, data, { name: 'Renamed' }));
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
