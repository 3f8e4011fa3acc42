import { sql } from 'kysely';
import { startServer } from '../../src/server.ts';
import { type Client, clientOf } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { chooseForDefaultFeed, homePage } from './feeds.ts';
import { aPersonNamed, everyPage, granted } from './graph.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import { aConfirmed, type Person } from './people.ts';
import { aThought } from './posts.ts';

/** Where something was read. */
export type Source = 'primary' | 'replica';

/** A primary, and a database that plays its replica: what is read in it says where that was. */
export interface TwoDatabases {
  readonly primary: Opine;
  readonly replica: TestDatabase;
  /** Maya on the primary. */
  readonly maya: Person;
  end(): Promise<void>;
}

/** Starts both, for the caller to end. The replica is up to date until `isBehindBy` says otherwise. */
export async function startTwoDatabases(): Promise<TwoDatabases> {
  const [primary, replica] = await Promise.all([startOpine({ PROCESS: 'api' }), createTestDatabase()]);
  const writer = await startServer({ ...testEnvironment(replica), PROCESS: 'api' });
  const maya = await fill(primary, 'primary');
  await fill({ url: writer.url, database: replica, stop: writer.stop }, 'replica');
  await writer.stop();
  await isBehindBy(replica, '-1 hour');
  return {
    primary,
    replica,
    maya,
    end: async () => {
      await primary.stop();
      await replica.drop();
    },
  };
}

async function fill(opine: Opine, source: Source): Promise<Person> {
  const maya = await aConfirmed(opine, 'Maya');
  await chooseForDefaultFeed(opine, maya);
  await aThought(maya, source);
  await aPersonNamed(opine, source, 'amara');
  await aPersonNamed(opine, 'Noor', `noor_of_${source}`);
  return maya;
}

/** From now on a worker of the primary was last heard of so long ago, as `replica` knows. */
export async function isBehindBy(replica: TestDatabase, interval: string): Promise<void> {
  await sql`
    insert into gateway.heartbeat as h (recorded_at) values (app.now() - ${interval}::interval)
    on conflict (is_singleton) do update set recorded_at = excluded.recorded_at`.execute(replica.superuser);
}

/** Where `reader` is given the home feed from. */
export async function feedOf(reader: Client): Promise<Source> {
  return (await homePage(reader)).items[0].thoughtText;
}

async function profileOf(reader: Client): Promise<Source> {
  return (await granted(reader.get('/users/by-username/amara'))).name;
}

async function searchOf(reader: Client): Promise<Source> {
  const [[amara]] = (await everyPage(reader, '/search/users', { q: 'amara' })) as [[{ name: Source }]];
  return amara.name;
}

/** Where `reader` is given a feed, a profile and people they search for from. */
export async function readBy(reader: Client): Promise<Source[]> {
  return [await feedOf(reader), await profileOf(reader), await searchOf(reader)];
}

/** Whoever has this bearer, at `url`. */
export function withBearer(url: string, { session }: Pick<Person, 'session'>): Client {
  return clientOf(url, session.accessToken);
}
