import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { aCircle } from '../support/discussions.ts';
import { aComment, aRepost, place, requestPlace, share } from '../support/frames.ts';
import { NOBODY } from '../support/graph.ts';
import { eventsOf } from '../support/hub-worlds.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await aConfirmed(opine, 'Maya');
});

afterAll(() => opine.stop());

describe('an event is', () => {
  const during = (act: () => Promise<unknown>) => eventsOf(opine, act);

  test('that a post is shared into a Hub, one for each where it was not before', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const other = await aHub(jonas);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const shared = { type: 'post_shared_to_hub', actor: jonas.id, hub: other.id, post: post.id };
    const events = await during(() => place(jonas, post, hub, other));
    expect(events).toEqual([expect.objectContaining(shared)]);
    expect(await during(() => place(jonas, post, other))).toEqual([]);
    expect(await during(() => requestPlace(jonas, post, [NOBODY]))).toEqual([]);
  });

  test('that a post is reposted, and into which Hubs, which is no new post of theirs', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const source = await aSlider(amara);
    const made: Json[] = [];
    const fields = { visibility: 'public_hub', hubIds: [hub.id] };
    const events = await during(async () => {
      made.push(await aRepost(jonas, source, fields));
    });
    const act = { actor: jonas.id, post: made[0].id };
    expect(events.map(({ type }) => type)).toEqual([
      'followed_user_posted',
      'post_reposted',
      'post_shared_to_hub',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ ...act, type: 'post_shared_to_hub', hub: hub.id }),
    );
    expect(events.find(({ type }) => type === 'post_reposted')).toMatchObject(act);
    expect(events.find(({ type }) => type === 'post_reposted').hub).toBeUndefined();
  });

  test('that a post is reposted into Hubs alone, and into which', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const other = await aHub(jonas);
    const source = await aSlider(amara);
    const made: Json[] = [];
    const fields = { visibility: 'private_locked_hub', hubIds: [hub.id, other.id] };
    const events = await during(async () => {
      made.push(await aRepost(jonas, source, fields));
    });
    for (const event of events) expect(event).toMatchObject({ actor: jonas.id, post: made[0].id });
    const hubsOf = (wanted: string) => events.filter(({ type }) => type === wanted).map((event) => event.hub);
    expect(new Set(hubsOf('post_shared_to_hub'))).toEqual(new Set([hub.id, other.id]));
    expect(hubsOf('post_shared_to_hub')).toHaveLength(2);
    expect(hubsOf('post_reposted').length).toBeGreaterThan(0);
    expect(hubsOf('hub_post_created')).toEqual([]);
  });

  test('that a post is shared to a feed, each time, and that somebody comments', async () => {
    const jonas = await aConfirmed(opine);
    const post = await aSlider(maya);
    const act = { actor: jonas.id, post: post.id };
    for (const _ of [1, 2]) {
      const shared = expect.objectContaining({ ...act, type: 'post_shared_to_feed' });
      expect(await during(() => share(jonas, post))).toEqual([shared]);
    }
    const commented = expect.objectContaining({ ...act, type: 'post_commented' });
    expect(await during(() => aComment(jonas, post))).toEqual([commented]);
  });
});
