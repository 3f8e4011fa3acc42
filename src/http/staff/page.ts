import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { ApiError, ERRORS } from '../../contract/errors.ts';
import { DeadLetter, OpenReport, StaffAccount, StaffHealth, StaffRole } from '../../contract/models/staff.ts';
import { id } from '../../contract/values.ts';
import type { Services } from '../../services.ts';
import { askAsStaff } from '../as-staff.ts';
import type { Route } from '../handler.ts';
import { refuseOtherMethods } from '../methods.ts';
import { validate } from '../validate.ts';
import type { Variables } from '../variables.ts';
import { accountsView } from './accounts.ts';
import { act, noticeOf } from './acts.ts';
import { allowGoogle, headers } from './headers.ts';
import { type Html, layout, type Viewer } from './layout.ts';
import { reportsView } from './reports.ts';
import { SIGN_IN_SCRIPTS, signInView } from './sign-in.ts';
import { deadLettersView, errorView, healthView } from './upkeep.ts';

type PageContext = Context<{ Variables: Variables }>;

const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

const Session = z.object({ email: z.string(), role: StaffRole });
const Reports = listOf(OpenReport);
const DeadLetters = listOf(DeadLetter);
const Accounts = z.object({ items: z.array(StaffAccount) });

const FORM_LIMIT = 16 * 1024;

/**
 * `/admin`: the page of staff, of HTML alone. What it shows and does are the operations of staff among `routes`, by the
 * same cookie and through the same gateway.
 */
export function mountStaffPage(
  app: Hono<{ Variables: Variables }>,
  services: Services,
  routes: readonly Route[],
): void {
  const acts = routes.filter(({ auth, method }) => auth === 'staff' && method === 'post');
  const page = new Hono<{ Variables: Variables }>();
  for (const under of ['/admin', '/admin/*']) {
    page.use(under, headers, async (c, next) => {
      await next();
      c.header('Cache-Control', 'no-store');
    });
  }
  for (const file of ['page.css', 'sign-in.js']) {
    page.get(`/admin/${file}`, serveStatic({ path: path.join(import.meta.dirname, file) }));
  }
  mountViews(page, services, routes);
  for (const route of acts) {
    page.post(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), bodyLimit({ maxSize: FORM_LIMIT }), (c) =>
      act(c, services, route),
    );
  }
  refuseOtherMethods(page);
  page.onError((error, c) => answerError(c, error, services, routes));
  app.route('/', page);
}

/** What a page shows: its answer of Postgres, and what it makes of it. */
interface View {
  readonly path: string;
  readonly title: string;
  readonly see: (c: PageContext, ask: Ask) => Promise<(viewer: Viewer) => Html>;
}

/** Asks an operation of staff; `data` is the form of its answer. */
type Ask = <T>(operation: string, data: z.ZodType<T>, args?: object) => Promise<T>;

const VIEWS: readonly View[] = [
  {
    path: '/admin',
    title: 'Reports',
    see: async (c, ask) => {
      const cursor = c.req.query('cursor');
      const reports = await ask('list_reports', Reports, { cursor });
      return (viewer) => reportsView(viewer, reports, cursor);
    },
  },
  {
    path: '/admin/accounts',
    title: 'Accounts',
    see: async (c, ask) => {
      const { q = '', hub = '' } = c.req.query();
      const search = { q: q.trim(), hubId: id.safeParse(hub.trim()).data ?? '' };
      const found = search.q === '' ? null : await ask('find_accounts', Accounts, { q: search.q });
      return (viewer) => accountsView(viewer, search, found?.items ?? null);
    },
  },
  {
    path: '/admin/dead-letters',
    title: 'Dead letters',
    see: async (c, ask) => {
      const cursor = c.req.query('cursor');
      const letters = await ask('list_dead_letters', DeadLetters, { cursor });
      return () => deadLettersView(letters, cursor);
    },
  },
  {
    path: '/admin/health',
    title: 'Health',
    see: async (_, ask) => {
      const health = await ask('get_staff_health', StaffHealth);
      return () => healthView(health);
    },
  },
];

function mountViews(
  page: Hono<{ Variables: Variables }>,
  services: Services,
  routes: readonly Route[],
): void {
  for (const { path, title, see } of VIEWS) {
    page.get(path, async (c) => {
      const ask: Ask = async (operation, data, given = {}) => {
        const query = routes.find(({ id }) => id === operation)?.query;
        const args = query ? validate(query, given) : given;
        return data.parse(JSON.parse((await askAsStaff(c, services, operation, args)).json));
      };
      // Side by side: who looks, and what they see.
      const [viewer, show] = await Promise.all([ask('get_staff_session', Session), see(c, ask)]);
      return c.html(layout({ path, title, viewer, main: show(viewer), notice: noticeOf(c, routes) }));
    });
  }
}

async function answerError(
  c: PageContext,
  error: Error,
  services: Services,
  routes: readonly Route[],
): Promise<Response> {
  const { code } = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const isFirstPage = c.req.method === 'GET' && c.req.path === '/admin';
  if (code === 'UNAUTHORIZED') return isFirstPage ? signIn(c, services, routes) : c.redirect('/admin', 303);
  // Support decides about no reports.
  if (code === 'FORBIDDEN' && isFirstPage) return c.redirect('/admin/accounts', 303);
  const { status, message } = ERRORS[code];
  return c.html(layout({ title: 'That did not work', main: errorView(message) }), status);
}

async function signIn(c: PageContext, { staff }: Services, routes: readonly Route[]): Promise<Response> {
  const parts = { title: 'Sign in', main: signInView(staff?.clientId), notice: noticeOf(c, routes) };
  if (staff === null) return c.html(layout(parts));
  allowGoogle(c);
  return c.html(layout({ ...parts, scripts: SIGN_IN_SCRIPTS }));
}
