import { html } from 'hono/html';
import type { z } from 'zod';
import type { DeadLetter, StaffHealth } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';
import { backTo, button, type Column, more, table, time } from './pieces.ts';

type Letter = z.infer<typeof DeadLetter>;

/** What could not be sent. */
export function deadLettersView(
  { items, nextCursor }: { readonly items: readonly Letter[]; readonly nextCursor: string | null },
  cursor: string | undefined,
): Html {
  if (items.length === 0) return html`<p>Everything could be sent.</p>`;
  const columns: readonly Column<Letter>[] = [
    ['What', ({ type }) => type.replaceAll('_', ' ')],
    [
      'To',
      ({ recipientId, channel }) => html`<a href="/admin/users/${recipientId}">recipient</a>, by ${channel}`,
    ],
    ['Failed', ({ failure, attemptCount }) => html`<code>${failure}</code> after ${attemptCount} tries`],
    ['Given up', ({ diedAt }) => time(diedAt)],
    [
      'Do',
      ({ deadLetterId, type }) =>
        button(backTo(`/admin/dead-letters/${deadLetterId}/requeue`, cursor), 'Send once more', type),
    ],
  ];
  return html`${table(
    'Notifications that could not be sent, oldest first',
    columns,
    items,
    ({ deadLetterId }) => `letter-${deadLetterId}`,
  )}
    ${more('/admin/dead-letters', nextCursor)}`;
}

/** How the work that waits stands. */
export function healthView(health: z.infer<typeof StaffHealth>): Html {
  const rows: readonly (readonly [string, string, string])[] = [
    ['Outbox', `${health.outboxCount}`, 'notifications to tell people of'],
    [
      'Outbox overdue',
      `${health.outboxAgeSeconds} s`,
      'for the longest; beyond a minute workers are behind, or none runs',
    ],
    ['Pushes', `${health.pushCount}`, 'messages to devices that are tried again'],
    ['Dead letters', `${health.deadLetterCount}`, 'notifications given up'],
    [
      'Votes unfolded',
      `${health.unfoldedVoteAgeMinutes} min`,
      'the age of the oldest; beyond two minutes the fold is behind',
    ],
    ['Departures', `${health.accountDeletionCount}`, 'ended accounts of which something is left to remove'],
    ['Open reports', `${health.openReportCount}`, 'to decide about'],
  ];
  return html`<dl>${rows.map(
    ([name, value, meaning]) =>
      html`<div><dt>${name}</dt><dd><strong>${value}</strong> <span class="quiet">${meaning}</span></dd></div>`,
  )}</dl>`;
}

/** What is said where a page cannot be shown. */
export function errorView(message: string): Html {
  return html`<p>${message}</p><p><a href="/admin">Back to the pages</a></p>`;
}
