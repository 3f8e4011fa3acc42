import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aCircle, nonMembersOf } from '../support/discussions.ts';
import { aRepost, place } from '../support/frames.ts';
import { block, granted, NO_IDS, NOBODY } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await aConfirmed(opine, 'Maya');
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NOT_SHAREABLE = refusal(409, 'POST_NOT_SHAREABLE');

const askForLink = (reader: Client, { id }: Json) => reader.get(`/posts/${id}/share-link`);
const linkTo = ({ id }: Json) => ({ url: `https://opine.example/posts/${id}` });

describe('a share link', () => {
  test('leads to the post in the app, for every reader alike', async () => {
    const post = await aSlider(maya);
    for (const reader of [maya, await aRegistered(opine), await aHubReady(opine)]) {
      const { status, data } = await askForLink(reader, post);
      expect([status, data]).toEqual([200, linkTo(post)]);
    }
  });

  test('leads to where the app is', async () => {
    const elsewhere = await anOpine({ APP_URL: 'https://app.test' });
    const author = await aConfirmed(elsewhere);
    const post = await aThought(author);
    expect((await askForLink(author, post)).data).toEqual({ url: `https://app.test/posts/${post.id}` });
  });

  test('has the id as it is, however it is asked for', async () => {
    const post = await aThought(maya);
    expect((await askForLink(maya, { id: post.id.toUpperCase() })).data).toEqual(linkTo(post));
  });

  test('of a repost leads to the repost', async () => {
    const repost = await aRepost(maya, await aSlider(maya));
    expect((await askForLink(maya, repost)).data).toEqual(linkTo(repost));
  });

  test('is there for what is shareable: in public, or in two Hubs', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
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
        expect((await askForLink(reader, post)).data).toEqual(linkTo(post));
      }
    }
  });

  test('is there for whom a post was shared onward to', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(amara, [hub, await aHub(amara)]);
    const next = await aHub(jonas);
    const lena = await aMemberOf(opine, jonas, next);
    expect(await askForLink(lena, post)).toMatchObject(HIDDEN);
    await place(jonas, post, next);
    expect((await askForLink(lena, post)).data).toEqual(linkTo(post));
  });
});

describe('there is no share link', () => {
  test('to what is locked in one Hub: members are told so, others nothing', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const source = await aSlider(maya);
    const repost = await aRepost(jonas, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    for (const locked of [await aHubPost(amara, [hub]), repost]) {
      for (const member of [amara, jonas]) {
        expect(await askForLink(member, locked)).toMatchObject(NOT_SHAREABLE);
      }
      const nonMembers = await nonMembersOf(opine, amara, hub);
      for (const nonMember of [...nonMembers.values(), maya]) {
        expect(await askForLink(nonMember, locked)).toMatchObject(HIDDEN);
      }
    }
    await granted(requestLeave(jonas, hub));
    expect(await askForLink(jonas, repost)).toMatchObject(NOT_SHAREABLE);
  });

  test('below level 2', async () => {
    const post = await aSlider(maya);
    expect(await askForLink(aGuest(opine), post)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { status, error } = await askForLink(await anAnonymous(opine), post);
    const details = { requiredLevel: 2, level: 1, nextStep: 'profile_basics' };
    expect([status, error.code, error.details]).toEqual([403, 'FORBIDDEN', details]);
  });

  test('to what is not there, or not for this reader', async () => {
    const [reader, gone, hers] = [await aRegistered(opine), await aThought(maya), await aThought(maya)];
    await granted(maya.delete(`/posts/${gone.id}`));
    for (const id of [gone.id, NOBODY.id, ...NO_IDS]) {
      expect(await askForLink(reader, { id })).toMatchObject(HIDDEN);
    }
    await block(maya, reader);
    expect(await askForLink(reader, hers)).toMatchObject(HIDDEN);
    expect((await seenBy(maya, hers)).id).toBe(hers.id);
  });
});
