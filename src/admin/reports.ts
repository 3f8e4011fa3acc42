import { html } from 'hono/html';
import type { z } from 'zod';
import {
  type ClosedReport,
  type OpenReport,
  type ReportedMedia,
  ReportReason,
  TargetKind,
} from '../domains/moderation/schemas.ts';
import type { Html, Viewer } from './layout.ts';
import {
  button,
  type Choice,
  type Column,
  decision,
  HUB_SUSPENSION,
  nextLink,
  SUSPENSION,
  select,
  statement,
  table,
  time,
  withCursor,
} from './pieces.ts';

type Report = z.infer<typeof OpenReport>;

/** Longer texts are collapsed. */
const SHORT_TEXT = 240;
/** Stands for the name of a person who has not registered. */
const NAMELESS = 'somebody without a name';

/** The filters of the report queue (kind of target and reason, empty for all) and its cursor. */
export interface Filter {
  readonly kind: string;
  readonly reason: string;
  readonly cursor: string | undefined;
}

/** Renders the report queue with the decisions that the viewer may take. */
export function reportsView(
  viewer: Viewer,
  { items, nextCursor }: { readonly items: readonly Report[]; readonly nextCursor: string | null },
  { kind, reason, cursor }: Filter,
): Html {
  const filters = html`
    <search><form class="filters" method="get" action="/admin">
      ${select({ id: 'kind', name: 'kind', label: 'What', options: TargetKind.options, chosen: kind, none: 'all' })}
      ${select({ id: 'reason', name: 'reason', label: 'Reported as', options: ReportReason.options, chosen: reason, none: 'all' })}
      <button>Show</button>
    </form></search>`;
  if (items.length === 0)
    return html`${filters}<p>There are no open reports${kind || reason ? ' of this kind' : ''}.</p>`;
  const columns: readonly Column<Report>[] = [
    ['What', targetCell],
    ['Reported', countCell],
    ['Decide', (report) => decideCell(viewer, report, cursor)],
  ];
  return html`${filters}
    ${table('Open reports, oldest first', columns, items, ({ reportId }) => `report-${reportId}`)}
    ${nextLink('/admin', nextCursor, { ...(kind && { kind }), ...(reason && { reason }) })}`;
}

/** Renders the reports that staff has decided. */
export function closedReportsView({
  items,
  nextCursor,
}: {
  readonly items: readonly z.infer<typeof ClosedReport>[];
  readonly nextCursor: string | null;
}): Html {
  const columns: readonly Column<z.infer<typeof ClosedReport>>[] = [
    [
      'What',
      ({ target, authorId, content }) => html`${whoseView(target, authorId)}
    ${renderContent(content)}`,
    ],
    [
      'Reported',
      ({ reason, details, createdAt }) => html`<p>${reason}, ${time(createdAt)}</p>
    ${details !== null && html`<blockquote>${details}</blockquote>`}`,
    ],
    [
      'Outcome',
      ({ state, closedAt }) => html`<p><strong>${state}</strong></p>
    ${closedAt !== null && html`<p class="quiet">${time(closedAt)}</p>`}`,
    ],
  ];
  if (items.length === 0) return html`<p>There are no closed reports.</p>`;
  return html`
    ${table('Closed reports, newest first', columns, items, ({ reportId }) => `report-${reportId}`)}
    ${nextLink('/admin/closed-reports', nextCursor)}`;
}

/** Renders pictures and documents of a report. A picture is blurred until its box is ticked. */
export function mediaView({ items }: z.infer<typeof ReportedMedia>): Html {
  const back = html`<p><a href="/admin">Back to the reports</a></p>`;
  if (items.length === 0) return html`<p>There are no pictures and documents.</p>${back}`;
  return html`
    <p class="quiet">The links live five minutes. The audit log records that you looked.</p>
    ${items.map(({ assetId, contentType, fileName, url }, index) =>
      contentType.startsWith('image/')
        ? html`<figure>
          <label><input type="checkbox" class="reveal"> Show picture ${index + 1}
            <img src="${url}" alt="Reported picture ${index + 1}" width="480"></label>
        </figure>`
        : html`<p><a href="${url}" rel="noreferrer" target="_blank">${fileName ?? assetId}</a> (${contentType})</p>`,
    )}
    ${back}`;
}

function targetCell({ reportId, target, authorId, content, isGone, isByService }: Report): Html {
  const name = target.name ?? NAMELESS;
  return html`${whoseView(target, authorId)}
    ${isByService && html`<p class="quiet">The service reported it: it holds a blocked term.</p>`}
    ${isGone && html`<p class="quiet">Deleted since then. This is what was reported.</p>`}
    ${renderContent(content)}
    ${button(`/admin/reports/${reportId}/media`, 'Pictures and documents', `${target.kind} of ${name}`)}
    ${target.kind === 'post' && !isGone && html`<p><a href="/admin/visibility?post=${target.id}">Who sees it</a></p>`}`;
}

/** Renders the kind of a target, and its author with a link to the account. */
function whoseView({ kind, name }: Report['target'], authorId: string | null): Html {
  const shown = name ?? NAMELESS;
  const whose = kind === 'user' || kind === 'hub' ? html`${shown}` : html`by ${shown}`;
  return html`<p><strong>${kind === 'hub' ? 'Hub' : kind}</strong>
    ${authorId === null ? whose : html`<a href="/admin/users/${authorId}">${whose}</a>`}</p>`;
}

function renderContent(content: string): Html {
  if (content === '') return html`<p class="quiet">Without text.</p>`;
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
  const about = `${target.kind} of ${target.name ?? NAMELESS}`;
  if (claimedBy !== null && claimedBy !== viewer.email) return html`<p>${claimedBy} looks into it.</p>`;
  const choices = choicesFor(report, cursor);
  const [reason = '', ...others] = report.reasons;
  const [action, name] = claimedBy === null ? ['claim', 'Claim'] : ['release', 'Release'];
  return html`
    ${claimedBy !== null && html`<p>You claimed it.</p>`}
    ${button(withCursor(`/admin/reports/${reportId}/${action}`, cursor), name, about)}
    <details${claimedBy !== null && html` open`}>
      <summary>Decide</summary>
      ${decision(reportId, about, [[withCursor(`/admin/reports/${reportId}/dismiss`, cursor), 'Dismiss']])}
      ${choices.length > 0 && statement(reportId, about, choices, others.length === 0 ? reason : '')}
    </details>`;
}

function choicesFor(report: Report, cursor: string | undefined): Choice[] {
  const { reportId, target, authorId, isGone, isAuthorGone } = report;
  if (target.kind === 'hub')
    return isGone ? [] : [[`/admin/hubs/${target.id}/suspend`, 'Suspend the Hub', HUB_SUSPENSION]];
  const suspend: Choice[] = isAuthorGone
    ? []
    : [[`/admin/users/${authorId}/suspend`, 'Suspend the account', SUSPENSION]];
  if (target.kind === 'user' || isGone) return suspend;
  const removal = `hides this ${target.kind} alone; the author keeps the account.`;
  return [[withCursor(`/admin/reports/${reportId}/remove`, cursor), 'Remove', removal], ...suspend];
}
