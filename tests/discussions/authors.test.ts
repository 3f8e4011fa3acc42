import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import {
  activeAuthor,
  aHubWithDiscussion,
  DELETED_AUTHOR,
  formerAuthor,
  messagesOf,
  pathOf,
  requestSaveDiscussion,
  savedDiscussions,
  textsOf,
} from '../support/discussions.ts';
import {
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  type Hub,
  requestLeave,
  requestMessage,
  requestRemove,
} from '../support/hubs.ts';
import type { Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, photoUrlOf, requestDownload } from '../support/uploads.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

/** Returns the authors of the roots of a discussion as `viewer` sees them. */
const authorsOf = async (viewer: Client, discussion: Json): Promise<Json[]> =>
  (await messagesOf(viewer, discussion)).map(({ author }) => author);

/** Creates a discussion of Jonas's post with a root and a reply by him, saved by Amara. */
async function messagesByJonas(): Promise<{
  hub: Json;
  amara: Person;
  jonas: Person;
  discussion: Json;
  root: Json;
}> {
  const { hub, amara, jonas } = await aHubWithDiscussion(opine);
  const discussion = await discussionOf(jonas, hub, await aHubPost(jonas, [hub]));
  const root = await aMessage(jonas, discussion, 'I said so.');
  await aMessage(jonas, discussion, 'Twice.', { parentMessageId: root.id });
  await expectOk(requestSaveDiscussion(amara, discussion));
  return { hub, amara, jonas, discussion, root };
}

type World = Awaited<ReturnType<typeof messagesByJonas>>;

/** Expects `author` for Jonas in the preview, the root and the reply that `viewer` sees. */
async function expectAuthor(
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

/** Sets the photo of a profile of `person`; returns its URL. */
async function setPhoto(person: Person, place: 'profile' | 'hub-profile'): Promise<string> {
  const photo = await anUpload(person, picture);
  await expectOk(person.patch(`/users/me/${place}`, { profileAssetId: photo.assetId }));
  return photoUrlOf(opine.storage, photo);
}

const setHubName = (person: Person, displayName: string) =>
  expectOk(person.patch('/users/me/hub-profile', { displayName }));

describe('an author who is a member', () => {
  // docs/product.md D5
  test('members see the current Hub display name and Hub photo, also on older messages', async () => {
    const world = await messagesByJonas();
    const { amara, jonas, hub } = world;
    await setPhoto(jonas, 'profile');
    const photoUrl = await setPhoto(jonas, 'hub-profile');
    await setHubName(jonas, 'Night Owl');
    await expectAuthor(amara, world, hub, activeAuthor(jonas, 'Night Owl', photoUrl));
    await expectOk(jonas.patch('/users/me/profile', { fullName: 'Jonas W.' }));
    await setHubName(jonas, 'Early Bird');
    await expectAuthor(amara, world, hub, activeAuthor(jonas, 'Early Bird', photoUrl));
    const [saved] = await savedDiscussions(amara);
    const authors = saved.previewMessages.map(({ author }: Json) => author.displayName);
    expect([saved.preview.author.displayName, ...authors]).toEqual(Array(3).fill('Early Bird'));
  });
});

describe('an author who was a member', () => {
  // docs/product.md D5
  test.each(['left', 'was removed'])(
    'members see the public profile without phone of an author who %s',
    async (how) => {
      const world = await messagesByJonas();
      const { hub, amara, jonas } = world;
      const photoUrl = await setPhoto(jonas, 'profile');
      await setPhoto(jonas, 'hub-profile');
      await setHubName(jonas, 'Night Owl');
      await expectOk(how === 'left' ? requestLeave(jonas, hub) : requestRemove(amara, hub, jonas));
      await expectAuthor(amara, world, hub, formerAuthor(jonas, 'Jonas Weber', photoUrl));
      const [saved] = await savedDiscussions(amara);
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
});

describe('an author who deleted their account', () => {
  // docs/product.md D5, I18
  test('the author becomes anonymous and the texts stay', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const root = await aMessage(jonas, discussion, 'I said so.');
    await aMessage(amara, discussion, 'He did.', { parentMessageId: root.id });
    await aMessage(jonas, discussion, 'Twice.', { parentMessageId: root.id });
    await expectOk(requestSaveDiscussion(amara, discussion));
    await expectOk(jonas.delete('/users/me'));
    await waitUntilDeleted(opine, jonas.id);
    const { author: _, ...rest } = root;
    expect(await messagesOf(amara, discussion)).toEqual([{ ...rest, replyCount: 2, author: DELETED_AUTHOR }]);
    const thread = await messagesOf(amara, discussion, root);
    expect(textsOf(thread)).toEqual(['He did.', 'Twice.']);
    expect(thread.map(({ author }) => author)).toEqual([activeAuthor(amara, 'Amara Okafor'), DELETED_AUTHOR]);
    const [saved] = await savedDiscussions(amara);
    expect(saved.previewMessages[0]).toMatchObject({ text: 'I said so.', author: DELETED_AUTHOR });
    expect((await discussionOf(amara, hub, { id: discussion.postId })).messageCount).toBe(3);
  });

  test('members and former members become anonymous at once', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena Former');
    for (const person of [jonas, lena]) await aMessage(person, discussion);
    await expectOk(requestLeave(lena, hub));
    for (const person of [jonas, lena]) await expectOk(person.delete('/users/me'));
    const seen = JSON.stringify(await messagesOf(amara, discussion));
    for (const { id, username, phoneNumber } of [jonas, lena]) {
      for (const trace of [id, username, phoneNumber]) expect(seen).not.toContain(trace);
    }
    expect(await authorsOf(amara, discussion)).toEqual([DELETED_AUTHOR, DELETED_AUTHOR]);
    for (const { id } of [jonas, lena]) await waitUntilDeleted(opine, id);
    expect(await authorsOf(amara, discussion)).toEqual([DELETED_AUTHOR, DELETED_AUTHOR]);
  });

  test('the pictures of the author are deleted and the texts stay', async () => {
    const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const { assetId } = await anUpload(jonas, picture, 'post_image');
    await expectOk(requestMessage(jonas, discussion, { text: 'Look.', assetId }));
    expect((await requestDownload(amara, assetId)).status).toBe(200);
    await expectOk(jonas.delete('/users/me'));
    await waitUntilDeleted(opine, jonas.id);
    expect(await requestDownload(amara, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    expect(await messagesOf(amara, discussion)).toMatchObject([{ text: 'Look.', assetId: null }]);
    expect(await opine.storage.stored([assetId])).toEqual([]);
  });
});
