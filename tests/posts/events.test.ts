import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, NONEXISTENT } from '../support/client.ts';
import { aHubOfTwo } from '../support/discussions.ts';
import { aHub, aHubPost, eventsDuring } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  requestShareToHubs,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

describe('post events', () => {
  const during = (action: () => Promise<unknown>) => eventsDuring(opine, action);

  test('a Hub share emits one event for each Hub that did not have the post', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const shared = { type: 'post_shared_to_hub', actor: jonas.id, hub: other.id, post: post.id };
    const events = await during(() => shareToHubs(jonas, post, hub, other));
    expect(events).toEqual([expect.objectContaining(shared)]);
    expect(await during(() => shareToHubs(jonas, post, other))).toEqual([]);
    expect(await during(() => requestShareToHubs(jonas, post, [NONEXISTENT]))).toEqual([]);
  });

  test('a public_hub repost emits followed_user_posted, post_reposted and post_shared_to_hub once each', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const source = await aSlider(amara);
    const reposts: Json[] = [];
    const fields = { visibility: 'public_hub', hubIds: [hub.id] };
    const events = await during(async () => {
      reposts.push(await aRepost(jonas, source, fields));
    });
    const activity = { actor: jonas.id, post: reposts[0].id };
    expect(events.map(({ type }) => type)).toEqual([
      'followed_user_posted',
      'post_reposted',
      'post_shared_to_hub',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ ...activity, type: 'post_shared_to_hub', hub: hub.id }),
    );
    expect(events.find(({ type }) => type === 'post_reposted')).toMatchObject(activity);
    expect(events.find(({ type }) => type === 'post_reposted').hub).toBeUndefined();
  });

  test('a private repost emits one post_shared_to_hub for each Hub and no hub_post_created', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas);
    const source = await aSlider(amara);
    const reposts: Json[] = [];
    const fields = { visibility: 'private_locked_hub', hubIds: [hub.id, other.id] };
    const events = await during(async () => {
      reposts.push(await aRepost(jonas, source, fields));
    });
    for (const event of events) expect(event).toMatchObject({ actor: jonas.id, post: reposts[0].id });
    const hubsOf = (eventType: string) =>
      events.filter(({ type }) => type === eventType).map((event) => event.hub);
    expect(new Set(hubsOf('post_shared_to_hub'))).toEqual(new Set([hub.id, other.id]));
    expect(hubsOf('post_shared_to_hub')).toHaveLength(2);
    expect(hubsOf('post_reposted').length).toBeGreaterThan(0);
    expect(hubsOf('hub_post_created')).toEqual([]);
  });

  test('each feed share and each comment emits one event', async () => {
    const jonas = await confirmedPerson(opine);
    const post = await aSlider(maya);
    const activity = { actor: jonas.id, post: post.id };
    for (const _ of [1, 2]) {
      const shared = expect.objectContaining({ ...activity, type: 'post_shared_to_feed' });
      expect(await during(() => shareToFeed(jonas, post))).toEqual([shared]);
    }
    const commented = expect.objectContaining({ ...activity, type: 'post_commented' });
    expect(await during(() => aComment(jonas, post))).toEqual([commented]);
  });
});
