import type { Hub, HubPreview } from '@opine/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { done, opine, useAction, useList, useMe } from './api.ts';
import { Action, Avatar, Field, Form, Items, LinkButton, Page, QueryPage, Submit } from './ui.tsx';

/** The Hubs of the signed-in person: invitations first, then requests, then memberships. */
export function HubsPage() {
  const isHubReady = (useMe().data?.level ?? 4) >= 4;
  const link = <LinkButton to="/hubs/new">New Hub</LinkButton>;
  return (
    <Page title="Hubs" aside={isHubReady && link}>
      {!isHubReady && (
        <p className="card hint">
          Hubs need one more step. <a href="#/onboarding">Go on</a>
        </p>
      )}
      <MyHubs />
    </Page>
  );
}

function MyHubs() {
  const list = useList(['hubs'], (query) => opine.get('/users/me/hubs', { params: { query } }));
  return (
    <Items list={list} empty="You are in no Hub. Found one, or ask somebody for an invitation.">
      {(hub) => <HubRow hub={hub} />}
    </Items>
  );
}

function HubRow({ hub }: { hub: Hub }) {
  const { id, viewerStatus, invitationId, memberCount } = hub;
  return (
    <div className="card">
      <HubName hub={hub} href={viewerStatus === 'member' ? `#/hubs/${id}` : undefined}>
        {viewerStatus === 'pending_admin_approval' ? WAITING : membersOf(memberCount)}
      </HubName>
      {viewerStatus === 'invited' && invitationId !== undefined && <Decide invitationId={invitationId} />}
    </div>
  );
}

const WAITING = 'An admin decides on your request.';

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
  const accept = useAction(
    () => opine.post('/hub-invitations/{invitationId}/accept', { params }),
    ({ hubId, viewerStatus }) =>
      viewerStatus === 'member'
        ? done('Welcome to the Hub.', [['hubs'], ['hub', hubId]], `/hubs/${hubId}`)()
        : done(WAITING, [['hubs']], '/hubs')(),
  );
  const decline = useAction(
    () => opine.post('/hub-invitations/{invitationId}/decline', { params }),
    done('The invitation is declined.', [['hubs']], '/hubs'),
  );
  return (
    <div className="actions">
      <Action isLoud run={accept}>
        Accept
      </Action>
      <Action run={decline}>Decline</Action>
    </div>
  );
}

/** Founds a Hub. */
export function NewHubPage() {
  const found = useAction(
    ({ name = '', description }: Record<string, string>) =>
      opine.post('/hubs', { body: { name, ...(description && { description }) } }),
    ({ id }) => done('Your Hub is there. Invite people to it.', [['hubs']], `/hubs/${id}/members`)(),
  );
  return (
    <Page title="New Hub" back="/hubs">
      <Form label="Hub" onSubmit={(fields) => found.mutate(fields)}>
        <Field label="Name" name="name" minLength={2} maxLength={80} required />
        <Field label="What it is for" name="description" maxLength={500} rows={2} />
        <Submit run={found}>Found the Hub</Submit>
      </Form>
    </Page>
  );
}

/** Where the link of an invitation leads. */
export function InvitationPage({ token }: { token: string }) {
  const query = useQuery({
    queryKey: ['hubs', 'invitation', token],
    queryFn: () => opine.get('/hub-invitations/by-token/{token}', { params: { path: { token } } }),
  });
  return (
    <QueryPage query={query} title="Invitation" back="/hubs">
      {({ id, hub, invitedBy, state }) => (
        <div className="card">
          <HubName hub={hub}>{membersOf(hub.memberCount)}</HubName>
          <p>{invitedBy.displayName || 'Somebody'} invites you.</p>
          {state === 'pending' ? <Decide invitationId={id} /> : <p>The invitation is {state}.</p>}
        </div>
      )}
    </QueryPage>
  );
}

/** Where an invite link leads. */
export function InviteLinkPage({ token }: { token: string }) {
  const params = { path: { token } };
  const query = useQuery({
    queryKey: ['hubs', 'link', token],
    queryFn: () => opine.get('/hub-invite-links/{token}', { params }),
  });
  const join = useAction(
    () => opine.post('/hub-invite-links/{token}/join-requests', { params }),
    done(WAITING, [['hubs']], '/hubs'),
  );
  return (
    <QueryPage query={query} title="Join a Hub" back="/hubs">
      {({ hub }) => (
        <div className="card">
          <HubName hub={hub}>{membersOf(hub.memberCount)}</HubName>
          <p className="text">{hub.description}</p>
          <div className="actions">
            <Action run={join}>Ask to join</Action>
          </div>
        </div>
      )}
    </QueryPage>
  );
}
