import type { Article, FeedContext, SourcePost } from '@opine/client';
import {
  ArrowSwitchIcon,
  BookmarkFillIcon,
  BookmarkIcon,
  CommentIcon,
  TrashIcon,
  XCircleIcon,
} from '@primer/octicons-react';
import { type ReactNode, useRef } from 'react';
import { done, opine, type Post, updatePost, useAction, useHub, usePost, useSubmit } from './api.ts';
import { Pictures } from './media.tsx';
import { Block, Report } from './report.tsx';
import { usePath } from './router.ts';
import { Share } from './share.tsx';
import { Confirm, More } from './sheet.tsx';
import { Slider } from './slider.tsx';
import { useUserId } from './tokens.ts';
import { Action, ExternalLink, LinkButton, Person, Text, TimeAgo, useVisible } from './ui.tsx';

const REASONS: Partial<Record<FeedContext, string>> = {
  hub_co_member_author: 'from your Hub',
  joined_hub_post: 'in your Hub',
  friend_interaction: 'people you follow are here',
  shared_to_hub: 'shared into your Hub',
};

interface PostProps {
  readonly post: Post;
  /** The Hub whose votes it shows. */
  readonly hubId?: string | undefined;
}

/** A post in a list. It follows its votes while it is on the screen. */
export function PostCard({ post: card, hubId }: PostProps) {
  const place = useRef<HTMLElement>(null);
  const isVisible = useVisible(place);
  const { data: post = card } = usePost(card.id, hubId, { isLive: isVisible && card.slider !== null, card });
  return (
    <article className="card" ref={place} aria-label={titleOf(post)}>
      <PostContent post={post} hubId={hubId} aside={<PostMenu post={post} hubId={hubId} />} />
      <Actions post={post}>
        <LinkButton icon={CommentIcon} to={pathOf(post, hubId ?? privateHubOf(post))}>
          {post.visibility === 'private_locked_hub' ? (
            'Discuss'
          ) : (
            <>
              <span className="unseen">Comments: </span>
              {post.commentCount}
            </>
          )}
        </LinkButton>
      </Actions>
    </article>
  );
}

/** Returns the Hub in which people talk about a private post: nobody comments on it elsewhere. */
function privateHubOf({ visibility, hubs }: Post): string | undefined {
  return visibility === 'private_locked_hub' ? hubs[0]?.id : undefined;
}

/** Returns the path of the page of a post. */
export function pathOf({ id }: Pick<Post, 'id'>, hubId?: string): string {
  return hubId === undefined ? `/posts/${id}` : `/hubs/${hubId}/posts/${id}`;
}

/** Returns what a post is called, for its page and for screen readers. */
export function titleOf({ sliderText, thoughtText, article, author }: Post): string {
  return sliderText ?? article?.title ?? thoughtText?.slice(0, 60) ?? `Post of ${author.name || 'somebody'}`;
}

/** Author, text, pictures, slider and original of a post. @param props.aside stands beside the author */
export function PostContent({ post, hubId, aside }: PostProps & { aside?: ReactNode }) {
  const { author, article, thoughtText, sourcePostId, feedContext, authorPhoneNumber } = post;
  const reason = feedContext && REASONS[feedContext];
  return (
    <>
      <header className="row">
        <Person person={author}>
          · <TimeAgo at={post.createdAt} />
          {authorPhoneNumber !== undefined && ` · ${authorPhoneNumber}`}
        </Person>
        {aside}
      </header>
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
      {(title ?? text ?? url) !== null && (
        <div className="article">
          {title !== null && <h2>{title}</h2>}
          {text !== null && <p className="text">{text}</p>}
          {url !== null && <ArticleLink url={url} />}
        </div>
      )}
    </>
  );
}

/** A link where the address is one of the web, and else its text. */
function ArticleLink({ url }: { url: string }) {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return <p className="text">{url}</p>;
  return <ExternalLink href={parsed.href}>{parsed.host}</ExternalLink>;
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

/** What one can do with a post. @param props.children leads to what people say about it */
export function Actions({ post, children }: { post: Post; children?: ReactNode }) {
  return (
    <footer className="actions">
      {children}
      {post.isShareable && post.sourcePostId === null && (
        <LinkButton icon={ArrowSwitchIcon} to={`/posts/${post.id}/repost`}>
          <span className="unseen">Repost: </span>
          {post.repostCount}
        </LinkButton>
      )}
      {post.isShareable && <Share post={post} />}
      <Save post={post} />
    </footer>
  );
}

function Save({ post: { id, viewerSaved } }: { post: Post }) {
  const params = { path: { postId: id } };
  const save = useAction(
    () =>
      viewerSaved
        ? opine.delete('/posts/{postId}/save', { params })
        : opine.post('/posts/{postId}/save', { params }),
    ({ saved }) => {
      updatePost(id, { viewerSaved: saved });
      done(saved ? 'Saved. You find it on your profile.' : 'No longer saved.', [['saved']])();
    },
  );
  return (
    <Action icon={viewerSaved ? BookmarkFillIcon : BookmarkIcon} isBare run={save} aria-pressed={viewerSaved}>
      Save
    </Action>
  );
}

/** Reports, blocks, deletes. */
export function PostMenu({ post, hubId }: PostProps) {
  const { id, author, visibility } = post;
  const userId = useUserId();
  const isOwn = author.id === userId;
  const { isAdmin } = useHub(hubId);
  return (
    <More of="this post">
      {visibility !== 'private_locked_hub' && (
        <LinkButton to={`/posts/${id}/frames`} icon={ArrowSwitchIcon}>
          The original and its reposts
        </LinkButton>
      )}
      {!isOwn && <Report kind="post" id={id} />}
      {!isOwn && author.id !== '' && <Block id={author.id} name={author.name} />}
      {isAdmin && hubId !== undefined && <TakeOut postId={id} hubId={hubId} />}
      {isOwn && <Delete postId={id} />}
    </More>
  );
}

function TakeOut({ postId, hubId }: { postId: string; hubId: string }) {
  const takeOut = useSubmit(
    () => opine.delete('/hubs/{hubId}/posts/{postId}', { params: { path: { hubId, postId } } }),
    done('The post is out of the Hub.', [['feed'], ['hub']], `/hubs/${hubId}`),
  );
  return (
    <Confirm
      title="Take this post out of the Hub?"
      icon={XCircleIcon}
      button="Take out of the Hub"
      answer="Take out"
      run={takeOut}
    >
      <p>Its members no longer see it here, and its discussion in this Hub is deleted. This is final.</p>
    </Confirm>
  );
}

function Delete({ postId }: { postId: string }) {
  const path = usePath();
  const remove = useSubmit(
    () => opine.delete('/posts/{postId}', { params: { path: { postId } } }),
    // The page of the post is gone with it; a list stays.
    done(
      'The post is deleted.',
      [['feed'], ['profile'], ['hub'], ['saved'], ['frames']],
      path.includes(postId) ? '/' : undefined,
    ),
  );
  return (
    <Confirm title="Delete this post?" icon={TrashIcon} button="Delete" answer="Delete" run={remove}>
      <p>Its comments and votes go with it. This is final.</p>
    </Confirm>
  );
}
