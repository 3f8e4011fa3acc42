import { html } from 'hono/html';
import type { z } from 'zod';
import type { DeadLetter, StaffHealth, StaffNumbers } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';
import { button, type Column, nextLink, table, time, withCursor } from './pieces.ts';

type Letter = z.infer<typeof DeadLetter>;

/** Renders the list of dead letters. */
export function deadLettersView(
  { items, nextCursor }: { readonly items: readonly Letter[]; readonly nextCursor: string | null },
  cursor: string | undefined,
): Html {
  if (items.length === 0) return html`<p>Everything could be sent.</p>`;
  const columns: readonly Column<Letter>[] = [
    ['Type', ({ type }) => type.replaceAll('_', ' ')],
    [
      'Recipient',
      ({ recipientId, channel }) => html`<a href="/admin/users/${recipientId}">account</a>, by ${channel}`,
    ],
    ['Failure', ({ failure, attemptCount }) => html`<code>${failure}</code> after ${attemptCount} attempts`],
    ['Given up', ({ diedAt }) => time(diedAt)],
    [
      'Action',
      ({ deadLetterId, type }) =>
        button(withCursor(`/admin/dead-letters/${deadLetterId}/requeue`, cursor), 'Send again', type),
    ],
  ];
  return html`${table(
    'Dead letters, oldest first',
    columns,
    items,
    ({ deadLetterId }) => `letter-${deadLetterId}`,
  )}
    ${nextLink('/admin/dead-letters', nextCursor)}`;
}

/** Renders the backlog of workers and staff. */
export function healthView(health: z.infer<typeof StaffHealth>): Html {
  const rows: readonly (readonly [string, string, string])[] = [
    ['Outbox', `${health.outboxCount}`, 'notifications that wait for delivery'],
    [
      'Outbox overdue',
      `${health.outboxAgeSeconds} s`,
      'age of the oldest; above a minute, workers are behind or none runs',
    ],
    ['Pushes', `${health.pushCount}`, 'push messages that wait for a retry'],
    ['Dead letters', `${health.deadLetterCount}`, 'notifications whose delivery failed'],
    [
      'Votes unfolded',
      `${health.unfoldedVoteAgeMinutes} min`,
      'age of the oldest; above two minutes, the fold is behind',
    ],
    ['Account deletions', `${health.accountDeletionCount}`, 'ended accounts with data left to remove'],
    ['Open reports', `${health.openReportCount}`, 'reports that wait for a decision'],
  ];
  return html`<dl>${rows.map(
    ([name, value, meaning]) =>
      html`<div><dt>${name}</dt><dd><strong>${value}</strong> <span class="quiet">${meaning}</span></dd></div>`,
  )}</dl>`;
}

/** Renders the numbers of the day, for the first page of a role. */
export function numbersView({
  peopleCount,
  postCount,
  voteCount,
  openReportCount,
}: z.infer<typeof StaffNumbers>): Html {
  const numbers: readonly (readonly [string, number])[] = [
    ['people joined', peopleCount],
    ['posts', postCount],
    ['votes', voteCount],
    ['open reports', openReportCount],
  ];
  return html`
    <section aria-labelledby="today">
      <h2 id="today">Today</h2>
      <dl class="numbers">${numbers.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      <p class="quiet noted">Since midnight in UTC; votes until the last full hour.</p>
    </section>`;
}

/** Renders an error. */
export function errorView(message: string): Html {
  return html`<p>${message}</p><p><a href="/admin">Back to the start page</a></p>`;
}
