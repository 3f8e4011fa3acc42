import { isOpineError, type OnboardingStep } from '@opine/client';
import { type ReactNode, useState } from 'react';
import { done, type Fields, invalidate, opine, useAction, useRead, useSubmit } from './api.ts';
import { Form, NameField, PhoneField, UsernameField } from './form.tsx';
import { PicturePicker } from './media.tsx';
import { Suspended, suspensionOf } from './moderation.tsx';
import { announce } from './notices.ts';
import { CodeField, PhoneCode } from './phone-code.tsx';
import { redirect, returnFromRedirect } from './router.ts';
import { Action, ExternalLink, LinkButton, Page, QueryPage } from './ui.tsx';

/** Signs in by phone. */
export function SignInPage() {
  return (
    <Page title="Sign in" back="/">
      <PhoneCode
        label="Phone"
        send={(body) => opine.post('/auth/otp/request', { body })}
        field={
          <PhoneField label="Your phone, with the country" hint={hintOfTestPhones()} autoComplete="tel" />
        }
      >
        {(phoneNumber) => <CodeForm phoneNumber={phoneNumber} />}
      </PhoneCode>
    </Page>
  );
}

/** Names the phones with a fixed code, where the service has some. */
function hintOfTestPhones(): string {
  const phones = document.querySelector<HTMLMetaElement>('meta[name="opine-test-phones"]')?.content;
  if (phones === undefined)
    return 'Only members of Hubs that you join see your number, and our support for a reason that is recorded.';
  const hints = phones
    .split(',')
    .map((entry) => entry.trim().replace('*', '…').replace('=', ' have the code '));
  return `On this machine, phones like ${hints.join('; ')}.`;
}

function CodeForm({ phoneNumber }: { phoneNumber: string }) {
  const verify = useSubmit(
    async ({ code = '' }: Fields) => {
      const session = await opine.post('/auth/otp/verify', { body: { phoneNumber, code } });
      await opine.signIn(session);
      return session.user;
    },
    ({ level, fullName }) => {
      if (level < 3) redirect('/onboarding');
      else returnFromRedirect();
      announce(`Welcome, ${fullName ?? 'and tell us your name'}.`);
    },
  );
  const { error } = verify;
  const suspension = isOpineError(error, 'ACCOUNT_SUSPENDED') && suspensionOf(error.details);
  if (suspension) return <Suspended suspension={suspension} />;
  return (
    <Form label="Code" run={verify} submit="Sign in">
      <CodeField phoneNumber={phoneNumber} />
    </Form>
  );
}

/** The open step of onboarding. */
export function OnboardingPage() {
  const query = useRead(['onboarding'], () => opine.get('/users/me/onboarding/status'));
  return (
    <QueryPage query={query} title={({ nextStep }) => STEPS[nextStep ?? 'done'][0]} back="/">
      {({ nextStep }) => STEPS[nextStep ?? 'done'][1]}
    </QueryPage>
  );
}

const STEPS: Record<OnboardingStep | 'done', readonly [title: string, step: ReactNode]> = {
  profile_basics: ['Who are you?', <NameStep key="name" />],
  media: ['Your photo', <PhotoStep key="photo" />],
  phone: ['Your phone', 'Sign out, and sign in by phone.'],
  contacts: ['People you know', <ContactsStep key="contacts" />],
  done: ['You are ready', 'Nothing is left to do.'],
};

const onStepDone = () => invalidate(['onboarding'], ['me']);

function NameStep() {
  const [free, setFree] = useState<readonly string[]>([]);
  const check = async (username: string) => {
    const found = await opine.post('/users/handles/availability', { body: { username } }).catch(() => null);
    setFree(found === null || found.available ? [] : found.alternatives);
  };
  const save = useSubmit(
    ({ fullName = '', username = '' }: Fields) =>
      opine.put('/users/me/onboarding/profile-basics', { body: { fullName, username, termsAccepted: true } }),
    onStepDone,
  );
  return (
    <Form label="Your profile" run={save} submit="Go on">
      <NameField label="Your name" name="fullName" autoComplete="name" />
      <UsernameField
        autoComplete="username"
        onBlur={({ target }) => target.value !== '' && check(target.value)}
      />
      <p role="status">{free.length > 0 && `That one is not free. Free are: ${free.join(', ')}.`}</p>
      <label className="check">
        <input type="checkbox" required /> I accept the terms and the privacy policy
      </label>
      <Legal />
    </Form>
  );
}

/** Links to the terms and the privacy policy. */
export function Legal() {
  const legal = useRead(['config'], () => opine.get('/auth/login-config')).data?.legal;
  if (legal === undefined) return null;
  return (
    <p className="hint">
      <ExternalLink href={legal.termsUrl}>Terms</ExternalLink> ·{' '}
      <ExternalLink href={legal.privacyUrl}>Privacy policy</ExternalLink>
    </p>
  );
}

function PhotoStep() {
  const [profileAssetId, setPhoto] = useState<string | null>(null);
  const save = useSubmit<unknown, Fields>(
    () => opine.put('/users/me/onboarding/media', { body: { profileAssetId } }),
    () => {
      onStepDone();
      announce('Your profile is complete.');
      returnFromRedirect();
    },
  );
  return (
    <Form label="Your photo" run={save} submit={profileAssetId === null ? 'Go on without a photo' : 'Go on'}>
      <PicturePicker
        label="A photo of you, if you like"
        purpose="profile_photo"
        onChange={([photo]) => setPhoto(photo?.assetId ?? null)}
      />
    </Form>
  );
}

function ContactsStep() {
  const allow = useAction(
    // A browser has no address book: there is a permission, and nothing to upload.
    () => opine.put('/users/me/onboarding/contacts', { body: { permission: 'limited', contactCount: 0 } }),
    () => {
      done('You can join and found Hubs now.', [['onboarding'], ['me'], ['hub'], ['hubs']])();
      returnFromRedirect();
    },
  );
  return (
    <div className="empty">
      <p>Hubs are private groups of people who know each other. On a phone, Opine looks for your contacts.</p>
      <p>This browser has no contacts, so Opine reads none. You invite people by their numbers.</p>
      <Action isLoud run={allow}>
        Allow and go on
      </Action>
      <LinkButton to="/">Not now</LinkButton>
    </div>
  );
}
