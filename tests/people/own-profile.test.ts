import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { follow, granted, profileSeenBy } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aConfirmed,
  aGuest,
  aHubReady,
  anAnonymous,
  aPhone,
  aRegistered,
  signIn,
} from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const PATH = '/users/me/profile';
const own = (person: Client): Promise<Json> => granted(person.get(PATH));
const change = (person: Client, fields: unknown) => person.patch(PATH, fields);
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

describe('the own profile', () => {
  test('is the public one, and what only its owner sees', async () => {
    const amara = await aConfirmed(opine, 'Amara Okafor');
    await change(amara, { bio: 'Gardens.' });
    const { viewer: _, ...seen } = await profileSeenBy(aGuest(opine), amara);
    expect(await own(amara)).toEqual({
      ...seen,
      viewer: expect.anything(),
      fullName: 'Amara Okafor',
      phoneNumber: amara.phoneNumber,
      level: 3,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      editable: {
        fullName: 'Amara Okafor',
        username: amara.username,
        bio: 'Gardens.',
        profileAssetId: null,
      },
    });
  });

  test('of somebody without a name has none', async () => {
    const maya = await anAnonymous(opine);
    expect(await own(maya)).toMatchObject({
      id: maya.id,
      name: null,
      fullName: null,
      username: null,
      bio: null,
      isAnonymous: true,
      phoneNumber: null,
      level: 1,
      editable: { fullName: null, username: null, bio: null, profileAssetId: null },
    });
  });

  test('of somebody with a phone and no name shows the phone', async () => {
    const phoneNumber = aPhone();
    const maya = clientOf(opine.url, (await signIn(opine, phoneNumber)).accessToken);
    expect(await own(maya)).toMatchObject({ phoneNumber, level: 1, isAnonymous: true, username: null });
  });

  test.for([
    [1, anAnonymous],
    [2, aRegistered],
    [3, aConfirmed],
    [4, aHubReady],
  ] as const)('says the level %i', async ([level, somebody]) => {
    expect((await own(await somebody(opine))).level).toBe(level);
  });

  test('counts followers', async () => {
    const [amara, maya] = [await aRegistered(opine), await aRegistered(opine)];
    await follow(maya, amara);
    expect((await own(amara)).counts).toEqual({ followers: 1, following: 0 });
    expect((await own(maya)).counts).toEqual({ followers: 0, following: 1 });
  });

  test("is nobody else's", async () => {
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await change(aGuest(opine), { bio: 'Mine.' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const amara = await aRegistered(opine);
    await logOut(opine, amara.session);
    expect(await amara.get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await change(amara, { bio: 'Mine.' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await profileSeenBy(aGuest(opine), amara)).bio).toBeNull();
  });
});

describe('a change', () => {
  test('of everything is answered, and what others see', async () => {
    const amara = await aRegistered(opine, 'Before');
    const username = `${amara.username}_b`;
    const data = await granted(change(amara, { fullName: 'After All', username, bio: 'Since then.' }));
    expect(data).toMatchObject({
      id: amara.id,
      name: 'After All',
      fullName: 'After All',
      username,
      bio: 'Since then.',
      editable: { fullName: 'After All', username, bio: 'Since then.' },
    });
    expect(await own(amara)).toEqual(data);
    expect(await profileSeenBy(aGuest(opine), amara)).toMatchObject({
      name: 'After All',
      username,
      bio: 'Since then.',
    });
  });

  test('of one field leaves the others', async () => {
    const amara = await aConfirmed(opine, 'Amara');
    const post = await aSlider(amara);
    await granted(change(amara, { bio: 'One.' }));
    await granted(change(amara, { fullName: 'Amara Two' }));
    expect(await own(amara)).toMatchObject({ name: 'Amara Two', bio: 'One.', username: amara.username });
    await granted(change(amara, { username: `${amara.username}_3` }));
    expect(await own(amara)).toMatchObject({ name: 'Amara Two', bio: 'One.' });
    expect((await seenBy(aGuest(opine), post)).author).toMatchObject({
      id: amara.id,
      name: 'Amara Two',
      username: `${amara.username}_3`,
    });
  });

  test('to what it is already changes nothing', async () => {
    const amara = await aRegistered(opine, 'Amara');
    const before = await own(amara);
    expect(await granted(change(amara, { username: amara.username, fullName: 'Amara' }))).toEqual(before);
  });

  test.each([null, '', '   '])('of the bio to %j takes it away', async (bio) => {
    const amara = await aRegistered(opine);
    await granted(change(amara, { bio: 'For now.' }));
    expect((await granted(change(amara, { bio }))).bio).toBeNull();
    expect((await profileSeenBy(aGuest(opine), amara)).bio).toBeNull();
  });

  test.each([
    { bio: '🌱'.repeat(160) },
    { bio: 'Line one.\nLine two.' },
    { bio: `<b>"quoted"</b> \\ % '` },
    { fullName: 'Li' },
    { fullName: '👍'.repeat(80) },
    { username: 'abc' },
    { username: `a${'_'.repeat(29)}` },
  ])('may be %j', async (fields) => {
    const amara = await aRegistered(opine);
    expect(await granted(change(amara, fields))).toMatchObject(fields);
    expect((await own(amara)).editable).toMatchObject(fields);
  });

  test.each([
    ['bio', '🌱'.repeat(161)],
    ['bio', 1],
    ['bio', 'Not\u0000this.'],
    ['fullName', 'A'],
    ['fullName', ' A '],
    ['fullName', '👍'.repeat(81)],
    ['fullName', null],
    ['username', null],
    ['username', 'ab'],
    ['username', 'a'.repeat(31)],
    ['username', 'Amara'],
    ['username', '@amara'],
    ['username', 'am ara'],
    ['username', 'ämara'],
    ['username', 'amara\n'],
    ['profileAssetId', 'no-uuid'],
    ['profileAssetId', 7],
  ])('may not be the %s %j', async (field, value) => {
    const amara = await aRegistered(opine);
    const before = await own(amara);
    expect(await change(amara, { [field]: value })).toMatchObject(invalid(field));
    expect(await own(amara)).toEqual(before);
  });

  test('has a field at least, and none that nobody knows', async () => {
    const amara = await aRegistered(opine);
    for (const fields of [{}, { phoneNumber: aPhone() }, { bio: 'So.', level: 4 }, { id: amara.id }, []]) {
      expect(await change(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect((await own(amara)).bio).toBeNull();
  });

  test('is for whoever has a profile', async () => {
    const maya = await anAnonymous(opine);
    expect(await change(maya, { bio: 'Me.' })).toMatchObject(
      refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' }),
    );
  });

  test('to a photo that nobody uploaded is refused', async () => {
    const amara = await aRegistered(opine);
    const reply = await change(amara, { profileAssetId: '01990000-0000-7000-8000-00000000dead', bio: 'So.' });
    expect(reply).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }] }),
    );
    expect((await own(amara)).bio).toBeNull();
  });
});

describe('a username', () => {
  test('that is taken is refused, and nothing else of the change happens', async () => {
    const [amara, jonas] = [await aRegistered(opine, 'Amara'), await aRegistered(opine)];
    const reply = await change(amara, { username: jonas.username, fullName: 'Jonas Too' });
    expect(reply).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    expect(await own(amara)).toMatchObject({ name: 'Amara', username: amara.username });
  });

  test.each(['admin', '_o_pine_'])('that is reserved is refused: "%s"', async (username) => {
    const amara = await aRegistered(opine);
    expect(await change(amara, { username })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'], code: 'reserved' }] }),
    );
  });

  test('that two take at once is of one of them, again and again', async () => {
    for (const round of Array(10).keys()) {
      const pair = await Promise.all([aRegistered(opine), aRegistered(opine)]);
      const replies = await Promise.all(
        pair.map((person) => change(person, { username: `by_both_${round}` })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const handles = await Promise.all(pair.map(async (person) => (await own(person)).username));
      expect(handles.filter((handle) => handle === `by_both_${round}`)).toHaveLength(1);
    }
  });

  test('is free for others once changed', async () => {
    const [amara, next] = [await aRegistered(opine), await aRegistered(opine)];
    await granted(change(amara, { username: `${amara.username}_n` }));
    expect((await change(next, { username: amara.username })).status).toBe(200);
  });
});
