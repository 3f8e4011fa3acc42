import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiError, ERRORS } from '../contract/errors.ts';
import { nothing } from '../contract/values.ts';
import { WhoIsSignedIn } from '../domains/moderation/schemas.ts';
import { answerError as answerInJson, isBrokenOff } from '../http/answer.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import type { Operation } from '../http/operation.ts';
import { isCrossSite } from '../http/same-site.ts';
import type { Variables } from '../http/variables.ts';
import type { Services } from '../services.ts';
import { act, noticeOf } from './acts.ts';
import { staffCallerOf } from './asking.ts';
import { allowGoogle, headers } from './headers.ts';
import { layout, type PageContext } from './layout.ts';
import { SIGN_IN_SCRIPTS, signInView } from './sign-in.ts';
import { errorView } from './upkeep.ts';
import { VIEWS, type View } from './views.ts';

type Page = Hono<{ Variables: Variables }>;

/** A form is refused beyond this, before it is read. */
const limited = bodyLimit({
  maxSize: 16 * 1024,
  onError: () => {
    throw new ApiError('PAYLOAD_TOO_LARGE');
  },
});

/**
 * `/admin`: the page of staff, of HTML alone. What it shows and does are the operations of staff among `routes`, by the
 * same cookie and through the same gateway: what an act has done is said by the page to which it leads, what is asked is
 * answered at once.
 */
export function mountStaffPage(app: Page, services: Services, routes: readonly Operation[]): void {
  const page: Page = new Hono();
  for (const under of ['/admin', '/admin/*']) page.use(under, headers, uncached, ownForms, limited);
  for (const file of ['page.css', 'sign-in.js']) {
    page.get(`/admin/${file}`, serveStatic({ path: path.join(import.meta.dirname, file) }));
  }
  for (const view of VIEWS) mountView(page, services, routes, view);
  for (const route of routes.filter(isAct)) {
    page.post(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => act(c, services, route));
  }
  refuseOtherMethods(page);
  page.onError((error, c) => answerError(c, error, services, routes));
  app.route('/', page);
}

const uncached: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

/** A cookie travels by itself: the form of another site is nobody's. */
const ownForms: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'POST' && isCrossSite(c)) throw new ApiError('FORBIDDEN');
  await next();
};

/** Whether an operation does something and has no more to say: the others are asked by views. */
function isAct({ auth, method, data }: Operation): boolean {
  return auth === 'staff' && method === 'post' && data === nothing;
}

function mountView(page: Page, services: Services, routes: readonly Operation[], view: View): void {
  page[view.method](view.path, async (c) => {
    const ask = staffCallerOf(c, services, routes);
    // Side by side: who looks, and what they see.
    const [viewer, show] = await Promise.all([ask('get_staff_session', WhoIsSignedIn), view.see(c, ask)]);
    const { name: title, path: current } = view.page;
    const notice = noticeOf(c, routes);
    return c.html(layout({ path: current, title, viewer, main: show(viewer), notice }));
  });
}

async function answerError(
  c: PageContext,
  error: Error,
  services: Services,
  routes: readonly Operation[],
): Promise<Response> {
  // Nobody reads it.
  if (isBrokenOff(c)) return answerInJson(error, c);
  const { code } = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const isFirstPage = c.req.method === 'GET' && c.req.path === '/admin';
  if (code === 'UNAUTHORIZED') return isFirstPage ? signIn(c, services, routes) : c.redirect('/admin', 303);
  // Support decides about no reports.
  if (code === 'FORBIDDEN' && isFirstPage) return c.redirect('/admin/accounts', 303);
  const { status, message } = ERRORS[code];
  return c.html(layout({ title: 'That did not work', main: errorView(message) }), status);
}

async function signIn(c: PageContext, { staff }: Services, routes: readonly Operation[]): Promise<Response> {
  const parts = { title: 'Sign in', main: signInView(staff?.clientId), notice: noticeOf(c, routes) };
  if (staff === null) return c.html(layout(parts));
  allowGoogle(c);
  return c.html(layout({ ...parts, scripts: SIGN_IN_SCRIPTS }));
}
