import { html } from 'hono/html';
import type { z } from 'zod';
import { type AuditLogEntry, type StaffMembers, StaffRole } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';
import { type Column, field, nextLink, select, table, time } from './pieces.ts';

type Member = z.infer<typeof StaffMembers>['items'][number];
type Entry = z.infer<typeof AuditLogEntry>;

/** Renders who is staff, with forms to admit and dismiss. */
export function staffView({ items, configuredEmails }: z.infer<typeof StaffMembers>): Html {
  const columns: readonly Column<Member>[] = [
    ['Person', ({ email }) => html`<p><strong>${email}</strong></p>`],
    ['Role', ({ role }) => role],
    ['SQL logins', ({ logins }) => (logins.length === 0 ? 'none' : html`<code>${logins.join(', ')}</code>`)],
    ['Since', ({ addedAt }) => time(addedAt)],
    ['Dismiss', dismissCell],
  ];
  return html`
    ${items.length === 0 ? html`<p>Nobody is listed.</p>` : table('People on the list', columns, items, ({ email }) => `staff-${idOf(email)}`)}
    ${configuredEmails.length > 0 && html`<p>Admins by the configuration of the service: ${configuredEmails.join(', ')}.</p>`}
    <h2>Admit, or change a role</h2>
    <form class="decision" method="post" action="/admin/staff/admit">
      ${field({ name: 'email', label: 'E-mail of the workspace', value: '', maxLength: 320, isRequired: true, type: 'email' })}
      ${select({ id: 'role', name: 'role', label: 'Role', options: StaffRole.options, chosen: '', none: 'Choose a role', isRequired: true })}
      ${field({ name: 'reason', label: 'Reason', value: '', maxLength: 500, isRequired: true })}
      <div class="buttons"><button>Admit</button></div>
    </form>
    <p class="quiet">Support looks up accounts. Moderators decide reports and appeals, too. Admins also decide who is staff.</p>`;
}

function dismissCell({ email }: Member): Html {
  const id = `reason-${idOf(email)}`;
  return html`<details>
    <summary>Dismiss</summary>
    <form class="decision" method="post" action="/admin/staff/dismiss">
      <input type="hidden" name="email" value="${email}">
      <label for="${id}">Reason</label>
      <input id="${id}" name="reason" required maxlength="500" autocomplete="off">
      <div class="buttons"><button aria-label="Dismiss: ${email}">Dismiss</button></div>
    </form>
  </details>`;
}

/** Two e-mails never share an id. */
function idOf(email: string): string {
  return Buffer.from(email).toString('hex');
}

/** Renders the audit log. */
export function auditLogView({
  items,
  nextCursor,
}: {
  readonly items: readonly Entry[];
  readonly nextCursor: string | null;
}): Html {
  const columns: readonly Column<Entry>[] = [
    ['When', ({ occurredAt }) => time(occurredAt)],
    ['Who', ({ actor }) => actor ?? 'unknown'],
    ['Action', ({ action }) => html`<strong>${action.replaceAll('_', ' ')}</strong>`],
    ['Details', ({ details }) => html`${Object.entries(details).map(detailView)}`],
  ];
  if (items.length === 0) return html`<p>There are no entries.</p>`;
  return html`
    ${table('Actions of staff, newest first', columns, items, ({ entryId }) => `entry-${entryId}`)}
    ${nextLink('/admin/audit-log', nextCursor)}`;
}

function detailView([name, value]: [string, unknown]): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return html`<p><span class="quiet">${name}</span> ${text}</p>`;
}
