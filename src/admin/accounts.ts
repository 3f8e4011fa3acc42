import { html } from 'hono/html';
import type { z } from 'zod';
import type { AccountHistory, StaffAccount } from '../domains/moderation/schemas.ts';
import { type Html, may, type Viewer } from './layout.ts';
import {
  type Choice,
  type Column,
  decision,
  field,
  HUB_SUSPENSION,
  SUSPENSION,
  statement,
  table,
  time,
} from './pieces.ts';

type Account = z.infer<typeof StaffAccount>;

/** A search for accounts or a Hub, with its results. */
export interface Search {
  /** The text of the search. */
  readonly q?: string;
  /** The Hub to suspend or restore. */
  readonly hubId?: string;
  /** The found accounts; undefined without a search. */
  readonly items?: readonly Account[] | undefined;
  /** The full phone number of the only account, after unmasking. */
  readonly phoneNumber?: string | null;
}

/** Renders the search for accounts and Hubs with its results. */
export function accountsView(viewer: Viewer, { q = '', hubId = '', items, phoneNumber }: Search): Html {
  const isModerator = may(viewer, 'moderator');
  return html`
    <search><form method="post" action="/admin/accounts">
      ${field({ name: 'q', label: 'Id, username, or full phone number (+…)', value: q, maxLength: 80, isRequired: true })}
      <button>Look up</button>
      <p class="quiet noted">The audit log records this search.</p>
    </form></search>
    ${items && resultsTable(items, isModerator, phoneNumber ?? null)}
    ${isModerator && hubForms(hubId)}`;
}

function resultsTable(items: readonly Account[], isModerator: boolean, phoneNumber: string | null): Html {
  if (items.length === 0) return html`<p>There is no such account.</p>`;
  const columns: readonly Column<Account>[] = [
    [
      'Account',
      ({ username, fullName }) => html`<p><strong>${fullName ?? 'No name'}</strong> ${username}</p>`,
    ],
    ['Phone', ({ phoneHint }) => (phoneNumber === null ? (phoneHint ?? 'none') : fullPhone(phoneNumber))],
    ['Created', ({ createdAt }) => time(createdAt)],
    ['State', renderState],
    ['Id', ({ userId }) => html`<code>${userId}</code>`],
    ['Decide', (account) => decideCell(account, isModerator)],
  ];
  return table('Accounts', columns, items, ({ userId }) => `account-${userId}`);
}

// Focus moves to the result of the form.
function fullPhone(phoneNumber: string): Html {
  return html`<strong role="status" tabindex="-1" autofocus>${phoneNumber}</strong>`;
}

function renderState({ endedAt, suspendedAt }: Account): Html {
  if (endedAt !== null) return html`ended ${time(endedAt)}`;
  return suspendedAt === null ? html`active` : html`suspended ${time(suspendedAt)}`;
}

function decideCell(account: Account, isModerator: boolean): Html | string {
  const { userId, username, phoneHint, endedAt, suspendedAt } = account;
  const path = `/admin/users/${userId}`;
  const about = `account of ${username ?? userId}`;
  const choices: Choice[] = phoneHint === null ? [] : [[path, 'Show the phone']];
  if (isModerator && suspendedAt !== null) choices.push([`${path}/restore`, 'Restore']);
  const [first, ...others] = choices;
  const canSuspend = isModerator && suspendedAt === null && endedAt === null;
  if (first === undefined && !isModerator) return 'No action available.';
  return html`
    ${first !== undefined && decision(userId, about, [first, ...others])}
    ${canSuspend && statement(userId, about, [[`${path}/suspend`, 'Suspend', SUSPENSION]])}
    ${isModerator && html`<p><a href="${path}/history">Reports and decisions</a></p>`}`;
}

/** Renders the reports about and by an account, and the decisions that concern it. */
export function historyView(userId: string, history: z.infer<typeof AccountHistory>): Html {
  const { reportsAbout, reportsBy, decisions } = history;
  type PastReport = (typeof reportsAbout)[number];
  const reportColumns: readonly Column<PastReport>[] = [
    [
      'What',
      ({ target }) =>
        html`<p><strong>${target.type}</strong></p><blockquote>${target.excerpt || 'Without text.'}</blockquote>`,
    ],
    ['Reason', ({ reason }) => reason],
    ['Outcome', ({ state }) => state],
    ['Reported', ({ createdAt }) => time(createdAt)],
  ];
  const decisionColumns: readonly Column<(typeof decisions)[number]>[] = [
    [
      'Decision',
      ({ action, target }) =>
        html`<p><strong>${action.replaceAll('_', ' ')}</strong></p><blockquote>${target.excerpt || 'Without text.'}</blockquote>`,
    ],
    ['Statement', ({ reason, statement: text }) => html`<p>${reason}</p><blockquote>${text}</blockquote>`],
    ['Decided', ({ decidedBy, decidedAt }) => html`${decidedBy}, ${time(decidedAt)}`],
    ['Taken back', ({ reversedAt }) => (reversedAt === null ? 'no' : time(reversedAt))],
  ];
  const reports = (caption: string, items: readonly PastReport[]) =>
    items.length === 0
      ? html`<p>${caption}: none.</p>`
      : table(caption, reportColumns, items, ({ target, createdAt }) =>
          `${caption}-${target.id}-${createdAt}`.replaceAll(/\W/g, '-'),
        );
  return html`
    <p><a href="/admin/users/${userId}">The account</a></p>
    ${
      decisions.length === 0
        ? html`<p>Decisions: none.</p>`
        : table('Decisions', decisionColumns, decisions, ({ decisionId }) => `decision-${decisionId}`)
    }
    ${reports('Reports about the account, its posts, comments and messages', reportsAbout)}
    ${reports('Reports by the account', reportsBy)}`;
}

function hubForms(hubId: string): Html {
  return html`
    <h2>Hub by id</h2>
    <search><form method="get" action="/admin/accounts">
      ${field({ name: 'hub', label: 'Id', value: hubId, maxLength: 36, isRequired: true })}
      <button>Show the actions</button>
    </form></search>
    ${
      hubId !== '' &&
      html`${statement(hubId, `Hub ${hubId}`, [[`/admin/hubs/${hubId}/suspend`, 'Suspend', HUB_SUSPENSION]])}
        ${decision(hubId, `Hub ${hubId}`, [[`/admin/hubs/${hubId}/restore`, 'Restore']])}`
    }`;
}
