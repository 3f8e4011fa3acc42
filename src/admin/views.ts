import { html } from 'hono/html';
import { z } from 'zod';
import { id, page } from '../contract/values.ts';
import {
  AccountHistory,
  AuditLogEntry,
  BlockedTerms,
  ClosedReport,
  DeadLetter,
  DefaultFeedUsers,
  FoundAccounts,
  OpenAppeal,
  OpenReport,
  ReportedMedia,
  ReportReason,
  StaffHealth,
  StaffMembers,
  StaffNumbers,
  TargetKind,
  UnmaskedPhone,
  Visibility,
} from '../domains/moderation/schemas.ts';
import { validateParams } from '../http/input.ts';
import { accountsView, historyView } from './accounts.ts';
import { appealsView } from './appeals.ts';
import { allowImages } from './headers.ts';
import { type Entry, type Html, may, PAGES, type PageContext, type Viewer } from './layout.ts';
import { blockedTermsView, defaultFeedUsersView } from './lists.ts';
import { auditLogView, staffView } from './members.ts';
import { closedReportsView, mediaView, reportsView } from './reports.ts';
import { readForm, type StaffCall } from './staff-call.ts';
import { deadLettersView, healthView, numbersView } from './upkeep.ts';
import { visibilityView } from './visibility.ts';

/** A page: the data it loads and how it renders them. A POST also only reads; its form keeps data out of URLs. */
export interface View {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Its entry in the menu. */
  readonly page: Entry;
  /** Loads the data and returns the function that renders them. */
  readonly load: (c: PageContext, call: StaffCall) => Promise<(viewer: Viewer) => Html>;
}

/** Every page behind sign-in. */
export const VIEWS: readonly View[] = [
  {
    page: PAGES.reports,
    method: 'get',
    path: PAGES.reports.path,
    load: async (c, call) => {
      const cursor = c.req.query('cursor');
      const kind = TargetKind.safeParse(c.req.query('kind')).data;
      const reason = ReportReason.safeParse(c.req.query('reason')).data;
      const [reports, numbers] = await Promise.all([
        call('list_reports', page(OpenReport), { cursor, kind, reason }),
        call('get_staff_numbers', StaffNumbers),
      ]);
      const filter = { kind: kind ?? '', reason: reason ?? '', cursor };
      return (viewer) => html`${numbersView(numbers)}${reportsView(viewer, reports, filter)}`;
    },
  },
  {
    page: PAGES.reports,
    method: 'post',
    path: '/admin/reports/:reportId/media',
    load: async (c, call) => {
      const reportId = c.req.param('reportId') ?? '';
      const media = await call('view_reported_media', ReportedMedia, {}, { reportId });
      allowImages(
        c,
        media.items.map(({ url }) => new URL(url).origin),
      );
      return () => mediaView(media);
    },
  },
  {
    page: PAGES.closedReports,
    method: 'get',
    path: PAGES.closedReports.path,
    load: async (c, call) => {
      const cursor = c.req.query('cursor');
      const reports = await call('list_closed_reports', page(ClosedReport), { cursor });
      return () => closedReportsView(reports);
    },
  },
  {
    page: PAGES.appeals,
    method: 'get',
    path: PAGES.appeals.path,
    load: async (c, call) => {
      const cursor = c.req.query('cursor');
      const appeals = await call('list_appeals', page(OpenAppeal), { cursor });
      return (viewer) => appealsView(viewer, appeals, cursor);
    },
  },
  {
    page: PAGES.accounts,
    method: 'get',
    path: PAGES.accounts.path,
    load: async (c, call) => {
      const hubId = idIn(c.req.query('hub'));
      const numbers = await call('get_staff_numbers', StaffNumbers);
      // It is the first page of support, which sees no reports.
      return (viewer) =>
        html`${!may(viewer, 'moderator') && numbersView(numbers)}${accountsView(viewer, { hubId })}`;
    },
  },
  {
    page: PAGES.accounts,
    method: 'post',
    path: PAGES.accounts.path,
    load: async (c, call) => {
      const { q } = await readFields(c, 'q');
      const items = q === '' ? undefined : await find(call, q);
      return (viewer) => accountsView(viewer, { q, items });
    },
  },
  {
    page: PAGES.accounts,
    method: 'get',
    path: '/admin/users/:userId',
    load: async (c, call) => {
      const items = await find(call, readUserId(c));
      return (viewer) => accountsView(viewer, { items });
    },
  },
  {
    page: PAGES.accounts,
    method: 'post',
    path: '/admin/users/:userId',
    load: async (c, call) => {
      const userId = readUserId(c);
      const reason = await readFields(c, 'reason');
      const { phoneNumber } = await call('unmask_phone', UnmaskedPhone, reason, { userId });
      const items = await find(call, userId);
      return (viewer) => accountsView(viewer, { items, phoneNumber });
    },
  },
  {
    page: PAGES.accounts,
    method: 'get',
    path: '/admin/users/:userId/history',
    load: async (c, call) => {
      const userId = readUserId(c);
      const history = await call('get_account_history', AccountHistory, {}, { userId });
      return () => historyView(userId, history);
    },
  },
  {
    page: PAGES.defaultFeedUsers,
    method: 'get',
    path: PAGES.defaultFeedUsers.path,
    load: async (_, call) => {
      const users = await call('list_default_feed_users', DefaultFeedUsers);
      return (viewer) => defaultFeedUsersView(viewer, users);
    },
  },
  {
    page: PAGES.blockedTerms,
    method: 'get',
    path: PAGES.blockedTerms.path,
    load: async (_, call) => {
      const terms = await call('list_blocked_terms', BlockedTerms);
      return () => blockedTermsView(terms);
    },
  },
  {
    page: PAGES.visibility,
    method: 'get',
    path: PAGES.visibility.path,
    load: async (c) => {
      const postId = idIn(c.req.query('post'));
      return () => visibilityView({ postId, viewerId: '' });
    },
  },
  {
    page: PAGES.visibility,
    method: 'post',
    path: PAGES.visibility.path,
    load: async (c, call) => {
      const question = await readFields(c, 'postId', 'viewerId');
      const { postId, viewerId } = question;
      const { rules } = await call('why_visible', Visibility, { viewerId: viewerId || null }, { postId });
      return () => visibilityView(question, rules);
    },
  },
  {
    page: PAGES.staff,
    method: 'get',
    path: PAGES.staff.path,
    load: async (_, call) => {
      const members = await call('list_staff', StaffMembers);
      return () => staffView(members);
    },
  },
  {
    page: PAGES.auditLog,
    method: 'get',
    path: PAGES.auditLog.path,
    load: async (c, call) => {
      const log = await call('list_audit_log', page(AuditLogEntry), { cursor: c.req.query('cursor') });
      return () => auditLogView(log);
    },
  },
  {
    page: PAGES.deadLetters,
    method: 'get',
    path: PAGES.deadLetters.path,
    load: async (c, call) => {
      const cursor = c.req.query('cursor');
      const letters = await call('list_dead_letters', page(DeadLetter), { cursor });
      return () => deadLettersView(letters, cursor);
    },
  },
  {
    page: PAGES.health,
    method: 'get',
    path: PAGES.health.path,
    load: async (_, call) => {
      const health = await call('get_staff_health', StaffHealth);
      return () => healthView(health);
    },
  },
];

async function find(call: StaffCall, q: string) {
  return (await call('find_accounts', FoundAccounts, { q })).items;
}

function readUserId(c: PageContext): string {
  validateParams({ userId: 'USER_NOT_FOUND' }, c.req.param());
  return c.req.param('userId') ?? '';
}

/** Returns a valid id, or an empty text. */
function idIn(given: string | undefined): string {
  return id.safeParse(given?.trim()).data ?? '';
}

/** Returns these fields of a form; a missing field is empty. */
async function readFields<Name extends string>(c: PageContext, ...names: Name[]) {
  const form = await readForm(c);
  const Fields = z.record(z.enum(names), z.string().trim().catch(''));
  return Fields.parse(Object.fromEntries(names.map((name) => [name, form[name]])));
}
