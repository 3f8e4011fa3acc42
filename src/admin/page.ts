import path from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { ApiError, ERRORS } from '../contract/errors.ts';
import { nothing } from '../contract/values.ts';
import { WhoIsSignedIn } from '../domains/moderation/schemas.ts';
import { answerError as answerInJson, hasHungUp } from '../http/answer.ts';
import { requireStaffSession } from '../http/call.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import type { Operation } from '../http/operation.ts';
import { pageFile } from '../http/page-file.ts';
import type { Variables } from '../http/requests.ts';
import { isCrossSite } from '../http/staff-cookie.ts';
import type { Services } from '../services.ts';
import { readNotice, runAction } from './actions.ts';
import { allowGoogle, allowSignIn, headers } from './headers.ts';
import { layout, type PageContext } from './layout.ts';
import { GOOGLE_SCRIPT, SIGN_IN_SCRIPT, signInView } from './sign-in.ts';
import { createStaffCall } from './staff-call.ts';
import { errorView } from './upkeep.ts';
import { VIEWS, type View } from './views.ts';

type Page = Hono<{ Variables: Variables }>;

/** Refuses large forms before it reads them. */
const limitBody = bodyLimit({
  maxSize: 16 * 1024,
  onError: () => {
    throw new ApiError('PAYLOAD_TOO_LARGE');
  },
});

/**
 * Mounts the staff pages at `/admin`, in HTML without scripts. They call the staff operations of `routes` with the same
 * cookie and through the same gateway. An action redirects to a page with its result; a view renders data at once.
 */
export function mountStaffPage(app: Page, services: Services, routes: readonly Operation[]): void {
  const page: Page = new Hono();
  for (const under of ['/admin', '/admin/*'])
    page.use(under, headers, noStore, refuseCrossSite, requireSession(services), limitBody);
  for (const file of FILES) {
    page.get(`/admin/${file}`, pageFile(path.join(import.meta.dirname, file)));
  }
  for (const view of VIEWS) mountView(page, services, routes, view);
  for (const route of routes.filter(isAction)) {
    page.post(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => runAction(c, services, route));
  }
  refuseOtherMethods(page);
  page.onError((error, c) => answerError(c, error, services, routes));
  app.route('/', page);
}

const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

/** CSRF: browsers send cookies cross-site, so forms of other sites are refused. */
const refuseCrossSite: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'POST' && isCrossSite(c)) throw new ApiError('FORBIDDEN');
  await next();
};

/** The files of the sign-in page, which need no session. */
const FILES = ['page.css', 'sign-in.js'];

/** Requires a staff session before anything reads the form, the query or the ids of a request. */
function requireSession(services: Services): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    const isFile = FILES.some((file) => c.req.path === `/admin/${file}`);
    if (!isFile && c.req.method !== 'OPTIONS') await requireStaffSession(c, services);
    await next();
  };
}

/** Whether an operation is an action: it answers no data. Views call the other operations. */
function isAction({ auth, method, data }: Operation): boolean {
  return auth === 'staff' && method === 'post' && data === nothing;
}

function mountView(page: Page, services: Services, routes: readonly Operation[], view: View): void {
  page[view.method](view.path, async (c) => {
    const call = createStaffCall(c, services, routes);
    const [viewer, render] = await Promise.all([
      call('get_staff_session', WhoIsSignedIn),
      view.load(c, call),
    ]);
    const { name: title, path: current } = view.page;
    const notice = readNotice(c, routes);
    return c.html(layout({ path: current, title, viewer, main: render(viewer), notice }));
  });
}

async function answerError(
  c: PageContext,
  error: Error,
  services: Services,
  routes: readonly Operation[],
): Promise<Response> {
  // The client has gone.
  if (hasHungUp(c)) return answerInJson(error, c);
  const { code } = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const isFirstPage = c.req.method !== 'POST' && c.req.path === '/admin';
  if (code === 'UNAUTHORIZED') return isFirstPage ? signIn(c, services, routes) : c.redirect('/admin', 303);
  // Support may not see reports.
  if (code === 'FORBIDDEN' && isFirstPage) return c.redirect('/admin/accounts', 303);
  const { status, message } = ERRORS[code];
  return c.html(layout({ title: 'Error', main: errorView(message) }), status);
}

async function signIn(c: PageContext, { staff }: Services, routes: readonly Operation[]): Promise<Response> {
  const parts = { title: 'Sign in', main: signInView(staff), notice: readNotice(c, routes) };
  if (staff === null) return c.html(layout(parts));
  const isByGoogle = staff.authorizationUrl === undefined;
  (isByGoogle ? allowGoogle : allowSignIn)(c);
  return c.html(layout({ ...parts, scripts: html`${SIGN_IN_SCRIPT}${isByGoogle && GOOGLE_SCRIPT}` }));
}
