import type { ModerationDecision, OwnReport } from '@opine/client';
import { useState } from 'react';
import { done, type Fields, opine, type Run, useList, useSubmit } from './api.ts';
import { Field, Form } from './form.tsx';
import { REASONS } from './report.tsx';
import { dayOf, Items, Page, Tabs } from './ui.tsx';

const VIEWS = { '/decisions': 'Decisions about you', '/reports': 'Your reports' };

const TARGETS = {
  user: 'account',
  post: 'post',
  comment: 'comment',
  message: 'message',
  hub: 'Hub',
} as const;

/** The decisions of staff that concern the signed-in person, each with its reasons and a way to appeal. */
export function DecisionsPage() {
  const list = useList(['decisions'], (query) =>
    opine.get('/users/me/moderation-decisions', { params: { query } }),
  );
  return (
    <Page title="Moderation" back="/settings">
      <Tabs views={VIEWS} />
      <Items list={list} empty="No decision of our staff concerns you.">
        {(decision) => <Decision decision={decision} />}
      </Items>
    </Page>
  );
}

function titleOf({ action, target }: ModerationDecision): string {
  if (action === 'account_suspended') return 'Your account was suspended';
  if (action === 'hub_suspended') return 'A Hub of yours was suspended';
  return `Your ${TARGETS[target.type]} was removed`;
}

function Decision({ decision }: { decision: ModerationDecision }) {
  const { id, reason, statement, target, decidedAt, appeal } = decision;
  const send = useSubmit(
    ({ text = '' }: Fields) =>
      opine.post('/moderation-decisions/{decisionId}/appeal', {
        params: { path: { decisionId: id } },
        body: { text },
      }),
    done(APPEALED, [['decisions']]),
  );
  return (
    <article className="card" aria-label={titleOf(decision)}>
      <h2>{titleOf(decision)}</h2>
      <p className="hint">
        {dayOf(decidedAt)} · {REASONS[reason]}
      </p>
      {target.excerpt !== '' && <blockquote className="text">{target.excerpt}</blockquote>}
      <h3>Statement of reasons</h3>
      <p className="text">{statement}</p>
      {appeal === null ? (
        <details>
          <summary>Appeal</summary>
          <AppealForm run={send} />
        </details>
      ) : (
        <>
          <h3>Your appeal</h3>
          <p className="text">{appeal.text}</p>
          <p>{OUTCOMES[appeal.state]}</p>
        </>
      )}
    </article>
  );
}

const APPEALED = 'Your appeal is open. Somebody else of our staff decides about it.';

const OUTCOMES = {
  open: APPEALED,
  upheld: 'We have looked again. The decision stays.',
  reversed: 'We have looked again. The decision is taken back.',
};

function AppealForm({ run }: { run: Run<Fields> }) {
  return (
    <Form label="Appeal" run={run} submit="Send the appeal">
      <Field
        label="Why is the decision wrong?"
        hint="You can appeal once, within 180 days."
        name="text"
        rows={4}
        maxLength={2000}
        required
      />
    </Form>
  );
}

/** What sign-in tells of a suspension. */
export interface Suspension {
  readonly statement: string;
  readonly appealToken: string;
  /** What has come of the appeal; null without one. */
  readonly appealState: keyof typeof OUTCOMES | null;
}

/** Returns the suspension in the details of an error; null without one. */
export function suspensionOf(details: Readonly<Record<string, unknown>>): Suspension | null {
  const { statement, appealToken, appealState = null } = details as Partial<Suspension>;
  if (statement === undefined || appealToken === undefined) return null;
  return { statement, appealToken, appealState };
}

/** What a suspended person sees at sign-in: why, and a way to appeal without a session. */
export function Suspended({ suspension }: { suspension: Suspension }) {
  const { statement, appealToken } = suspension;
  const [state, setState] = useState(suspension.appealState);
  const send = useSubmit(
    ({ text = '' }: Fields) => opine.post('/moderation-appeals', { body: { appealToken, text } }),
    () => setState('open'),
  );
  return (
    <section className="card" aria-labelledby="suspended">
      <h2 id="suspended">Your account is suspended</h2>
      <h3>Statement of reasons</h3>
      <p className="text">{statement}</p>
      <p role="status">
        {state !== null && OUTCOMES[state]}
        {state === 'open' && ' Sign in again to see what comes of it.'}
      </p>
      {state === null && <AppealForm run={send} />}
    </section>
  );
}

const STATES: Readonly<Record<OwnReport['state'], string>> = {
  open: 'Our staff have not decided yet.',
  actioned: 'Our staff have acted on it.',
  dismissed: 'Our staff have found nothing against the rules.',
};

/** What became of the reports of the signed-in person. */
export function ReportsPage() {
  const list = useList(['reports'], async (query) => {
    const { items, nextCursor } = await opine.get('/users/me/reports', { params: { query } });
    return { items: items.map((report) => ({ ...report, id: report.reportId })), nextCursor };
  });
  return (
    <Page title="Moderation" back="/settings">
      <Tabs views={VIEWS} />
      <Items list={list} empty="You have reported nothing.">
        {({ target, reason, state, createdAt }) => (
          <div className="card">
            <strong>
              A {target.type === 'user' ? 'person' : TARGETS[target.type]}: {REASONS[reason]}
            </strong>
            <p>{STATES[state]}</p>
            <p className="hint">{dayOf(createdAt)}</p>
          </div>
        )}
      </Items>
    </Page>
  );
}
