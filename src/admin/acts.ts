import type { Context } from 'hono';
import { ApiError, ERRORS, isErrorCode } from '../contract/errors.ts';
import type { Operation } from '../http/operation.ts';
import { staffCookieOf } from '../http/staff-cookie.ts';
import type { Services } from '../services.ts';
import { argsOf, callAsStaff, formOf } from './asking.ts';
import type { Notice, PageContext } from './layout.ts';

/**
 * Does what a form asks for, an operation of staff, and leads to the page that says what came of it.
 * @throws ApiError where the service itself is at fault
 */
export async function act(c: PageContext, services: Services, route: Operation): Promise<Response> {
  c.set('operation', route.id);
  const refused = await refusalOf(async () => {
    await callAsStaff(c, services, route, argsOf(route, await formOf(c), c.req.param()));
  });
  if (route.id === 'end_staff_session') staffCookieOf(c).forget();
  const { path, query } = pageAfter(c, route);
  const told = refused === null ? { done: route.id } : { refused };
  return c.redirect(`${path}?${new URLSearchParams({ ...query, ...told })}`, 303);
}

/** The code of what `work` is refused with, null where it is done. */
async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || ERRORS[error.code].status >= 500) throw error;
    // Nothing but the reason is for people to fill in.
    return error.code === 'VALIDATION_FAILED' ? 'REASON_MISSING' : error.code;
  }
}

function pageAfter(c: Context, { path }: Operation): { path: string; query: Record<string, string> } {
  const { userId, hubId } = c.req.param() as Record<string, string | undefined>;
  if (userId !== undefined) return { path: `/admin/users/${encodeURIComponent(userId)}`, query: {} };
  if (hubId !== undefined) return { path: '/admin/accounts', query: { hub: hubId } };
  const cursor = c.req.query('cursor');
  return {
    path: path.startsWith('/admin/dead-letters') ? '/admin/dead-letters' : '/admin',
    query: cursor === undefined ? {} : { cursor },
  };
}

/** What the address of a page says of what was done, in words of ours alone. */
export function noticeOf(c: Context, routes: readonly Operation[]): Notice | undefined {
  const { done, refused } = c.req.query();
  if (refused !== undefined && isErrorCode(refused))
    return { text: ERRORS[refused].message, isRefusal: true };
  const route = routes.find(({ id }) => id === done);
  return route && { text: route.message, isRefusal: false };
}
