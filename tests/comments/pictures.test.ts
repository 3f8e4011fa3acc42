import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TIMEOUT } from '../support/account-deletions.ts';
import { type Json, refusal } from '../support/client.ts';
import { aComment, commentsOn, requestComment, requestCommentDeletion } from '../support/frames.ts';
import { block, granted, NOBODY, unblock } from '../support/graph.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { aThought, publish } from '../support/posts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, aSent, downloaded, everythingIn, requestDownload } from '../support/uploads.ts';

const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');
const UNKNOWN = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['assetId'] }] });

let opine: StoringOpine;
let picture: Bytes;
/** Whose post it is, and who shows pictures below it. */
let amara: Person;
let jonas: Person;
let post: Json;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await aConfirmed(opine, 'Amara'), await aRegistered(opine, 'Jonas')];
  post = await aThought(amara);
});

const anImage = (person: Person) => anUpload(person, picture, 'post_image');

/** A comment of `author` that shows a picture of theirs, and the picture. */
async function aShowing(author: Person, fields: object = {}): Promise<{ comment: Json; image: Json }> {
  const image = await anImage(author);
  const { assetId } = image;
  return { comment: await aComment(author, post, 'Look.', { assetId, ...fields }), image };
}

async function expectShown({ assetId }: Json, ...viewers: Person[]): Promise<void> {
  for (const viewer of viewers) {
    expect((await downloaded(viewer, { assetId })).bytes).toEqual(picture);
  }
}

async function expectHidden({ assetId }: Json, ...viewers: Person[]): Promise<void> {
  for (const viewer of viewers) {
    expect(await requestDownload(viewer, assetId)).toMatchObject(NO_ASSET);
  }
}

describe('a picture', () => {
  test('may be all there is of a comment, and is for whoever sees it', async () => {
    const { assetId } = await anImage(jonas);
    const strangers = [await anAnonymous(opine), await aRegistered(opine)];
    await expectHidden({ assetId }, amara, ...strangers);
    const { status, data } = await requestComment(jonas, post, { assetId });
    expect([status, data.text, data.assetId]).toEqual([201, null, assetId]);
    expect(await commentsOn(amara, post)).toEqual([data]);
    await expectShown({ assetId }, amara, jonas, ...strangers);
    expect((await aGuest(opine).get(`/uploads/${assetId}/download-url`)).status).toBe(401);
  });

  test('may be that of a reply', async () => {
    const { comment: root } = await aShowing(amara);
    const { comment, image } = await aShowing(jonas, { parentCommentId: root.id });
    expect(comment).toMatchObject({ parentCommentId: root.id, assetId: image.assetId });
    await expectShown(image, amara, await anAnonymous(opine));
  });

  test('is an own one for posts, completed, and no other file', async () => {
    const { image: hers } = await aShowing(amara);
    const { uploadId } = await aSent(jonas, picture, 'post_image');
    const strange = [
      hers,
      await anUpload(jonas, picture, 'profile_photo'),
      await anUpload(jonas, picture, 'hub_photo'),
      await anUpload(jonas, aPdf(), 'document'),
    ].map(({ assetId }) => assetId);
    for (const assetId of [...strange, uploadId, NOBODY.id]) {
      expect(await requestComment(jonas, post, { text: 'Look.', assetId })).toMatchObject(UNKNOWN);
    }
    expect(await commentsOn(jonas, post)).toHaveLength(1);
  });

  test.each(['blocks', 'is blocked by'])(
    'is hidden with the comment where its author %s the viewer',
    async (how) => {
      const { image } = await aShowing(jonas);
      const viewer = await aRegistered(opine);
      const [blocker, blocked] = how === 'blocks' ? [jonas, viewer] : [viewer, jonas];
      await block(blocker, blocked);
      await expectHidden(image, viewer);
      await expectShown(image, jonas, amara);
      await unblock(blocker, blocked);
      await expectShown(image, viewer);
    },
  );

  test('is hidden with the post where its author blocks the viewer', async () => {
    const { image } = await aShowing(jonas);
    const viewer = await aRegistered(opine);
    await block(amara, viewer);
    await expectHidden(image, viewer);
    await expectShown(image, jonas, amara);
  });

  test('of a reply is hidden where the thread is', async () => {
    const lena = await aRegistered(opine, 'Lena');
    const { comment: root } = await aShowing(lena);
    const { image } = await aShowing(jonas, { parentCommentId: root.id });
    const viewer = await aRegistered(opine);
    await block(lena, viewer);
    await expectHidden(image, viewer);
    await expectShown(image, amara, jonas);
  });
});

describe('it goes', () => {
  const lies = async ({ assetId }: Json) => (await everythingIn(opine.storage)).includes(`media/${assetId}`);

  test.each(['its author', 'the author of the post'])('with the comment, removed by %s', async (who) => {
    const { comment, image } = await aShowing(jonas);
    expect(await lies(image)).toBe(true);
    await granted(requestCommentDeletion(who === 'its author' ? jonas : amara, comment));
    await expectHidden(image, amara, jonas, await anAnonymous(opine));
    expect(await requestComment(jonas, post, { assetId: image.assetId })).toMatchObject(UNKNOWN);
    await expect.poll(() => lies(image), TIMEOUT).toBe(false);
  });

  test('with a root that is removed and has replies; those keep theirs', async () => {
    const { comment: root, image } = await aShowing(jonas);
    const { image: below } = await aShowing(amara, { parentCommentId: root.id });
    await granted(requestCommentDeletion(jonas, root));
    expect((await commentsOn(amara, post))[0]).toMatchObject({ id: root.id, isDeleted: true, assetId: null });
    await expectHidden(image, amara, jonas);
    await expectShown(below, amara, jonas);
  });

  test('with the post, and with the pictures of all its threads', async () => {
    const { comment: root, image } = await aShowing(jonas);
    const { image: below } = await aShowing(amara, { parentCommentId: root.id });
    await granted(amara.delete(`/posts/${post.id}`));
    for (const each of [image, below]) await expectHidden(each, amara, jonas);
    await expect.poll(async () => [await lies(image), await lies(below)], TIMEOUT).toEqual([false, false]);
  });

  test('with its author', async () => {
    const { image } = await aShowing(jonas);
    await granted(jonas.delete('/users/me'));
    await expectHidden(image, amara, await anAnonymous(opine));
    await expect.poll(() => lies(image), TIMEOUT).toBe(false);
  });

  test('not while another comment or a post shows it', async () => {
    const image = await anImage(amara);
    const { assetId } = image;
    const comments = [
      await aComment(amara, post, 'Look.', { assetId }),
      await aComment(amara, post, 'Again.', { assetId }),
    ];
    const { data: shows } = await publish(amara, { article: { assetIds: [assetId] } });
    for (const comment of comments) {
      await expectShown(image, jonas);
      await granted(requestCommentDeletion(amara, comment));
    }
    await expectShown(image, jonas);
    await granted(amara.delete(`/posts/${shows.id}`));
    await expectHidden(image, jonas, amara);
  });
});
