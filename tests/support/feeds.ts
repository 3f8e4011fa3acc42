import type { Client, Json } from './client.ts';
import { aComment, aRepost, type Post, place, share } from './frames.ts';
import { block, everyPage, follow, granted, idsOf } from './graph.ts';
import { aHub, aHubPost, type Hub, join } from './hubs.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person } from './people.ts';
import { aSlider, aThought } from './posts.ts';
import { castVote } from './votes.ts';

/** Staff choose `person` as one whose posts everybody sees who has nothing of their own. */
export async function chooseForDefaultFeed(opine: Opine, person: Person): Promise<void> {
  await opine.database.superuser
    .insertInto('app.default_feed_users')
    .values({ user_id: person.id })
    .execute();
}

/** The page of `viewer`'s home feed at `cursor`, its first one without. */
export async function homePage(viewer: Client, limit?: number, cursor?: string): Promise<Json> {
  const query = new URLSearchParams({
    ...(limit !== undefined && { limit: String(limit) }),
    ...(cursor !== undefined && { cursor }),
  });
  const { status, data, error } = await viewer.get(`/posts?${query}`);
  if (status !== 200) throw new Error(`A feed was refused: ${JSON.stringify(error)}`);
  return data;
}

/** `viewer`'s home feed from page to page of `limit` posts, up to where there is no next one. */
export async function homePages(viewer: Client, limit?: number): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: string | undefined; pages.length < 100; ) {
    const { items, nextCursor } = await homePage(viewer, limit, cursor);
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = nextCursor;
  }
  throw new Error('The feed does not end.');
}

/** The ids of the posts of `viewer`'s home feed. */
export async function homeFeed(viewer: Client): Promise<string[]> {
  return (await homePages(viewer)).flat().map(({ id }) => id);
}

/** The ids of `posts`, the newest first, as they were given in order of publication. */
export function newestFirst(posts: readonly Json[]): string[] {
  return posts.map(({ id }) => id).reverse();
}

/** Why each post of `viewer`'s home feed is in it, by its id. */
export async function reasonsIn(viewer: Client, query: object = {}): Promise<Record<string, string>> {
  const cards = (await everyPage(viewer, '/posts', { limit: 50, ...query })).flat();
  return Object.fromEntries(cards.map(({ id, feedContext }) => [id, feedContext]));
}

/** Why `post` is in `viewer`'s home feed; nothing where it is not in it. */
export async function reasonFor(viewer: Client, { id }: Post): Promise<string | undefined> {
  return (await reasonsIn(viewer))[id];
}

/** The ids of `viewer`'s home feed, the hottest first; `query` narrows it. */
export async function trendingFor(viewer: Client, query: object = {}): Promise<string[]> {
  return idsOf((await everyPage(viewer, '/posts', { sort: 'trending', ...query })).flat());
}

/** What somebody may do about a post with a slider that those hear of who follow them. */
export const ACTS: Readonly<Record<string, (person: Person, post: Json) => Promise<Json>>> = {
  'votes on it': (person, post) => granted(castVote(person, post)),
  'comments on it': (person, post) => aComment(person, post),
  'reposts it': (person, post) => aRepost(person, post),
  'shares it to their feed': (person, post) => share(person, post),
};

/** A feed in which many posts are not to be seen: its frames, the newest first, by what happened. */
export interface MuchHidden {
  readonly viewer: Person;
  readonly hub: Hub;
  readonly frames: string[];
}

/** A feed of 52 frames, each there for some reasons, among many that are as new and not to be seen. */
export async function aFeedWithMuchHidden(opine: Opine): Promise<MuchHidden> {
  const [viewer, followed, member, stranger, enemy] = [
    await aHubReady(opine, 'Viewer'),
    await aHubReady(opine, 'Followed'),
    await aHubReady(opine, 'Member'),
    await aHubReady(opine, 'Stranger'),
    await aHubReady(opine, 'Enemy'),
  ];
  const hub = await aHub(viewer);
  await join(viewer, hub, [member]);
  await follow(viewer, followed);
  let frames: string[] = [];
  const toTop = ({ id }: Json) => {
    frames = [id, ...frames.filter((each) => each !== id)];
  };
  const beside = { visibility: 'public_hub', sliderText: 'Is this so?' };
  const [deleted, own, foreign] = [await aSlider(followed), await aSlider(viewer), await aSlider(stranger)];
  const posts: Json[] = [deleted, own];
  for (let round = 0; round < 10; round += 1) {
    posts.push(await aSlider(followed), await aSlider(member), await aSlider(viewer));
    posts.push(await aHubPost(member, [hub], beside), await aHubPost(viewer, [hub], beside));
    // What is not to be seen is at the same times, for the same reasons, and as much as the rest.
    for (const post of [await aSlider(enemy), await aSlider(enemy), await aSlider(enemy)]) {
      await place(member, post, hub);
      await aComment(followed, post);
    }
    await granted(followed.delete(`/posts/${(await aThought(followed)).id}`));
  }
  for (const post of posts) toTop(post);
  const acts = Object.entries(ACTS).filter(([act]) => act !== 'reposts it');
  for (const [index, post] of posts.entries()) {
    const [, act] = acts[index % 4] ?? [];
    if (act === undefined) continue;
    await act(index % 2 === 0 ? followed : member, post);
    toTop(post);
  }
  for (const post of [foreign, own]) {
    await place(member, post, hub);
    toTop(post);
  }
  await granted(followed.delete(`/posts/${deleted.id}`));
  await block(enemy, viewer);
  return { viewer, hub, frames: frames.filter((id) => id !== deleted.id) };
}
