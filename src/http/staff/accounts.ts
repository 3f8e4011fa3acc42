import { html } from 'hono/html';
import type { z } from 'zod';
import type { StaffAccount } from '../../contract/models/staff.ts';
import { type Html, may, type Viewer } from './layout.ts';
import { type Column, decision, table, time } from './pieces.ts';

type Account = z.infer<typeof StaffAccount>;

/** What is looked for: an account by `q`, and a Hub by its id. */
export interface Search {
  readonly q: string;
  readonly hubId: string;
}

/** The search for accounts and Hubs, and what of accounts was found; null where none was looked for. */
export function accountsView(viewer: Viewer, { q, hubId }: Search, items: readonly Account[] | null): Html {
  const isModerator = may(viewer, 'moderator');
  return html`
    <search><form method="get" action="/admin/accounts">
      <label for="q">Id, username, or whole phone (+…)</label>
      <input id="q" name="q" value="${q}" required maxlength="80" autocomplete="off" spellcheck="false" aria-describedby="noted">
      <button>Look up</button>
      <p id="noted" class="quiet">That you looked is written down.</p>
    </form></search>
    ${items && found(items, isModerator)}
    ${isModerator && hubForms(hubId)}`;
}

function found(items: readonly Account[], isModerator: boolean): Html {
  if (items.length === 0) return html`<p>There is no such account.</p>`;
  const columns: Column<Account>[] = [
    [
      'Who',
      ({ username, fullName }) => html`<p><strong>${fullName ?? 'Nobody by name'}</strong> ${username}</p>`,
    ],
    ['Phone', ({ phoneHint }) => phoneHint ?? 'none'],
    ['Since', ({ createdAt }) => time(createdAt)],
    ['Is', stateOf],
    ['Id', ({ userId }) => html`<code>${userId}</code>`],
  ];
  if (isModerator) columns.push(['Decide', toDecide]);
  return table('Accounts', columns, items, ({ userId }) => `account-${userId}`);
}

function stateOf({ endedAt, suspendedAt }: Account): Html {
  if (endedAt !== null) return html`ended ${time(endedAt)}`;
  return suspendedAt === null ? html`active` : html`suspended ${time(suspendedAt)}`;
}

function toDecide({ userId, username, endedAt, suspendedAt }: Account): Html | string {
  const path = `/admin/users/${userId}`;
  const about = `account of ${username ?? userId}`;
  if (suspendedAt !== null) return decision(userId, about, [[`${path}/restore`, 'Restore']]);
  return endedAt === null ? decision(userId, about, [[`${path}/suspend`, 'Suspend']]) : 'Nothing.';
}

function hubForms(hubId: string): Html {
  return html`
    <h2>A Hub by its id</h2>
    <search><form method="get" action="/admin/accounts">
      <label for="hub">Id</label>
      <input id="hub" name="hub" value="${hubId}" required maxlength="36" autocomplete="off" spellcheck="false">
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
