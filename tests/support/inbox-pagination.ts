import type { Client, Json } from './client.ts';
import { aComment, type Post } from './frames.ts';
import { everyPage, granted, withQuery } from './graph.ts';

/** A page of the inbox of `reader`, by its query. */
export function inboxPage(reader: Client, query: object = {}): Promise<Json> {
  return granted(reader.get(withQuery('/notifications', query)));
}

/** The inbox of `reader`, page by page. */
export function inboxPages(reader: Client, query: object = {}): Promise<Json[][]> {
  return everyPage(reader, '/notifications', query);
}

/** Everything in the inbox of `reader`, newest first. */
export async function wholeInbox(reader: Client, query: object = {}): Promise<Json[]> {
  return (await inboxPages(reader, { limit: 100, ...query })).flat();
}

/** How many notifications `reader` is told are unread. */
export async function badgeOf(reader: Client): Promise<number> {
  return (await inboxPage(reader, { limit: 1 })).unreadCount;
}

/** `author` comments so many times on `post`: the ids of the comments, the newest first. */
export async function comments(author: Client, post: Post, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.unshift((await aComment(author, post)).id);
  return ids;
}

export function commentIdsOf(items: readonly Json[]): (string | null)[] {
  return items.map(({ commentId }) => commentId);
}
