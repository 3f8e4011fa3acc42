import type { Article, FeedContext, SourcePost } from '@opine/client';
import { type ReactNode, useRef } from 'react';
import { done, opine, type Post, useAction, useHub, usePost } from './api.ts';
import { Pictures } from './media.tsx';
import { Slider } from './slider.tsx';
import { Action, ExternalLink, LinkButton, Person, Text, TimeAgo, useVisible } from './ui.tsx';

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
        <LinkButton to={pathOf(post, hubId)}>
          {post.visibility === 'private_locked_hub' ? 'Open' : `Comments: ${post.commentCount}`}
        </LinkButton>
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
  const { author, article, thoughtText, sourcePostId, feedContext, authorPhoneNumber } = post;
  const reason = feedContext && REASONS[feedContext];
  return (
    <>
      <Person person={author}>
        · <TimeAgo at={post.createdAt} />
        {authorPhoneNumber !== undefined && ` · ${authorPhoneNumber}`}
      </Person>
      <p className="hint">{[reason ?? [], ...post.hubs.map(({ name }) => name)].flat().join(' · ')}</p>
      {thoughtText !== null && <Text>{thoughtText}</Text>}
      {article !== null && <ArticleView article={article} of={author.name} />}
      {sourcePostId !== null && <Original id={sourcePostId} post={post.sourcePost} />}
      <Slider post={post} hubId={hubId} />
    </>
  );
}

function ArticleView({ article: { url, title, text, media }, of }: { article: Article; of: string }) {
  return (
    <>
      <Pictures media={media} of={of} />
      {title !== null && <h2>{title}</h2>}
      {text !== null && <p className="text">{text}</p>}
      {url !== null && <ExternalLink href={url}>{new URL(url).host}</ExternalLink>}
    </>
  );
}

function Original({ id, post }: { id: string; post: SourcePost | null }) {
  if (post === null) return <p className="card hint">The original is not there any more.</p>;
  return (
    <blockquote className="card">
      {post.thoughtText !== null && <Text>{post.thoughtText}</Text>}
      {post.article !== null && <ArticleView article={post.article} of="the author" />}
      {post.sliderText !== null && <p className="question">{post.sliderText}</p>}
      <a href={`#/posts/${id}`}>Open the original</a>
    </blockquote>
  );
}

/** What one can do with a post. */
export function Actions(props: { post: Post; hubId: string | undefined; children?: ReactNode }) {
  const { post, hubId = '', children } = props;
  const { isAdmin } = useHub(hubId);
  const params = { path: { postId: post.id } };
  const share = useAction(
    () => opine.post('/posts/{postId}/share/feed', { params }),
    done('Shared to your feed: your followers see it.'),
  );
  const remove = useAction(
    () => opine.delete('/posts/{postId}', { params }),
    done('The post is deleted.', [['feed'], ['profile'], ['hub']], '/'),
  );
  const takeOut = useAction(
    () => opine.delete('/hubs/{hubId}/posts/{postId}', { params: { path: { hubId, postId: post.id } } }),
    done('The post is out of the Hub.', [['feed'], ['hub']], `/hubs/${hubId}`),
  );
  return (
    <footer className="actions">
      {children}
      {post.isShareable && post.sourcePostId === null && (
        <LinkButton to={`/posts/${post.id}/repost`}>Repost: {post.repostCount}</LinkButton>
      )}
      {post.isShareable && <Action run={share}>Share</Action>}
      {isAdmin && <Action run={takeOut}>Take out of the Hub</Action>}
      {post.permissions?.canDelete === true && <Action run={remove}>Delete</Action>}
    </footer>
  );
}
