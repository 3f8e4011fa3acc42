import type { z } from 'zod';
import { invalid } from '../contract/errors.ts';
import type { Answer } from '../db/gateway.ts';
import { callOperation } from '../http/call.ts';
import { validate, validateParams } from '../http/input.ts';
import type { Operation } from '../http/operation.ts';
import { readStaffCookie } from '../http/staff-cookie.ts';
import type { Services } from '../services.ts';
import type { PageContext } from './layout.ts';

/** Values of a query or a form, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the fields of a request's form. @throws ApiError VALIDATION_FAILED if the body is no form */
export async function readForm(c: PageContext): Promise<Values> {
  try {
    return await c.req.parseBody();
  } catch {
    throw invalid({ path: [], code: 'invalid_form', message: 'The body must be a form.' });
  }
}

/**
 * Returns the validated arguments of an operation.
 * @param given values for its query or body
 * @param inPath values for its path parameters
 * @throws ApiError VALIDATION_FAILED, or the error of a path parameter
 */
export function readArgs(
  { query, body, params = {} }: Operation,
  given: Values,
  inPath: Record<string, string>,
): object {
  const form = query ?? body;
  return { ...(form && validate(form, given)), ...validateParams(params, inPath) };
}

/** Runs an operation as the staff member of the request's cookie. @throws ApiError what the operation raises */
export async function callAsStaff(
  c: PageContext,
  services: Services,
  operation: Operation,
  args: object,
): Promise<Answer> {
  return callOperation(c, services, operation, { claims: null, args, idempotency: null, addressHash: null });
}

/** Calls a staff operation and returns its data. `given` and `inPath` as for `readArgs`. */
export type StaffCall = <T>(
  operation: string,
  data: z.ZodType<T>,
  given?: Values,
  inPath?: Record<string, string>,
) => Promise<T>;

/** Returns the function that calls the operations of `routes` as the staff member of the request's cookie. */
export function createStaffCall(c: PageContext, services: Services, routes: readonly Operation[]): StaffCall {
  return async (operation, data, given = {}, inPath = {}) => {
    const route = routes.find(({ id }) => id === operation);
    if (route === undefined) throw new Error(`There is no operation ${operation}.`);
    const args = readArgs(route, given, inPath);
    const run = async (own: object): Promise<unknown> =>
      JSON.parse((await callAsStaff(c, services, route, own)).json);
    const handle = route.handle ?? (() => run(args));
    const client = { address: null, deviceKind: 'web' } as const;
    const staffCookie = readStaffCookie(c);
    return data.parse(await handle({ args, services, client, staffCookie, run, look: () => run(args) }));
  };
}
