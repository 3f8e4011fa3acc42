import { sql } from 'kysely';
import pg from 'pg';
import type { AccessClaims } from '../../src/auth/tokens.ts';
import { ApiError, ERRORS } from '../../src/contract/errors.ts';
import { translate } from '../../src/db/errors.ts';
import { ROUTES } from '../../src/domains/all.ts';
import type { Operation } from '../../src/http/operation.ts';
import { validate, validateParams } from '../../src/http/validate.ts';
import type { Services } from '../../src/services.ts';
import type { Client, Json, Reply } from './client.ts';
import { withQuery } from './graph.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';

/** A request by somebody: `GET /hubs/{hubId}`, with its parameters, query and body. */
export interface Ask<Who = string> {
  readonly who: Who;
  readonly route: string;
  readonly args: object;
  /** Where it asks for a list from page to page: how long they may be, turn and turn about. */
  readonly sizes?: readonly number[] | undefined;
}

/** What matters of its answer; of a list that was walked all items, and how many each page had. */
export type ApiResult = Pick<Reply, 'status' | 'data'> & {
  readonly error?: Pick<Reply['error'], 'code' | 'details'>;
};

/** Whoever asks as the operations of Opine see them: null is a guest. */
export type Claims = AccessClaims | null;

const YEAR_MS = 365 * 86_400_000;
const MAX_PAGES = 500;
const SIGNED = new Map(ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));

/** The value of `key`. @throws Error where there is none */
export function of<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value;
}

/** A token of the session of `person` that outlives every history. */
export async function lastingToken({ tokens }: Services, { id, session }: Person): Promise<string> {
  const claims = await tokens.verify(session.accessToken);
  if (claims === null) throw new Error(`${id} is not signed in.`);
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 10 * YEAR_MS) };
  return tokens.sign({ userId: id, sessionId: claims.session_id, ...times });
}

/** `client` asks over HTTP. */
export async function callOverHttp(client: Client, { route, args, sizes }: Ask): Promise<ApiResult> {
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
    if (reply.data.nextCursor === null) return { status: 200, data: walked(pages) };
    cursor = { cursor: reply.data.nextCursor };
  }
  throw new Error(`${path} does not end.`);
}

/** Method and path, and the arguments that do not stand in it. */
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

function walked(pages: readonly Json[][]): Json {
  return { items: pages.flat(), pages: pages.map(({ length }) => length) };
}

/** The answer to a request that goes where those of HTTP go, without it: the operation's handler and gateway.call. */
export async function callThroughGateway(
  services: Services,
  connection: pg.Client,
  claims: Claims,
  { route: signature, args }: Ask,
): Promise<ApiResult> {
  const route = of(SIGNED, signature);
  const run = async (given: object) => {
    const [outcome] = await outcomesOf(connection, [{ operation: route.id, claims, args: given }]);
    if (outcome?.raised) throw raisedBy(outcome.raised);
    return outcome?.data;
  };
  return apiResultOf(route, () => served(services, route, checked(services, route, args), run));
}

/** As `callThroughGateway`, in one round trip but for what has a handler. */
export async function callAllThroughGateway(
  services: Services,
  connection: pg.Client,
  claimsOf: (who: string) => Claims,
  asks: readonly Ask[],
): Promise<ApiResult[]> {
  const isPlain = ({ route }: Ask) => !of(SIGNED, route).handle;
  const calls = asks.filter(isPlain).map(({ who, route: signature, args, sizes }) => {
    const route = of(SIGNED, signature);
    return { operation: route.id, claims: claimsOf(who), args: checked(services, route, args), sizes };
  });
  const outcomes = await outcomesOf(connection, calls);
  const answers: ApiResult[] = [];
  for (const one of asks) {
    const outcome = isPlain(one) ? outcomes.shift() : undefined;
    const answer = outcome && apiResultOf(of(SIGNED, one.route), () => dataOf(outcome));
    answers.push(await (answer ?? callThroughGateway(services, connection, claimsOf(one.who), one)));
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

/** Runs what `route` runs: see src/http/mount.ts. */
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

/** The arguments as the route would read them from a request: see src/http/mount.ts. */
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

/** What Postgres raises, as pg tells it. */
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

/** Lets several operations of `opine` be run in one round trip. */
export async function installBatchCalls({ database }: Pick<Opine, 'database'>): Promise<void> {
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
      raise 'A list does not end: %', p_call;
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
          -- What would be looked at with the commit.
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
