import type { Client, Json, Reply } from './client.ts';
import { everyPage, granted, idsOf, type Somebody } from './graph.ts';
import type { Hub } from './hubs.ts';

/** A post, by its id. */
export type Post = Pick<Json, 'id'>;

/** `author` asks to repost `source`, in public; `fields` override or add. */
export function requestRepost(author: Client, { id }: Post, fields: object = {}): Promise<Reply> {
  return author.post(`/posts/${id}/reposts`, { visibility: 'public', thoughtText: 'Look here.', ...fields });
}

/** A repost of `source` by `author`; `fields` override or add. */
export function aRepost(author: Client, source: Post, fields: object = {}): Promise<Json> {
  return granted(requestRepost(author, source, fields));
}

/** The ids of the frames of the lineage of `post` that `viewer` sees. */
export async function framesOf(viewer: Client, { id }: Post, query: object = {}): Promise<string[]> {
  return idsOf((await everyPage(viewer, `/posts/${id}/frames`, query)).flat());
}

/** `author` asks to comment on `post`. */
export function requestComment(author: Client, { id }: Post, fields: object): Promise<Reply> {
  return author.post(`/posts/${id}/comments`, fields);
}

/** A comment of `author`'s; `fields` override or add. */
export function aComment(
  author: Client,
  post: Post,
  text = 'I see it otherwise.',
  fields: object = {},
): Promise<Json> {
  return granted(requestComment(author, post, { text, ...fields }));
}

/** `person` asks to remove a comment. */
export function requestCommentDeletion(person: Client, { id }: Json): Promise<Reply> {
  return person.delete(`/comments/${id}`);
}

/** The comments of `post` that `viewer` sees, or the replies to one of them (`query.parentCommentId`). */
export async function commentsOn(viewer: Client, { id }: Post, query: object = {}): Promise<Json[]> {
  return (await everyPage(viewer, `/posts/${id}/comments`, query)).flat();
}

/** `sharer` asks to share `post` to their own feed. */
export function requestShare(sharer: Client, { id }: Post): Promise<Reply> {
  return sharer.post(`/posts/${id}/share/feed`);
}

/** `sharer` shares `post` to their own feed. */
export function share(sharer: Client, post: Post): Promise<Json> {
  return granted(requestShare(sharer, post));
}

/** `sharer` asks to share `post` into `hubs`. */
export function requestPlace(sharer: Client, { id }: Post, hubs: readonly Hub[]): Promise<Reply> {
  return sharer.post(`/posts/${id}/share/hubs`, { hubIds: hubs.map((hub) => hub.id) });
}

/** `sharer` shares `post` into `hubs`. */
export function place(sharer: Client, post: Post, ...hubs: Hub[]): Promise<Json> {
  return granted(requestPlace(sharer, post, hubs));
}

export function requestSave(reader: Client, { id }: Post): Promise<Reply> {
  return reader.post(`/posts/${id}/save`);
}

export function requestUnsave(reader: Client, { id }: Post): Promise<Reply> {
  return reader.delete(`/posts/${id}/save`);
}

/** The ids of what `reader` has saved and sees, in its order. */
export async function savedBy(reader: Client, query: object = {}): Promise<string[]> {
  return idsOf((await everyPage(reader, '/users/me/saved-posts', query)).flat());
}

/** `reporter` asks to report one of `things`. */
export function requestReport(
  reporter: Client,
  things: 'users' | 'posts' | 'hubs' | 'comments' | 'messages',
  { id }: Somebody,
  fields: object = {},
): Promise<Reply> {
  return reporter.post(`/reports/${things}/${id}`, { reason: 'spam', ...fields });
}

/** The ids of the profile feed of `person` as `viewer` sees it. */
export async function profileFeedOf(viewer: Client, { id }: Somebody, query: object = {}): Promise<string[]> {
  return idsOf((await everyPage(viewer, `/users/${id}/feed`, query)).flat());
}
