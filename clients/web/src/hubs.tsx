import type { Hub, HubPreview } from '@opine/client';
import { PlusIcon } from '@primer/octicons-react';
import { done, type Fields, opine, useAction, useList, useMe, useRead, useSubmit } from './api.ts';
import { Field, Form } from './form.tsx';
import { Confirm } from './sheet.tsx';
import { Action, countOf, Items, LinkButton, NameLink, Page, QueryPage } from './ui.tsx';

/** The Hubs of the signed-in person: invitations first, then requests, then memberships. */
export function HubsPage() {
  const list = useList(['hubs'], (query) => opine.get('/users/me/hubs', { params: { query } }));
  const isHubReady = (useMe().data?.level ?? 4) >= 4;
  const link = (
    <LinkButton icon={PlusIcon} to="/hubs/new">
      New Hub
    </LinkButton>
  );
  return (
    <Page title="Hubs" aside={isHubReady && link}>
      {!isHubReady && (
        <p className="card hint">
          Hubs need one more step. <a href="#/onboarding">Go on</a>
        </p>
      )}
      <Items list={list} empty="You are in no Hub. Found one, or ask somebody for an invitation.">
        {(hub) => <HubRow hub={hub} />}
      </Items>
    </Page>
  );
}

/** A Hub in a list, with what the person can do to get into it. */
export function HubRow({ hub }: { hub: Hub | HubPreview }) {
  const { id, viewerStatus, memberCount } = hub;
  return (
    <div className="card">
      <NameLink of={hub} href={`#/hubs/${id}`}>
        {viewerStatus === 'pending_admin_approval' ? WAITING : membersOf(memberCount)}
      </NameLink>
      <HubEntry hub={hub} />
    </div>
  );
}

/** What the person can do to get into a Hub: answer an invitation, or withdraw a request. */
export function HubEntry({ hub }: { hub: Hub | HubPreview }) {
  const { id, viewerStatus, invitationId, joinRequestId } = hub;
  return (
    <>
      {viewerStatus === 'invited' && invitationId !== undefined && <Decide invitationId={invitationId} />}
      {joinRequestId !== undefined && <Withdraw path={{ hubId: id, requestId: joinRequestId }} />}
    </>
  );
}

function Withdraw({ path }: { path: { hubId: string; requestId: string } }) {
  const withdraw = useSubmit(
    () => opine.delete('/hubs/{hubId}/join-requests/{requestId}', { params: { path } }),
    done('Your request is withdrawn.', [['hubs'], ['hub', path.hubId]]),
  );
  return (
    <Confirm title="Withdraw your request?" button="Withdraw the request" answer="Withdraw" run={withdraw}>
      <p>To ask again, you need a link or an invitation.</p>
    </Confirm>
  );
}

const WAITING = 'An admin decides on your request.';

/** Returns the number of members in words. */
export function membersOf(count: number): string {
  return countOf(count, 'member');
}

/** Accepts or declines an invitation. */
function Decide({ invitationId }: { invitationId: string }) {
  const params = { path: { invitationId } };
  const accept = useAction(
    () => opine.post('/hub-invitations/{invitationId}/accept', { params }),
    ({ hubId, viewerStatus }) =>
      viewerStatus === 'member'
        ? done('Welcome to the Hub.', [['hubs'], ['hub', hubId], ['feed']], `/hubs/${hubId}`)()
        : done(WAITING, [['hubs']], '/hubs')(),
  );
  const decline = useSubmit(
    () => opine.post('/hub-invitations/{invitationId}/decline', { params }),
    done('The invitation is declined.', [['hubs']], '/hubs'),
  );
  return (
    <div className="actions">
      <Action isLoud run={accept}>
        Accept
      </Action>
      <Confirm title="Decline the invitation?" button="Decline" answer="Decline" run={decline}>
        <p>To join later, you need another one.</p>
      </Confirm>
    </div>
  );
}

export function NewHubPage() {
  const found = useSubmit(
    ({ name = '', ...rest }: Fields) => opine.post('/hubs', { body: { name, ...rest } }),
    ({ id }) => done('Your Hub is there. Invite people to it.', [['hubs']], `/hubs/${id}/invite`)(),
  );
  return (
    <Page title="New Hub" back="/hubs">
      <Form label="Hub" run={found} submit="Found the Hub">
        <Field label="Name" name="name" minLength={2} maxLength={80} required />
        <Field label="What it is for" name="description" maxLength={500} rows={2} />
      </Form>
    </Page>
  );
}

/** Where the link of an invitation leads. */
export function InvitationPage({ token }: { token: string }) {
  const read = () => opine.get('/hub-invitations/by-token/{token}', { params: { path: { token } } });
  const query = useRead(['hubs', 'invitation', token], read);
  return (
    <QueryPage query={query} title="Invitation" back="/hubs">
      {({ id, hub, invitedBy, state }) => (
        <div className="card">
          <NameLink of={hub} {...(state === 'accepted' && { href: `#/hubs/${hub.id}` })}>
            {membersOf(hub.memberCount)}
          </NameLink>
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
  const query = useRead(['hubs', 'link', token], () => opine.get('/hub-invite-links/{token}', { params }));
  const join = useAction(
    () => opine.post('/hub-invite-links/{token}/join-requests', { params }),
    done(WAITING, [['hubs']], '/hubs'),
  );
  return (
    <QueryPage query={query} title="Join a Hub" back="/hubs">
      {({ hub }) => (
        <div className="card">
          <NameLink of={hub}>{membersOf(hub.memberCount)}</NameLink>
          <p className="text">{hub.description}</p>
          <div className="actions">
            <Action run={join}>Ask to join</Action>
          </div>
        </div>
      )}
    </QueryPage>
  );
}
