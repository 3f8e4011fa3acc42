import type { Hub } from '@opine/client';
import { PaperAirplaneIcon, ShareAndroidIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { done, opine, type Post, useAction, useList, useRead, useSubmit } from './api.ts';
import { Form, useDraft, useWait } from './form.tsx';
import { redirect } from './router.ts';
import { Sheet, SheetAction, useFinish } from './sheet.tsx';
import { useUserId } from './tokens.ts';
import { Button, Copyable, countOf, Problem } from './ui.tsx';

/** The ways to share a post: a link, the own feed, Hubs. A guest has the link alone. */
export function Share({ post: { id } }: { post: Post }) {
  const isGuest = useUserId() === null;
  return (
    <Sheet title="Share" icon={ShareAndroidIcon} button="Share" hasForm>
      {isGuest ? (
        <>
          <Copyable label="Link to the post" text={`${location.origin}/posts/${id}`} />
          <Button onClick={() => redirect('/sign-in')}>Sign in to share it with people</Button>
        </>
      ) : (
        <>
          <Link postId={id} />
          <ToFeed postId={id} />
          <ToHubs postId={id} />
        </>
      )}
    </Sheet>
  );
}

function Link({ postId }: { postId: string }) {
  const read = () => opine.get('/posts/{postId}/share-link', { params: { path: { postId } } });
  const { data, error, refetch } = useRead(['share-link', postId], read, {
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <Problem error={error} retry={refetch} />;
  return <Copyable label="Link to the post" text={data?.url ?? ''} />;
}

function ToFeed({ postId }: { postId: string }) {
  const share = useAction(
    () => opine.post('/posts/{postId}/share/feed', { params: { path: { postId } } }),
    done('Shared to your feed: your followers see it.', [['profile']]),
  );
  return (
    <SheetAction icon={PaperAirplaneIcon} run={share}>
      Share to your feed
    </SheetAction>
  );
}

/** A form with the Hubs of the person; nothing for who is in none. */
function ToHubs({ postId }: { postId: string }) {
  const finish = useFinish();
  const list = useList(['hubs', 'mine'], (query) =>
    opine.get('/users/me/hubs', { params: { query: { ...query, limit: 100 } } }),
  );
  const hubs = list.items.filter(({ viewerStatus }) => viewerStatus === 'member');
  const share = useSubmit(
    (fields: object) =>
      opine.post('/posts/{postId}/share/hubs', {
        params: { path: { postId } },
        body: { hubIds: Object.keys(fields) },
      }),
    ({ hubs: shared }) => {
      done(`Shared into ${countOf(shared.length, 'Hub')}.`, [['hub']])();
      finish();
    },
  );
  if (hubs.length === 0) return <Problem error={list.error} retry={list.refetch} />;
  return (
    <Form label="Share into Hubs" run={share} submit="Share into these Hubs">
      <HubChoice hubs={hubs} />
    </Form>
  );
}

/** The form waits until a Hub is chosen. */
function HubChoice({ hubs }: { hubs: readonly Pick<Hub, 'id' | 'name'>[] }) {
  const draft = useDraft();
  const [isChosen, setChosen] = useState(hubs.some(({ id }) => id in draft));
  useWait(!isChosen);
  return (
    <fieldset
      className="choice"
      onChange={({ currentTarget }) => setChosen(currentTarget.querySelector(':checked') !== null)}
    >
      <legend>Into your Hubs</legend>
      {hubs.map(({ id, name }) => (
        <label key={id} className="check">
          <input type="checkbox" name={id} defaultChecked={id in draft} /> {name}
        </label>
      ))}
    </fieldset>
  );
}
