import { allPages, type Client, expectOk, idsOf, type Json, type Reply } from './client.ts';
import type { Hub } from './hubs.ts';
import type { Person } from './people.ts';

export function publish(author: Client, fields: object): Promise<Reply> {
  return author.post('/posts', { visibility: 'public', ...fields });
}

/** Publishes a slider post; `fields` override or add. */
export async function aSlider(author: Person, fields: object = {}): Promise<Json> {
  return expectOk(publish(author, { sliderText: 'Is this so?', ...fields }));
}

export async function aThought(author: Person, thoughtText = 'I think so.'): Promise<Json> {
  return expectOk(publish(author, { thoughtText }));
}

export async function seenBy(viewer: Client, post: Json): Promise<Json> {
  return (await viewer.get(`/posts/${post.id}`)).data;
}

/** Publishes thoughts, oldest first. */
export function thoughts(author: Person, count: number): Promise<Json[]> {
  return several(() => aThought(author), count);
}

/** Publishes sliders, oldest first. */
export function sliders(author: Person, count: number): Promise<Json[]> {
  return several(() => aSlider(author), count);
}

async function several(publishOne: () => Promise<Json>, count: number): Promise<Json[]> {
  const posts: Json[] = [];
  while (posts.length < count) posts.push(await publishOne());
  return posts;
}

export type Post = Pick<Json, 'id'>;

export function requestRepost(author: Client, { id }: Post, fields: object = {}): Promise<Reply> {
  return author.post(`/posts/${id}/reposts`, { visibility: 'public', thoughtText: 'Look here.', ...fields });
}

export function aRepost(author: Client, source: Post, fields: object = {}): Promise<Json> {
  return expectOk(requestRepost(author, source, fields));
}

/** Lists the ids of the lineage of `post`. */
export async function framesOf(viewer: Client, { id }: Post, query: object = {}): Promise<string[]> {
  return idsOf((await allPages(viewer, `/posts/${id}/frames`, query)).flat());
}

export function requestComment(author: Client, { id }: Post, fields: object): Promise<Reply> {
  return author.post(`/posts/${id}/comments`, fields);
}

export function aComment(
  author: Client,
  post: Post,
  text = 'I see it otherwise.',
  fields: object = {},
): Promise<Json> {
  return expectOk(requestComment(author, post, { text, ...fields }));
}

export function requestCommentDeletion(person: Client, { id }: Json): Promise<Reply> {
  return person.delete(`/comments/${id}`);
}

/** Lists the comments of `post`, or the replies to `query.parentCommentId`. */
export async function commentsOn(viewer: Client, { id }: Post, query: object = {}): Promise<Json[]> {
  return (await allPages(viewer, `/posts/${id}/comments`, query)).flat();
}

export function requestShareToFeed(sharer: Client, { id }: Post): Promise<Reply> {
  return sharer.post(`/posts/${id}/share/feed`);
}

export function shareToFeed(sharer: Client, post: Post): Promise<Json> {
  return expectOk(requestShareToFeed(sharer, post));
}

export function requestShareToHubs(sharer: Client, { id }: Post, hubs: readonly Hub[]): Promise<Reply> {
  return sharer.post(`/posts/${id}/share/hubs`, { hubIds: hubs.map((hub) => hub.id) });
}

export function shareToHubs(sharer: Client, post: Post, ...hubs: Hub[]): Promise<Json> {
  return expectOk(requestShareToHubs(sharer, post, hubs));
}

export function requestSavePost(reader: Client, { id }: Post): Promise<Reply> {
  return reader.post(`/posts/${id}/save`);
}

export function requestUnsavePost(reader: Client, { id }: Post): Promise<Reply> {
  return reader.delete(`/posts/${id}/save`);
}

export async function savedPosts(reader: Client, query: object = {}): Promise<string[]> {
  return idsOf((await allPages(reader, '/users/me/saved-posts', query)).flat());
}

export function aReply(author: Client, post: Post, { id }: Json, text = 'Quite.'): Promise<Json> {
  return aComment(author, post, text, { parentCommentId: id });
}

export function requestReply(author: Client, post: Post, { id }: Json): Promise<Reply> {
  return requestComment(author, post, { text: 'Late.', parentCommentId: id });
}

export function repliesTo(viewer: Client, post: Post, { id }: Json): Promise<Json[]> {
  return commentsOn(viewer, post, { parentCommentId: id });
}

export async function commentCountSeenBy(viewer: Client, post: Json): Promise<number> {
  return (await seenBy(viewer, post)).commentCount;
}

/** The picture of a comment or message without one. */
export const NO_PICTURE = { assetId: null, altText: null, width: null, height: null, blurhash: null };

/** Returns what remains of a deleted root with replies. */
export function remainsOf(root: Json, replyCount: number): Json {
  return {
    ...root,
    author: { id: '', username: '', name: '', profilePhotoUrl: null, isAnonymous: true },
    text: null,
    ...NO_PICTURE,
    replyCount,
    isDeleted: true,
  };
}
