import type { Client, Json, Reply } from './client.ts';
import { granted } from './graph.ts';

/** `reader` asks for their notifications. */
export function askForInbox(reader: Client, query = ''): Promise<Reply> {
  return reader.get(`/notifications${query}`);
}

/** The inbox of `reader`: items, unreadCount, inboxVersion. */
export function inboxOf(reader: Client, query = ''): Promise<Json> {
  return granted(askForInbox(reader, query));
}

/** What `reader` was told of, newest first: only `type` where that is given. */
export async function toldTo(reader: Client, type?: string): Promise<Json[]> {
  const { items } = await inboxOf(reader, '?limit=100');
  return items.filter((item: Json) => type === undefined || item.type === type);
}

/** The types of what `reader` was told of, newest first. */
export async function typesTold(reader: Client): Promise<string[]> {
  return (await toldTo(reader)).map(({ type }) => type);
}

export function askToMarkRead(reader: Client, { id }: Pick<Json, 'id'>): Promise<Reply> {
  return reader.patch('/notifications/read', { notificationId: id });
}

export function askToMarkAllRead(reader: Client): Promise<Reply> {
  return reader.patch('/notifications/read', { all: true });
}
