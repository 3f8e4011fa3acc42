import type { Asset } from '@opine/client';
import { useState } from 'react';
import { done, type Fields, opine, type Post, usePost, useSubmit } from './api.ts';
import { Field, Form, useDraft } from './form.tsx';
import { PicturePicker } from './media.tsx';
import { PostContent, pathOf } from './post-card.tsx';
import { Page, QueryPage } from './ui.tsx';

/** Writes a post for everybody, or in a Hub for its members. */
export function Composer({ hubId }: { hubId?: string }) {
  const [pictures, setPictures] = useState<readonly Asset[]>([]);
  const publish = useSubmit(
    ({ title, url, isPublic, ...fields }: Fields) => {
      const media = pictures.map(({ assetId }) => ({ assetId, altText: fields[assetId] ?? null }));
      const article = title || url || media[0] ? { title: title ?? null, url: url ?? null, media } : null;
      const visibility = hubId === undefined ? 'public' : isPublic ? 'public_hub' : 'private_locked_hub';
      const hubIds = hubId === undefined ? null : [hubId];
      return opine.post('/posts', { body: { ...frameOf(fields), article, visibility, hubIds } });
    },
    (post) => onPublished(post, hubId),
  );
  return (
    <Page title="New post" back={hubId === undefined ? '/' : `/hubs/${hubId}`}>
      <Form label="Post" run={publish} submit="Publish">
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
      </Form>
    </Page>
  );
}

/** Reposts a post, with an own thought or question. */
export function Repost({ postId }: { postId: string }) {
  const params = { path: { postId } };
  const query = usePost(postId, undefined, { isLive: false });
  const repost = useSubmit(
    (fields: Fields) =>
      opine.post('/posts/{postId}/reposts', { params, body: { ...frameOf(fields), visibility: 'public' } }),
    (post) => onPublished(post),
  );
  return (
    <QueryPage query={query} title="Repost" back={`/posts/${postId}`}>
      {(source) => (
        <>
          <Form label="Repost" run={repost} submit="Repost">
            <FrameFields />
          </Form>
          <article className="card" aria-label="The original">
            <PostContent post={source} />
          </article>
        </>
      )}
    </QueryPage>
  );
}

function onPublished(post: Pick<Post, 'id'>, hubId?: string): void {
  done('Published.', [['feed'], ['profile'], ['hub'], ['post']], pathOf(post, hubId))();
}

/** The fields that posts and reposts have in common. */
function FrameFields() {
  const [question, setQuestion] = useState(useDraft().sliderText ?? '');
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
  const slider = leftLabel && rightLabel ? { leftLabel, rightLabel } : null;
  return { thoughtText: thoughtText ?? null, sliderText: sliderText ?? null, slider };
}
