import type { Client, Json, Reply } from './client.ts';
import { granted } from './graph.ts';

/** `reader` asks for their notifications. */
export function requestInbox(reader: Client, query = ''): Promise<Reply> {
  return reader.get(`/notifications${query}`);
}

/** The inbox of `reader`: items, unreadCount, inboxVersion. */
export function inboxOf(reader: Client, query = ''): Promise<Json> {
  return granted(requestInbox(reader, query));
}

/** What `reader` was told of, newest first: only `type` where that is given. */
export async function notificationsOf(reader: Client, type?: string): Promise<Json[]> {
  const { items } = await inboxOf(reader, '?limit=100');
  return items.filter((item: Json) => type === undefined || item.type === type);
}

/** The types of what `reader` was told of, newest first. */
export async function notifiedTypes(reader: Client): Promise<string[]> {
  return (await notificationsOf(reader)).map(({ type }) => type);
}

export function requestMarkRead(reader: Client, { id }: Pick<Json, 'id'>): Promise<Reply> {
  return reader.patch('/notifications/read', { notificationId: id });
}

export function requestMarkAllRead(reader: Client): Promise<Reply> {
  return reader.patch('/notifications/read', { all: true });
}
