import type { Context, Hono } from 'hono';
import { ApiError } from '../contract/errors.ts';
import { bodySchemaOf, errorsOf, honoursIdempotencyKey, isWrite } from '../contract/operation.ts';
import type { Answer, Idempotency, Invocation } from '../db/gateway.ts';
import type { Services } from '../services.ts';
import type { Streams } from '../stream/streams.ts';
import { succeed } from './answer.ts';
import { askAsStaff } from './as-staff.ts';
import { type BodyOf, readJson } from './body.ts';
import { callerOf } from './caller.ts';
import { clientAddressOf } from './client-address.ts';
import { deviceKindOf } from './device-kind.ts';
import { type OpenStream, stream } from './event-stream.ts';
import type { Client, Route } from './handler.ts';
import { idempotencyOf } from './idempotency.ts';
import { isSentByOthers } from './same-site.ts';
import { staffCookieOf } from './staff-cookie.ts';
import { validate, validateParams } from './validate.ts';
import type { Variables } from './variables.ts';

const BODY_LIMIT = 1024 * 1024;

/** Who opened the connection of a request, where the runtime knows. */
export type PeerOf = (c: Context) => string | undefined;

/** What differs by the runtime that the app runs in, and the streams that it holds. */
export interface Runtime {
  readonly peerOf: PeerOf;
  readonly bodyOf: BodyOf;
  readonly openStream: OpenStream;
  readonly streams: Streams;
}

/** Mounts operations on `app`, each as its route. */
export function mount(
  app: Hono<{ Variables: Variables }>,
  routes: readonly Route[],
  services: Services,
  runtime: Runtime,
): void {
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      c.set('operation', route.id);
      const answer = serve(c, route, services, runtime);
      return services.config.CHECK_ANSWERS ? answer.catch((error) => throwAsNamed(route, error)) : answer;
    });
  }
}

/** Throws an error on, but one that the operation does not name, and so its document neither, as the bug that it is. */
function throwAsNamed(route: Route, error: unknown): never {
  if (error instanceof ApiError && !errorsOf(route).includes(error.code))
    throw new Error(`${route.id} does not name its error ${error.code}`, { cause: error });
  throw error;
}

async function serve(
  c: Context<{ Variables: Variables }>,
  route: Route,
  services: Services,
  { peerOf, bodyOf, openStream, streams }: Runtime,
): Promise<Response> {
  // Before anything is waited for: a connection that is gone no longer says whose it was.
  const peer = peerOf(c);
  // A cookie travels by itself: whoever makes the browser send it is not whose it is.
  if (route.auth === 'staff' && route.method !== 'get' && isSentByOthers(c)) throw new ApiError('FORBIDDEN');
  const claims = await callerOf(route.auth, c.req.header('authorization'), services.tokens);
  const requested = await readArgs(c, route, bodyOf);
  const idempotency = honoursIdempotencyKey(route)
    ? idempotencyOf(c.req.header('idempotency-key'), route.id, requested)
    : null;
  const args = { ...requested, ...route.fromConfig?.(services.config) };
  const { id: operation, reads } = route;
  const asked = { operation, claims, args, isWrite: isWrite(route), reads, requestId: c.get('requestId') };
  const invoke = async (given: object): Promise<string> => {
    const answer = await ask(c, route, services, { ...asked, args: given }, idempotency);
    if (answer.isReplayed) c.header('Idempotency-Replayed', 'true');
    return answer.json;
  };
  const json = route.handle
    ? JSON.stringify(
        await route.handle({
          args,
          services,
          client: clientOf(c, services, peer),
          staffCookie: staffCookieOf(c),
          look: async () => JSON.parse((await ask(c, route, services, asked, null)).json),
          run: async (given) => unwrap(await invoke(given)),
        }),
      )
    : await invoke(args);
  if (services.config.CHECK_ANSWERS) route.data.parse(JSON.parse(json));
  if (route.isStream && claims !== null) return stream(c, streams, claims, json, openStream);
  return succeed(c, route, json);
}

async function readArgs(c: Context, route: Route, bodyOf: BodyOf): Promise<object> {
  const params = route.params ? validateParams(route.params, c.req.param()) : {};
  const json = await readJson(c, bodyOf, route.bodyLimit ?? BODY_LIMIT);
  const query = route.query ? validate(route.query, c.req.query()) : {};
  return { ...validate(bodySchemaOf(route), json), ...query, ...params };
}

function clientOf(c: Context, { config }: Services, peer: string | undefined): Client {
  const hops = { peer, forwardedFor: c.req.header('x-forwarded-for') };
  const isProduction = config.NODE_ENV === 'production';
  return {
    address: clientAddressOf(hops, config.TRUSTED_PROXY_COUNT, isProduction),
    deviceKind: deviceKindOf(c.req.header('user-agent')),
  };
}

/** Asks Postgres by the route's way through the gateway. */
function ask(
  c: Context,
  route: Route,
  services: Services,
  invocation: Invocation,
  idempotency: Idempotency | null,
): Promise<Answer> {
  return services.watch.tracer.within('gateway', () =>
    askGateway(c, route, services, invocation, idempotency),
  );
}

async function askGateway(
  c: Context,
  route: Route,
  services: Services,
  invocation: Invocation,
  idempotency: Idempotency | null,
): Promise<Answer> {
  const { gateway } = services;
  if (route.auth === 'staff') return askAsStaff(c, services, route, invocation.args);
  if (route.gateway === 'serializable') return gateway.invokeThenRead(invocation);
  const asService = route.gateway === 'service';
  if (idempotency !== null) return gateway.invokeOnce(invocation, idempotency, asService);
  const fallsBack = route.auth === 'optional';
  return asService ? gateway.invokeAsService(invocation, fallsBack) : gateway.invoke(invocation, fallsBack);
}

/** The data out of an answer. @throws ApiError the refusal that the function returned to keep what it wrote */
function unwrap(json: string): unknown {
  const { refusal, ...data } = JSON.parse(json);
  if (refusal) throw new ApiError(refusal.code, refusal.details);
  return data;
}
