import type { Hub } from '@opine/client';
import { SignOutIcon, TrashIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { done, type Fields, opine, queries, useAction, useHub, useRead, useSubmit } from './api.ts';
import { Field, Form, NameField, Switch } from './form.tsx';
import { NonMember } from './hubs.tsx';
import { PicturePicker } from './media.tsx';
import { Confirm } from './sheet.tsx';
import { Problem, QueryPage } from './ui.tsx';

/** What a member sets for themself, what an admin changes, and the ways out. */
export function HubSettingsPage({ hubId }: { hubId: string }) {
  return (
    <QueryPage query={useHub(hubId)} title={({ name }) => `Settings of ${name}`} back={`/hubs/${hubId}`}>
      {(hub) =>
        hub.viewerStatus === 'member' ? (
          <>
            <Mute hubId={hubId} />
            {hub.viewerRole === 'admin' && <Edit hub={hub} />}
            {hub.viewerRole === 'admin' && <ChangeLink hub={hub} />}
            <WaysOut hub={hub} />
          </>
        ) : (
          <NonMember hub={hub} />
        )
      }
    </QueryPage>
  );
}

function Mute({ hubId }: { hubId: string }) {
  const key = ['hub', hubId, 'settings'];
  const params = { path: { hubId } };
  const read = () => opine.get('/hubs/{hubId}/notification-settings', { params });
  const { data, error, refetch } = useRead(key, read);
  const turn = useAction(
    (isOn: boolean) =>
      opine.patch('/hubs/{hubId}/notification-settings', { params, body: { contentMuted: !isOn } }),
    (answer) => queries.setQueryData(key, answer),
    { order: hubId },
  );
  if (data === undefined) return <Problem error={error} retry={refetch} />;
  return (
    <section className="card" aria-label="Notifications">
      <Switch label="Notify me of posts in this Hub" isOn={!data.contentMuted} run={turn} />
    </section>
  );
}

function Edit({ hub: { id, name, description } }: { hub: Hub }) {
  const [profileAssetId, setPhoto] = useState<string | null>(null);
  const save = useSubmit(
    (fields: Fields) =>
      opine.patch('/hubs/{hubId}', {
        params: { path: { hubId: id } },
        body: { description: null, ...fields, ...(profileAssetId !== null && { profileAssetId }) },
      }),
    done('The Hub is changed.', [['hub', id], ['hubs']], `/hubs/${id}`),
  );
  return (
    <Form label="The Hub" run={save} submit="Save">
      <NameField label="Name" name="name" defaultValue={name} />
      <Field label="What it is for" name="description" defaultValue={description} maxLength={500} rows={2} />
      <PicturePicker
        label="A new picture of the Hub"
        purpose="hub_photo"
        onChange={([photo]) => setPhoto(photo?.assetId ?? null)}
      />
    </Form>
  );
}

function ChangeLink({ hub: { id, customLink } }: { hub: Hub }) {
  const save = useSubmit(
    ({ customLink: link = '' }: Fields) =>
      opine.patch('/hubs/{hubId}/link', { params: { path: { hubId: id } }, body: { customLink: link } }),
    done('The link of the Hub is changed.', [['hub', id]], `/hubs/${id}`),
  );
  return (
    <Form label="The link" run={save} submit="Change the link">
      <Field
        label="Link by which people find the Hub"
        hint="3 to 40 small letters, digits and hyphens."
        name="customLink"
        defaultValue={customLink ?? ''}
        autoCapitalize="none"
        pattern="[a-z0-9\-]{3,40}"
        required
      />
    </Form>
  );
}

function WaysOut({ hub: { id, name, viewerRole, memberCount } }: { hub: Hub }) {
  const params = { path: { hubId: id } };
  const leaveFor = (said: string) => () => {
    done(said, [['hubs'], ['feed']], '/hubs')();
    queries.removeQueries({ queryKey: ['hub', id] });
  };
  const leave = useSubmit(
    () => opine.delete('/hubs/{hubId}/membership', { params }),
    leaveFor('You have left the Hub.'),
  );
  const close = useSubmit(() => opine.delete('/hubs/{hubId}', { params }), leaveFor('The Hub is closed.'));
  return (
    <section className="card menu" aria-label="Leave or close the Hub">
      <Confirm title={`Leave ${name}?`} icon={SignOutIcon} button="Leave the Hub" answer="Leave" run={leave}>
        <p>
          {memberCount === 1
            ? 'You are its last member, so this closes the Hub, and what is only in it is gone. This is final.'
            : 'You no longer see what is in it. To come back, you need an invitation.'}
        </p>
      </Confirm>
      {viewerRole === 'admin' && (
        <Confirm
          title={`Close ${name}?`}
          icon={TrashIcon}
          button="Close the Hub"
          answer="Close it for everybody"
          run={close}
        >
          <p>Nobody gets into it any more, and what is only in it is gone. This is final.</p>
        </Confirm>
      )}
    </section>
  );
}
