import { html } from 'hono/html';
import type { z } from 'zod';
import type { BlockedTerms, DefaultFeedUsers } from '../domains/moderation/schemas.ts';
import { type Html, may, type Viewer } from './layout.ts';
import { type Column, field, table, time } from './pieces.ts';

/** Renders the default feed users, for admins with a form to change them. */
export function defaultFeedUsersView(viewer: Viewer, { items }: z.infer<typeof DefaultFeedUsers>): Html {
  const columns: readonly Column<(typeof items)[number]>[] = [
    [
      'Person',
      ({ userId, username, fullName }) =>
        html`<a href="/admin/users/${userId}">${fullName ?? 'No name'}</a> ${username}`,
    ],
    ['Since', ({ addedAt }) => time(addedAt)],
  ];
  return html`
    <p>Their public posts fill the feed of people who follow nobody yet.</p>
    ${items.length === 0 ? html`<p>There are none.</p>` : table('Default feed users', columns, items, ({ userId }) => `user-${userId}`)}
    ${may(viewer, 'admin') && changes('/admin/default-feed-users', { name: 'username', label: 'Username', maxLength: 31 })}`;
}

/** Renders the blocked terms with a form to change them. */
export function blockedTermsView({ items }: z.infer<typeof BlockedTerms>): Html {
  const columns: readonly Column<(typeof items)[number]>[] = [
    ['Term', ({ term }) => html`<strong>${term}</strong>`],
    ['Since', ({ addedAt }) => time(addedAt)],
  ];
  return html`
    <p>A text with one of these words or phrases is published, and reported by the service.</p>
    ${items.length === 0 ? html`<p>There are none.</p>` : table('Blocked terms', columns, items, ({ term }) => `term-${term.replaceAll(/\W/g, '-')}`)}
    ${changes('/admin/blocked-terms', { name: 'term', label: 'Word or phrase', maxLength: 100 })}`;
}

function changes(
  path: string,
  item: { readonly name: string; readonly label: string; readonly maxLength: number },
): Html {
  return html`
    <h2>Change the list</h2>
    <form class="decision" method="post" action="${path}/add">
      ${field({ ...item, value: '', isRequired: true })}
      ${field({ name: 'reason', label: 'Reason', value: '', maxLength: 500, isRequired: true })}
      <div class="buttons"><button>Add</button><button formaction="${path}/remove">Remove</button></div>
    </form>`;
}
