import { isOpineError, type OnboardingStatus } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, refresh } from './api.ts';
import { durationOf } from './errors.ts';
import { Attached, PicturePicker, type Uploaded } from './media.tsx';
import { fail, say } from './notices.ts';
import { navigate, returnFromSignIn } from './router.ts';
import { Button, Field, Form, Loading, Page, Problem, useCountdown } from './ui.tsx';

const useLoginConfig = () =>
  useQuery({
    queryKey: ['login-config'],
    queryFn: () => opine.get('/auth/login-config'),
    staleTime: 3_600_000,
  });

/** Signs in by phone: the number first, and then the code. */
export function SignInPage() {
  const [phoneNumber, setPhoneNumber] = useState<string | null>(null);
  const [resendAt, setResendAt] = useState(0);
  const request = useMutation({
    mutationFn: (phone: string) => opine.post('/auth/otp/request', { body: { phoneNumber: phone } }),
    onSuccess: (sent) => {
      setPhoneNumber(sent.phoneNumber);
      setResendAt(Date.now() + sent.resendAfterSeconds * 1000);
    },
    onError: (error, phone) => {
      if (!isOpineError(error, 'RATE_LIMITED')) return;
      // This phone has a code already, which still counts.
      setPhoneNumber(phone);
      setResendAt(Date.now() + (error.retryAfterSeconds ?? 60) * 1000);
    },
  });
  return (
    <Page title="Sign in" back="/">
      {phoneNumber === null ? (
        <Form label="Phone" onSubmit={({ phone = '' }) => request.mutate(phone)}>
          <Field label="Your phone, with the country" hint={<TestPhones />}>
            <input name="phone" type="tel" autoComplete="tel" placeholder="+1 202 555 0102" required />
          </Field>
          <Button type="submit" kind="loud" disabled={request.isPending}>
            Send me a code
          </Button>
        </Form>
      ) : (
        <Code
          phoneNumber={phoneNumber}
          resendAt={resendAt}
          resend={() => request.mutate(phoneNumber)}
          change={() => setPhoneNumber(null)}
        />
      )}
    </Page>
  );
}

/** The phones with a fixed code, where the service has some. */
function TestPhones() {
  const phones = document.querySelector('meta[name="opine-test-phones"]')?.getAttribute('content');
  if (phones == null) return 'Nobody sees your number, except members of Hubs that you join.';
  const hints = phones
    .split(',')
    .map((entry) => entry.trim().replace('*', '…').replace('=', ' have the code '));
  return `On this machine, phones like ${hints.join('; ')}.`;
}

function Code(props: { phoneNumber: string; resendAt: number; resend: () => void; change: () => void }) {
  const { phoneNumber, resendAt, resend, change } = props;
  const length = useLoginConfig().data?.otp.length ?? 4;
  const wait = useCountdown(resendAt);
  const verify = useMutation({
    mutationFn: async (code: string) => {
      const session = await opine.post('/auth/otp/verify', { body: { phoneNumber, code } });
      await opine.signIn(session);
      return session.user;
    },
    onSuccess: ({ level, fullName }) => {
      if (level < 3) navigate('/onboarding', { replace: true });
      else returnFromSignIn();
      say(fullName === null ? 'Welcome to Opine.' : `Welcome, ${fullName}.`);
    },
  });
  return (
    <Form label="Code" onSubmit={({ code = '' }) => verify.mutate(code)}>
      <Field label={`The code that ${phoneNumber} got`}>
        <input
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`[0-9]{${length}}`}
          title={`${length} digits`}
          required
        />
      </Field>
      <Button type="submit" kind="loud" disabled={verify.isPending}>
        Sign in
      </Button>
      <Button kind="quiet" disabled={wait > 0} onClick={resend}>
        {wait > 0 ? `Another code in ${durationOf(wait)}` : 'Send another code'}
      </Button>
      <Button kind="quiet" onClick={change}>
        Another phone
      </Button>
    </Form>
  );
}

const ONBOARDING = ['onboarding'];

/** The open step of onboarding. */
export function OnboardingPage() {
  const {
    data: status,
    error,
    refetch,
  } = useQuery({
    queryKey: ONBOARDING,
    queryFn: () => opine.get('/users/me/onboarding/status'),
  });
  if (status === undefined) {
    return (
      <Page title="Your account" back="/">
        {error === null ? <Loading /> : <Problem error={error} retry={refetch} />}
      </Page>
    );
  }
  return <Step status={status} />;
}

function Step({ status: { nextStep } }: { status: OnboardingStatus }) {
  if (nextStep === 'profile_basics') return <NameStep />;
  if (nextStep === 'media') return <PhotoStep />;
  if (nextStep === 'contacts') return <ContactsStep />;
  return (
    <Page title="You are ready" back="/">
      <p className="empty">
        {nextStep === 'phone' ? 'Sign in by phone to go on.' : 'Nothing is left to do.'}{' '}
        <a href="#/">To the feed</a>
      </p>
    </Page>
  );
}

const onStepDone = () => refresh(ONBOARDING, ['me']);

function NameStep() {
  const config = useLoginConfig().data;
  const [username, setUsername] = useState('');
  const [alternatives, setAlternatives] = useState<readonly string[]>([]);
  const check = async () => {
    if (username === '') return;
    const found = await opine.post('/users/handles/availability', { body: { username } }).catch(() => null);
    setAlternatives(found === null || found.available ? [] : found.alternatives);
  };
  const save = useMutation({
    mutationFn: (fullName: string) =>
      opine.put('/users/me/onboarding/profile-basics', {
        body: {
          fullName,
          username,
          termsAccepted: true,
          ...(config && { termsVersion: config.legal.termsVersion }),
        },
      }),
    onSuccess: onStepDone,
    onError: check,
  });
  return (
    <Page title="Who are you?">
      <Form onSubmit={({ fullName = '' }) => save.mutate(fullName)}>
        <Field label="Your name">
          <input name="fullName" autoComplete="name" minLength={2} maxLength={80} required />
        </Field>
        <Field label="Username" hint="3 to 30 letters, digits and underscores. You can change it later.">
          <input
            autoComplete="username"
            autoCapitalize="none"
            pattern="[a-z0-9_]{3,30}"
            value={username}
            onChange={({ target }) => setUsername(target.value.toLowerCase())}
            onBlur={check}
            required
          />
        </Field>
        {alternatives.length > 0 && (
          <p role="status">
            That one is taken or reserved. Free are:{' '}
            {alternatives.map((name) => (
              <Button key={name} kind="quiet" onClick={() => setUsername(name)}>
                {name}
              </Button>
            ))}
          </p>
        )}
        <label className="check">
          <input type="checkbox" required />
          <span>
            I accept the{' '}
            <a href={config?.legal.termsUrl} target="_blank" rel="noopener noreferrer">
              terms
            </a>{' '}
            and have read the{' '}
            <a href={config?.legal.privacyUrl} target="_blank" rel="noopener noreferrer">
              privacy policy
            </a>
            .
          </span>
        </label>
        <Button type="submit" kind="loud" disabled={save.isPending}>
          Go on
        </Button>
      </Form>
    </Page>
  );
}

function PhotoStep() {
  const [photo, setPhoto] = useState<Uploaded | null>(null);
  const save = useMutation({
    mutationFn: () =>
      opine.put('/users/me/onboarding/media', { body: { profileAssetId: photo?.assetId ?? null } }),
    onSuccess: () => {
      onStepDone();
      say('Your profile is complete.');
      returnFromSignIn();
    },
  });
  return (
    <Page title="Your photo">
      <Form onSubmit={() => save.mutate()}>
        <PicturePicker label="A photo of you, if you like" purpose="profile_photo" onUploaded={setPhoto} />
        {photo !== null && <Attached assets={[photo]} onRemove={() => setPhoto(null)} />}
        <Button type="submit" kind="loud" disabled={save.isPending}>
          {photo === null ? 'Go on without a photo' : 'Go on'}
        </Button>
      </Form>
    </Page>
  );
}

function ContactsStep() {
  const allow = useMutation({
    // A browser has no address book: there is a permission, and nothing to upload.
    mutationFn: () =>
      opine.put('/users/me/onboarding/contacts', { body: { permission: 'limited', contactCount: 0 } }),
    onSuccess: () => {
      onStepDone();
      refresh(['hubs']);
      say('You can join and found Hubs now.');
      navigate('/hubs', { replace: true });
    },
    onError: fail,
  });
  return (
    <Page title="People you know" back="/">
      <div className="empty">
        <p>
          Hubs are private groups of people who know each other. On a phone, Opine looks for them in your
          contacts.
        </p>
        <p>This browser has no contacts, so Opine reads none. You invite people by their numbers.</p>
        <Button kind="loud" onClick={() => allow.mutate()} disabled={allow.isPending}>
          Allow and go on
        </Button>
        <a className="button quiet" href="#/">
          Not now
        </a>
      </div>
    </Page>
  );
}
