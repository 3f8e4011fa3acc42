import type { Hub, NewPost, Visibility } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, refresh, useMe, usePost } from './api.ts';
import { Attached, PicturePicker, type Uploaded } from './media.tsx';
import { say } from './notices.ts';
import { PostContent, pathOf } from './post-card.tsx';
import { goToSignIn, navigate } from './router.ts';
import { Button, Field, Form, Loading, Page, Problem } from './ui.tsx';

const AUDIENCES: Record<Visibility, string> = {
  public: 'Everybody',
  public_hub: 'Everybody, and these Hubs',
  private_locked_hub: 'Only these Hubs',
};

const MAX_PICTURES = 10;

/** Writes a post. @param hubId the Hub that is chosen at first */
export function Composer({ hubId }: { hubId?: string }) {
  const [pictures, setPictures] = useState<readonly Uploaded[]>([]);
  const audience = useAudience(hubId);
  const { data: me, isLoading } = useMe();
  const publish = useMutation({
    mutationFn: (body: NewPost) => opine.post('/posts', { body }),
    onSuccess: ({ id }) => onPublished(id, audience.visibility, hubId),
  });
  const submit = ({ title, url, ...fields }: Record<string, string>) => {
    const assetIds = pictures.map(({ assetId }) => assetId);
    const article = {
      ...(title && { title }),
      ...(url && { url }),
      ...(assetIds.length > 0 && { assetIds }),
    };
    const hasArticle = Object.keys(article).length > 0;
    publish.mutate({ ...frameOf(fields), ...audience.value, ...(hasArticle && { article }) });
  };
  return (
    <Page title="New post" back={hubId === undefined ? '/' : `/hubs/${hubId}`}>
      {me === undefined && !isLoading && <GuestHint />}
      <Form onSubmit={submit}>
        <FrameFields />
        <details>
          <summary>Link</summary>
          <Field label="Title">
            <input name="title" maxLength={300} />
          </Field>
          <Field label="Address">
            <input name="url" type="url" maxLength={2000} placeholder="https://" />
          </Field>
        </details>
        <Attached
          assets={pictures}
          onRemove={(id) => setPictures(pictures.filter(({ assetId }) => assetId !== id))}
        />
        {pictures.length < MAX_PICTURES && (
          <PicturePicker
            label="Add a picture"
            purpose="post_image"
            onUploaded={(asset) => setPictures((before) => [...before, asset])}
          />
        )}
        <AudienceFields audience={audience} />
        <Button type="submit" kind="loud" disabled={publish.isPending}>
          Publish
        </Button>
      </Form>
    </Page>
  );
}

/** Reposts a post, with an own thought or question. */
export function Repost({ postId }: { postId: string }) {
  const { data: source, error, refetch } = usePost(postId, undefined, { isLive: false });
  const audience = useAudience(undefined);
  const repost = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      opine.post('/posts/{postId}/reposts', {
        params: { path: { postId } },
        body: { ...frameOf(fields), ...audience.value },
      }),
    onSuccess: ({ id }) => {
      refresh(['post', postId]);
      onPublished(id, audience.visibility, undefined);
    },
  });
  return (
    <Page title="Repost" back={`/posts/${postId}`}>
      <Form onSubmit={(fields) => repost.mutate(fields)}>
        <FrameFields />
        <AudienceFields audience={audience} />
        <Button type="submit" kind="loud" disabled={repost.isPending}>
          Repost
        </Button>
      </Form>
      {source !== undefined && (
        <article className="card" aria-label="The original">
          <PostContent post={source} />
        </article>
      )}
      {source === undefined && (error === null ? <Loading /> : <Problem error={error} retry={refetch} />)}
    </Page>
  );
}

function onPublished(id: string, visibility: Visibility, hubId: string | undefined): void {
  refresh(['feed'], ['profile'], ['hub']);
  say('Published.');
  navigate(
    visibility === 'private_locked_hub' && hubId !== undefined ? pathOf({ id }, hubId) : pathOf({ id }),
    {
      replace: true,
    },
  );
}

function GuestHint() {
  return (
    <p className="empty">
      You need an account to post. <Button onClick={goToSignIn}>Sign in</Button>
    </p>
  );
}

/** The fields that posts and reposts have in common. */
function FrameFields() {
  const [question, setQuestion] = useState('');
  return (
    <>
      <Field label="Your thought">
        <textarea name="thoughtText" maxLength={2000} rows={3} />
      </Field>
      <Field label="A question to vote on" hint="People answer on a slider with five positions.">
        <input
          name="sliderText"
          maxLength={260}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
      </Field>
      {question !== '' && (
        <div className="pair">
          <Field label="Left end">
            <input name="leftLabel" maxLength={40} defaultValue="Disagree" required />
          </Field>
          <Field label="Right end">
            <input name="rightLabel" maxLength={40} defaultValue="Agree" required />
          </Field>
        </div>
      )}
    </>
  );
}

function frameOf({ thoughtText, sliderText, leftLabel, rightLabel }: Record<string, string>) {
  return {
    ...(thoughtText && { thoughtText }),
    ...(sliderText && { sliderText }),
    ...(leftLabel && rightLabel && { slider: { leftLabel, rightLabel } }),
  };
}

interface Audience {
  readonly visibility: Visibility;
  readonly hubs: readonly Hub[];
  readonly chosen: readonly string[];
  /** The fields of the request. */
  readonly value: Pick<NewPost, 'visibility' | 'hubIds'>;
  setVisibility(visibility: Visibility): void;
  toggle(hubId: string): void;
}

function useAudience(hubId: string | undefined): Audience {
  const [visibility, setVisibility] = useState<Visibility>(
    hubId === undefined ? 'public' : 'private_locked_hub',
  );
  const [chosen, setChosen] = useState<readonly string[]>(hubId === undefined ? [] : [hubId]);
  const isHubReady = (useMe().data?.level ?? 0) >= 4;
  const { data } = useQuery({
    queryKey: ['hubs', 'mine'],
    queryFn: () => opine.get('/users/me/hubs', { params: { query: { limit: 100 } } }),
    enabled: isHubReady,
  });
  const hubs = data?.items.filter(({ viewerStatus }) => viewerStatus === 'member') ?? [];
  return {
    visibility,
    hubs,
    chosen,
    value: visibility === 'public' ? { visibility } : { visibility, hubIds: [...chosen] },
    setVisibility,
    toggle: (id) => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]),
  };
}

/** Who sees the post. Somebody without a Hub has no choice. */
function AudienceFields({ audience }: { audience: Audience }) {
  const { visibility, hubs, chosen, setVisibility, toggle } = audience;
  if (hubs.length === 0) return null;
  return (
    <fieldset className="choices">
      <legend>Who sees it</legend>
      {(Object.entries(AUDIENCES) as [Visibility, string][]).map(([value, name]) => (
        <label key={value} className="check">
          <input
            type="radio"
            name="visibility"
            checked={visibility === value}
            onChange={() => setVisibility(value)}
          />
          <span>{name}</span>
        </label>
      ))}
      {visibility !== 'public' &&
        hubs.map(({ id, name }) => (
          <label key={id} className="check inner">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>{name}</span>
          </label>
        ))}
    </fieldset>
  );
}
