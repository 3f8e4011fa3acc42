import { sql } from 'kysely';
import { startServer } from '../../src/server.ts';
import { allPages, type Client, clientOf, expectOk } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { addToDefaultFeed, homePage } from './feeds.ts';
import { namedPerson } from './graph.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import { confirmedPerson, type Person } from './people.ts';
import { aThought } from './posts.ts';

type Source = 'primary' | 'replica';

/**
 * A primary and a second database in the role of its replica. Their contents differ, so that a read reveals its
 * source.
 */
export interface TwoDatabases {
  readonly primary: Opine;
  readonly replica: TestDatabase;
  /** Exists on the primary. */
  readonly maya: Person;
  end(): Promise<void>;
}

/** Starts both databases; the caller ends them. The replica is up to date until `setReplicaLag`. */
export async function startTwoDatabases(): Promise<TwoDatabases> {
  const [primary, replica] = await Promise.all([startOpine({ PROCESS: 'api' }), createTestDatabase()]);
  const writer = await startServer({ ...testEnvironment(replica), PROCESS: 'api' });
  const maya = await fill(primary, 'primary');
  await fill({ url: writer.url, database: replica, stop: writer.stop }, 'replica');
  await writer.stop();
  await setReplicaLag(replica, '-1 hour');
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
  const maya = await confirmedPerson(opine, 'Maya');
  await addToDefaultFeed(opine, maya);
  await aThought(maya, source);
  await namedPerson(opine, source, 'amara');
  await namedPerson(opine, 'Noor', `noor_of_${source}`);
  return maya;
}

/** Sets the age of the last heartbeat that `replica` has seen. */
export async function setReplicaLag(replica: TestDatabase, interval: string): Promise<void> {
  await sql`
    insert into gateway.heartbeat as h (recorded_at) values (app.now() - ${interval}::interval)
    on conflict (is_singleton) do update set recorded_at = excluded.recorded_at`.execute(replica.superuser);
}

/** Returns the source of the home feed. */
export async function feedSource(reader: Client): Promise<Source> {
  return (await homePage(reader)).items[0].thoughtText;
}

async function profileOf(reader: Client): Promise<Source> {
  return (await expectOk(reader.get('/users/by-username/amara'))).name;
}

async function searchOf(reader: Client): Promise<Source> {
  const [[amara]] = (await allPages(reader, '/search/users', { q: 'amara' })) as [[{ name: Source }]];
  return amara.name;
}

/** Returns the sources of a feed, a profile and a search. */
export async function sourcesRead(reader: Client): Promise<Source[]> {
  return [await feedSource(reader), await profileOf(reader), await searchOf(reader)];
}

export function withBearer(url: string, { session }: Pick<Person, 'session'>): Client {
  return clientOf(url, session.accessToken);
}
