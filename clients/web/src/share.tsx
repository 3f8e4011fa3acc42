import { PaperAirplaneIcon, ShareAndroidIcon } from '@primer/octicons-react';
import { done, invalidate, opine, type Post, useAction, useList, useRead, useSubmit } from './api.ts';
import { Form } from './form.tsx';
import { announce } from './notices.ts';
import { Sheet, SheetAction, useFinish } from './sheet.tsx';
import { Copyable, countOf, Problem } from './ui.tsx';

/** The ways to share a post: a link, the own feed, Hubs. */
export function Share({ post }: { post: Post }) {
  return (
    <Sheet title="Share" icon={ShareAndroidIcon} button="Share" hasForm>
      <Link postId={post.id} />
      <ToFeed postId={post.id} />
      <ToHubs postId={post.id} />
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
      for (const { hubId } of shared) invalidate(['hub', hubId]);
      announce(`Shared into ${countOf(shared.length, 'Hub')}.`);
      finish();
    },
  );
  if (hubs.length === 0) return <Problem error={list.error} retry={list.refetch} />;
  return (
    <Form label="Share into Hubs" run={share} submit="Share into these Hubs">
      <fieldset className="choice">
        <legend>Into your Hubs</legend>
        {hubs.map(({ id, name }) => (
          <label key={id} className="check">
            <input type="checkbox" name={id} /> {name}
          </label>
        ))}
      </fieldset>
    </Form>
  );
}
