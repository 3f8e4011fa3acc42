import { html } from 'hono/html';
import type { z } from 'zod';
import type { StaffAccount } from '../domains/moderation/schemas.ts';
import { type Html, may, type Viewer } from './layout.ts';
import { type Choice, type Column, decision, field, table, time } from './pieces.ts';

type Account = z.infer<typeof StaffAccount>;

/** What was looked for, and what was found of it. */
export interface Search {
  /** The text by which accounts were looked for. */
  readonly q?: string;
  /** The Hub to decide about. */
  readonly hubId?: string;
  /** The accounts that were found, where any were looked for. */
  readonly items?: readonly Account[] | undefined;
  /** The whole phone of the one account, where it was asked for. */
  readonly phoneNumber?: string | null;
}

/** The search for accounts and Hubs, and what was found. */
export function accountsView(viewer: Viewer, { q = '', hubId = '', items, phoneNumber }: Search): Html {
  const isModerator = may(viewer, 'moderator');
  return html`
    <search><form method="post" action="/admin/accounts">
      ${field({ name: 'q', label: 'Id, username, or whole phone (+…)', value: q, maxLength: 80, isRequired: true })}
      <button>Look up</button>
      <p class="quiet noted">That you looked is written down.</p>
    </form></search>
    ${items && found(items, isModerator, phoneNumber ?? null)}
    ${isModerator && hubForms(hubId)}`;
}

function found(items: readonly Account[], isModerator: boolean, phoneNumber: string | null): Html {
  if (items.length === 0) return html`<p>There is no such account.</p>`;
  const columns: readonly Column<Account>[] = [
    [
      'Who',
      ({ username, fullName }) => html`<p><strong>${fullName ?? 'Nobody by name'}</strong> ${username}</p>`,
    ],
    ['Phone', ({ phoneHint }) => (phoneNumber === null ? (phoneHint ?? 'none') : unmasked(phoneNumber))],
    ['Since', ({ createdAt }) => time(createdAt)],
    ['Is', stateOf],
    ['Id', ({ userId }) => html`<code>${userId}</code>`],
    ['Decide', (account) => toDecide(account, isModerator)],
  ];
  return table('Accounts', columns, items, ({ userId }) => `account-${userId}`);
}

// Focused, as what was asked for.
function unmasked(phoneNumber: string): Html {
  return html`<strong role="status" tabindex="-1" autofocus>${phoneNumber}</strong>`;
}

function stateOf({ endedAt, suspendedAt }: Account): Html {
  if (endedAt !== null) return html`ended ${time(endedAt)}`;
  return suspendedAt === null ? html`active` : html`suspended ${time(suspendedAt)}`;
}

function toDecide(account: Account, isModerator: boolean): Html | string {
  const { userId, username, phoneHint } = account;
  const path = `/admin/users/${userId}`;
  const choices: Choice[] = phoneHint === null ? [] : [[path, 'Show the phone']];
  if (isModerator) choices.push(...decisionsAbout(account, path));
  const [first, ...others] = choices;
  if (first === undefined) return 'Nothing.';
  return decision(userId, `account of ${username ?? userId}`, [first, ...others]);
}

function decisionsAbout({ endedAt, suspendedAt }: Account, path: string): Choice[] {
  if (suspendedAt !== null) return [[`${path}/restore`, 'Restore']];
  return endedAt === null ? [[`${path}/suspend`, 'Suspend']] : [];
}

function hubForms(hubId: string): Html {
  return html`
    <h2>A Hub by its id</h2>
    <search><form method="get" action="/admin/accounts">
      ${field({ name: 'hub', label: 'Id', value: hubId, maxLength: 36, isRequired: true })}
      <button>Decide about it</button>
    </form></search>
    ${
      hubId !== '' &&
      decision(hubId, `Hub ${hubId}`, [
        [`/admin/hubs/${hubId}/suspend`, 'Suspend'],
        [`/admin/hubs/${hubId}/restore`, 'Restore'],
      ])
    }`;
}
