import type { Context } from 'hono';
import { ApiError, ERRORS, isErrorCode } from '../contract/errors.ts';
import type { Operation } from '../http/operation.ts';
import { readStaffCookie } from '../http/staff-cookie.ts';
import type { Services } from '../services.ts';
import type { Notice, PageContext } from './layout.ts';
import { callAsStaff, readArgs, readForm } from './staff-call.ts';

/**
 * Runs the staff operation of a form and redirects to the page that shows the result.
 * @throws ApiError for an error of the service (5xx)
 */
export async function runAction(c: PageContext, services: Services, route: Operation): Promise<Response> {
  c.set('operation', route.id);
  const refused = await catchRefusalCode(async () => {
    await callAsStaff(c, services, route, readArgs(route, await readForm(c), c.req.param()));
  });
  if (route.id === 'end_staff_session') readStaffCookie(c).clear();
  const { path, query } = pageAfter(c, route);
  const result = refused === null ? { done: route.id } : { refused };
  return c.redirect(`${path}?${new URLSearchParams({ ...query, ...result })}`, 303);
}

/** Returns the error code of a refusal, or null after success. */
async function catchRefusalCode(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || ERRORS[error.code].status >= 500) throw error;
    // People fill in a reason or a statement, so a validation error concerns it.
    return error.code === 'VALIDATION_FAILED' ? 'REASON_MISSING' : error.code;
  }
}

function pageAfter(c: Context, { path }: Operation): { path: string; query: Record<string, string> } {
  const { userId, hubId } = c.req.param() as Record<string, string | undefined>;
  if (userId !== undefined) return { path: `/admin/users/${encodeURIComponent(userId)}`, query: {} };
  if (hubId !== undefined) return { path: '/admin/accounts', query: { hub: hubId } };
  const cursor = c.req.query('cursor');
  const list = [
    '/admin/dead-letters',
    '/admin/appeals',
    '/admin/blocked-terms',
    '/admin/default-feed-users',
    '/admin/staff',
  ];
  return {
    path: list.find((each) => path.startsWith(each)) ?? '/admin',
    query: cursor === undefined ? {} : { cursor },
  };
}

/** Returns the notice for the result in a page's query. Its text comes from the catalogue, never from the URL. */
export function readNotice(c: Context, routes: readonly Operation[]): Notice | undefined {
  const { done, refused } = c.req.query();
  if (refused !== undefined && isErrorCode(refused))
    return { text: ERRORS[refused].message, isRefusal: true };
  const route = routes.find(({ id }) => id === done);
  return route && { text: route.message, isRefusal: false };
}
