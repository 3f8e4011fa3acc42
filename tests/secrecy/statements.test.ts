import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/opine.ts';
import { aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { POSITIONS } from '../support/votes.ts';
import { rightAmong } from './attacks.ts';
import { alone, claimsOf } from './evidence.ts';
import { byLog, type Entry, logging, processesOf, readingPostgresLog } from './logs.ts';
import { positionsIn } from './records.ts';
import { type Ballot, cast, truthOf } from './votes.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

/** What Postgres logs of five votes, where it logs every statement and `changes` of its defaults say. */
async function votesLogged(
  changes: Record<string, string>,
): Promise<{ entries: Entry[]; ballots: Ballot[] }> {
  await logging(database, { log_statement: 'all', ...changes });
  const log = readingPostgresLog();
  const server = await startServer(testEnvironment(database));
  const opine = { url: server.url, database, stop: server.stop };
  const ada = await aHubReady(opine, 'Ada');
  const post = await aSlider(ada);
  const voters: Person[] = await Promise.all(POSITIONS.map(() => aRegistered(opine)));
  const ballots = voters.map(
    (voter, index): Ballot => ({ voter, post, position: POSITIONS[index] ?? 'left' }),
  );
  await cast(ballots);
  const processes = new Set(await processesOf(database));
  await server.stop();
  return { entries: log.since().filter(({ pid }) => processes.has(pid)), ballots };
}

/** How many votes the log gives away. */
function found(entries: readonly Entry[], ballots: readonly Ballot[]): number {
  const users = ballots.map(({ voter }) => voter.id);
  const post = ballots[0]?.post.id ?? '';
  const tally = { post, users, counts: POSITIONS.map(() => 1) };
  const theories = alone(byLog(entries, post, users).flat());
  return rightAmong(claimsOf([tally], theories), truthOf(ballots));
}

describe('where Postgres logs every statement', () => {
  test('it names no position, as these are parameters', async () => {
    const { entries, ballots } = await votesLogged({ log_parameter_max_length: '0' });
    expect(
      entries.filter(({ text }) => text.includes('gateway.call_serializable')).length,
    ).toBeGreaterThanOrEqual(5);
    expect(entries.filter(({ text }) => positionsIn(text).length > 0)).toEqual([]);
    expect(found(entries, ballots)).toBe(0);
  });

  test('it would name them where it logged parameters', async () => {
    const { entries, ballots } = await votesLogged({ log_parameter_max_length: '-1' });
    expect(found(entries, ballots)).toBe(POSITIONS.length);
  });

  test('it would name one that stood in the text of its statement', async () => {
    await logging(database, { log_statement: 'all', log_parameter_max_length: '0' });
    const log = readingPostgresLog();
    const user = '01990000-0000-7000-8000-0000000000aa';
    await withClient(database.superuserUrl, async (client) => {
      await client.query(`select '{"sub": "${user}"}'::jsonb, '{"position": "right"}'::jsonb`);
    });
    expect(byLog(log.since(), 'a post', [user])).toHaveLength(1);
  });
});

test('nothing of a vote is built as text that Postgres runs, which statistics of statements would keep', async () => {
  // pg_stat_statements itself cannot be looked at here: it has to be loaded when Postgres starts.
  const { rows } = await sql<{ name: string }>`
    select p.oid::regproc::text as name
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('app', 'api', 'gateway') and p.prosrc ~* '\\mexecute\\M' and p.prosrc ~* 'position'
  `.execute(database.superuser);
  expect(rows).toEqual([]);
});
