import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo, postsIn } from '../support/discussions.ts';
import { listedIds } from '../support/graph.ts';
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
} from '../support/hubs.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider, aThought, requestShareToHubs, seenBy, shareToHubs } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

const hubSummary = ({ id, name }: Json) => ({ id, name });
const feedOf = (viewer: Client, { id }: Hub) => listedIds(viewer, `/hubs/${id}/feed`);
const requestHubShare = (sharer: Client, { id }: Json, body: unknown) =>
  sharer.post(`/posts/${id}/share/hubs`, body);

/** Creates a circle and a private post of Amara's in two other Hubs; Jonas is a member of one of them. */
async function onwardCircle(): Promise<HubOfTwo & { post: Json; lena: Person }> {
  const circle = await aHubOfTwo(opine);
  const { hub, amara, jonas } = circle;
  const home = await aHub(amara, { name: 'Oak Street' });
  await join(amara, home, [jonas]);
  const post = await aHubPost(amara, [home, await aHub(amara)], { sliderText: 'Is it quiet?' });
  return { ...circle, post, lena: await aMemberOf(opine, amara, hub, 'Lena') };
}

describe('a post shared into a Hub', () => {
  // docs/product.md PO21
  test('the feed and the discussions of the Hub list the post, whose card is unchanged', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [post, newer] = [await aSlider(maya), await aHubPost(amara, [hub])];
    const before = await currentTime(opine);
    const { status, data } = await requestShareToHubs(jonas, post, [hub]);
    const after = await currentTime(opine);
    const sharedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(status).toBe(201);
    expect(data).toEqual({ postId: post.id, hubs: [{ hubId: hub.id, sharedAt, created: true }] });
    expect(Date.parse(data.hubs[0].sharedAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(Date.parse(data.hubs[0].sharedAt)).toBeLessThanOrEqual(after.getTime() + 1);
    expect(await feedOf(amara, hub)).toEqual([post.id, newer.id]);
    expect(await postsIn(amara, hub)).toEqual(expect.arrayContaining([post.id, newer.id]));
    expect(await seenBy(maya, post)).toEqual(post);
    const [cards] = await allPages(amara, `/hubs/${hub.id}/feed`);
    const contexts = cards?.map(({ feedContext }) => feedContext);
    expect(contexts).toEqual(['shared_to_hub', 'joined_hub_post']);
  });

  test('a share into twenty Hubs answers in the requested order', async () => {
    const amara = await hubReadyPerson(opine);
    const hubs = await Promise.all(Array.from({ length: 20 }, () => aHub(amara)));
    const post = await aThought(maya);
    const { data } = await requestHubShare(amara, post, { hubIds: hubs.map(({ id }) => id.toUpperCase()) });
    expect(data.hubs.map(({ hubId }: Json) => hubId)).toEqual(hubs.map(({ id }) => id));
    expect(new Set((await seenBy(amara, post)).hubs)).toEqual(new Set(hubs.map(hubSummary)));
  });

  test('ten concurrent shares create one placement', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aThought(maya);
    const sharers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    const answers = await Promise.all(sharers.map((sharer) => shareToHubs(sharer, post, hub)));
    expect(answers.filter(({ hubs }) => hubs[0].created)).toHaveLength(1);
    expect(new Set(answers.map(({ hubs }) => hubs[0].sharedAt)).size).toBe(1);
  });
});

describe('a private post shared onward', () => {
  // docs/product.md PO13
  test('a member of the new Hub sees the post and its discussion until they leave', async () => {
    const { hub, jonas, lena, post } = await onwardCircle();
    expect(await lena.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    await shareToHubs(jonas, post, hub);
    expect(await seenBy(lena, post)).toMatchObject({ hubs: [hubSummary(hub)], isShareable: true });
    expect(await feedOf(lena, hub)).toEqual([post.id]);
    const discussion = await discussionOf(lena, hub, post);
    expect((await aMessage(lena, discussion)).discussionId).toBe(discussion.id);
    await expectOk(requestLeave(lena, hub));
    expect(await lena.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    expect(await requestMessage(lena, discussion, { text: 'Still here?' })).toMatchObject(
      refusal(404, 'DISCUSSION_NOT_FOUND'),
    );
  });
});

test('a Hub share with a repeated Idempotency-Key is replayed', async () => {
  const { hub, jonas } = await aHubOfTwo(opine);
  const post = await aThought(maya);
  const body = { hubIds: [hub.id] };
  const send = () =>
    jonas.post(`/posts/${post.id}/share/hubs`, body, { headers: { 'idempotency-key': 'a' } });
  const [first, again] = [await send(), await send()];
  expect(first.data.hubs[0].created).toBe(true);
  expect([again.status, again.data]).toEqual([201, first.data]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});
