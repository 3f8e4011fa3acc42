import type { Hub, HubInvitationPreview, HubInviteLinkPreview, HubPreview } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { opine, refresh, useList, useMe } from './api.ts';
import { say } from './notices.ts';
import { goToSignIn, navigate } from './router.ts';
import { useUserId } from './tokens.ts';
import { Avatar, Button, Field, Form, Items, Loading, Page, Problem } from './ui.tsx';

/** The Hubs of the signed-in person: invitations first, then requests, then memberships. */
export function HubsPage() {
  const userId = useUserId();
  const isHubReady = (useMe().data?.level ?? 4) >= 4;
  const found = (
    <a className="button quiet" href="#/hubs/new">
      New Hub
    </a>
  );
  return (
    <Page title="Hubs" aside={userId !== null && isHubReady && found}>
      {userId === null ? (
        <p className="empty">
          Hubs are private groups. <Button onClick={goToSignIn}>Sign in</Button> to see yours.
        </p>
      ) : (
        <>
          {!isHubReady && (
            <p className="card hint">
              Hubs need one more step. <a href="#/onboarding">Go on</a>
            </p>
          )}
          <MyHubs />
        </>
      )}
    </Page>
  );
}

function MyHubs() {
  const list = useList(['hubs'], (query) => opine.get('/users/me/hubs', { params: { query } }));
  return (
    <Items
      list={list}
      idOf={({ id }) => id}
      empty={<p>You are in no Hub. Found one, or ask somebody for an invitation.</p>}
    >
      {(hub) => <HubRow hub={hub} />}
    </Items>
  );
}

function HubRow({ hub }: { hub: Hub }) {
  const { id, viewerStatus, invitationId, memberCount } = hub;
  return (
    <div className="card">
      <HubName hub={hub} href={viewerStatus === 'member' ? `#/hubs/${id}` : undefined}>
        {viewerStatus === 'pending_admin_approval'
          ? 'An admin decides on your request.'
          : membersOf(memberCount)}
      </HubName>
      {viewerStatus === 'invited' && invitationId !== undefined && <Decide invitationId={invitationId} />}
    </div>
  );
}

/** Returns the number of members in words. */
export function membersOf(count: number): string {
  return count === 1 ? '1 member' : `${count} members`;
}

function HubName(props: { hub: HubPreview; href?: string | undefined; children: ReactNode }) {
  const { hub, href, children } = props;
  return (
    <span className="person">
      <Avatar name={hub.name} url={hub.profilePhotoUrl} />
      <span>
        {href === undefined ? <strong>{hub.name}</strong> : <a href={href}>{hub.name}</a>}
        <small>{children}</small>
      </span>
    </span>
  );
}

/** Accepts or declines an invitation. */
function Decide({ invitationId }: { invitationId: string }) {
  const params = { path: { invitationId } };
  const accept = useMutation({
    mutationFn: () => opine.post('/hub-invitations/{invitationId}/accept', { params }),
    onSuccess: ({ hubId, viewerStatus }) => {
      refresh(['hubs'], ['hub', hubId]);
      const isMember = viewerStatus === 'member';
      say(isMember ? 'Welcome to the Hub.' : 'You are nearly there: an admin decides on your request.');
      navigate(isMember ? `/hubs/${hubId}` : '/hubs');
    },
  });
  const decline = useMutation({
    mutationFn: () => opine.post('/hub-invitations/{invitationId}/decline', { params }),
    onSuccess: () => {
      refresh(['hubs']);
      say('The invitation is declined.');
      navigate('/hubs');
    },
  });
  return (
    <div className="actions">
      <Button kind="loud" onClick={() => accept.mutate()} disabled={accept.isPending}>
        Accept
      </Button>
      <Button kind="quiet" onClick={() => decline.mutate()}>
        Decline
      </Button>
    </div>
  );
}

/** Founds a Hub. */
export function NewHubPage() {
  const found = useMutation({
    mutationFn: ({ name = '', description }: Record<string, string>) =>
      opine.post('/hubs', { body: { name, ...(description && { description }) } }),
    onSuccess: ({ id }) => {
      refresh(['hubs']);
      say('Your Hub is there. Invite people to it.');
      navigate(`/hubs/${id}`, { replace: true });
    },
  });
  return (
    <Page title="New Hub" back="/hubs">
      <Form onSubmit={(fields) => found.mutate(fields)}>
        <Field label="Name">
          <input name="name" minLength={2} maxLength={80} required />
        </Field>
        <Field label="What it is for">
          <textarea name="description" maxLength={500} rows={2} />
        </Field>
        <Button type="submit" kind="loud" disabled={found.isPending}>
          Found the Hub
        </Button>
      </Form>
    </Page>
  );
}

/** Where the link of an invitation leads. */
export function InvitationPage({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => opine.get('/hub-invitations/by-token/{token}', { params: { path: { token } } }),
  });
  return (
    <Page title="Invitation" back="/hubs">
      {data !== undefined ? <Invitation invitation={data} /> : error === null ? <Loading /> : null}
      {data === undefined && error !== null && <Problem error={error} retry={refetch} />}
    </Page>
  );
}

function Invitation({ invitation: { id, hub, invitedBy, state } }: { invitation: HubInvitationPreview }) {
  const isGuest = useUserId() === null;
  return (
    <div className="card">
      <HubName hub={hub}>{membersOf(hub.memberCount)}</HubName>
      <p>
        {invitedBy.displayName || 'Somebody'} invites you.{' '}
        {state !== 'pending' && `The invitation is ${state}.`}
      </p>
      {isGuest ? (
        <Button onClick={goToSignIn}>Sign in to answer</Button>
      ) : (
        state === 'pending' && <Decide invitationId={id} />
      )}
    </div>
  );
}

/** Where an invite link leads. */
export function InviteLinkPage({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invite-link', token],
    queryFn: () => opine.get('/hub-invite-links/{token}', { params: { path: { token } } }),
  });
  return (
    <Page title="Join a Hub" back="/hubs">
      {data !== undefined ? <InviteLink link={data} token={token} /> : error === null ? <Loading /> : null}
      {data === undefined && error !== null && <Problem error={error} retry={refetch} />}
    </Page>
  );
}

function InviteLink({ link: { hub, viewerStatus }, token }: { link: HubInviteLinkPreview; token: string }) {
  const join = useMutation({
    mutationFn: () => opine.post('/hub-invite-links/{token}/join-requests', { params: { path: { token } } }),
    onSuccess: () => {
      refresh(['hubs'], ['invite-link', token]);
      say('An admin decides on your request.');
      navigate('/hubs');
    },
  });
  return (
    <div className="card">
      <HubName hub={hub}>{membersOf(hub.memberCount)}</HubName>
      <p className="text">{hub.description}</p>
      {viewerStatus === 'member' ? (
        <a href={`#/hubs/${hub.id}`}>Open the Hub</a>
      ) : viewerStatus === 'pending_admin_approval' ? (
        <p>An admin decides on your request.</p>
      ) : (
        <Button kind="loud" onClick={() => join.mutate()} disabled={join.isPending}>
          Ask to join
        </Button>
      )}
    </div>
  );
}
