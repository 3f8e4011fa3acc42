import { sql } from 'kysely';
import pg from 'pg';
import { advanceTime, type Opine, startOpine } from '../../support/opine.ts';
import { startReplicatedOpine } from '../../support/replicas.ts';
import { type Calls, type Cast, callsOverHttp, callsThroughGateway, createCast } from '../drivers.ts';
import { callsOverReplicas } from '../replicas.ts';
import { LEVELS, type Model, type Name } from './model.ts';

/** The stored rows of each table that the model describes. */
export type StoredRows = Readonly<
  Record<keyof ReturnType<Model['expectedRows']>, readonly (readonly unknown[])[]>
>;

/** The rows of open Hubs. */
const STORED_ROWS = sql<StoredRows>`
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
      select json_agg(json_build_array(id, state))
      from app.join_requests where hub_id in (select open.id from open) and state <> 'withdrawn'
    ), '[]') as requests,
    coalesce((
      select json_agg(json_build_array(id, use_count))
      from app.invite_links where hub_id in (select open.id from open) and expires_at > app.now()
    ), '[]') as links`;

/** Everything that a history does to Opine. */
export interface MembershipDriver extends Calls<Name> {
  readonly people: ReadonlyMap<Name, { readonly id: string; readonly phoneNumber: string }>;
  /** One of so many views is read after a step; every view if 1. */
  readonly viewRarity: number;
  /** Deletes Hubs, blocks and rate limits, and sets the clock right. */
  reset(): Promise<void>;
  passDays(days: number): Promise<void>;
  storedRows(): Promise<StoredRows>;
  close(): Promise<void>;
}

/** Connects people over HTTP. */
export async function overHttp(): Promise<MembershipDriver> {
  const opine = await startOpine();
  const cast = await createCast<Name>(opine, LEVELS);
  const controls = controlsOf(opine, cast);
  return { ...controls, ...callsOverHttp(opine, cast), viewRarity: 1 };
}

/** Connects people over HTTP, with replicas that replay late. */
export async function overReplicas(): Promise<MembershipDriver> {
  const opine = await startReplicatedOpine(2);
  const cast = await createCast<Name>(opine, LEVELS);
  const controls = controlsOf(opine, cast);
  const { settle, end, ...calls } = callsOverReplicas(opine, cast);
  return {
    ...controls,
    ...calls,
    viewRarity: 1,
    reset: () => controls.reset().then(settle),
    passDays: (days) => controls.passDays(days).then(settle),
    close: async () => {
      await end().finally(controls.close);
    },
  };
}

/** Connects people to the operations without HTTP. */
export async function throughGateway(): Promise<MembershipDriver> {
  const opine = await startOpine();
  const cast = await createCast<Name>(opine, LEVELS);
  const controls = controlsOf(opine, cast);
  const connection = new pg.Client({ connectionString: opine.database.urlAs('opine_gateway') });
  await connection.connect();
  const close = async () => {
    await connection.end();
    await controls.close();
  };
  return { ...controls, ...(await callsThroughGateway(opine, cast, connection)), viewRarity: 6, close };
}

/** Returns the parts of a driver that no request reaches. */
function controlsOf(opine: Opine, { services, people }: Cast<Name>) {
  const { superuser } = opine.database;
  return {
    people,
    reset: async () => {
      await sql`delete from app.memberships`.execute(superuser);
      await sql`delete from app.hubs`.execute(superuser);
      await sql`delete from app.blocks`.execute(superuser);
      await sql`delete from app.rate_limits`.execute(superuser);
      await sql`select app.set_clock_offset('0')`.execute(superuser);
    },
    passDays: (days: number) => advanceTime(opine, `${days} days`),
    storedRows: async () => {
      const [stored] = (await STORED_ROWS.execute(superuser)).rows;
      if (stored === undefined) throw new Error('The query of stored rows returned nothing.');
      return stored;
    },
    close: async () => {
      await services.gateway.close();
      await opine.stop();
    },
  };
}
