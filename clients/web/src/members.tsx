import type { Hub } from '@opine/client';
import { useState } from 'react';
import { done, type Fields, invalidate, opine, useAction, useList } from './api.ts';
import { Action, Button, Form, Items, Person, PhoneField } from './ui.tsx';

/** The members of a Hub, the ways into it, and the way out. */
export function Members({ hub }: { hub: Hub }) {
  const path = { hubId: hub.id };
  const list = useList(['hub', hub.id, 'members'], async (query) => {
    const { items, nextCursor } = await opine.get('/hubs/{hubId}/members', { params: { path, query } });
    return { items: items.map((member) => ({ ...member, id: member.userId })), nextCursor };
  });
  const leave = useAction(
    () => opine.delete('/hubs/{hubId}/membership', { params: { path } }),
    done('You have left the Hub.', [['hubs'], ['feed']], '/hubs'),
  );
  const close = useAction(
    () => opine.delete('/hubs/{hubId}', { params: { path } }),
    done('The Hub is closed.', [['hubs'], ['feed']], '/hubs'),
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
      {hub.viewerRole === 'admin' && (
        <details>
          <summary>Close the Hub</summary>
          <p>Nobody gets into it any more, and what is only in it is gone. This is final.</p>
          <Action run={close}>Close it for everybody</Action>
        </details>
      )}
    </>
  );
}

/** Open join requests, which admins decide. */
function Requests({ hub }: { hub: Hub }) {
  const list = useList(['hub', hub.id, 'requests'], (query) =>
    opine.get('/hubs/{hubId}/join-requests', { params: { path: { hubId: hub.id }, query } }),
  );
  const decide = useAction(
    ([requestId, verdict]: [string, 'approve' | 'reject']) => {
      const params = { path: { hubId: hub.id, requestId } };
      return opine.post(`/hubs/{hubId}/join-requests/{requestId}/${verdict}`, { params });
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
            <Button onClick={() => decide.mutate([id, 'approve'])}>Let in</Button>
            <Button onClick={() => decide.mutate([id, 'reject'])}>Reject</Button>
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
    ({ phone = '' }: Fields) =>
      opine.post('/hubs/{hubId}/invitations', { params, body: { phoneNumbers: [phone] } }),
    ({ items }) => setUrl(items[0]?.inviteUrl ?? null),
  );
  const link = useAction(
    () => opine.post('/hubs/{hubId}/invite-links', { params, body: {} }),
    (made) => setUrl(made.url),
  );
  return (
    <>
      <Form label="Invite" run={invite} submit="Invite">
        <PhoneField label="Phone of somebody you know" hint="Opine sends nothing. You send the link." />
      </Form>
      {hub.viewerRole !== 'member' && <Action run={link}>Make a link for several people</Action>}
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
