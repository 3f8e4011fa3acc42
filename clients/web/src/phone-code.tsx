import { isOpineError } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Fields } from './api.ts';
import { durationOf, messageOf } from './errors.ts';
import { Field, Form } from './form.tsx';
import { Button } from './ui.tsx';

interface PhoneCodeProps {
  readonly label: string;
  /** Requests a code for a phone. */
  readonly send: (body: {
    phoneNumber: string;
  }) => Promise<{ phoneNumber: string; resendAfterSeconds: number }>;
  /** The field of the phone. */
  readonly field: ReactNode;
  /** Returns the form of the code. */
  readonly children: (phoneNumber: string) => ReactNode;
}

/** Proves a phone: its number first, and then the code that it gets. */
export function PhoneCode({ label, send, field, children }: PhoneCodeProps) {
  const [phoneNumber, setPhoneNumber] = useState<string | null>(null);
  const [resendAt, setResendAt] = useState(0);
  const expectCode = (phone: string, waitSeconds: number) => {
    setPhoneNumber(phone);
    setResendAt(Date.now() + waitSeconds * 1000);
  };
  const request = useMutation({
    mutationFn: ({ phoneNumber: phone = '' }: Fields) => send({ phoneNumber: phone }),
    meta: { isInPlace: true },
    onSuccess: (sent) => expectCode(sent.phoneNumber, sent.resendAfterSeconds),
    onError: (error, { phoneNumber: phone = '' }) => {
      // A phone that must wait may have a code already, which still counts.
      if (isOpineError(error, 'RATE_LIMITED')) expectCode(phone, error.retryAfterSeconds ?? 60);
    },
  });
  if (phoneNumber === null) {
    return (
      <Form label={label} run={request} submit="Send me a code">
        {field}
      </Form>
    );
  }
  const { error } = request;
  const startAnew = () => {
    request.reset();
    setPhoneNumber(null);
  };
  return (
    <>
      <p className="wrong" role="alert">
        {error && messageOf(error)}
        {isOpineError(error, 'RATE_LIMITED') && ' If you have a code already, it still counts.'}
      </p>
      {children(phoneNumber)}
      <div className="row">
        <Resend at={resendAt} onClick={() => request.mutate({ phoneNumber })} />
        <Button onClick={startAnew}>Another phone</Button>
      </div>
    </>
  );
}

/** The field of a code. */
export function CodeField({ phoneNumber }: { phoneNumber: string }) {
  const label = `The code for ${phoneNumber}`;
  return <Field label={label} name="code" inputMode="numeric" autoComplete="one-time-code" required />;
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
