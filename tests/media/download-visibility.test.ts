import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { anonymousPerson, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { publish } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, fetchFile, requestDownload } from '../support/uploads.ts';

const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');

let opine: OpineWithStorage;
let amara: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  amara = await confirmedPerson(opine, 'Amara');
  picture = await aPng();
});

afterAll(() => opine.stop());

const canGet = async (person: Client, asset: Json) => {
  const reply = await requestDownload(person, asset.assetId);
  if (reply.status === 200) return (await fetchFile(reply.data.url)).status === 200;
  expect(reply).toMatchObject(NOT_FOUND);
  return false;
};

/** Publishes a public post of `author` with those assets. */
async function aPostWith(author: Person, ...assets: Json[]): Promise<Json> {
  const assetIds = assets.map(({ assetId }) => assetId);
  const { status, data, error } = await publish(author, { article: { assetIds } });
  if (status !== 201) throw new Error(`A post was not published: ${JSON.stringify(error)}`);
  return data;
}

describe('media of a post', () => {
  test('every viewer of the post can download its media', async () => {
    const image = await anUpload(amara, picture, 'post_image');
    const document = await anUpload(amara, await aPdf(), 'document');
    await aPostWith(amara, image, document);
    for (const viewer of [amara, await anonymousPerson(opine), await confirmedPerson(opine)]) {
      expect([await canGet(viewer, image), await canGet(viewer, document)]).toEqual([true, true]);
    }
  });

  test.each(['the author', 'the viewer'])(
    'the media are hidden with the post while %s blocks the other person',
    async (who) => {
      const [author, viewer] = [await confirmedPerson(opine), await registeredPerson(opine)];
      const image = await anUpload(author, picture, 'post_image');
      await aPostWith(author, image);
      const [blocker, blocked] = who === 'the author' ? [author, viewer] : [viewer, author];
      expect((await blocker.post(`/users/${blocked.id}/block`)).status).toBe(200);
      expect([await canGet(viewer, image), await canGet(author, image)]).toEqual([false, true]);
      expect((await blocker.delete(`/users/${blocked.id}/block`)).status).toBe(200);
      expect(await canGet(viewer, image)).toBe(true);
    },
  );

  test('nobody can download the media of a deleted post', async () => {
    const image = await anUpload(amara, picture, 'post_image');
    const post = await aPostWith(amara, image);
    await amara.delete(`/posts/${post.id}`);
    expect([await canGet(amara, image), await canGet(await anonymousPerson(opine), image)]).toEqual([
      false,
      false,
    ]);
  });

  test('media of two posts stay available until both posts are deleted', async () => {
    const image = await anUpload(amara, picture, 'post_image');
    const [one, two] = [await aPostWith(amara, image), await aPostWith(amara, image)];
    const viewer = await anonymousPerson(opine);
    await amara.delete(`/posts/${one.id}`);
    expect(await canGet(viewer, image)).toBe(true);
    await amara.delete(`/posts/${two.id}`);
    expect(await canGet(viewer, image)).toBe(false);
  });

  test('nobody can download the media of a deleted account', async () => {
    const author = await confirmedPerson(opine);
    const image = await anUpload(author, picture, 'post_image');
    await aPostWith(author, image);
    await author.delete('/users/me');
    expect(await canGet(amara, image)).toBe(false);
  });
});

describe('a profile photo', () => {
  /** Creates a person with a profile photo. */
  async function aPersonWithPhoto(): Promise<{ person: Person; photo: Json }> {
    const person = await confirmedPerson(opine);
    const photo = await anUpload(person, picture);
    const { status } = await person.patch('/users/me/profile', { profileAssetId: photo.assetId });
    expect(status).toBe(200);
    return { person, photo };
  }

  test('every viewer of the profile can download its photo until it is removed', async () => {
    const { person, photo } = await aPersonWithPhoto();
    const viewer = await anonymousPerson(opine);
    expect(await canGet(viewer, photo)).toBe(true);
    await person.patch('/users/me/profile', { profileAssetId: null });
    expect([await canGet(viewer, photo), await canGet(person, photo)]).toEqual([false, false]);
  });

  test('the photo is hidden from the blocked person and from nobody else', async () => {
    const { person, photo } = await aPersonWithPhoto();
    const blocked = await registeredPerson(opine);
    expect((await person.post(`/users/${blocked.id}/block`)).status).toBe(200);
    expect([await canGet(blocked, photo), await canGet(amara, photo)]).toEqual([false, true]);
  });

  test('a blocker can download the photo of the person they block', async () => {
    const { person, photo } = await aPersonWithPhoto();
    const blocker = await anonymousPerson(opine);
    expect((await blocker.post(`/users/${person.id}/block`)).status).toBe(200);
    expect(await canGet(blocker, photo)).toBe(true);
  });
});
