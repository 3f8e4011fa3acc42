import type { Hub, HubMember } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keepPosts, opine, refresh, useList } from './api.ts';
import { membersOf } from './hubs.tsx';
import { say } from './notices.ts';
import { PostCard } from './post-card.tsx';
import { navigate } from './router.ts';
import { useUserId } from './tokens.ts';
import { Ago, Button, Field, Form, Items, Loading, Page, Person, Problem, Tabs } from './ui.tsx';

const VIEWS = { posts: 'Posts', discussions: 'Discussions', members: 'Members', more: 'Invite' } as const;
type View = keyof typeof VIEWS;

// Which view of which Hub one was in, for the way back.
const lastViews = new Map<string, View>();

/** A Hub with its posts, discussions and members. */
export function HubPage({ hubId }: { hubId: string }) {
  const [view, setView] = useState<View>(lastViews.get(hubId) ?? 'posts');
  const {
    data: hub,
    error,
    refetch,
  } = useQuery({
    queryKey: ['hub', hubId],
    queryFn: () => opine.get('/hubs/{hubId}', { params: { path: { hubId } } }),
  });
  if (hub === undefined) {
    return (
      <Page title="Hub" back="/hubs">
        {error === null ? <Loading /> : <Problem error={error} retry={refetch} />}
      </Page>
    );
  }
  const choose = (next: View) => {
    lastViews.set(hubId, next);
    setView(next);
  };
  return (
    <Page title={hub.name} back="/hubs">
      <p className="hint">
        {membersOf(hub.memberCount)}. {hub.description}
      </p>
      {hub.viewerStatus !== 'member' ? (
        <p className="empty">Only members see what is in this Hub.</p>
      ) : (
        <>
          <Tabs label="Show" views={VIEWS} current={view} onChange={choose} />
          {view === 'posts' && <Posts hubId={hubId} />}
          {view === 'discussions' && <Discussions hubId={hubId} />}
          {view === 'members' && <Members hub={hub} />}
          {view === 'more' && <Invite hub={hub} />}
        </>
      )}
    </Page>
  );
}

function Posts({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'feed'], async (query) =>
    keepPosts(await opine.get('/hubs/{hubId}/feed', { params: { path: { hubId }, query } }), hubId),
  );
  return (
    <>
      <a className="button plain" href={`#/hubs/${hubId}/new`}>
        Post in this Hub
      </a>
      <Items list={list} idOf={({ id }) => id} empty={<p>No posts yet. Write the first one.</p>}>
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
    <Items
      list={list}
      idOf={({ id }) => id}
      empty={<p>Each post in this Hub has a discussion. There is none yet.</p>}
    >
      {({ id, preview, messageCount, lastActivityAt }) => (
        <a className="card row" href={`#/hubs/${hubId}/discussions/${id}`}>
          <strong>{preview.sliderText ?? preview.articleTitle ?? preview.thoughtText ?? 'A post'}</strong>
          <small>
            {messageCount === 1 ? '1 message' : `${messageCount} messages`} · <Ago at={lastActivityAt} />
          </small>
        </a>
      )}
    </Items>
  );
}

function Members({ hub }: { hub: Hub }) {
  const path = { hubId: hub.id };
  const list = useList(['hub', hub.id, 'members'], (query) =>
    opine.get('/hubs/{hubId}/members', { params: { path, query } }),
  );
  return (
    <>
      {hub.viewerRole !== 'member' && <Requests hub={hub} />}
      <Items list={list} idOf={({ userId }) => userId} empty={<p>Nobody is here.</p>}>
        {(member) => <Member member={member} hub={hub} />}
      </Items>
    </>
  );
}

function Member({ member, hub }: { member: HubMember; hub: Hub }) {
  const isOther = useUserId() !== member.userId;
  const path = { hubId: hub.id, userId: member.userId };
  const onSuccess = () => refresh(['hub', hub.id]);
  const promote = useMutation({
    mutationFn: () => {
      const params = { path: { hubId: hub.id } };
      return opine.post('/hubs/{hubId}/admins', { params, body: { userId: member.userId, role: 'admin' } });
    },
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => opine.post('/hubs/{hubId}/members/{userId}/remove', { params: { path } }),
    onSuccess,
  });
  return (
    <div className="row">
      <Person person={{ ...member, id: member.userId, name: member.displayName }}>
        · {member.role} · {member.phoneNumber}
      </Person>
      {hub.viewerRole === 'admin' && isOther && (
        <span className="actions">
          {member.role !== 'admin' && (
            <Button kind="quiet" label={`Make ${member.displayName} admin`} onClick={() => promote.mutate()}>
              Make admin
            </Button>
          )}
          <Button kind="quiet" label={`Remove ${member.displayName}`} onClick={() => remove.mutate()}>
            Remove
          </Button>
        </span>
      )}
    </div>
  );
}

/** Open join requests, which admins decide and managers read. */
function Requests({ hub }: { hub: Hub }) {
  const list = useList(['hub', hub.id, 'requests'], (query) =>
    opine.get('/hubs/{hubId}/join-requests', { params: { path: { hubId: hub.id }, query } }),
  );
  const decide = useMutation({
    mutationFn: ({ requestId, isIn }: { requestId: string; isIn: boolean }) => {
      const params = { path: { hubId: hub.id, requestId } };
      return isIn
        ? opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', { params })
        : opine.post('/hubs/{hubId}/join-requests/{requestId}/reject', { params });
    },
    onSuccess: () => refresh(['hub', hub.id]),
  });
  if (list.items.length === 0) return null;
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">Requests to join</h2>
      <Items list={list} idOf={({ id }) => id} empty={null}>
        {({ id, user }) => (
          <div className="row">
            <Person person={{ ...user, id: user.userId, name: user.displayName }} />
            {hub.viewerRole === 'admin' && (
              <span className="actions">
                <Button onClick={() => decide.mutate({ requestId: id, isIn: true })}>Let in</Button>
                <Button kind="quiet" onClick={() => decide.mutate({ requestId: id, isIn: false })}>
                  Reject
                </Button>
              </span>
            )}
          </div>
        )}
      </Items>
    </section>
  );
}

/** Ways into the Hub, and the way out. */
function Invite({ hub }: { hub: Hub }) {
  const params = { path: { hubId: hub.id } };
  const [links, setLinks] = useState<readonly string[]>([]);
  const invite = useMutation({
    mutationFn: (phone: string) =>
      opine.post('/hubs/{hubId}/invitations', { params, body: { phoneNumbers: [phone] } }),
    onSuccess: ({ items }) => setLinks(items.map(({ inviteUrl }) => inviteUrl)),
  });
  const link = useMutation({
    mutationFn: () => opine.post('/hubs/{hubId}/invite-links', { params, body: {} }),
    onSuccess: ({ url }) => setLinks([url]),
  });
  return (
    <>
      <Form onSubmit={({ phone = '' }) => invite.mutate(phone)}>
        <Field label="Phone of somebody you know" hint="Opine sends nothing. You send the link yourself.">
          <input name="phone" type="tel" placeholder="+1 202 555 0103" required />
        </Field>
        <Button type="submit" disabled={invite.isPending}>
          Invite
        </Button>
        {hub.viewerRole !== 'member' && (
          <Button onClick={() => link.mutate()}>Make a link for several people</Button>
        )}
      </Form>
      <div role="status">
        {links.map((url) => (
          <p key={url} className="card">
            Send this link: <a href={url}>{url}</a>
          </p>
        ))}
      </div>
      <Membership hubId={hub.id} />
    </>
  );
}

function Membership({ hubId }: { hubId: string }) {
  const params = { path: { hubId } };
  const settings = useQuery({
    queryKey: ['hub', hubId, 'settings'],
    queryFn: () => opine.get('/hubs/{hubId}/notification-settings', { params }),
  });
  const mute = useMutation({
    mutationFn: (contentMuted: boolean) =>
      opine.patch('/hubs/{hubId}/notification-settings', { params, body: { contentMuted } }),
    onSuccess: () => refresh(['hub', hubId, 'settings']),
  });
  const leave = useMutation({
    mutationFn: () => opine.delete('/hubs/{hubId}/membership', { params }),
    onSuccess: () => {
      refresh(['hubs'], ['feed']);
      say('You have left the Hub.');
      navigate('/hubs', { replace: true });
    },
  });
  const isMuted = settings.data?.contentMuted === true;
  return (
    <div className="actions">
      <Button kind="quiet" pressed={isMuted} onClick={() => mute.mutate(!isMuted)}>
        Mute its posts
      </Button>
      <Button kind="quiet" onClick={() => leave.mutate()}>
        Leave the Hub
      </Button>
    </div>
  );
}
