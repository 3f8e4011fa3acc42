import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy, shareToHubs } from '../support/posts.ts';

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
  test('every reader gets the same URL of the post', async () => {
    const post = await aSlider(maya);
    for (const reader of [maya, await registeredPerson(opine), await hubReadyPerson(opine)]) {
      const { status, data } = await requestLink(reader, post);
      expect([status, data]).toEqual([200, linkTo(post)]);
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

  test('the link of a repost leads to the repost', async () => {
    const repost = await aRepost(maya, await aSlider(maya));
    expect((await requestLink(maya, repost)).data).toEqual(linkTo(repost));
  });

  test('members get links to public_hub posts and to private posts in two Hubs', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const two = [hub, await aHub(amara)];
    for (const post of [
      await aHubPost(amara, [hub], { visibility: 'public_hub' }),
      await aHubPost(amara, two),
      await aRepost(amara, await aSlider(maya), {
        visibility: 'private_locked_hub',
        hubIds: two.map(({ id }) => id),
      }),
    ]) {
      for (const reader of [amara, jonas]) {
        expect((await requestLink(reader, post)).data).toEqual(linkTo(post));
      }
    }
  });

  test('a member gets the link once a private post is shared onward into their Hub', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(amara, [hub, await aHub(amara)]);
    const next = await aHub(jonas);
    const lena = await aMemberOf(opine, jonas, next);
    expect(await requestLink(lena, post)).toMatchObject(HIDDEN);
    await shareToHubs(jonas, post, next);
    expect((await requestLink(lena, post)).data).toEqual(linkTo(post));
  });
});

describe('a refused share link', () => {
  test('a locked post answers 409 to members and 404 to non-members', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const source = await aSlider(maya);
    const repost = await aRepost(jonas, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    for (const locked of [await aHubPost(amara, [hub]), repost]) {
      for (const member of [amara, jonas]) {
        expect(await requestLink(member, locked)).toMatchObject(NOT_SHAREABLE);
      }
      const nonMembers = await nonMembersOf(opine, amara, hub);
      for (const nonMember of [...nonMembers.values(), maya]) {
        expect(await requestLink(nonMember, locked)).toMatchObject(HIDDEN);
      }
    }
    await expectOk(requestLeave(jonas, hub));
    expect(await requestLink(jonas, repost)).toMatchObject(NOT_SHAREABLE);
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
