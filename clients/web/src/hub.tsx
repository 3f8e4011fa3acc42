import type { Hub } from '@opine/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cachePosts, done, invalidate, opine, useAction, useList } from './api.ts';
import { membersOf } from './hubs.tsx';
import { PostCard, pathOf } from './post-card.tsx';
import {
  Action,
  Button,
  Field,
  Form,
  Items,
  LinkButton,
  Person,
  QueryPage,
  Submit,
  Tabs,
  TimeAgo,
} from './ui.tsx';

/** A Hub with its posts, discussions and members. */
export function HubPage({ hubId, view }: { hubId: string; view: 'posts' | 'discussions' | 'members' }) {
  const path = `/hubs/${hubId}`;
  const query = useQuery({
    queryKey: ['hub', hubId],
    queryFn: () => opine.get('/hubs/{hubId}', { params: { path: { hubId } } }),
  });
  return (
    <QueryPage query={query} title={({ name }) => name} back="/hubs">
      {(hub) =>
        hub.viewerStatus === 'member' ? (
          <>
            <p className="hint">
              {membersOf(hub.memberCount)}. {hub.description}
            </p>
            <Tabs
              views={{
                [path]: 'Posts',
                [`${path}/discussions`]: 'Discussions',
                [`${path}/members`]: 'Members',
              }}
            />
            {view === 'posts' && <Posts hubId={hubId} />}
            {view === 'discussions' && <Discussions hubId={hubId} />}
            {view === 'members' && <Members hub={hub} />}
          </>
        ) : (
          <p className="empty">Only members see what is in {hub.name}.</p>
        )
      }
    </QueryPage>
  );
}

function Posts({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'feed'], async (query) =>
    cachePosts(await opine.get('/hubs/{hubId}/feed', { params: { path: { hubId }, query } }), hubId),
  );
  return (
    <>
      <LinkButton to={`/hubs/${hubId}/new`}>Post in this Hub</LinkButton>
      <Items list={list} empty="No posts yet. Write the first one.">
        {(post) => <PostCard post={post} hubId={hubId} />}
      </Items>
    </>
  );
}

function Discussions({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'discussions'], (query) =>
    opine.get('/hubs/{hubId}/discussions', { params: { path: { hubId }, query } }),
  );
  return (
    <Items list={list} empty="Each post here gets a discussion. There is none yet.">
      {({ id, postId, preview, messageCount, lastActivityAt }) => (
        <a className="card row" href={`#${pathOf({ id: postId }, hubId)}/${id}`}>
          <strong>{preview.sliderText ?? preview.articleTitle ?? preview.thoughtText ?? 'A post'}</strong>
          <small>
            {messageCount === 1 ? '1 message' : `${messageCount} messages`} · <TimeAgo at={lastActivityAt} />
          </small>
        </a>
      )}
    </Items>
  );
}

function Members({ hub }: { hub: Hub }) {
  const path = { hubId: hub.id };
  const list = useList(['hub', hub.id, 'members'], async (query) => {
    const { items, nextCursor } = await opine.get('/hubs/{hubId}/members', { params: { path, query } });
    return { items: items.map((member) => ({ ...member, id: member.userId })), nextCursor };
  });
  const leave = useAction(
    () => opine.delete('/hubs/{hubId}/membership', { params: { path } }),
    done('You have left the Hub.', [['hubs'], ['feed']], '/hubs'),
  );
  return (
    <>
      {hub.viewerRole === 'admin' && <Requests hub={hub} />}
      <Items list={list} empty={null}>
        {({ displayName, role, phoneNumber, ...member }) => (
          <Person person={{ ...member, name: displayName }}>
            · {role} · {phoneNumber}
          </Person>
        )}
      </Items>
      <Invite hub={hub} />
      <Action run={leave}>Leave the Hub</Action>
    </>
  );
}

/** Open join requests, which admins decide. */
function Requests({ hub }: { hub: Hub }) {
  const list = useList(['hub', hub.id, 'requests'], (query) =>
    opine.get('/hubs/{hubId}/join-requests', { params: { path: { hubId: hub.id }, query } }),
  );
  const decide = useAction(
    ({ requestId, isIn }: { requestId: string; isIn: boolean }) => {
      const params = { path: { hubId: hub.id, requestId } };
      return isIn
        ? opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', { params })
        : opine.post('/hubs/{hubId}/join-requests/{requestId}/reject', { params });
    },
    () => invalidate(['hub', hub.id]),
  );
  if (list.items.length === 0) return null;
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">Requests to join</h2>
      <Items list={list} empty={null}>
        {({ id, user }) => (
          <div className="actions">
            <Person person={{ ...user, id: user.userId, name: user.displayName }} />
            <Button onClick={() => decide.mutate({ requestId: id, isIn: true })}>Let in</Button>
            <Button onClick={() => decide.mutate({ requestId: id, isIn: false })}>Reject</Button>
          </div>
        )}
      </Items>
    </section>
  );
}

/** Ways into the Hub: an invitation of one phone, or a link for several people. */
function Invite({ hub }: { hub: Hub }) {
  const params = { path: { hubId: hub.id } };
  const [url, setUrl] = useState<string | null>(null);
  const invite = useAction(
    (phone: string) => opine.post('/hubs/{hubId}/invitations', { params, body: { phoneNumbers: [phone] } }),
    ({ items }) => setUrl(items[0]?.inviteUrl ?? null),
  );
  const link = useAction(
    () => opine.post('/hubs/{hubId}/invite-links', { params, body: {} }),
    (made) => setUrl(made.url),
  );
  return (
    <>
      <Form label="Invite" onSubmit={({ phone = '' }) => invite.mutate(phone)}>
        <Field
          label="Phone of somebody you know"
          hint="Opine sends nothing. You send the link yourself."
          name="phone"
          type="tel"
          placeholder="+1 202 555 0103"
          required
        />
        <Submit run={invite}>Invite</Submit>
        {hub.viewerRole !== 'member' && <Action run={link}>Make a link for several people</Action>}
      </Form>
      <div role="status">
        {url !== null && (
          <p className="card">
            Send this link: <a href={url}>{url}</a>
          </p>
        )}
      </div>
    </>
  );
}
