import type { Article, FeedContext, SourcePost } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { changePost, opine, type Post, refresh, usePost } from './api.ts';
import { Pictures } from './media.tsx';
import { say } from './notices.ts';
import { navigate } from './router.ts';
import { Slider } from './slider.tsx';
import { useUserId } from './tokens.ts';
import { Ago, Button, Person, useVisible } from './ui.tsx';

const REASONS: Partial<Record<FeedContext, string>> = {
  hub_co_member_author: 'from your Hub',
  joined_hub_post: 'in your Hub',
  friend_interaction: 'people you follow are here',
  shared_to_hub: 'shared into your Hub',
};

/** A post in a list. It follows its votes while it is on the screen. @param hubId the Hub whose votes it shows */
export function PostCard({ post: card, hubId }: { post: Post; hubId?: string | undefined }) {
  const place = useRef<HTMLElement>(null);
  const isVisible = useVisible(place);
  const { data: post = card } = usePost(card.id, hubId, { isLive: isVisible && card.slider !== null, card });
  return (
    <article className="card" ref={place} aria-label={titleOf(post)}>
      <PostContent post={post} hubId={hubId} />
      <Actions post={post} hubId={hubId}>
        <a className="button quiet" href={`#${pathOf(post, hubId)}`}>
          {hubId === undefined ? `Comments: ${post.commentCount}` : 'Open'}
        </a>
      </Actions>
    </article>
  );
}

/** Returns the path of the page of a post. */
export function pathOf({ id }: Pick<Post, 'id'>, hubId?: string): string {
  return hubId === undefined ? `/posts/${id}` : `/hubs/${hubId}/posts/${id}`;
}

/** Returns what a post is called, for its page and for screen readers. */
export function titleOf({ sliderText, thoughtText, article, author }: Post): string {
  return sliderText ?? article?.title ?? thoughtText?.slice(0, 60) ?? `Post of ${author.name || 'somebody'}`;
}

/** Author, text, pictures, slider and original of a post. */
export function PostContent({ post, hubId }: { post: Post; hubId?: string | undefined }) {
  const {
    author,
    createdAt,
    article,
    thoughtText,
    sourcePost,
    sourcePostId,
    feedContext,
    authorPhoneNumber,
  } = post;
  const reason = feedContext && REASONS[feedContext];
  return (
    <>
      <Person person={author}>
        · <Ago at={createdAt} />
        {authorPhoneNumber !== undefined && ` · ${authorPhoneNumber}`}
      </Person>
      {(reason !== undefined || post.hubs.length > 0) && (
        <p className="hint">
          {[reason, ...post.hubs.map(({ name }) => name)].filter((part) => part !== undefined).join(' · ')}
        </p>
      )}
      {thoughtText !== null && <p className="text">{thoughtText}</p>}
      {article !== null && <ArticleView article={article} of={author.name} />}
      {sourcePostId !== null && <Original id={sourcePostId} post={sourcePost} />}
      <Slider post={post} hubId={hubId} />
    </>
  );
}

function ArticleView({ article: { url, title, text, media }, of }: { article: Article; of: string }) {
  return (
    <div className="article">
      <Pictures media={media} of={of} />
      {title !== null && <h2>{title}</h2>}
      {text !== null && <p className="text">{text}</p>}
      {url !== null && (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow">
          {hostOf(url)}
        </a>
      )}
    </div>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function Original({ id, post }: { id: string; post: SourcePost | null }) {
  if (post === null) return <p className="card hint">The original is not there any more.</p>;
  return (
    <blockquote className="card">
      {post.thoughtText !== null && <p className="text">{post.thoughtText}</p>}
      {post.article !== null && <ArticleView article={post.article} of="the author" />}
      {post.sliderText !== null && <p className="question">{post.sliderText}</p>}
      <a href={`#/posts/${id}`}>Open the original</a>
    </blockquote>
  );
}

/** What one can do with a post. */
export function Actions({
  post,
  hubId,
  children,
}: {
  post: Post;
  hubId?: string | undefined;
  children?: ReactNode;
}) {
  const params = { path: { postId: post.id } };
  const isOwn = useUserId() === post.author.id;
  const save = useMutation({
    mutationFn: () =>
      post.viewerSaved
        ? opine.delete('/posts/{postId}/save', { params })
        : opine.post('/posts/{postId}/save', { params }),
    onSuccess: ({ saved }) => changePost(post.id, hubId, () => ({ viewerSaved: saved })),
  });
  const share = useMutation({
    mutationFn: () => opine.post('/posts/{postId}/share/feed', { params }),
    onSuccess: () => say('Shared to your feed: your followers see it.'),
  });
  const remove = useMutation({
    mutationFn: () => opine.delete('/posts/{postId}', { params }),
    onSuccess: () => {
      refresh(['feed'], ['profile'], ['hub']);
      say('The post is deleted.');
      navigate('/', { replace: true });
    },
  });
  return (
    <footer className="actions">
      {children}
      {post.isShareable && post.sourcePostId === null && (
        <a className="button quiet" href={`#/posts/${post.id}/repost`}>
          Repost{post.repostCount > 0 && `: ${post.repostCount}`}
        </a>
      )}
      {post.isShareable && (
        <Button kind="quiet" onClick={() => share.mutate()}>
          Share
        </Button>
      )}
      <Button kind="quiet" pressed={post.viewerSaved} onClick={() => save.mutate()}>
        {post.viewerSaved ? 'Saved' : 'Save'}
      </Button>
      {isOwn && post.permissions?.canDelete === true && (
        <Button kind="quiet" onClick={() => remove.mutate()}>
          Delete
        </Button>
      )}
    </footer>
  );
}
