import { type Hub, type HubPreview, isOpineError } from '@opine/client';
import { PlusIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { done, type Fields, opine, useAction, useList, useMe, useRead, useSubmit } from './api.ts';
import { Field, Form, NameField } from './form.tsx';
import { Confirm } from './sheet.tsx';
import { Action, countOf, Items, LinkButton, LinkButtons, NameLink, Page, QueryPage } from './ui.tsx';

/** The Hubs of the signed-in person: invitations first, then requests, then memberships. */
export function HubsPage() {
  const list = useList(['hubs'], (query) => opine.get('/users/me/hubs', { params: { query } }));
  const isHubReady = (useMe().data?.level ?? 4) >= 4;
  const link = <LinkButtons of={[['/hubs/new', PlusIcon, 'New Hub']]} />;
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

type AnyHub = Hub | HubPreview;

/** A Hub in a list, with what the person can do to get into it. @param props.offer what a link to it offers to a non-member */
export function HubRow({ hub, offer }: { hub: AnyHub; offer?: ReactNode }) {
  const { id, viewerStatus, memberCount, description } = hub;
  const isOutside = viewerStatus === 'none' || viewerStatus === 'invited';
  return (
    <div className="card">
      <NameLink of={hub} href={`#/hubs/${id}`}>
        {viewerStatus === 'pending_admin_approval' ? WAITING : membersOf(memberCount)}
      </NameLink>
      {offer !== undefined && <p className="text">{description}</p>}
      {offer !== undefined && isOutside ? offer : <HubEntry hub={hub} />}
      {offer !== undefined && viewerStatus === 'member' && (
        <LinkButton to={`/hubs/${id}`}>Go to the Hub</LinkButton>
      )}
    </div>
  );
}

const WAITING = 'An admin decides on your request.';

const WAYS_IN: Partial<Record<AnyHub['viewerStatus'], string>> = {
  pending_admin_approval: WAITING,
  invited: 'You are invited.',
  none: 'Ask one of them for an invitation.',
};

/** What stands in place of what only members see. */
export function NonMember({ hub }: { hub: Hub }) {
  return (
    <div className="empty">
      <p>
        Only members see what is in {hub.name}. {WAYS_IN[hub.viewerStatus]}
      </p>
      <HubEntry hub={hub} />
    </div>
  );
}

/** What the person can do to get into a Hub: answer an invitation, or withdraw a request. */
function HubEntry({ hub }: { hub: AnyHub }) {
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

/** Returns the number of members in words. */
export function membersOf(count: number): string {
  return countOf(count, 'member');
}

/** Accepts or declines an invitation. */
function Decide({ invitationId }: { invitationId: string }) {
  const params = { path: { invitationId } };
  const accept = useAction(
    () => opine.post('/hub-invitations/{invitationId}/accept', { params }).catch(sayOfWhom),
    ({ hubId, viewerStatus }) =>
      viewerStatus === 'member'
        ? done('Welcome to the Hub.', [['hubs'], ['hub', hubId], ['feed']], `/hubs/${hubId}`)()
        : done(WAITING, [['hubs']], '/hubs')(),
  );
  const decline = useSubmit(
    () => opine.post('/hub-invitations/{invitationId}/decline', { params }).catch(sayOfWhom),
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

/** Says why an invitation that one holds is not found: it is of another phone. */
function sayOfWhom(error: unknown): never {
  if (!isOpineError(error, 'INVITATION_NOT_FOUND')) throw error;
  throw new Error('This invitation is for another phone number.', { cause: error });
}

export function NewHubPage() {
  const found = useSubmit(
    ({ name = '', ...rest }: Fields) => opine.post('/hubs', { body: { name, ...rest } }),
    ({ id }) => done('Your Hub is there. Invite people to it.', [['hubs']], `/hubs/${id}/invite`)(),
  );
  return (
    <Page title="New Hub" back="/hubs">
      <Form label="Hub" run={found} submit="Found the Hub">
        <NameField label="Name" name="name" />
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
        <>
          <p className="hint">
            {invitedBy.displayName || 'Somebody'} invites you.
            {state !== 'pending' && ` The invitation is ${state}.`}
          </p>
          <HubRow hub={hub} offer={state === 'pending' ? <Decide invitationId={id} /> : null} />
        </>
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
      {({ hub }) => <HubRow hub={hub} offer={<Action run={join}>Ask to join</Action>} />}
    </QueryPage>
  );
}
