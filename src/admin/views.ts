import { z } from 'zod';
import { id, page } from '../contract/values.ts';
import {
  DeadLetter,
  FoundAccounts,
  OpenReport,
  StaffHealth,
  UnmaskedPhone,
  Visibility,
} from '../domains/moderation/schemas.ts';
import { validateParams } from '../http/validate.ts';
import { accountsView } from './accounts.ts';
import { type Ask, formOf } from './asking.ts';
import { type Entry, type Html, PAGES, type PageContext, type Viewer } from './layout.ts';
import { reportsView } from './reports.ts';
import { deadLettersView, healthView } from './upkeep.ts';
import { visibilityView } from './visibility.ts';

/** A page: what it asks of Postgres, and what it makes of that. A POST asks too, by what is not for addresses. */
export interface View {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** The page that the list of pages says it is. */
  readonly page: Entry;
  readonly see: (c: PageContext, ask: Ask) => Promise<(viewer: Viewer) => Html>;
}

/** Every page that staff sees when signed in. */
export const VIEWS: readonly View[] = [
  {
    page: PAGES.reports,
    method: 'get',
    path: PAGES.reports.path,
    see: async (c, ask) => {
      const cursor = c.req.query('cursor');
      const reports = await ask('list_reports', page(OpenReport), { cursor });
      return (viewer) => reportsView(viewer, reports, cursor);
    },
  },
  {
    page: PAGES.accounts,
    method: 'get',
    path: PAGES.accounts.path,
    see: async (c) => {
      const hubId = idIn(c.req.query('hub'));
      return (viewer) => accountsView(viewer, { hubId });
    },
  },
  {
    page: PAGES.accounts,
    method: 'post',
    path: PAGES.accounts.path,
    see: async (c, ask) => {
      const { q } = await fieldsOf(c, 'q');
      const items = q === '' ? undefined : await find(ask, q);
      return (viewer) => accountsView(viewer, { q, items });
    },
  },
  {
    page: PAGES.accounts,
    method: 'get',
    path: '/admin/users/:userId',
    see: async (c, ask) => {
      const items = await find(ask, userIdOf(c));
      return (viewer) => accountsView(viewer, { items });
    },
  },
  {
    page: PAGES.accounts,
    method: 'post',
    path: '/admin/users/:userId',
    see: async (c, ask) => {
      const userId = userIdOf(c);
      const reason = await fieldsOf(c, 'reason');
      const { phoneNumber } = await ask('unmask_phone', UnmaskedPhone, reason, { userId });
      const items = await find(ask, userId);
      return (viewer) => accountsView(viewer, { items, phoneNumber });
    },
  },
  {
    page: PAGES.visibility,
    method: 'get',
    path: PAGES.visibility.path,
    see: async (c) => {
      const postId = idIn(c.req.query('post'));
      return () => visibilityView({ postId, viewerId: '' });
    },
  },
  {
    page: PAGES.visibility,
    method: 'post',
    path: PAGES.visibility.path,
    see: async (c, ask) => {
      const asked = await fieldsOf(c, 'postId', 'viewerId');
      const { postId, viewerId } = asked;
      const { rules } = await ask('why_visible', Visibility, { viewerId: viewerId || null }, { postId });
      return () => visibilityView(asked, rules);
    },
  },
  {
    page: PAGES.deadLetters,
    method: 'get',
    path: PAGES.deadLetters.path,
    see: async (c, ask) => {
      const cursor = c.req.query('cursor');
      const letters = await ask('list_dead_letters', page(DeadLetter), { cursor });
      return () => deadLettersView(letters, cursor);
    },
  },
  {
    page: PAGES.health,
    method: 'get',
    path: PAGES.health.path,
    see: async (_, ask) => {
      const health = await ask('get_staff_health', StaffHealth);
      return () => healthView(health);
    },
  },
];

async function find(ask: Ask, q: string) {
  return (await ask('find_accounts', FoundAccounts, { q })).items;
}

function userIdOf(c: PageContext): string {
  validateParams({ userId: 'USER_NOT_FOUND' }, c.req.param());
  return c.req.param('userId') ?? '';
}

/** The id that `given` is, empty where it is none. */
function idIn(given: string | undefined): string {
  return id.safeParse(given?.trim()).data ?? '';
}

/** The fields of a form by their names, empty where it has none such. */
async function fieldsOf<Name extends string>(c: PageContext, ...names: Name[]) {
  const form = await formOf(c);
  const Fields = z.record(z.enum(names), z.string().trim().catch(''));
  return Fields.parse(Object.fromEntries(names.map((name) => [name, form[name]])));
}
