import type { Asset } from '@opine/client';
import { useState } from 'react';
import { invalidate, opine, type Post, useAction, usePost } from './api.ts';
import { PicturePicker } from './media.tsx';
import { announce } from './notices.ts';
import { PostContent, pathOf } from './post-card.tsx';
import { navigate } from './router.ts';
import { Field, Form, Page, QueryPage, Submit } from './ui.tsx';

type Fields = Record<string, string>;

/** Writes a post for everybody, or in a Hub for its members. */
export function Composer({ hubId }: { hubId?: string }) {
  const [pictures, setPictures] = useState<readonly Asset[]>([]);
  const publish = useAction(
    ({ title, url, isPublic, ...fields }: Fields) => {
      const media = pictures.map(({ assetId }) => ({ assetId, altText: fields[assetId] || null }));
      const article = { ...(title && { title }), ...(url && { url }), ...(media[0] && { media }) };
      const visibility = hubId === undefined ? 'public' : isPublic ? 'public_hub' : 'private_locked_hub';
      const hasArticle = Object.keys(article).length > 0;
      return opine.post('/posts', {
        body: {
          ...frameOf(fields),
          ...(hasArticle && { article }),
          visibility,
          ...(hubId && { hubIds: [hubId] }),
        },
      });
    },
    (post) => onPublished(post, hubId),
  );
  return (
    <Page title="New post" back={hubId === undefined ? '/' : `/hubs/${hubId}`}>
      <Form label="Post" onSubmit={(fields) => publish.mutate(fields)}>
        <FrameFields />
        <details>
          <summary>Link</summary>
          <Field label="Title" name="title" maxLength={300} />
          <Field label="Address" name="url" type="url" maxLength={2000} placeholder="https://" />
        </details>
        <PicturePicker label="Add a picture" purpose="post_image" onChange={setPictures} />
        {pictures.map(({ assetId }, index) => (
          <Field key={assetId} label={`What picture ${index + 1} shows`} name={assetId} maxLength={500} />
        ))}
        {hubId !== undefined && (
          <label className="check">
            <input type="checkbox" name="isPublic" /> People outside of the Hub see it too
          </label>
        )}
        <Submit run={publish}>Publish</Submit>
      </Form>
    </Page>
  );
}

/** Reposts a post, with an own thought or question. */
export function Repost({ postId }: { postId: string }) {
  const params = { path: { postId } };
  const query = usePost(postId, undefined, { isLive: false });
  const repost = useAction(
    (fields: Fields) =>
      opine.post('/posts/{postId}/reposts', { params, body: { ...frameOf(fields), visibility: 'public' } }),
    (post) => {
      invalidate(['post', postId]);
      onPublished(post, undefined);
    },
  );
  return (
    <QueryPage query={query} title="Repost" back={`/posts/${postId}`}>
      {(source) => (
        <>
          <Form label="Repost" onSubmit={(fields) => repost.mutate(fields)}>
            <FrameFields />
            <Submit run={repost}>Repost</Submit>
          </Form>
          <article className="card" aria-label="The original">
            <PostContent post={source} />
          </article>
        </>
      )}
    </QueryPage>
  );
}

function onPublished({ id }: Pick<Post, 'id'>, hubId: string | undefined): void {
  invalidate(['feed'], ['profile'], ['hub']);
  announce('Published.');
  navigate(pathOf({ id }, hubId), { replace: true });
}

/** The fields that posts and reposts have in common. */
function FrameFields() {
  const [question, setQuestion] = useState('');
  return (
    <>
      <Field label="Your thought" name="thoughtText" maxLength={2000} rows={3} />
      <Field
        label="A question to vote on"
        hint="People answer on a slider with five positions."
        name="sliderText"
        maxLength={260}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
      />
      {question !== '' && (
        <div className="row">
          <Field label="Left end" name="leftLabel" maxLength={40} defaultValue="Disagree" required />
          <Field label="Right end" name="rightLabel" maxLength={40} defaultValue="Agree" required />
        </div>
      )}
    </>
  );
}

function frameOf({ thoughtText, sliderText, leftLabel, rightLabel }: Fields) {
  return {
    ...(thoughtText && { thoughtText }),
    ...(sliderText && { sliderText }),
    ...(leftLabel && rightLabel && { slider: { leftLabel, rightLabel } }),
  };
}
