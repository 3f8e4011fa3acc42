import pg from 'pg';
import { startServer } from '../../../src/server.ts';
import { entryOf } from '../../support/api-calls.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Opine, startOpine, testEnvironment } from '../../support/opine.ts';
import { startReplicatedOpine } from '../../support/replicas.ts';
import { type Calls, type Cast, callsOverHttp, callsThroughGateway, createCast } from '../drivers.ts';
import { callsOverReplicas } from '../replicas.ts';
import { DEFAULT_FEED_USERS, LEVELS, type Name, VOTE_DELAY } from './entities.ts';

/** Everything that a history does to Opine. */
export interface FeedDriver extends Calls<Name> {
  readonly people: ReadonlyMap<Name, { readonly id: string }>;
  /** Whether a worker runs beside the history, so that its tasks must be done before each comparison. */
  readonly hasWorker: boolean;
  /** Deletes everything but people, and sets the clock right. */
  reset(): Promise<void>;
  /** Sets the clock to so many seconds after the beginning. */
  setClock(seconds: number): Promise<void>;
  changeMembership(change: 'join' | 'leave', hubId: string, userId: string): Promise<void>;
  foldVotes(): Promise<void>;
  finishAccountDeletion(userId: string): Promise<void>;
  /** Changes the database between histories. */
  execute(statements: string): Promise<void>;
  close(): Promise<void>;
}

const ENVIRONMENT = { VOTE_ACTIVITY_DELAY_SECONDS: `${VOTE_DELAY}-${VOTE_DELAY}` };

/** Connects people over HTTP, with a worker. */
export async function overHttp(): Promise<FeedDriver> {
  const opine = await startOpine(ENVIRONMENT);
  const cast = await createCast<Name>(opine, LEVELS, ENVIRONMENT);
  const { controls } = await connect(opine, cast);
  const close = async () => {
    await controls.close();
    await opine.stop();
  };
  return { ...controls, ...callsOverHttp(opine, cast), hasWorker: true, close };
}

/** More seconds than the clock moves between two choices, unless one of them lets time pass. */
const A_MOMENT = 100;

/** Connects people over HTTP, with a worker and with replicas that replay late. */
export async function overReplicas(): Promise<FeedDriver> {
  const opine = await startReplicatedOpine(2, ENVIRONMENT);
  const cast = await createCast<Name>(opine, LEVELS, ENVIRONMENT);
  const { controls } = await connect(opine, cast);
  const { settle, end, ...calls } = callsOverReplicas(opine, cast);
  let now = 0;
  return {
    ...controls,
    ...calls,
    hasWorker: true,
    reset: async () => {
      now = 0;
      await controls.reset().then(settle);
    },
    setClock: async (seconds) => {
      await controls.setClock(seconds);
      // What time changes is nobody's own write, and replicas have the clock late.
      if (seconds - now > A_MOMENT) await settle();
      now = seconds;
    },
    changeMembership: (...change) => controls.changeMembership(...change).then(settle),
    finishAccountDeletion: (userId) => controls.finishAccountDeletion(userId).then(settle),
    foldVotes: () => controls.foldVotes().then(settle),
    close: async () => {
      await end().finally(controls.close).finally(opine.stop);
    },
  };
}

/** Connects people to the operations without HTTP and without a worker. */
export async function throughGateway(): Promise<FeedDriver> {
  const database = await createTestDatabase();
  const server = await startServer(testEnvironment(database));
  const cast = await createCast<Name>({ url: server.url, database, stop: server.stop }, LEVELS, ENVIRONMENT);
  await server.stop();
  const { controls, connection } = await connect({ database }, cast);
  const calls = await callsThroughGateway({ database }, cast, connection);
  // Votes require this isolation level.
  await connection.query('set default_transaction_isolation = serializable');
  const close = async () => {
    await controls.close();
    await database.drop();
  };
  return { ...controls, ...calls, hasWorker: false, close };
}

const PROFILE = 'user_id, username, full_name, bio, photo_asset_id, created_at';
const KEEP_PEOPLE = `
  create table public.kept_users as table app.users;
  create table public.kept_sessions as table app.sessions;
  create table public.kept_profiles as select ${PROFILE} from app.profiles`;

/** Deletes what a history left, and restores the people whose accounts it ended. */
const RESET = `
  delete from app.account_deletions;
  delete from app.posts;
  delete from app.memberships;
  delete from app.hubs;
  delete from app.follows;
  delete from app.blocks;
  delete from app.events;
  delete from app.fresh_votes;
  delete from app.feed_events;
  delete from app.feed_changes;
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

/** Opens a superuser connection and returns the parts of a driver that no request reaches. */
async function connect({ database }: Pick<Opine, 'database'>, { services, people }: Cast<Name>) {
  const connection = new pg.Client({ connectionString: database.superuserUrl });
  await connection.connect();
  await connection.query(KEEP_PEOPLE);
  const run = async (text: string, values: readonly unknown[] = []) => {
    await connection.query(text, [...values]);
  };
  const controls = {
    people,
    execute: async (statements: string) => {
      await connection.query(statements);
    },
    reset: async () => {
      await connection.query(RESET);
      const ids = DEFAULT_FEED_USERS.map((name) => entryOf(people, name).id);
      const choose = 'insert into app.default_feed_users (user_id) select unnest($1::uuid[])';
      await run(`${choose} on conflict do nothing`, [ids]);
    },
    setClock: (seconds: number) => run('select app.set_clock_offset(make_interval(secs => $1))', [seconds]),
    changeMembership: (change: 'join' | 'leave', hubId: string, userId: string) => {
      const call = change === 'join' ? 'app.become_member' : 'app.delete_memberships';
      return run(`select app.lock_hub($1), ${call}($1, $2)`, [hubId, userId]);
    },
    foldVotes: () => run('select app.fold_receipts()'),
    finishAccountDeletion: async (userId: string) => {
      const due = 'select from app.account_deletions where user_id = $1 and due_at <= app.now()';
      // Each call deletes a batch.
      while ((await connection.query(due, [userId])).rowCount) {
        await run('select app.finish_account_deletion($1)', [userId]);
      }
    },
    close: async () => {
      await Promise.all([services.gateway.close(), connection.end()]);
    },
  };
  return { controls, connection };
}
