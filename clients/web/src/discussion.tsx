import type { HubDiscussionAuthor } from '@opine/client';
import { useEffect } from 'react';
import { invalidate, opine, useHub } from './api.ts';
import { Thread } from './thread.tsx';
import { useUserId } from './tokens.ts';

/** The discussion of a post in a Hub, which its members see. */
export function Discussion({ hubId, discussionId }: { hubId: string; discussionId: string }) {
  const path = { hubId, discussionId };
  const userId = useUserId();
  const { isAdmin } = useHub(hubId);
  useMarkRead(hubId, discussionId);
  return (
    <Thread
      of={{
        queryKey: ['hub', hubId, 'messages', discussionId],
        counter: ['hub', hubId, 'discussions'],
        word: 'message',
        isOwn: ({ author }) => author.id === userId,
        read: async (parentMessageId, page) => {
          const query = parentMessageId === null ? page : { parentMessageId, ...page };
          const { items, nextCursor } = await opine.get('/hubs/{hubId}/discussions/{discussionId}/messages', {
            params: { path, query },
          });
          return { items: items.map((message) => ({ ...message, ...personOf(message.author) })), nextCursor };
        },
        send: (parentMessageId, text) =>
          opine.post('/hubs/{hubId}/discussions/{discussionId}/messages', {
            params: { path },
            body: { text, parentMessageId },
          }),
        canRemove: ({ author }) => isAdmin || author.id === userId,
        remove: (messageId) =>
          opine.delete('/hubs/{hubId}/discussions/{discussionId}/messages/{messageId}', {
            params: { path: { ...path, messageId } },
          }),
      }}
    />
  );
}

/** Marks a discussion as read when it is opened, and again when it is left, for the messages in between. */
function useMarkRead(hubId: string, discussionId: string): void {
  useEffect(() => {
    const markRead = async () => {
      // After a failure the discussion only stays unread.
      await opine
        .post('/hubs/{hubId}/discussions/{discussionId}/read', { params: { path: { hubId, discussionId } } })
        .catch(() => undefined);
      invalidate(['hub', hubId, 'discussions']);
    };
    void markRead();
    return () => void markRead();
  }, [hubId, discussionId]);
}

/** A member shows their phone, a former member their username. */
function personOf({ userId: id, displayName: name, publicUsername, ...rest }: HubDiscussionAuthor) {
  const { profilePhotoUrl, phoneNumber: beside } = rest;
  return { author: { id, name, username: publicUsername ?? '', profilePhotoUrl }, beside };
}
