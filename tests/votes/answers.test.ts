import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, bucketsOf, OPEN, SLIDER, type Town, vote } from '../simulations/votes/worlds.ts';
import type { Client, Json } from '../support/client.ts';
import { place } from '../support/frames.ts';
import { granted, withQuery } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** What `voter` is answered to their vote, where they ask for no Hub or for `hub`. */
async function answerTo(voter: Client, post: Json, hub?: Hub): Promise<Json> {
  const path = withQuery(`/posts/${post.id}/vote`, hub === undefined ? {} : { hubId: hub.id });
  return granted(voter.post(path, { position: 'left' }));
}

describe('a vote is answered with what is displayed to the voter', () => {
  test('of a post that is for everybody as well: all, or the Hub that they ask for', async () => {
    const { amara, jonas, lena, maya, hub, other } = town;
    const post = await aHubPost(amara, [hub], OPEN);
    const answer = (...counts: number[]) => ({ postId: post.id, summary: bucketsOf(counts) });
    expect(await answerTo(maya, post)).toEqual(answer(0, 1, 0, 0, 0));
    expect(await answerTo(jonas, post)).toEqual(answer(0, 2, 0, 0, 0));
    expect(await answerTo(amara, post, hub)).toEqual(answer(0, 2, 0, 0, 0));
    // The post is not in the Hub that Lena asks for.
    expect(await answerTo(lena, post, other)).toEqual(answer());
  });

  test('of a private post: the earliest Hub, or the one that they ask for', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const post = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    const answer = (...counts: number[]) => ({ postId: post.id, summary: bucketsOf(counts) });
    await place(amara, post, hub);
    await vote(await aMemberOf(opine, amara, hub), post);
    expect(await answerTo(noor, post)).toEqual(answer(0, 2, 0, 0, 0));
    expect(await answerTo(lena, post)).toEqual(answer(0, 1, 0, 0, 0));
    expect(await answerTo(jonas, post)).toEqual(answer(0, 2, 0, 0, 0));
    expect(await answerTo(amara, post, hub)).toEqual(answer(0, 4, 0, 0, 0));
  });
});
