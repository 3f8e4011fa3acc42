import type { Context, Hono } from 'hono';
import { ApiError } from '../contract/errors.ts';
import type { Services } from '../services.ts';
import type { Streams } from '../stream/streams.ts';
import { succeed } from './answer.ts';
import { callOperation, requireStaffSession } from './call.ts';
import { identifyCaller } from './caller.ts';
import { findClientAddress, parseDeviceKind } from './client.ts';
import { type OpenStream, stream } from './event-stream.ts';
import { parseIdempotency } from './idempotency.ts';
import { type ReadBody, readJson, validate, validateParams } from './input.ts';
import {
  type Call,
  type Client,
  hashAddress,
  honoursIdempotencyKey,
  listErrors,
  type Operation,
  toBodySchema,
} from './operation.ts';
import { setPosition } from './position.ts';
import type { Variables } from './requests.ts';
import { isCrossSite, readStaffCookie } from './staff-cookie.ts';

const BODY_LIMIT = 1024 * 1024;

/** Returns the remote address of a request's connection, undefined in runtimes that hide it. */
export type FindPeer = (c: Context) => string | undefined;

/** What depends on the runtime, and the event streams of the process. */
export interface Runtime {
  readonly findPeer: FindPeer;
  readonly readBody: ReadBody;
  readonly openStream: OpenStream;
  readonly streams: Streams;
}

/** Mounts a route for each operation. */
export function mount(
  app: Hono<{ Variables: Variables }>,
  operations: readonly Operation[],
  services: Services,
  runtime: Runtime,
): void {
  for (const operation of operations) {
    app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      c.set('operation', operation.id);
      const answer = serve(c, operation, services, runtime);
      return services.config.CHECK_ANSWERS
        ? answer.catch((error) => rethrowDocumented(operation, error))
        : answer;
    });
  }
}

/** Rethrows an error. An error that the operation, and so the OpenAPI document, does not list becomes a bug. */
function rethrowDocumented(operation: Operation, error: unknown): never {
  if (error instanceof ApiError && !listErrors(operation).includes(error.code))
    throw new Error(`${operation.id} does not list its error ${error.code}`, { cause: error });
  throw error;
}

async function serve(
  c: Context<{ Variables: Variables }>,
  operation: Operation,
  services: Services,
  { findPeer, readBody, openStream, streams }: Runtime,
): Promise<Response> {
  // Read the peer before the first await: a closed connection has none.
  const peer = findPeer(c);
  // CSRF: browsers send cookies cross-site, so reject other origins.
  if (operation.auth === 'staff' && operation.method !== 'get' && isCrossSite(c))
    throw new ApiError('FORBIDDEN');
  const claims = await identifyCaller(operation.auth, c.req.header('authorization'), services.tokens);
  const requested = await readArgs(c, operation, readBody).catch(async (error: unknown) => {
    // A request without a staff session learns nothing about its input. Otherwise the call itself checks the session.
    if (operation.auth === 'staff') await requireStaffSession(c, services);
    throw error;
  });
  const idempotency = honoursIdempotencyKey(operation)
    ? parseIdempotency(c.req.header('idempotency-key'), operation.id, requested)
    : null;
  const args = { ...requested, ...operation.fromConfig?.(services.config) };
  const addressHash = operation.limitsGuests
    ? hashAddress({ client: identifyClient(c, services, peer), services })
    : null;
  const run = async (given: object): Promise<string> => {
    const answer = await callOperation(c, services, operation, {
      claims,
      args: given,
      idempotency,
      addressHash,
    });
    if (answer.isReplayed) c.header('Idempotency-Replayed', 'true');
    if (answer.transactionId !== null && operation.auth !== 'staff')
      setPosition(c, answer.transactionId, services);
    return answer.json;
  };
  const look = async () => {
    const answer = await callOperation(c, services, operation, {
      claims,
      args,
      idempotency: null,
      addressHash,
    });
    return JSON.parse(answer.json);
  };
  const createCall = (): Call => ({
    args,
    services,
    client: identifyClient(c, services, peer),
    staffCookie: readStaffCookie(c),
    look,
    run: async (given) => unwrap(await run(given)),
  });
  const json = operation.handle ? JSON.stringify(await operation.handle(createCall())) : await run(args);
  if (services.config.CHECK_ANSWERS) operation.data.parse(JSON.parse(json));
  if (operation.eventPayload && claims !== null) return stream(c, streams, claims, json, openStream);
  return succeed(c, operation, json);
}

async function readArgs(c: Context, operation: Operation, readBody: ReadBody): Promise<object> {
  const params = operation.params ? validateParams(operation.params, c.req.param()) : {};
  const json = await readJson(c, readBody, operation.bodyLimit ?? BODY_LIMIT);
  const query = operation.query ? validate(operation.query, c.req.query()) : {};
  return { ...validate(toBodySchema(operation), json), ...query, ...params };
}

function identifyClient(c: Context, { config }: Services, peer: string | undefined): Client {
  const hops = { peer, forwardedFor: c.req.header('x-forwarded-for') };
  const isProduction = config.NODE_ENV === 'production';
  return {
    address: findClientAddress(hops, config.TRUSTED_PROXY_COUNT, isProduction),
    deviceKind: parseDeviceKind(c.req.header('user-agent')),
  };
}

/**
 * Returns the data of an answer.
 * @throws ApiError the refusal that the function returned; raising it in SQL would have rolled its writes back
 */
function unwrap(json: string): unknown {
  const { refusal, ...data } = JSON.parse(json);
  if (refusal) throw new ApiError(refusal.code, refusal.details);
  return data;
}
