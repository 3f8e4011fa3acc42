import { html } from 'hono/html';
import type { z } from 'zod';
import type { StaffAccount } from '../domains/moderation/schemas.ts';
import { type Html, may, type Viewer } from './layout.ts';
import { type Choice, type Column, decision, field, table, time } from './pieces.ts';

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
    ['State', stateOf],
    ['Id', ({ userId }) => html`<code>${userId}</code>`],
    ['Decide', (account) => decideCell(account, isModerator)],
  ];
  return table('Accounts', columns, items, ({ userId }) => `account-${userId}`);
}

// Focus moves to the result of the form.
function fullPhone(phoneNumber: string): Html {
  return html`<strong role="status" tabindex="-1" autofocus>${phoneNumber}</strong>`;
}

function stateOf({ endedAt, suspendedAt }: Account): Html {
  if (endedAt !== null) return html`ended ${time(endedAt)}`;
  return suspendedAt === null ? html`active` : html`suspended ${time(suspendedAt)}`;
}

function decideCell(account: Account, isModerator: boolean): Html | string {
  const { userId, username, phoneHint } = account;
  const path = `/admin/users/${userId}`;
  const choices: Choice[] = phoneHint === null ? [] : [[path, 'Show the phone']];
  if (isModerator) choices.push(...decisionsOn(account, path));
  const [first, ...others] = choices;
  if (first === undefined) return 'No action available.';
  return decision(userId, `account of ${username ?? userId}`, [first, ...others]);
}

function decisionsOn({ endedAt, suspendedAt }: Account, path: string): Choice[] {
  if (suspendedAt !== null) return [[`${path}/restore`, 'Restore']];
  return endedAt === null ? [[`${path}/suspend`, 'Suspend']] : [];
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
      decision(hubId, `Hub ${hubId}`, [
        [`/admin/hubs/${hubId}/suspend`, 'Suspend'],
        [`/admin/hubs/${hubId}/restore`, 'Restore'],
      ])
    }`;
}
