import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, bucketsOf, OPEN, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { type Client, expectOk, type Json, withQuery } from '../support/client.ts';
import { aHub, aHubPost, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { shareToHubs } from '../support/posts.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** Returns the response to a vote of `voter`, with `?hubId=` of `hub` if one is passed. */
async function responseTo(voter: Client, post: Json, hub?: Hub): Promise<Json> {
  const path = withQuery(`/posts/${post.id}/vote`, hub === undefined ? {} : { hubId: hub.id });
  return expectOk(voter.post(path, { position: 'left' }));
}

describe('the response to a vote', () => {
  test('a vote on a public post returns the global result, or that of the requested Hub', async () => {
    const { amara, jonas, lena, maya, hub, other } = town;
    const post = await aHubPost(amara, [hub], OPEN);
    const response = (...counts: number[]) => ({ postId: post.id, summary: bucketsOf(counts) });
    expect(await responseTo(maya, post)).toEqual(response(0, 1, 0, 0, 0));
    expect(await responseTo(jonas, post)).toEqual(response(0, 2, 0, 0, 0));
    expect(await responseTo(amara, post, hub)).toEqual(response(0, 2, 0, 0, 0));
    // The post is not in the Hub that Lena requests.
    expect(await responseTo(lena, post, other)).toEqual(response());
  });

  test('a vote on a private post returns the result of the earliest Hub of the voter, or of the requested Hub', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const post = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    const response = (...counts: number[]) => ({ postId: post.id, summary: bucketsOf(counts) });
    await shareToHubs(amara, post, hub);
    await vote(await aMemberOf(opine, amara, hub), post);
    expect(await responseTo(noor, post)).toEqual(response(0, 2, 0, 0, 0));
    expect(await responseTo(lena, post)).toEqual(response(0, 1, 0, 0, 0));
    expect(await responseTo(jonas, post)).toEqual(response(0, 2, 0, 0, 0));
    expect(await responseTo(amara, post, hub)).toEqual(response(0, 4, 0, 0, 0));
  });
});
