import type { Hub, HubInvitation, HubInviteLink } from '@opine/client';
import { useState } from 'react';
import { done, type Fields, invalidate, opine, useAction, useList, useSubmit } from './api.ts';
import { Form, PhoneField } from './form.tsx';
import { Confirm } from './sheet.tsx';
import { Action, Copyable, countOf, dayOf, Items, Problem } from './ui.tsx';

/** Ways into a Hub: an invitation of one phone, or a link for several people. */
export function Invites({ hub }: { hub: Hub }) {
  const params = { path: { hubId: hub.id } };
  const [url, setUrl] = useState<string | null>(null);
  const invite = useSubmit(
    ({ phoneNumbers = '' }: Fields) =>
      opine.post('/hubs/{hubId}/invitations', { params, body: { phoneNumbers: [phoneNumbers] } }),
    ({ items }) => {
      setUrl(items[0]?.inviteUrl ?? null);
      invalidate(['hub', hub.id, 'invitations']);
    },
  );
  const link = useAction(
    () => opine.post('/hubs/{hubId}/invite-links', { params, body: {} }),
    (made) => {
      setUrl(made.url);
      invalidate(['hub', hub.id, 'links']);
    },
  );
  const canLink = hub.viewerRole !== 'member';
  return (
    <>
      <Form label="Invite" run={invite} submit="Invite">
        <PhoneField
          name="phoneNumbers"
          label="Phone of somebody you know"
          hint="Opine sends nothing. You send the link."
        />
      </Form>
      {canLink && <Action run={link}>Make a link for several people</Action>}
      <div role="status">
        {url !== null && (
          <div className="card">
            <p>Send this link. It is shown once.</p>
            <Copyable label="Link into the Hub" text={url} />
          </div>
        )}
      </div>
      {canLink && <Links hubId={hub.id} />}
      <Invitations hubId={hub.id} />
    </>
  );
}

function Links({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'links'], (query) =>
    opine.get('/hubs/{hubId}/invite-links', { params: { path: { hubId }, query } }),
  );
  if (list.items.length === 0) return <Problem error={list.error} retry={list.refetch} />;
  return (
    <section aria-labelledby="links">
      <h2 id="links">Links</h2>
      <Items list={list} empty={null}>
        {(link) => <LinkRow hubId={hubId} link={link} />}
      </Items>
    </section>
  );
}

function LinkRow({ hubId, link }: { hubId: string; link: HubInviteLink }) {
  const { id: inviteLinkId, useCount, maxUses, expiresAt } = link;
  const revoke = useSubmit(
    () =>
      opine.delete('/hubs/{hubId}/invite-links/{inviteLinkId}', {
        params: { path: { hubId, inviteLinkId } },
      }),
    done('The link leads nowhere any more.', [['hub', hubId, 'links']]),
  );
  return (
    <div className="row list-row">
      <span>
        Used {countOf(useCount, 'time')}
        {maxUses !== null && ` of ${maxUses}`}
        <small>until {dayOf(expiresAt)}</small>
      </span>
      <Confirm title="Withdraw this link?" button="Withdraw" answer="Withdraw" run={revoke}>
        <p>Nobody can ask to join by it any more. Requests that were made stay.</p>
      </Confirm>
    </div>
  );
}

const STATES: Readonly<Record<HubInvitation['state'], string>> = {
  pending: 'Not answered yet',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Too old',
};

function Invitations({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'invitations'], (query) =>
    opine.get('/hubs/{hubId}/invitations', { params: { path: { hubId }, query } }),
  );
  if (list.items.length === 0) return <Problem error={list.error} retry={list.refetch} />;
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <Items list={list} empty={null}>
        {({ phoneNumber, state, expiresAt, invitedBy }) => (
          <div className="row list-row">
            <span>
              {phoneNumber}
              <small>
                by {invitedBy.displayName || 'somebody'}
                {state === 'pending' && `, until ${dayOf(expiresAt)}`}
              </small>
            </span>
            <span className="hint">{STATES[state]}</span>
          </div>
        )}
      </Items>
    </section>
  );
}
