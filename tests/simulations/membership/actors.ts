import { sql } from 'kysely';
import pg from 'pg';
import { readConfig } from '../../../src/config.ts';
import { createServices, type Services } from '../../../src/services.ts';
import {
  type Ask,
  type Claims,
  callAllThroughGateway,
  callOverHttp,
  callThroughGateway,
  installBatchCalls,
  lastingToken,
  of,
} from '../../support/api-calls.ts';
import { clientOf } from '../../support/client.ts';
import { timePasses } from '../../support/clock.ts';
import { type Opine, testEnvironment } from '../../support/opine.ts';
import { aConfirmed, aHubReady, type Person } from '../../support/people.ts';
import { CAST, LEVELS, type Name } from './model.ts';
import type { Actor, Stored } from './world.ts';

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
  const ask = (one: Ask<Name>) => callOverHttp(of(clients, one.who), one);
  const askAll = (asks: readonly Ask<Name>[]) => Promise.all(asks.map(ask));
  return { ...wingsOf(stage), share: 1, ask, askAll, close: () => stage.services.gateway.close() };
}

/** Everybody's requests go where those of HTTP go, without it. */
export async function throughGateway(opine: Opine): Promise<OpenActor> {
  const stage = await setStage(opine);
  const { services } = stage;
  const claims = new Map<string, Claims>();
  for (const [name, token] of stage.tokens) claims.set(name, await services.tokens.verify(token));
  await installBatchCalls(opine);
  const connection = new pg.Client({ connectionString: opine.database.urlAs('opine_gateway') });
  await connection.connect();
  return {
    ...wingsOf(stage),
    share: 6,
    ask: (one) => callThroughGateway(services, connection, of(claims, one.who), one),
    askAll: (asks) => callAllThroughGateway(services, connection, (who) => of(claims, who), asks),
    close: async () => {
      await Promise.all([services.gateway.close(), connection.end()]);
    },
  };
}

async function setStage(opine: Opine): Promise<Stage> {
  const config = readConfig(testEnvironment(opine.database));
  const services = await createServices(config, { prepare: () => Promise.resolve(null) });
  const people = new Map<Name, Person>();
  const tokens = new Map<Name, string>();
  for (const name of CAST) {
    const person = await (LEVELS[name] === 4 ? aHubReady : aConfirmed)(opine, name);
    people.set(name, person);
    tokens.set(name, await lastingToken(services, person));
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
      await sql`delete from app.rate_limits`.execute(superuser);
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
