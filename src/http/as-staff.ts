import type { Context } from 'hono';
import { ApiError } from '../contract/errors.ts';
import { isWrite, type Operation } from '../contract/operation.ts';
import type { Answer } from '../db/gateway.ts';
import type { Services } from '../services.ts';
import { staffTokenOf } from './staff-cookie.ts';

/**
 * Runs an operation of staff as whoever's cookie a request has.
 * @throws ApiError UNAUTHORIZED without one, FORBIDDEN where their role may not, and what the operation raises
 */
export async function askAsStaff(
  c: Context,
  { gateway, secrets, staff }: Services,
  route: Operation,
  args: object,
): Promise<Answer> {
  const token = staffTokenOf(c);
  if (token === undefined || staff === null) throw new ApiError('UNAUTHORIZED');
  const { id: operation } = route;
  const invocation = {
    operation,
    claims: null,
    args,
    isWrite: isWrite(route),
    requestId: c.get('requestId'),
  };
  return gateway.invokeAsStaff(invocation, secrets.fingerprint(token), staff.policy);
}
