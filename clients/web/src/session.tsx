import { isOpineError, type OnboardingStep } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { done, type Fields, invalidate, opine, useAction, useRead, useSubmit } from './api.ts';
import { durationOf } from './errors.ts';
import { Field, Form, PhoneField } from './form.tsx';
import { PicturePicker } from './media.tsx';
import { Suspended, suspensionOf } from './moderation.tsx';
import { announce } from './notices.ts';
import { redirect, returnFromRedirect } from './router.ts';
import { Action, Button, ExternalLink, LinkButton, Page, QueryPage } from './ui.tsx';

/** Signs in by phone: the number first, and then the code. */
export function SignInPage() {
  const [phoneNumber, setPhoneNumber] = useState<string | null>(null);
  const [resendAt, setResendAt] = useState(0);
  const expectCode = (phone: string, waitSeconds: number) => {
    setPhoneNumber(phone);
    setResendAt(Date.now() + waitSeconds * 1000);
  };
  const request = useMutation({
    mutationFn: ({ phoneNumber: phone = '' }: Fields) =>
      opine.post('/auth/otp/request', { body: { phoneNumber: phone } }),
    meta: { isInPlace: true },
    onSuccess: (sent) => expectCode(sent.phoneNumber, sent.resendAfterSeconds),
    onError: (error, { phoneNumber: phone = '' }) => {
      // A phone that must wait has a code already, which still counts.
      if (isOpineError(error, 'RATE_LIMITED')) expectCode(phone, error.retryAfterSeconds ?? 60);
    },
  });
  return (
    <Page title="Sign in" back="/">
      {phoneNumber === null ? (
        <Form label="Phone" run={request} submit="Send me a code">
          <PhoneField label="Your phone, with the country" hint={hintOfTestPhones()} autoComplete="tel" />
        </Form>
      ) : (
        <>
          <CodeForm phoneNumber={phoneNumber} />
          <div className="row">
            <Resend at={resendAt} onClick={() => request.mutate({ phoneNumber })} />
            <Button onClick={() => setPhoneNumber(null)}>Another phone</Button>
          </div>
        </>
      )}
    </Page>
  );
}

/** Names the phones with a fixed code, where the service has some. */
function hintOfTestPhones(): string {
  const phones = document.querySelector<HTMLMetaElement>('meta[name="opine-test-phones"]')?.content;
  if (phones === undefined) return 'Nobody sees your number, except members of Hubs that you join.';
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
      <Field
        label={`The code that ${phoneNumber} got`}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
    </Form>
  );
}

function Resend({ at, onClick }: { at: number; onClick: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const wait = Math.max(0, Math.ceil((at - now) / 1000));
  return (
    <Button disabled={wait > 0} onClick={onClick}>
      {wait > 0 ? `Another code in ${durationOf(wait)}` : 'Send another code'}
    </Button>
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
  const legal = useRead(['config'], () => opine.get('/auth/login-config')).data?.legal;
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
      <Field label="Your name" name="fullName" autoComplete="name" minLength={2} maxLength={80} required />
      <Field
        label="Username"
        hint="3 to 30 small letters, digits and underscores. You can change it later."
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        pattern="[a-z0-9_]{3,30}"
        onBlur={({ target }) => target.value !== '' && check(target.value)}
        required
      />
      <p role="status">{free.length > 0 && `That one is not free. Free are: ${free.join(', ')}.`}</p>
      <label className="check">
        <input type="checkbox" required /> I accept the terms and the privacy policy
      </label>
      {legal !== undefined && (
        <p className="hint">
          <ExternalLink href={legal.termsUrl}>Terms</ExternalLink> ·{' '}
          <ExternalLink href={legal.privacyUrl}>Privacy policy</ExternalLink>
        </p>
      )}
    </Form>
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
