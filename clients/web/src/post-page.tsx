import { opine, usePost } from './api.ts';
import { Discussion } from './discussion.tsx';
import { Actions, PostContent, titleOf } from './post-card.tsx';
import { Thread } from './thread.tsx';
import { useUserId } from './tokens.ts';
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
            <Actions post={post} hubId={hubId} />
          </article>
          {hubId !== undefined && discussionId !== undefined ? (
            <Discussion hubId={hubId} discussionId={discussionId} />
          ) : post.visibility === 'private_locked_hub' ? (
            <p className="empty">A private post has no comments. Its Hub has a discussion about it.</p>
          ) : (
            <Comments postId={post.id} />
          )}
        </>
      )}
    </QueryPage>
  );
}

function Comments({ postId }: { postId: string }) {
  const path = { postId };
  const userId = useUserId();
  return (
    <Thread
      of={{
        queryKey: ['comments', postId],
        counter: ['post', postId],
        word: 'comment',
        read: (parentCommentId, page) => {
          const query = parentCommentId === null ? page : { parentCommentId, ...page };
          return opine.get('/posts/{postId}/comments', { params: { path, query } });
        },
        send: (parentCommentId, text) =>
          opine.post('/posts/{postId}/comments', { params: { path }, body: { text, parentCommentId } }),
        canRemove: ({ author }) => author.id === userId,
        remove: (commentId) => opine.delete('/comments/{commentId}', { params: { path: { commentId } } }),
      }}
    />
  );
}
