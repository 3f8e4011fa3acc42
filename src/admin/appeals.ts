import { html } from 'hono/html';
import type { z } from 'zod';
import type { OpenAppeal } from '../domains/moderation/schemas.ts';
import type { Html, Viewer } from './layout.ts';
import { button, type Choice, type Column, confirmed, nextLink, table, time, withCursor } from './pieces.ts';

type Appeal = z.infer<typeof OpenAppeal>;

/** Renders the queue of appeals. Who took a decision may not decide the appeal against it. */
export function appealsView(
  viewer: Viewer,
  { items, nextCursor }: { readonly items: readonly Appeal[]; readonly nextCursor: string | null },
  cursor: string | undefined,
): Html {
  if (items.length === 0) return html`<p>There are no open appeals.</p>`;
  const columns: readonly Column<Appeal>[] = [
    ['Decision', decisionCell],
    [
      'Appeal',
      ({ text, appealedAt }) =>
        html`<blockquote>${text}</blockquote><p class="quiet">${time(appealedAt)}</p>`,
    ],
    ['Decide', (appeal) => decideCell(viewer, appeal, cursor)],
  ];
  return html`${table('Open appeals, oldest first', columns, items, ({ decisionId }) => `appeal-${decisionId}`)}
    ${nextLink('/admin/appeals', nextCursor)}`;
}

function decisionCell(appeal: Appeal): Html {
  const { action, reason, statement, target, content, reportId, decidedBy, decidedAt } = appeal;
  return html`<p><strong>${action.replaceAll('_', ' ')}</strong>: ${target.type}, ${reason}</p>
    <blockquote>${content || target.excerpt || 'Without text.'}</blockquote>
    <p>${statement}</p>
    <p class="quiet">${decidedBy}, ${time(decidedAt)}</p>
    ${reportId !== null && button(`/admin/reports/${reportId}/media`, 'Pictures and documents', target.excerpt)}`;
}

function decideCell(
  viewer: Viewer,
  { decisionId, decidedBy, target }: Appeal,
  cursor: string | undefined,
): Html {
  if (decidedBy === viewer.email)
    return html`<p>You took the decision: somebody else decides the appeal.</p>`;
  const action = withCursor(`/admin/appeals/${decisionId}/decide`, cursor);
  const choices: readonly Choice[] = [
    [action, 'Uphold', 'keeps the decision: content that it removed is erased.', 'upheld'],
    [action, 'Reverse', 'takes the decision back: what it hid is visible again.', 'reversed'],
  ];
  return html`
    <form class="decision" method="post" action="${action}">
      <label for="statement-${decisionId}">Why</label>
      <textarea id="statement-${decisionId}" name="statement" required maxlength="2000" rows="2"></textarea>
      <div class="buttons">${choices.map((choice) => confirmed(`${choice[3]}-${decisionId}`, target.type, choice))}</div>
    </form>`;
}
