import type { Context } from 'hono';
import type { AccessClaims } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import type { Answer, Idempotency } from '../db/gateway.ts';
import type { Services } from '../services.ts';
import { isWrite, mayBeStale, type Operation } from './operation.ts';
import { parseReplicaRead } from './position.ts';
import type { Variables } from './requests.ts';
import { readStaffToken } from './staff-cookie.ts';

/** What Postgres needs of a request. */
export interface FunctionCall {
  /** Claims of the bearer, null for a guest. Operations of staff take the staff cookie instead. */
  readonly claims: AccessClaims | null;
  readonly args: object;
  readonly idempotency: Idempotency | null;
  /** See `GatewayCall`. */
  readonly addressHash: string | null;
}

/**
 * Runs the function of an operation in Postgres.
 * @throws ApiError the error that the function raises, or UNAUTHORIZED without a staff cookie
 */
export async function callOperation(
  c: Context<{ Variables: Variables }>,
  services: Services,
  operation: Operation,
  { claims, args, idempotency, addressHash }: FunctionCall,
): Promise<Answer> {
  if (operation.gateway === 'none') throw new Error(`${operation.id} has no function in Postgres.`);
  const { gateway, watch } = services;
  const { id, auth, gateway: way, revokesAccess = isWrite(operation) } = operation;
  const call = { operation: id, args, claims, revokesAccess, requestId: c.get('requestId'), idempotency };
  if (way === 'serializable') return watch.tracer.within('gateway', () => gateway.callSerializable(call));
  const own = isWrite(operation) ? ('caller' as const) : ('reader' as const);
  const identity =
    auth === 'staff' ? { mode: auth, claims: readStaffClaims(c, services) } : { mode: way ?? own, claims };
  return watch.tracer.within('gateway', () =>
    gateway.call({
      ...call,
      ...identity,
      addressHash,
      treatsEndedSessionAsGuest: auth === 'optional',
      isWrite: isWrite(operation),
      replicaRead: mayBeStale(operation) ? parseReplicaRead(c, claims !== null, services) : null,
    }),
  );
}

/**
 * Checks the staff session of a request that is refused for its input, because 401 comes first (docs/product.md S3).
 * @throws ApiError UNAUTHORIZED without a live staff session
 */
export async function requireStaffSession(
  c: Context<{ Variables: Variables }>,
  services: Services,
): Promise<void> {
  await services.gateway.call({
    operation: 'get_staff_session',
    mode: 'staff',
    claims: readStaffClaims(c, services),
    args: {},
    revokesAccess: false,
    requestId: c.get('requestId'),
    idempotency: null,
    addressHash: null,
    treatsEndedSessionAsGuest: false,
    isWrite: false,
    replicaRead: null,
  });
}

/** Returns the token of the staff cookie and the allow-list, as `gateway.call` takes them. */
function readStaffClaims(c: Context, { staff, secrets }: Services): object {
  const token = readStaffToken(c);
  if (token === undefined || staff === null) throw new ApiError('UNAUTHORIZED');
  return { tokenHash: secrets.fingerprint(token), policy: staff.policy };
}
