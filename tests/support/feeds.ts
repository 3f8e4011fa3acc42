import { allPages, type Client, expectOk, idsOf, type Json, withQuery } from './client.ts';
import { block, follow } from './graph.ts';
import { aHub, aHubPost, join } from './hubs.ts';
import type { Opine } from './opine.ts';
import { hubReadyPeople, type Person, type UserRef } from './people.ts';
import { aComment, aRepost, aSlider, aThought, type Post, shareToFeed, shareToHubs } from './posts.ts';
import { castVote } from './votes.ts';

/** Adds `person` to the default feed, which people without own sources see. */
export async function addToDefaultFeed(opine: Opine, person: Person): Promise<void> {
  await opine.database.superuser
    .insertInto('app.default_feed_users')
    .values({ user_id: person.id })
    .execute();
}

export async function homePage(viewer: Client, limit?: number, cursor?: string): Promise<Json> {
  const query = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  return expectOk(viewer.get(withQuery('/posts', query)));
}

/** Reads all pages of the home feed. */
export function homePages(viewer: Client, limit?: number): Promise<Json[][]> {
  return allPages(viewer, '/posts', limit === undefined ? {} : { limit });
}

export async function homeFeed(viewer: Client): Promise<string[]> {
  return idsOf((await homePages(viewer)).flat());
}

/** Returns the feed context of each post in the home feed, by post id. */
export async function reasonsIn(viewer: Client, query: object = {}): Promise<Record<string, string>> {
  const cards = (await allPages(viewer, '/posts', { limit: 50, ...query })).flat();
  return Object.fromEntries(cards.map(({ id, feedContext }) => [id, feedContext]));
}

/** Returns the feed context of `post`, undefined if it is not in the feed. */
export async function reasonFor(viewer: Client, { id }: Post): Promise<string | undefined> {
  return (await reasonsIn(viewer))[id];
}

/** Returns the ids of the trending feed. */
export async function trendingFor(viewer: Client, query: object = {}): Promise<string[]> {
  return idsOf((await allPages(viewer, '/posts', { sort: 'trending', ...query })).flat());
}

/** Activities on a slider post that followers see in their feed. */
export const ACTIVITIES: Readonly<Record<string, (person: Person, post: Json) => Promise<Json>>> = {
  'votes on it': (person, post) => expectOk(castVote(person, post)),
  'comments on it': (person, post) => aComment(person, post),
  'reposts it': (person, post) => aRepost(person, post),
  'shares it to their feed': (person, post) => shareToFeed(person, post),
};

/**
 * Creates a feed of 52 visible posts, `frames` (newest first), among as many hidden posts of the same age and reasons.
 */
export async function aFeedWithHiddenPosts(opine: Opine) {
  const names = ['Viewer', 'Followed', 'Member', 'Unfollowed', 'Blocked'] as const;
  const [viewer, followed, member, unfollowed, blocked] = await hubReadyPeople(opine, ...names);
  const hub = await aHub(viewer);
  await join(viewer, hub, [member]);
  await follow(viewer, followed);
  let frames: string[] = [];
  const toTop = ({ id }: Json) => {
    frames = [id, ...frames.filter((each) => each !== id)];
  };
  const beside = { visibility: 'public_hub', sliderText: 'Is this so?' };
  const [deleted, own, foreign] = [await aSlider(followed), await aSlider(viewer), await aSlider(unfollowed)];
  const posts: Json[] = [deleted, own];
  for (let round = 0; round < 10; round += 1) {
    posts.push(await aSlider(followed), await aSlider(member), await aSlider(viewer));
    posts.push(await aHubPost(member, [hub], beside), await aHubPost(viewer, [hub], beside));
    // Hidden posts have the same times and reasons as visible ones.
    for (const post of [await aSlider(blocked), await aSlider(blocked), await aSlider(blocked)]) {
      await shareToHubs(member, post, hub);
      await aComment(followed, post);
    }
    await expectOk(followed.delete(`/posts/${(await aThought(followed)).id}`));
  }
  for (const post of posts) toTop(post);
  const activities = Object.entries(ACTIVITIES).filter(([act]) => act !== 'reposts it');
  for (const [index, post] of posts.entries()) {
    const [, perform] = activities[index % 4] ?? [];
    if (perform === undefined) continue;
    // What authors do on their own posts moves nothing.
    await perform(post.author.id === followed.id ? member : followed, post);
    toTop(post);
  }
  for (const post of [foreign, own]) {
    await shareToHubs(member, post, hub);
    toTop(post);
  }
  await expectOk(followed.delete(`/posts/${deleted.id}`));
  await block(blocked, viewer);
  return { viewer, hub, frames: frames.filter((id) => id !== deleted.id) };
}

export async function profileFeedOf(viewer: Client, { id }: UserRef, query: object = {}): Promise<string[]> {
  return idsOf((await allPages(viewer, `/users/${id}/feed`, query)).flat());
}
