import type { EditableProfile } from '@opine/client';
import {
  BellIcon,
  BlockedIcon,
  BookmarkIcon,
  DeviceMobileIcon,
  DevicesIcon,
  DownloadIcon,
  IdBadgeIcon,
  LawIcon,
  PersonIcon,
  SignOutIcon,
  TrashIcon,
} from '@primer/octicons-react';
import { useState } from 'react';
import { done, type Fields, opine, useAction, useMe, useRead, useSubmit } from './api.ts';
import { Field, Form, NameField, PhoneField, UsernameField } from './form.tsx';
import { PicturePicker } from './media.tsx';
import { announce } from './notices.ts';
import { CodeField, PhoneCode } from './phone-code.tsx';
import { Legal } from './session.tsx';
import { Confirm } from './sheet.tsx';
import { Action, LinkButtons, Page, QueryPage } from './ui.tsx';

const ROWS = [
  ['/settings/profile', PersonIcon, 'Your profile'],
  ['/settings/hub-profile', IdBadgeIcon, 'Your profile in Hubs'],
  ['/notifications/preferences', BellIcon, 'Notifications and quiet hours'],
  ['/saved', BookmarkIcon, 'Saved posts and discussions'],
  ['/settings/blocks', BlockedIcon, 'Blocked people'],
  ['/decisions', LawIcon, 'Moderation: decisions, appeals, reports'],
  ['/settings/phone', DeviceMobileIcon, 'Phone number'],
  ['/settings/sessions', DevicesIcon, 'Where you are signed in'],
] as const;

/** What a person can set, and the ways out. */
export function SettingsPage() {
  const signOut = useAction(() => opine.signOut(), done('You are signed out.', [], '/'));
  return (
    <Page title="Settings" back="/">
      <nav className="card menu" aria-label="Settings">
        <LinkButtons of={ROWS} />
      </nav>
      <section className="card menu" aria-label="Account">
        <ExportData />
        <Action icon={SignOutIcon} run={signOut}>
          Sign out
        </Action>
        <DeleteAccount />
      </section>
      <Legal />
    </Page>
  );
}

function ExportData() {
  const save = useAction(
    () => opine.get('/users/me/export'),
    (data) => {
      const url = URL.createObjectURL(
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
      );
      const link = Object.assign(document.createElement('a'), { href: url, download: 'opine.json' });
      link.click();
      URL.revokeObjectURL(url);
      announce('Your data is in the file opine.json.');
    },
  );
  return (
    <Action icon={DownloadIcon} run={save}>
      Download your data
    </Action>
  );
}

function DeleteAccount() {
  const remove = useSubmit(
    async () => {
      await opine.delete('/users/me');
      // Its sessions ended with it.
      await opine.signOut();
    },
    done('Your account is deleted.', [], '/'),
  );
  return (
    <Confirm
      title="Delete your account?"
      icon={TrashIcon}
      button="Delete your account"
      answer="Delete it for ever"
      run={remove}
    >
      <p>
        Your profile, posts, comments and messages are gone at once. Votes stay counted, and nothing leads
        from them to you. This is final.
      </p>
    </Confirm>
  );
}

/** Changes the public profile. */
export function EditProfilePage() {
  return (
    <QueryPage query={useMe()} title="Your profile" back="/settings">
      {({ id, editable }) => <EditForm id={id} profile={editable} />}
    </QueryPage>
  );
}

function EditForm({ id, profile }: { id: string; profile: EditableProfile }) {
  const { fullName, username, bio, profileAssetId } = profile;
  const photo = usePhoto();
  const save = useSubmit(
    (fields: Fields) => opine.patch('/users/me/profile', { body: { bio: null, ...fields, ...photo.change } }),
    done('Your profile is changed.', [['me'], ['profile'], ['feed']], `/users/${id}`),
  );
  return (
    <Form label="Your profile" run={save} submit="Save">
      <NameField label="Your name" name="fullName" defaultValue={fullName ?? ''} />
      <UsernameField defaultValue={username ?? ''} />
      <Field label="About you" name="bio" defaultValue={bio ?? ''} maxLength={160} rows={3} />
      <PhotoFields photo={photo} hasPhoto={profileAssetId !== null} />
    </Form>
  );
}

/** Returns a new photo, or none instead of one, as a request takes it. */
function usePhoto() {
  const [profileAssetId, choose] = useState<string | null | undefined>();
  return { choose, change: profileAssetId === undefined ? {} : { profileAssetId } };
}

function PhotoFields(props: { photo: ReturnType<typeof usePhoto>; hasPhoto: boolean }) {
  const { choose, change } = props.photo;
  return (
    <>
      <PicturePicker
        label="A new photo"
        purpose="profile_photo"
        onChange={([chosen]) => choose(chosen?.assetId)}
      />
      {props.hasPhoto && change.profileAssetId == null && (
        <label className="check">
          <input type="checkbox" onChange={({ target }) => choose(target.checked ? null : undefined)} />{' '}
          Remove my photo
        </label>
      )}
    </>
  );
}

/** Changes the name and photo that members of one's Hubs see. */
export function HubProfilePage() {
  const query = useRead(['hub-profile'], () => opine.get('/users/me/hub-profile'));
  const photo = usePhoto();
  const save = useSubmit(
    ({ displayName = '' }: Fields) =>
      opine.patch('/users/me/hub-profile', { body: { displayName, ...photo.change } }),
    done('Your profile in Hubs is changed.', [['hub-profile'], ['hub']], '/settings'),
  );
  return (
    <QueryPage query={query} title="Your profile in Hubs" back="/settings">
      {({ displayName, phoneNumber, profileAssetId }) => (
        <>
          <p className="hint">
            Members of your Hubs see this name and your number {phoneNumber}. Nobody else does, except our
            support for a reason that is recorded.
          </p>
          <Form label="Your profile in Hubs" run={save} submit="Save">
            <NameField label="Name in Hubs" name="displayName" defaultValue={displayName} />
            <PhotoFields photo={photo} hasPhoto={profileAssetId !== null} />
          </Form>
        </>
      )}
    </QueryPage>
  );
}

/** Changes the phone number: a code goes to the new one. */
export function PhonePage() {
  return (
    <QueryPage query={useMe()} title="Phone number" back="/settings">
      {({ phoneNumber: current }) => (
        <>
          <p className="hint">You sign in with {current}. A change ends your other sessions.</p>
          <PhoneCode
            label="New number"
            send={(body) => opine.post('/users/me/phone/request', { body })}
            field={<PhoneField label="New number, with the country" autoComplete="tel" />}
          >
            {(phoneNumber) => <ChangePhone phoneNumber={phoneNumber} />}
          </PhoneCode>
        </>
      )}
    </QueryPage>
  );
}

function ChangePhone({ phoneNumber }: { phoneNumber: string }) {
  const verify = useSubmit(
    ({ code = '' }: Fields) => opine.post('/users/me/phone/verify', { body: { phoneNumber, code } }),
    (changed) =>
      done(`You sign in with ${changed.phoneNumber} from now on.`, [['me'], ['sessions']], '/settings')(),
  );
  return (
    <Form label="Code" run={verify} submit="Change the number">
      <CodeField phoneNumber={phoneNumber} />
    </Form>
  );
}
