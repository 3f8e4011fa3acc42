import type { Context } from 'hono';
import type { AccessClaims } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import type { Answer, Idempotency } from '../db/gateway.ts';
import type { Services } from '../services.ts';
import { callerOf } from './caller.ts';
import { isWrite, type Operation } from './operation.ts';
import { staffTokenOf } from './staff-cookie.ts';
import type { Variables } from './variables.ts';

/** As whom an operation runs: the claims of a bearer, or the session and allow-list of staff. */
export type Claims = AccessClaims | { readonly tokenHash: string; readonly policy: object };

/** Returns the claims of a request, null for a guest. @throws ApiError UNAUTHORIZED if the operation needs better ones */
export async function claimsOf(c: Context, { auth }: Operation, services: Services): Promise<Claims | null> {
  if (auth !== 'staff') return callerOf(auth, c.req.header('authorization'), services.tokens);
  const { staff, secrets } = services;
  const token = staffTokenOf(c);
  if (token === undefined || staff === null) throw new ApiError('UNAUTHORIZED');
  return { tokenHash: secrets.fingerprint(token), policy: staff.policy };
}

/** Runs the function of an operation in Postgres. @throws ApiError what the function raises */
export function callFunction(
  c: Context<{ Variables: Variables }>,
  { gateway, watch }: Services,
  operation: Operation,
  request: {
    readonly claims: Claims | null;
    readonly args: object;
    readonly idempotency: Idempotency | null;
  },
): Promise<Answer> {
  if (operation.gateway === 'none') throw new Error(`${operation.id} has no function in Postgres.`);
  const { id, auth, gateway: way, reads } = operation;
  const call = { ...request, operation: id, reads, requestId: c.get('requestId') };
  if (way === 'serializable') return watch.tracer.within('gateway', () => gateway.callSerializable(call));
  const mode = auth === 'staff' ? 'staff' : (way ?? 'caller');
  return watch.tracer.within('gateway', () =>
    gateway.call({ ...call, mode, fallsBack: auth === 'optional', isWrite: isWrite(operation) }),
  );
}
