import pg from 'pg';
import { readConfig } from '../../../src/config.ts';
import { startServer } from '../../../src/server.ts';
import { createServices, type Services } from '../../../src/services.ts';
import {
  type Claims,
  callAllThroughGateway,
  callOverHttp,
  callThroughGateway,
  installBatchCalls,
  lastingToken,
  of,
} from '../../support/api-calls.ts';
import { clientOf } from '../../support/client.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Opine, startOpine, testEnvironment } from '../../support/opine.ts';
import {
  aConfirmed,
  aGuest,
  aHubReady,
  anAnonymous,
  aRegistered,
  type Person,
} from '../../support/people.ts';
import { CAST, DEFAULT_FEED_USERS, LEVELS, type Name, VOTE_DELAY } from './things.ts';
import type { FeedActor } from './world.ts';

/** An actor that has to be closed, and beside whose histories the database can be changed. */
export interface OpenFeedActor extends FeedActor {
  change(statements: string): Promise<void>;
  close(): Promise<void>;
}

const MAKING = new Map<number, (opine: Opine, name: string) => Promise<Person>>([
  [1, (opine) => anAnonymous(opine)],
  [2, aRegistered],
  [3, aConfirmed],
  [4, aHubReady],
]);

const CHANGES = { VOTE_ACTIVITY_DELAY_SECONDS: `${VOTE_DELAY}-${VOTE_DELAY}` };

/** Everybody acts over HTTP. */
export async function overHttp(): Promise<OpenFeedActor> {
  const opine = await startOpine(CHANGES);
  const stage = await setStage(opine);
  const clients = new Map([...stage.tokens].map(([name, token]) => [name, clientOf(opine.url, token)]));
  clients.set('Guest', aGuest(opine));
  return {
    ...wingsOf(stage),
    hasWorker: true,
    ask: (one) => callOverHttp(of(clients, one.who), one),
    askAll: (asks) => Promise.all(asks.map((one) => callOverHttp(of(clients, one.who), one))),
    close: async () => {
      await closeStage(stage);
      await opine.stop();
    },
  };
}

/** Everybody's requests go where those of HTTP go, without it, and no worker runs. */
export async function throughGateway(): Promise<OpenFeedActor> {
  const database = await createTestDatabase();
  const server = await startServer(testEnvironment(database));
  const stage = await setStage({ url: server.url, database, stop: server.stop });
  await server.stop();
  const { services, connection } = stage;
  const claims = new Map<string, Claims>([['Guest', null]]);
  for (const [name, token] of stage.tokens) claims.set(name, await services.tokens.verify(token));
  await installBatchCalls({ database });
  // As votes need it.
  await connection.query('set default_transaction_isolation = serializable');
  return {
    ...wingsOf(stage),
    hasWorker: false,
    ask: (one) => callThroughGateway(services, connection, of(claims, one.who), one),
    askAll: (asks) => callAllThroughGateway(services, connection, (who) => of(claims, who), asks),
    close: async () => {
      await closeStage(stage);
      await database.drop();
    },
  };
}

/** People with tokens that outlive every history, and a connection that is past every policy. */
interface Stage {
  readonly services: Services;
  readonly people: ReadonlyMap<Name, Person>;
  readonly tokens: ReadonlyMap<Name, string>;
  readonly connection: pg.Client;
}

async function setStage(opine: Opine): Promise<Stage> {
  const { database } = opine;
  const config = readConfig({ ...testEnvironment(database), ...CHANGES });
  const services = await createServices(config, { prepare: () => Promise.resolve(null) });
  const people = new Map<Name, Person>();
  const tokens = new Map<Name, string>();
  for (const name of CAST.filter((one) => LEVELS[one] > 0)) {
    const person = await of(MAKING, LEVELS[name])(opine, name);
    people.set(name, person);
    tokens.set(name, await lastingToken(services, person));
  }
  const connection = new pg.Client({ connectionString: database.superuserUrl });
  await connection.connect();
  await connection.query(KEEPING);
  return { services, people, tokens, connection };
}

async function closeStage({ services, connection }: Stage): Promise<void> {
  await Promise.all([services.gateway.close(), connection.end()]);
}

const PROFILE = 'user_id, username, full_name, bio, photo_asset_id, created_at';
const KEEPING = `
  create table public.kept_users as table app.users;
  create table public.kept_sessions as table app.sessions;
  create table public.kept_profiles as select ${PROFILE} from app.profiles`;

/** Removes all that a history left, and lets whoever ended in it be there again. */
const CLEARING = `
  delete from app.account_deletions;
  delete from app.posts;
  delete from app.memberships;
  delete from app.hubs;
  delete from app.follows;
  delete from app.blocks;
  delete from app.events;
  delete from app.fresh_votes;
  delete from app.feed_events;
  delete from app.former_sources;
  delete from app.rate_limits;
  update app.users as u
  set phone = k.phone, phone_verified_at = k.phone_verified_at, media_completed_at = k.media_completed_at,
    terms_version = k.terms_version, terms_accepted_at = k.terms_accepted_at,
    contacts_synced_at = k.contacts_synced_at, device_hash = k.device_hash, ended_at = null
  from public.kept_users as k
  where k.id = u.id and u.ended_at is not null;
  insert into app.profiles (${PROFILE}) select ${PROFILE} from public.kept_profiles on conflict do nothing;
  insert into app.sessions select * from public.kept_sessions on conflict do nothing;
  select app.set_clock_offset('0')`;

/** What happens past every request. */
function wingsOf({
  people,
  connection,
}: Stage): Pick<
  OpenFeedActor,
  'people' | 'change' | 'startAfresh' | 'setClock' | 'move' | 'foldVotes' | 'finishDeparture'
> {
  const run = async (text: string, values: readonly unknown[] = []) => {
    await connection.query(text, [...values]);
  };
  return {
    people,
    change: async (statements) => {
      await connection.query(statements);
    },
    startAfresh: async () => {
      await connection.query(CLEARING);
      const ids = DEFAULT_FEED_USERS.map((name) => of(people, name).id);
      const choosing = 'insert into app.default_feed_users (user_id) select unnest($1::uuid[])';
      await run(`${choosing} on conflict do nothing`, [ids]);
    },
    setClock: (seconds) => run('select app.set_clock_offset(make_interval(secs => $1))', [seconds]),
    move: (way, hubId, userId) => {
      const move = way === 'join' ? 'app.become_member' : 'app.end_membership';
      return run(`select app.lock_hub($1), ${move}($1, $2)`, [hubId, userId]);
    },
    foldVotes: () => run('select app.fold_receipts()'),
    finishDeparture: async (userId) => {
      const due = 'select from app.account_deletions where user_id = $1 and due_at <= app.now()';
      // A part of what is left goes with each call.
      while ((await connection.query(due, [userId])).rowCount) {
        await run('select app.finish_account_deletion($1)', [userId]);
      }
    },
  };
}
