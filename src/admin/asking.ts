import type { z } from 'zod';
import { invalid } from '../contract/errors.ts';
import type { Answer } from '../db/gateway.ts';
import { callFunction, claimsOf } from '../http/call.ts';
import type { Operation } from '../http/operation.ts';
import { validate, validateParams } from '../http/validate.ts';
import type { Services } from '../services.ts';
import type { PageContext } from './layout.ts';

/** Values by their names, as addresses and forms have them. */
export type Values = Readonly<Record<string, unknown>>;

/** The fields of a request's form. @throws ApiError VALIDATION_FAILED where it is none */
export async function formOf(c: PageContext): Promise<Values> {
  try {
    return await c.req.parseBody();
  } catch {
    throw invalid({ path: [], code: 'invalid_form', message: 'The body must be a form.' });
  }
}

/**
 * The checked arguments of an operation: of its query or body, and of its path.
 * @throws ApiError VALIDATION_FAILED, or the error of a parameter of the path
 */
export function argsOf(
  { query, body, params = {} }: Operation,
  given: Values,
  inPath: Record<string, string>,
): object {
  const form = query ?? body;
  return { ...(form && validate(form, given)), ...validateParams(params, inPath) };
}

/** Runs an operation as the member of staff whose cookie the request has. @throws ApiError what the operation raises */
export async function callAsStaff(
  c: PageContext,
  services: Services,
  operation: Operation,
  args: object,
): Promise<Answer> {
  const claims = await claimsOf(c, operation, services);
  return callFunction(c, services, operation, { claims, args, idempotency: null });
}

/** Asks an operation of staff for its `data`, by what is given for its query or body, and for its path. */
export type Ask = <T>(
  operation: string,
  data: z.ZodType<T>,
  given?: Values,
  inPath?: Record<string, string>,
) => Promise<T>;

/** The way to ask the operations of `routes` as whoever's cookie a request has. */
export function staffCallerOf(c: PageContext, services: Services, routes: readonly Operation[]): Ask {
  return async (operation, data, given = {}, inPath = {}) => {
    const route = routes.find(({ id }) => id === operation);
    if (route === undefined) throw new Error(`There is no operation ${operation}.`);
    const { json } = await callAsStaff(c, services, route, argsOf(route, given, inPath));
    return data.parse(JSON.parse(json));
  };
}
