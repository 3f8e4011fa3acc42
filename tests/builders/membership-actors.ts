import { sql } from 'kysely';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import { ApiError, ERRORS } from '../../src/contract/errors.ts';
import { translate } from '../../src/db/errors.ts';
import type { Route } from '../../src/http/handler.ts';
import { validate, validateParams } from '../../src/http/validate.ts';
import type { AccessClaims } from '../../src/identity/tokens.ts';
import { ROUTES } from '../../src/operations/all.ts';
import { createServices, type Services } from '../../src/services.ts';
import { clientOf, type Json } from '../harness/client.ts';
import { type Opine, testEnvironment } from '../harness/opine.ts';
import { timePasses } from './clock.ts';
import { CAST, LEVELS, type Name } from './membership-model.ts';
import type { Actor, Ask, Stored, Told } from './membership-world.ts';
import { aConfirmed, aHubReady, type Person } from './people.ts';

const YEAR_MS = 365 * 86_400_000;

/** Rows of what there is of open Hubs. */
const STORED = sql<Stored>`
  with open as (select * from app.hubs where closed_at is null)
  select
    coalesce((select json_agg(json_build_array(id, member_count)) from open), '[]') as hubs,
    coalesce((select json_agg(json_build_array(hub_id, user_id, role)) from app.memberships), '[]') as members,
    coalesce((
      select json_agg(json_build_array(
        id, case when state = 'pending' and expires_at <= app.now() then 'expired' else state end
      ))
      from app.hub_invitations where hub_id in (select open.id from open)
    ), '[]') as invitations,
    coalesce((
      select json_agg(json_build_array(id, state)) from app.join_requests where hub_id in (select open.id from open)
    ), '[]') as requests,
    coalesce((
      select json_agg(json_build_array(id, use_count))
      from app.invite_links where hub_id in (select open.id from open) and expires_at > app.now()
    ), '[]') as links`;

/** An actor that has to be closed. */
export interface OpenActor extends Actor {
  close(): Promise<void>;
}

/** People with tokens that outlive every history, and the parts that their requests go through. */
interface Stage {
  readonly opine: Opine;
  readonly services: Services;
  readonly people: ReadonlyMap<Name, Person>;
  readonly tokens: ReadonlyMap<Name, string>;
}

/** Everybody acts over HTTP. */
export async function overHttp(opine: Opine): Promise<OpenActor> {
  const stage = await setStage(opine);
  const clients = new Map([...stage.tokens].map(([name, token]) => [name, clientOf(opine.url, token)]));

  async function ask({ who, route, args }: Ask): Promise<Told> {
    const { method, path, rest } = partsOf(route, args);
    const client = of(clients, who);
    if (method === 'GET') return client.get(path);
    if (method === 'DELETE') return client.delete(path);
    return client.post(path, Object.keys(rest).length === 0 ? undefined : rest);
  }

  const askAll = (asks: readonly Ask[]) => Promise.all(asks.map(ask));
  return { ...wingsOf(stage), share: 1, ask, askAll, close: () => stage.services.gateway.close() };
}

/** Everybody's requests go where those of HTTP go, without it: through the operation's handler and gateway.invoke. */
export async function throughGateway(opine: Opine): Promise<OpenActor> {
  const stage = await setStage(opine);
  const claims = new Map<Name, AccessClaims | null>();
  for (const [name, token] of stage.tokens) claims.set(name, await stage.services.tokens.verify(token));
  const connection = await connectionTo(opine);

  async function ask({ who, route: signature, args }: Ask): Promise<Told> {
    const route = of(SIGNED, signature);
    const invoke = async (given: object) => {
      const values = [route.id, of(claims, who), given];
      const { rows } = await connection.query('select gateway.invoke($1, $2, $3) as answer', values);
      return JSON.parse(rows[0].answer);
    };
    try {
      return {
        status: route.status,
        data: await served(stage.services, route, checked(route, args), invoke),
      };
    } catch (raised) {
      const error = translate(raised);
      if (error instanceof ApiError) return { status: ERRORS[error.code].status, data: undefined, error };
      throw error;
    }
  }

  /** In one round trip, but for what has a handler. */
  async function askAll(asks: readonly Ask[]): Promise<Told[]> {
    const isPlain = ({ route }: Ask) => !of(SIGNED, route).handle;
    const calls = asks.filter(isPlain).map(({ who, route: signature, args }) => {
      const route = of(SIGNED, signature);
      return { operation: route.id, claims: of(claims, who), args: checked(route, args) };
    });
    const { rows } = await connection.query('select public.answers_to($1) as answers', [
      JSON.stringify(calls),
    ]);
    const plain: Told[] = rows[0].answers;
    const answers: Told[] = [];
    for (const one of asks) answers.push((isPlain(one) ? plain.shift() : undefined) ?? (await ask(one)));
    return answers;
  }

  const close = async () => {
    await Promise.all([stage.services.gateway.close(), connection.end()]);
  };
  return { ...wingsOf(stage), share: 6, ask, askAll, close };
}

/** Runs what `route` runs: see src/http/mount.ts. */
async function served(
  services: Services,
  route: Route,
  args: object,
  run: (args: object) => Promise<Json>,
): Promise<Json> {
  if (!route.handle) return run(args);
  const client = { address: null, deviceKind: 'other' } as const;
  const staffCookie = { keep: () => {}, forget: () => {} };
  return route.handle({ args, services, client, staffCookie, look: () => run(args), run });
}

const SIGNED = new Map(ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));

/** The arguments as the route would read them from a request. */
function checked(route: Route, args: object): object {
  const { params = {}, query, body } = route;
  const inPath = Object.keys(params);
  const given = Object.entries(args);
  const rest = Object.fromEntries(given.filter(([name]) => !inPath.includes(name)));
  return {
    ...(body && validate(body, rest)),
    ...(query && validate(query, {})),
    ...validateParams(params, Object.fromEntries(given.filter(([name]) => inPath.includes(name)))),
  };
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

function of<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value;
}

async function setStage(opine: Opine): Promise<Stage> {
  const config = readConfig(testEnvironment(opine.database));
  const services = await createServices(config, { prepare: () => Promise.resolve(null) });
  const people = new Map<Name, Person>();
  const tokens = new Map<Name, string>();
  for (const name of CAST) {
    const person = await (LEVELS[name] === 4 ? aHubReady : aConfirmed)(opine, name);
    const claims = await services.tokens.verify(person.session.accessToken);
    if (claims === null) throw new Error(`${name} is not signed in.`);
    const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 10 * YEAR_MS) };
    people.set(name, person);
    tokens.set(
      name,
      await services.tokens.sign({ userId: person.id, sessionId: claims.session_id, ...times }),
    );
  }
  return { opine, services, people, tokens };
}

/** What happens past every request. */
function wingsOf({ opine, people }: Stage): Pick<Actor, 'people' | 'startAfresh' | 'timePasses' | 'stored'> {
  const { superuser } = opine.database;
  return {
    people,
    startAfresh: async () => {
      await sql`delete from app.memberships`.execute(superuser);
      await sql`delete from app.hubs`.execute(superuser);
      await sql`delete from app.blocks`.execute(superuser);
      await sql`delete from app.rate_meters`.execute(superuser);
      await sql`select app.set_clock_offset('0')`.execute(superuser);
    },
    timePasses: (days) => timePasses(opine, `${days} days`),
    stored: async () => {
      const [stored] = (await STORED.execute(superuser)).rows;
      if (stored === undefined) throw new Error('Nothing was told of what is stored.');
      return stored;
    },
  };
}

/** A connection of the gateway's login, which may run several operations in one round trip. */
async function connectionTo({ database }: Opine): Promise<pg.Client> {
  await LOOKING.execute(database.superuser);
  const connection = new pg.Client({ connectionString: database.urlAs('opine_gateway') });
  await connection.connect();
  return connection;
}

const LOOKING = sql`
  create function public.answers_to(p_calls jsonb) returns jsonb language plpgsql as $$
  declare
    v_call jsonb;
    v_data jsonb;
    v_answers jsonb := '[]';
    v_detail text;
  begin
    for v_call in select c.value from jsonb_array_elements(p_calls) as c loop
      begin
        v_data := gateway.invoke(v_call ->> 'operation', v_call -> 'claims', v_call -> 'args');
        v_answers := v_answers || jsonb_build_object('status', 200, 'data', v_data);
      exception when sqlstate 'PT403' or sqlstate 'PT404' then
        get stacked diagnostics v_detail = pg_exception_detail;
        v_answers := v_answers || jsonb_build_object(
          'status', substr(sqlstate, 3)::integer,
          'error', jsonb_build_object('code', sqlerrm, 'details', coalesce(nullif(v_detail, ''), '{}')::jsonb)
        );
      end;
      perform set_config('role', 'none', true);
    end loop;
    return v_answers;
  end $$`;
