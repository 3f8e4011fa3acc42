import { html } from 'hono/html';
import type { z } from 'zod';
import type { OpenReport } from '../domains/moderation/schemas.ts';
import type { Html, Viewer } from './layout.ts';
import { button, type Choice, type Column, decision, nextLink, table, time, withCursor } from './pieces.ts';

type Report = z.infer<typeof OpenReport>;

/** Longer texts are collapsed. */
const SHORT_TEXT = 240;

/** Renders the report queue with the decisions that the viewer may take. */
export function reportsView(
  viewer: Viewer,
  { items, nextCursor }: { readonly items: readonly Report[]; readonly nextCursor: string | null },
  cursor: string | undefined,
): Html {
  if (items.length === 0) return html`<p>There are no open reports.</p>`;
  const columns: readonly Column<Report>[] = [
    ['What', targetCell],
    ['Reported', countCell],
    ['Decide', (report) => decideCell(viewer, report, cursor)],
  ];
  return html`${table('Open reports, oldest first', columns, items, ({ reportId }) => `report-${reportId}`)}
    ${nextLink('/admin', nextCursor)}`;
}

function targetCell({ target, authorId, content }: Report): Html {
  const name = target.name ?? 'a deleted account';
  const whose = target.kind === 'user' || target.kind === 'hub' ? html`${name}` : html`by ${name}`;
  return html`<p><strong>${target.kind === 'hub' ? 'Hub' : target.kind}</strong>
    ${authorId === null ? whose : html`<a href="/admin/users/${authorId}">${whose}</a>`}</p>
    ${contentOf(content)}
    ${target.kind === 'post' && authorId !== null && html`<p><a href="/admin/visibility?post=${target.id}">Who sees it</a></p>`}`;
}

function contentOf(content: string): Html {
  if (content === '') return html`<p class="quiet">Removed, or without text.</p>`;
  if (content.length <= SHORT_TEXT) return html`<blockquote>${content}</blockquote>`;
  return html`<details>
    <summary>${content.slice(0, SHORT_TEXT / 2)}…</summary>
    <blockquote>${content}</blockquote>
  </details>`;
}

function countCell({ reportCount, reasons, remarks, firstReportedAt, lastReportedAt }: Report): Html {
  const times = reportCount === 1 ? 'Once' : `${reportCount} times`;
  return html`<p>${times}: ${reasons.join(', ')}</p>
    <p class="quiet">${reportCount > 1 ? html`from ${time(firstReportedAt)} to ` : ''}${time(lastReportedAt)}</p>
    ${
      remarks.length > 0 &&
      html`<details>
      <summary>Details by reporters</summary>
      ${remarks.map((remark) => html`<blockquote>${remark}</blockquote>`)}
    </details>`
    }`;
}

function decideCell(viewer: Viewer, report: Report, cursor: string | undefined): Html {
  const { reportId, claimedBy, target } = report;
  const about = `${target.kind} of ${target.name ?? 'a deleted account'}`;
  if (claimedBy !== null && claimedBy !== viewer.email) return html`<p>${claimedBy} looks into it.</p>`;
  const [action, name] = claimedBy === null ? ['claim', 'Claim'] : ['release', 'Release'];
  return html`
    ${claimedBy !== null && html`<p>You claimed it.</p>`}
    ${button(withCursor(`/admin/reports/${reportId}/${action}`, cursor), name, about)}
    <details${claimedBy !== null && html` open`}>
      <summary>Decide</summary>
      ${decision(reportId, about, [
        [withCursor(`/admin/reports/${reportId}/dismiss`, cursor), 'Dismiss'],
        ...choicesFor(report, cursor),
      ])}
    </details>`;
}

function choicesFor({ reportId, target, authorId, content }: Report, cursor: string | undefined): Choice[] {
  if (target.kind === 'hub') return [[`/admin/hubs/${target.id}/suspend`, 'Suspend the Hub']];
  const suspend: Choice[] =
    authorId === null ? [] : [[`/admin/users/${authorId}/suspend`, 'Suspend the account']];
  if (target.kind === 'user') return suspend;
  // Hub messages outlive the account of their author.
  const isGone = authorId === null && content === '';
  return isGone ? [] : [[withCursor(`/admin/reports/${reportId}/remove`, cursor), 'Remove'], ...suspend];
}
