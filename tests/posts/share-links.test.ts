import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { aHubPost } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NOT_SHAREABLE = refusal(409, 'POST_NOT_SHAREABLE');

const requestLink = (reader: Client, { id }: Json) => reader.get(`/posts/${id}/share-link`);
const linkTo = ({ id }: Json) => ({ url: `https://opine.example/posts/${id}` });

describe('GET /posts/{postId}/share-link', () => {
  test('every reader gets the same URL of a post or a repost', async () => {
    const source = await aSlider(maya);
    for (const post of [source, await aRepost(maya, source)]) {
      for (const reader of [maya, await registeredPerson(opine), await hubReadyPerson(opine)]) {
        const { status, data } = await requestLink(reader, post);
        expect([status, data]).toEqual([200, linkTo(post)]);
      }
    }
  });

  test('the URL begins with APP_URL', async () => {
    const elsewhere = await anOpine({ APP_URL: 'https://app.test' });
    const author = await confirmedPerson(elsewhere);
    const post = await aThought(author);
    expect((await requestLink(author, post)).data).toEqual({ url: `https://app.test/posts/${post.id}` });
  });

  test('an upper-case post id gets the URL with the canonical id', async () => {
    const post = await aThought(maya);
    expect((await requestLink(maya, { id: post.id.toUpperCase() })).data).toEqual(linkTo(post));
  });
});

describe('a refused share link', () => {
  test('a locked post answers 409 to a member and 404 to a non-member', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const locked = await aHubPost(amara, [hub]);
    expect(await requestLink(jonas, locked)).toMatchObject(NOT_SHAREABLE);
    expect(await requestLink(maya, locked)).toMatchObject(HIDDEN);
  });

  test('a caller below level 2 is refused', async () => {
    const post = await aSlider(maya);
    expect(await requestLink(aGuest(opine), post)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { status, error } = await requestLink(await anonymousPerson(opine), post);
    const details = { requiredLevel: 2, level: 1, nextStep: 'profile_basics' };
    expect([status, error.code, error.details]).toEqual([403, 'FORBIDDEN', details]);
  });

  test('a deleted, unknown, malformed or blocked post answers 404', async () => {
    const [reader, gone, blocked] = [
      await registeredPerson(opine),
      await aThought(maya),
      await aThought(maya),
    ];
    await expectOk(maya.delete(`/posts/${gone.id}`));
    for (const id of [gone.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await requestLink(reader, { id })).toMatchObject(HIDDEN);
    }
    await block(maya, reader);
    expect(await requestLink(reader, blocked)).toMatchObject(HIDDEN);
    expect((await seenBy(maya, blocked)).id).toBe(blocked.id);
  });
});
