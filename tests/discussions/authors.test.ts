import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import {
  activeAuthor,
  aDiscussingCircle,
  formerAuthor,
  messagesOf,
  NOBODY_ANY_MORE,
  pathOf,
  requestSave,
  savedBy,
  textsOf,
} from '../support/discussions.ts';
import { block, granted } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  type Hub,
  join,
  requestLeave,
  requestMessage,
  requestRemove,
} from '../support/hubs.ts';
import type { Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, photoUrlOf, requestDownload } from '../support/uploads.ts';

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

/** Who wrote the messages at the top of a discussion, by what `viewer` sees. */
const authorsOf = async (viewer: Client, discussion: Json): Promise<Json[]> =>
  (await messagesOf(viewer, discussion)).map(({ author }) => author);

/** A discussion of Jonas's post in which he says something, also in a thread. */
async function whatJonasSaid(): Promise<{
  hub: Json;
  amara: Person;
  jonas: Person;
  discussion: Json;
  root: Json;
}> {
  const { hub, amara, jonas } = await aDiscussingCircle(opine);
  const discussion = await discussionOf(jonas, hub, await aHubPost(jonas, [hub]));
  const root = await aMessage(jonas, discussion, 'I said so.');
  await aMessage(jonas, discussion, 'Twice.', { parentMessageId: root.id });
  await granted(requestSave(amara, discussion));
  return { hub, amara, jonas, discussion, root };
}

type World = Awaited<ReturnType<typeof whatJonasSaid>>;

/** Everywhere that `viewer` sees who Jonas is: it is the same. */
async function expectJonas(
  viewer: Client,
  { discussion, root }: World,
  hub: Hub,
  author: Json,
): Promise<void> {
  const { preview } = await discussionOf(viewer, hub, { id: discussion.postId });
  expect(preview.author).toEqual(author);
  expect(await authorsOf(viewer, discussion)).toEqual([author]);
  const [reply] = await messagesOf(viewer, discussion, root);
  expect(reply.author).toEqual(author);
}

/** `person` shows a photo there. */
async function show(person: Person, place: 'profile' | 'hub-profile'): Promise<string> {
  const photo = await anUpload(person, picture);
  await granted(person.patch(`/users/me/${place}`, { profileAssetId: photo.assetId }));
  return photoUrlOf(opine.storage, photo);
}

const callThemself = (person: Person, displayName: string) =>
  granted(person.patch('/users/me/hub-profile', { displayName }));

describe('who is a member', () => {
  test('is there by their public name and their phone, without a name of their own in Hubs', async () => {
    const world = await whatJonasSaid();
    const { amara, jonas, hub } = world;
    await show(jonas, 'profile');
    for (const viewer of [amara, jonas]) {
      await expectJonas(viewer, world, hub, activeAuthor(jonas, 'Jonas Weber'));
    }
    await granted(jonas.patch('/users/me/profile', { fullName: 'Jonas W.' }));
    await expectJonas(amara, world, hub, activeAuthor(jonas, 'Jonas W.'));
  });

  test('is there by the name and photo that they have in Hubs, also for what is old', async () => {
    const world = await whatJonasSaid();
    const { amara, jonas, hub } = world;
    await show(jonas, 'profile');
    const photoUrl = await show(jonas, 'hub-profile');
    await callThemself(jonas, 'Night Owl');
    await expectJonas(amara, world, hub, activeAuthor(jonas, 'Night Owl', photoUrl));
    await granted(jonas.patch('/users/me/profile', { fullName: 'Jonas W.' }));
    await callThemself(jonas, 'Early Bird');
    await expectJonas(amara, world, hub, activeAuthor(jonas, 'Early Bird', photoUrl));
    const [saved] = await savedBy(amara);
    const authors = saved.previewMessages.map(({ author }: Json) => author.displayName);
    expect([saved.preview.author.displayName, ...authors]).toEqual(Array(3).fill('Early Bird'));
  });

  test.each(['who blocks them', 'whom they block'])('is no other for one %s', async (who) => {
    const world = await whatJonasSaid();
    const { amara, jonas, hub } = world;
    await (who === 'whom they block' ? block(jonas, amara) : block(amara, jonas));
    await expectJonas(amara, world, hub, activeAuthor(jonas, 'Jonas Weber'));
  });

  test('is one where they are a member, and former where they are not', async () => {
    const { hub, amara, jonas, discussion } = await whatJonasSaid();
    const other = await aHub(amara);
    await join(amara, other, [jonas]);
    const elsewhere = await discussionOf(jonas, other, await aHubPost(jonas, [other]));
    await aMessage(jonas, elsewhere);
    await granted(requestLeave(jonas, hub));
    expect(await authorsOf(amara, elsewhere)).toEqual([activeAuthor(jonas, 'Jonas Weber')]);
    expect(await authorsOf(amara, discussion)).toEqual([formerAuthor(jonas, 'Jonas Weber')]);
  });
});

describe('who was a member', () => {
  test.each(['left', 'was removed'])(
    'and %s is there by who they are in public, without a phone',
    async (how) => {
      const world = await whatJonasSaid();
      const { hub, amara, jonas } = world;
      const photoUrl = await show(jonas, 'profile');
      await show(jonas, 'hub-profile');
      await callThemself(jonas, 'Night Owl');
      await granted(how === 'left' ? requestLeave(jonas, hub) : requestRemove(amara, hub, jonas));
      await expectJonas(amara, world, hub, formerAuthor(jonas, 'Jonas Weber', photoUrl));
      const [saved] = await savedBy(amara);
      expect(saved.previewMessages.map(({ author }: Json) => author)).toEqual(
        Array(2).fill(formerAuthor(jonas, 'Jonas Weber', photoUrl)),
      );
      const everything = [
        await amara.get(pathOf(world.discussion, 'messages')),
        await amara.get(`/hubs/${hub.id}/discussions`),
        await amara.get('/users/me/saved-discussions'),
      ];
      for (const secret of [jonas.phoneNumber, 'Night Owl']) {
        expect(JSON.stringify(everything.map(({ data }) => data))).not.toContain(secret);
      }
    },
  );

  test('goes by the name they take in public, also later', async () => {
    const world = await whatJonasSaid();
    const { hub, amara, jonas } = world;
    await granted(requestLeave(jonas, hub));
    const username = `${jonas.username}_later`;
    await granted(jonas.patch('/users/me/profile', { fullName: 'Jonas Far', username }));
    await callThemself(jonas, 'Night Owl');
    await expectJonas(amara, world, hub, formerAuthor({ ...jonas, username }, 'Jonas Far'));
  });

  test('and is one again is there as a member, for old and new', async () => {
    const { hub, amara, jonas, discussion } = await whatJonasSaid();
    await callThemself(jonas, 'Night Owl');
    await granted(requestLeave(jonas, hub));
    await join(amara, hub, [jonas]);
    await aMessage(jonas, discussion, 'Here again.');
    expect(await authorsOf(amara, discussion)).toEqual(Array(2).fill(activeAuthor(jonas, 'Night Owl')));
  });

  test('and waits to be one again is former until then', async () => {
    const { hub, amara, jonas, discussion } = await whatJonasSaid();
    await granted(requestLeave(jonas, hub));
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await granted(lena.post(`/hubs/${hub.id}/invitations`, { phoneNumbers: [jonas.phoneNumber] }));
    expect(await authorsOf(amara, discussion)).toEqual([formerAuthor(jonas, 'Jonas Weber')]);
  });
});

describe('whose account has ended', () => {
  test('is nobody any more; their texts stay', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const root = await aMessage(jonas, discussion, 'I said so.');
    await aMessage(amara, discussion, 'He did.', { parentMessageId: root.id });
    await aMessage(jonas, discussion, 'Twice.', { parentMessageId: root.id });
    await granted(requestSave(amara, discussion));
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    const { author: _, ...rest } = root;
    expect(await messagesOf(amara, discussion)).toEqual([
      { ...rest, replyCount: 2, author: NOBODY_ANY_MORE },
    ]);
    const thread = await messagesOf(amara, discussion, root);
    expect(textsOf(thread)).toEqual(['He did.', 'Twice.']);
    expect(thread.map(({ author }) => author)).toEqual([
      activeAuthor(amara, 'Amara Okafor'),
      NOBODY_ANY_MORE,
    ]);
    const [saved] = await savedBy(amara);
    expect(saved.previewMessages[0]).toMatchObject({ text: 'I said so.', author: NOBODY_ANY_MORE });
    expect((await discussionOf(amara, hub, { id: discussion.postId })).messageCount).toBe(3);
  });

  test('is nobody at once, also who had left before', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena Former');
    for (const person of [jonas, lena]) await aMessage(person, discussion);
    await granted(requestLeave(lena, hub));
    for (const person of [jonas, lena]) await granted(person.delete('/users/me'));
    const seen = JSON.stringify(await messagesOf(amara, discussion));
    for (const { id, username, phoneNumber } of [jonas, lena]) {
      for (const trace of [id, username, phoneNumber]) expect(seen).not.toContain(trace);
    }
    expect(await authorsOf(amara, discussion)).toEqual([NOBODY_ANY_MORE, NOBODY_ANY_MORE]);
    for (const { id } of [jonas, lena]) await untilGone(opine, id);
    expect(await authorsOf(amara, discussion)).toEqual([NOBODY_ANY_MORE, NOBODY_ANY_MORE]);
  });

  test('takes their pictures along', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const { assetId } = await anUpload(jonas, picture, 'post_image');
    await granted(requestMessage(jonas, discussion, { text: 'Look.', assetId }));
    expect((await requestDownload(amara, assetId)).status).toBe(200);
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    expect(await requestDownload(amara, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    expect(await messagesOf(amara, discussion)).toMatchObject([{ text: 'Look.', assetId: null }]);
    expect(await opine.storage.stored([assetId])).toEqual([]);
  });
});
