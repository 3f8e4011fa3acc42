import { sql } from 'kysely';
import pg from 'pg';
import type { AccessClaims } from '../../src/auth/tokens.ts';
import { ApiError, ERRORS } from '../../src/contract/errors.ts';
import { translate } from '../../src/db/errors.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { validate, validateParams } from '../../src/http/input.ts';
import type { Operation } from '../../src/http/operation.ts';
import type { Services } from '../../src/services.ts';
import { type Client, type Json, type Reply, withQuery } from './client.ts';
import type { WithDatabase } from './opine.ts';
import type { Person } from './people.ts';

/** A request by `who`. `args` holds path parameters, query and body. */
export interface ApiCall<Who = string> {
  readonly who: Who;
  readonly route: string;
  readonly args: object;
  /** Page sizes for a paginated call, used in rotation. */
  readonly sizes?: readonly number[] | undefined;
}

/** The compared part of a reply. A paginated call yields all items and the size of each page. */
export type ApiResult = Pick<Reply, 'status' | 'data'> & {
  readonly error?: Pick<Reply['error'], 'code' | 'details'>;
};

/** The caller's token claims; null for a guest. */
export type Claims = AccessClaims | null;

const YEAR_MS = 365 * 86_400_000;
const MAX_PAGES = 500;
const SIGNED = new Map(ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));

export function entryOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value;
}

/** Returns an access token that outlives every simulated history. */
export async function longLivedToken({ tokens }: Services, { id, session }: Person): Promise<string> {
  const claims = await tokens.verify(session.accessToken);
  if (claims === null) throw new Error(`${id} is not signed in.`);
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 10 * YEAR_MS) };
  return tokens.sign({ userId: id, sessionId: claims.session_id, ...times });
}

/** Calls the route over HTTP. */
export async function callOverHttp(client: Client, { route, args, sizes }: ApiCall): Promise<ApiResult> {
  const { method, path, rest } = partsOf(route, args);
  if (method === 'DELETE') return client.delete(path);
  if (method !== 'GET') return client.post(path, Object.keys(rest).length === 0 ? undefined : rest);
  if (sizes === undefined) return client.get(withQuery(path, rest));
  const pages: Json[][] = [];
  for (let cursor: object = {}; pages.length < MAX_PAGES; ) {
    const limit = sizes[pages.length % sizes.length];
    const reply = await client.get(withQuery(path, { ...rest, limit, ...cursor }));
    if (reply.status !== 200) return reply;
    pages.push(reply.data.items);
    if (reply.data.nextCursor === null) return { status: 200, data: joined(pages) };
    cursor = { cursor: reply.data.nextCursor };
  }
  throw new Error(`${path} has too many pages.`);
}

/** Returns method, path and the arguments that are not in the path. */
function partsOf(route: string, args: object) {
  const rest: Record<string, unknown> = { ...args };
  const [method, template = ''] = route.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const { [name]: value } = rest;
    delete rest[name];
    return String(value);
  });
  return { method, path, rest };
}

function joined(pages: readonly Json[][]): Json {
  return { items: pages.flat(), pages: pages.map(({ length }) => length) };
}

/** Calls the route without HTTP: its handler, if any, and `gateway.call`. */
export async function callThroughGateway(
  services: Services,
  connection: pg.Client,
  claims: Claims,
  { route: signature, args }: ApiCall,
): Promise<ApiResult> {
  const route = entryOf(SIGNED, signature);
  const run = async (given: object) => {
    const [outcome] = await outcomesOf(connection, [{ operation: route.id, claims, args: given }]);
    if (outcome?.raised) throw raisedBy(outcome.raised);
    return outcome?.data;
  };
  return apiResultOf(route, () => served(services, route, checked(services, route, args), run));
}

/** Like `callThroughGateway`, with all calls without a handler in one round trip. */
export async function callAllThroughGateway(
  services: Services,
  connection: pg.Client,
  claimsOf: (who: string) => Claims,
  requests: readonly ApiCall[],
): Promise<ApiResult[]> {
  const isPlain = ({ route }: ApiCall) => !entryOf(SIGNED, route).handle;
  const calls = requests.filter(isPlain).map(({ who, route: signature, args, sizes }) => {
    const route = entryOf(SIGNED, signature);
    return { operation: route.id, claims: claimsOf(who), args: checked(services, route, args), sizes };
  });
  const outcomes = await outcomesOf(connection, calls);
  const answers: ApiResult[] = [];
  for (const request of requests) {
    const outcome = isPlain(request) ? outcomes.shift() : undefined;
    const answer = outcome && apiResultOf(entryOf(SIGNED, request.route), () => dataOf(outcome));
    answers.push(await (answer ?? callThroughGateway(services, connection, claimsOf(request.who), request)));
  }
  return answers;
}

async function apiResultOf(route: Operation, answer: () => Json | Promise<Json>): Promise<ApiResult> {
  try {
    return { status: route.status, data: await answer() };
  } catch (raised) {
    const error = translate(raised);
    if (error instanceof ApiError) return { status: ERRORS[error.code].status, data: undefined, error };
    throw error;
  }
}

function dataOf({ raised, data }: Outcome): Json {
  if (raised) throw raisedBy(raised);
  return data;
}

function raisedBy({ message, ...rest }: Raised): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), rest);
}

/** Mirrors src/http/mount.ts. */
async function served(
  services: Services,
  route: Operation,
  args: object,
  run: (args: object) => Promise<Json>,
): Promise<Json> {
  if (!route.handle) return run(args);
  const client = { address: null, deviceKind: 'other' } as const;
  const staffCookie = { set: () => {}, clear: () => {} };
  return route.handle({ args, services, client, staffCookie, look: () => run(args), run });
}

/** Validates arguments as src/http/mount.ts does. */
function checked({ config }: Services, route: Operation, args: object): object {
  const { params = {}, query, body } = route;
  const inPath = Object.keys(params);
  const given = Object.entries(args);
  const rest = Object.fromEntries(given.filter(([name]) => !inPath.includes(name)));
  return {
    ...(body && validate(body, rest)),
    ...(query && validate(query, rest)),
    ...validateParams(params, Object.fromEntries(given.filter(([name]) => inPath.includes(name)))),
    ...route.fromConfig?.(config),
  };
}

interface Call {
  readonly operation: string;
  readonly claims: Claims;
  readonly args: object;
  readonly sizes?: readonly number[] | undefined;
}

/** The fields of an error raised by Postgres. */
interface Raised {
  readonly message: string;
  readonly code: string;
  readonly detail: string;
  readonly constraint: string;
}

interface Outcome {
  readonly data?: Json;
  readonly raised?: Raised;
}

async function outcomesOf(connection: pg.Client, calls: readonly Call[]): Promise<Outcome[]> {
  const { rows } = await connection.query('select public.outcomes_of($1) as outcomes', [
    JSON.stringify(calls),
  ]);
  return rows[0].outcomes;
}

/** Creates the SQL functions behind `callAllThroughGateway`. */
export async function installBatchCalls({ database }: WithDatabase): Promise<void> {
  await sql`
    create or replace function public.pages_of(p_call jsonb) returns jsonb language plpgsql as $$
    declare
      v_args jsonb := p_call -> 'args';
      v_sizes jsonb := p_call -> 'sizes';
      v_items jsonb := '[]';
      v_pages jsonb := '[]';
      v_page jsonb;
    begin
      for v_number in 0..${sql.lit(MAX_PAGES)} loop
        v_args := v_args || jsonb_build_object('limit', v_sizes -> (v_number % jsonb_array_length(v_sizes)));
        v_page := (gateway.call('caller', p_call ->> 'operation', v_args, nullif(p_call -> 'claims', 'null'))).answer;
        perform set_config('role', 'none', true);
        v_items := v_items || (v_page -> 'items');
        v_pages := v_pages || to_jsonb(jsonb_array_length(v_page -> 'items'));
        if v_page ->> 'nextCursor' is null then
          return jsonb_build_object('items', v_items, 'pages', v_pages);
        end if;
        v_args := v_args || jsonb_build_object('cursor', v_page ->> 'nextCursor');
      end loop;
      raise 'A list has too many pages: %', p_call;
    end $$`.execute(database.superuser);
  await sql`
    create or replace function public.outcomes_of(p_calls jsonb) returns jsonb language plpgsql as $$
    declare
      v_call jsonb;
      v_data jsonb;
      v_outcomes jsonb := '[]';
      v_detail text;
      v_constraint text;
    begin
      for v_call in select c.value from jsonb_array_elements(p_calls) as c loop
        begin
          if v_call ? 'sizes' then
            v_data := public.pages_of(v_call);
          else
            v_data := (gateway.call('caller', v_call ->> 'operation', v_call -> 'args', nullif(v_call -> 'claims', 'null'))).answer;
          end if;
          perform set_config('role', 'none', true);
          -- Deferred constraints would fire at the commit.
          set constraints all immediate;
          v_outcomes := v_outcomes || jsonb_build_object('data', v_data);
        exception when others then
          get stacked diagnostics v_detail = pg_exception_detail, v_constraint = constraint_name;
          v_outcomes := v_outcomes || jsonb_build_object('raised', jsonb_build_object(
            'message', sqlerrm, 'code', sqlstate, 'detail', v_detail, 'constraint', v_constraint
          ));
        end;
      end loop;
      return v_outcomes;
    end $$`.execute(database.superuser);
}
