import type { ReportReason } from '@opine/client';
import { BlockedIcon, FlagIcon } from '@primer/octicons-react';
import { done, type Fields, opine, useSubmit } from './api.ts';
import { Choice, Field, Form } from './form.tsx';
import { Confirm, Sheet, useFinish } from './sheet.tsx';

type Body = { reason: ReportReason; details: string | null };

/** Sends a report, by what it is about. */
const SEND = {
  person: (userId: string, body: Body) =>
    opine.post('/reports/users/{userId}', { params: { path: { userId } }, body }),
  post: (postId: string, body: Body) =>
    opine.post('/reports/posts/{postId}', { params: { path: { postId } }, body }),
  Hub: (hubId: string, body: Body) =>
    opine.post('/reports/hubs/{hubId}', { params: { path: { hubId } }, body }),
  comment: (commentId: string, body: Body) =>
    opine.post('/reports/comments/{commentId}', { params: { path: { commentId } }, body }),
  message: (messageId: string, body: Body) =>
    opine.post('/reports/messages/{messageId}', { params: { path: { messageId } }, body }),
};

/** The reasons of reports and of decisions, as people say them. */
export const REASONS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam or advertising',
  harassment: 'Harassment or bullying',
  hate: 'Hate',
  violence: 'Violence or threats',
  nudity: 'Nudity',
  misinformation: 'False information',
  impersonation: 'Somebody pretends to be somebody else',
  other: 'Something else',
};

type Reportable = { kind: keyof typeof SEND; id: string };

/** Reports something to the staff. */
export function Report({ kind, id }: Reportable) {
  return (
    <Sheet title={`Report this ${kind}`} icon={FlagIcon} button={`Report this ${kind}`} hasForm>
      <ReportForm kind={kind} id={id} />
    </Sheet>
  );
}

function ReportForm({ kind, id }: Reportable) {
  const finish = useFinish();
  const send = useSubmit(
    ({ reason, details }: Fields) =>
      SEND[kind](id, { reason: reason as ReportReason, details: details ?? null }),
    () => {
      done('Thank you. Our staff look at it. Settings show what comes of it.', [['reports']])();
      finish();
    },
  );
  return (
    <Form label="Report" run={send} submit="Send the report">
      <p className="hint">Nobody learns that you report it.</p>
      <Choice label="What is wrong with it?" name="reason" options={REASONS} />
      <Field label="What should our staff know?" name="details" rows={3} maxLength={1000} />
    </Form>
  );
}

/** Blocks a person, after a question. */
export function Block({ id, name }: { id: string; name: string }) {
  const block = useSubmit(
    () => opine.post('/users/{userId}/block', { params: { path: { userId: id } } }),
    // Their posts and comments are gone everywhere.
    done(`${name} is blocked.`, [[]]),
  );
  return (
    <Confirm title={`Block ${name}?`} icon={BlockedIcon} button={`Block ${name}`} answer="Block" run={block}>
      <p>
        You no longer see each other's posts and comments, and you no longer follow each other. Nobody tells{' '}
        {name}. You can unblock in the settings.
      </p>
    </Confirm>
  );
}
