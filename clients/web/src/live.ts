import type { InboxState, Payload } from '@opine/client';
import { useEffect } from 'react';
import { invalidate, opine, queries, useRead } from './api.ts';
import { announce } from './notices.ts';
import { useUserId } from './tokens.ts';

const BADGE = ['badge'];

/** Returns the number of unread notifications. */
export function useBadge(): number {
  const { data } = useRead(BADGE, readInbox, { enabled: useUserId() !== null });
  return data?.unreadCount ?? 0;
}

/** Listens to the events of the signed-in person. What they concern is read again. */
export function useLiveEvents(): void {
  const userId = useUserId();
  useEffect(() => {
    if (userId === null) return;
    const listening = new AbortController();
    void listen(listening.signal);
    return () => listening.abort();
  }, [userId]);
}

/** Reads the badge and the inbox again, after a notification was marked as read. */
export function refreshInbox(): void {
  invalidate(BADGE, ['notifications']);
}

async function listen(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of opine.events({ signal })) {
      if (event.type === 'notification') await onSignal(event.payload);
      else onReady(event.inbox);
    }
  } catch {
    // The session has ended, which the next request says too.
    invalidate(['me']);
  }
}

/** Each connection begins here. Signals between two connections are lost, so everything on the screen is read again. */
function onReady(inbox: InboxState): void {
  queries.setQueryData(BADGE, newerThan(inbox));
  invalidate(['notifications'], ['post'], ['comments'], ['hub'], ['hubs']);
}

async function onSignal(payload: Payload): Promise<void> {
  const { postId, sourcePostId, hubId, type } = payload;
  invalidate(['notifications']);
  for (const id of [postId, sourcePostId]) if (id !== undefined) invalidate(['post', id], ['comments', id]);
  if (hubId !== undefined) invalidate(['hub', hubId], ['hubs']);
  if (type === 'user_followed') invalidate(['me'], ['profile']);
  // A signal has no count: the inbox is the truth.
  const inbox = await readInbox().catch(() => undefined);
  if (inbox === undefined) return;
  queries.setQueryData(BADGE, inbox);
  announce(`${inbox.unreadCount} unread ${inbox.unreadCount === 1 ? 'notification' : 'notifications'}`);
}

async function readInbox(): Promise<InboxState> {
  const { unreadCount, inboxVersion } = await opine.get('/notifications', {
    params: { query: { limit: 1 } },
  });
  return newerThan({ unreadCount, inboxVersion });
}

/** Returns the newer of an answer and the known state: a late answer must not overwrite a newer badge. */
function newerThan(answer: InboxState): InboxState {
  const known = queries.getQueryData<InboxState>(BADGE);
  return known !== undefined && known.inboxVersion > answer.inboxVersion ? known : answer;
}
