import type { HubDiscussionAuthor } from '@opine/client';
import { invalidate, opine } from './api.ts';
import type { Conversation } from './thread.tsx';

/** The discussion of a post in a Hub, which its members see. */
export function discussionOf(hubId: string, discussionId: string): Conversation {
  const params = { path: { hubId, discussionId } };
  return {
    queryKey: ['hub', hubId, 'messages', discussionId],
    word: 'message',
    read: async (parentId, page) => {
      const query = { ...(parentId !== null && { parentMessageId: parentId }), ...page };
      const { items, nextCursor } = await opine.get('/hubs/{hubId}/discussions/{discussionId}/messages', {
        params: { ...params, query },
      });
      return { items: items.map((message) => ({ ...message, ...personOf(message.author) })), nextCursor };
    },
    send: (parentId, text) =>
      opine.post('/hubs/{hubId}/discussions/{discussionId}/messages', {
        params,
        body: { text, ...(parentId !== null && { parentMessageId: parentId }) },
      }),
    onChange: () => invalidate(['hub', hubId, 'discussions']),
  };
}

/** A member shows their phone, a former member their username. */
function personOf({
  userId,
  displayName,
  profilePhotoUrl,
  phoneNumber,
  publicUsername,
}: HubDiscussionAuthor) {
  const author = { id: userId, name: displayName, username: publicUsername ?? '', profilePhotoUrl };
  return { author, beside: phoneNumber };
}
