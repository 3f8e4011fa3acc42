import type { Comment } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, type Post, refresh, useList, usePost } from './api.ts';
import { Pictures } from './media.tsx';
import { say } from './notices.ts';
import { Actions, PostContent, titleOf } from './post-card.tsx';
import { useUserId } from './tokens.ts';
import { Ago, Button, Field, Form, Items, Loading, Page, Person, Problem } from './ui.tsx';

/** A post with its comments. @param hubId the Hub whose votes it shows */
export function PostPage({ postId, hubId }: { postId: string; hubId?: string }) {
  const { data: post, error, refetch } = usePost(postId, hubId, { isLive: true });
  const back = hubId === undefined ? '/' : `/hubs/${hubId}`;
  if (post === undefined) {
    return (
      <Page title="Post" back={back}>
        {error === null ? <Loading /> : <Problem error={error} retry={refetch} />}
      </Page>
    );
  }
  return (
    <Page title="Post" back={back}>
      <article className="card" aria-label={titleOf(post)}>
        <PostContent post={post} hubId={hubId} />
        <Actions post={post} hubId={hubId} />
      </article>
      {post.visibility === 'private_locked_hub' ? (
        <p className="empty">A private post has no comments. Its Hub has a discussion about it.</p>
      ) : (
        <Comments post={post} />
      )}
    </Page>
  );
}

function Comments({ post }: { post: Post }) {
  const list = useList(['comments', post.id], (page) =>
    opine.get('/posts/{postId}/comments', { params: { path: { postId: post.id }, query: page } }),
  );
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">Comments</h2>
      <Items list={list} idOf={({ id }) => id} empty={<p>No comments yet. Write the first one.</p>}>
        {(comment) => <Thread comment={comment} post={post} />}
      </Items>
      <CommentForm post={post} />
    </section>
  );
}

/** A comment with its replies. Threads have one level. */
function Thread({ comment, post }: { comment: Comment; post: Post }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CommentView comment={comment} post={post} />
      <div className="thread">
        {!isOpen && (
          <Button kind="quiet" onClick={() => setOpen(true)}>
            {comment.replyCount > 0 ? `Replies: ${comment.replyCount}` : 'Reply'}
          </Button>
        )}
        {isOpen && <Replies root={comment} post={post} />}
      </div>
    </>
  );
}

function Replies({ root, post }: { root: Comment; post: Post }) {
  const query = { parentCommentId: root.id };
  const list = useList(['comments', post.id, root.id], (page) =>
    opine.get('/posts/{postId}/comments', {
      params: { path: { postId: post.id }, query: { ...query, ...page } },
    }),
  );
  return (
    <>
      <Items list={list} idOf={({ id }) => id} empty={<p>No replies yet.</p>}>
        {(reply) => <CommentView comment={reply} post={post} />}
      </Items>
      <CommentForm post={post} parent={root} />
    </>
  );
}

function CommentView({ comment, post }: { comment: Comment; post: Post }) {
  const { id, author, text, assetId, createdAt, isDeleted } = comment;
  const userId = useUserId();
  const remove = useMutation({
    mutationFn: () => opine.delete('/comments/{commentId}', { params: { path: { commentId: id } } }),
    onSuccess: () => {
      refresh(['comments', post.id], ['post', post.id]);
      say('The comment is deleted.');
    },
  });
  if (isDeleted) return <p className="hint">A deleted comment</p>;
  return (
    <article className="comment" aria-label={`Comment by ${author.name || 'somebody'}`}>
      <Person person={author}>
        · <Ago at={createdAt} />
      </Person>
      {text !== null && <p className="text">{text}</p>}
      {assetId !== null && <Pictures media={[{ assetId }]} of={author.name} />}
      {userId !== null && [author.id, post.author.id].includes(userId) && (
        <Button kind="quiet" onClick={() => remove.mutate()}>
          Delete
        </Button>
      )}
    </article>
  );
}

function CommentForm({ post, parent }: { post: Post; parent?: Comment }) {
  const send = useMutation({
    mutationFn: ({ text }: { text: string; reset: () => void }) =>
      opine.post('/posts/{postId}/comments', {
        params: { path: { postId: post.id } },
        body: { text, ...(parent && { parentCommentId: parent.id }) },
      }),
    onSuccess: (_, { reset }) => {
      reset();
      refresh(['comments', post.id], ['post', post.id]);
      say('Your comment is there.');
    },
  });
  return (
    <Form onSubmit={({ text = '' }, reset) => send.mutate({ text, reset })}>
      <Field label={parent === undefined ? 'Your comment' : 'Your reply'}>
        <textarea name="text" maxLength={2000} rows={2} required />
      </Field>
      <Button type="submit" disabled={send.isPending}>
        Send
      </Button>
    </Form>
  );
}
