import { CommentDiscussionIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { cachePosts, opine, type Post, useList, usePost, useRead } from './api.ts';
import { Discussion } from './discussion.tsx';
import { Actions, PostCard, PostContent, PostMenu, pathOf, titleOf } from './post-card.tsx';
import { SaveDiscussion } from './saved.tsx';
import { HubResult } from './slider.tsx';
import { Thread } from './thread.tsx';
import { useUserId } from './tokens.ts';
import { Items, LinkButton, Page, Problem, QueryPage } from './ui.tsx';

/** A post with its comments, or with its discussion in a Hub. @param props.hubId the Hub whose votes it shows */
export function PostPage(props: { postId: string; hubId?: string; discussionId?: string }) {
  const { postId, hubId, discussionId } = props;
  const title = discussionId === undefined ? 'Post' : 'Discussion';
  const back = hubId === undefined ? '/' : `/hubs/${hubId}`;
  const wayOut = hubId && <WayOut postId={postId} hubId={hubId} />;
  const query = usePost(postId, hubId, { isLive: true });
  return (
    <QueryPage query={query} title={title} back={back} wayOut={wayOut}>
      {(post) => (
        <>
          <article className="card" aria-label={titleOf(post)}>
            <PostContent post={post} hubId={hubId} aside={<PostMenu post={post} hubId={hubId} />} />
            <Actions post={post} />
          </article>
          {post.slider !== null && <ResultsByHub post={post} />}
          {hubId !== undefined && discussionId !== undefined ? (
            <HubDiscussion postId={post.id} hubId={hubId} discussionId={discussionId} />
          ) : (
            <Conversations post={post} hubId={hubId} />
          )}
        </>
      )}
    </QueryPage>
  );
}

/** Leads who does not see a post in a Hub to the post, if it is public, or else to the Hub. */
function WayOut({ postId, hubId }: { postId: string; hubId: string }) {
  const { isSuccess } = usePost(postId, undefined, { isLive: false });
  if (isSuccess) return <LinkButton to={`/posts/${postId}`}>Go to the public post</LinkButton>;
  return <LinkButton to={`/hubs/${hubId}`}>Go to the Hub</LinkButton>;
}

/** Where people talk about a post: in its comments, unless it is private, and in its Hubs. */
function Conversations({ post, hubId }: { post: Post; hubId: string | undefined }) {
  const isPrivate = post.visibility === 'private_locked_hub';
  const hubs = post.hubs.filter(({ id }) => id !== hubId);
  const first = hubId ?? (isPrivate && hubs.length === 1 ? hubs[0]?.id : undefined);
  return (
    <>
      {hubs.map(({ id, name }) =>
        id === first ? null : (
          <LinkButton key={id} to={pathOf(post, id)} icon={CommentDiscussionIcon}>
            Its discussion in {name}
          </LinkButton>
        ),
      )}
      {first !== undefined &&
        (isPrivate ? (
          <HubDiscussion postId={post.id} hubId={first} />
        ) : (
          <DiscussionLink post={post} hubId={first} />
        ))}
      {!isPrivate && <Comments postId={post.id} />}
    </>
  );
}

/** Finds the discussion of a post in a Hub; null for who does not see it. */
function useDiscussion(postId: string, hubId: string) {
  return useRead(['hub', hubId, 'discussion', postId], async () => {
    const params = { path: { hubId }, query: { limit: 100 } };
    for await (const discussion of opine.items('/hubs/{hubId}/discussions', { params }))
      if (discussion.postId === postId) return discussion;
    return null;
  });
}

function HubDiscussion(props: { postId: string; hubId: string; discussionId?: string }) {
  const { postId, hubId } = props;
  const { data, error, refetch } = useDiscussion(postId, hubId);
  const discussionId = props.discussionId ?? data?.id;
  if (discussionId === undefined) return <Problem error={error} retry={refetch} />;
  return (
    <>
      {data && <SaveDiscussion hubId={hubId} discussionId={discussionId} isSaved={data.viewerSaved} />}
      <Discussion hubId={hubId} discussionId={discussionId} />
    </>
  );
}

function DiscussionLink({ post, hubId }: { post: Post; hubId: string }) {
  const { data, error, refetch } = useDiscussion(post.id, hubId);
  if (!data) return <Problem error={error} retry={refetch} />;
  return (
    <LinkButton to={`${pathOf(post, hubId)}/${data.id}`} icon={CommentDiscussionIcon}>
      Its discussion in this Hub
    </LinkButton>
  );
}

/** The results of a question in each Hub of the person, for who asks. */
function ResultsByHub({ post }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  if (post.hubs.length === 0) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Results by Hub</summary>
      {isOpen && <HubResults post={post} />}
    </details>
  );
}

function HubResults({ post: { id: postId, slider } }: { post: Post }) {
  const read = () => opine.get('/posts/{postId}/vote/hubs', { params: { path: { postId } } });
  const { data, error, refetch } = useRead(['post-hubs', postId], read);
  if (slider === null || data === undefined) return <Problem error={error} retry={refetch} />;
  if (data.items.length === 0) return <p className="hint">It is in no Hub of yours.</p>;
  return data.items.map((result) => <HubResult key={result.hub.id} result={result} labels={slider} />);
}

/** A post and its reposts, oldest first. */
export function FramesPage({ postId }: { postId: string }) {
  const list = useList(['frames', postId], async (query) =>
    cachePosts(await opine.get('/posts/{postId}/frames', { params: { path: { postId }, query } })),
  );
  return (
    <Page title="Reposts" back={`/posts/${postId}`}>
      <Items list={list} empty="Nothing to see here.">
        {(post) => <PostCard post={post} />}
      </Items>
    </Page>
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
        isOwn: ({ author }) => author.id === userId,
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
