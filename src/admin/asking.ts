import type { z } from 'zod';
import { invalid } from '../contract/errors.ts';
import { askAsStaff } from '../http/as-staff.ts';
import type { Route } from '../http/handler.ts';
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
  { query, body, params = {} }: Route,
  given: Values,
  inPath: Record<string, string>,
): object {
  const form = query ?? body;
  return { ...(form && validate(form, given)), ...validateParams(params, inPath) };
}

/** Asks an operation of staff for its `data`, by what is given for its query or body, and for its path. */
export type Ask = <T>(
  operation: string,
  data: z.ZodType<T>,
  given?: Values,
  inPath?: Record<string, string>,
) => Promise<T>;

/** The way to ask the operations of `routes` as whoever's cookie a request has. */
export function askerOf(c: PageContext, services: Services, routes: readonly Route[]): Ask {
  return async (operation, data, given = {}, inPath = {}) => {
    const route = routes.find(({ id }) => id === operation);
    if (route === undefined) throw new Error(`There is no operation ${operation}.`);
    const { json } = await askAsStaff(c, services, route, argsOf(route, given, inPath));
    return data.parse(JSON.parse(json));
  };
}
