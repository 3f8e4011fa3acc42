import { invalidate, opine, type Post, usePost } from './api.ts';
import { discussionOf } from './discussion.ts';
import { Actions, PostContent, titleOf } from './post-card.tsx';
import { type Conversation, Thread } from './thread.tsx';
import { QueryPage } from './ui.tsx';

/** A post with its comments, or with its discussion in a Hub. @param props.hubId the Hub whose votes it shows */
export function PostPage(props: { postId: string; hubId?: string; discussionId?: string }) {
  const { postId, hubId, discussionId } = props;
  const back = hubId === undefined ? '/' : `/hubs/${hubId}`;
  const query = usePost(postId, hubId, { isLive: true });
  return (
    <QueryPage query={query} title={discussionId === undefined ? 'Post' : 'Discussion'} back={back}>
      {(post) => (
        <>
          <article className="card" aria-label={titleOf(post)}>
            <PostContent post={post} hubId={hubId} />
            <Actions post={post} />
          </article>
          {hubId !== undefined && discussionId !== undefined ? (
            <Thread of={discussionOf(hubId, discussionId)} />
          ) : post.visibility === 'private_locked_hub' ? (
            <p className="empty">A private post has no comments. Its Hub has a discussion about it.</p>
          ) : (
            <Thread of={commentsOn(post)} />
          )}
        </>
      )}
    </QueryPage>
  );
}

function commentsOn(post: Post): Conversation {
  const params = { path: { postId: post.id } };
  return {
    queryKey: ['comments', post.id],
    word: 'comment',
    read: (parentId, page) => {
      const query = { ...(parentId !== null && { parentCommentId: parentId }), ...page };
      return opine.get('/posts/{postId}/comments', { params: { ...params, query } });
    },
    send: (parentId, text) =>
      opine.post('/posts/{postId}/comments', {
        params,
        body: { text, ...(parentId !== null && { parentCommentId: parentId }) },
      }),
    onChange: () => invalidate(['post', post.id]),
  };
}
