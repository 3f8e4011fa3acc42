import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/opine.ts';
import { hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { POSITIONS } from '../support/votes.ts';
import { countCorrect } from './attacks.ts';
import { alone, claimsOf } from './evidence.ts';
import { backendPidsOf, byLog, configureLogging, type Entry, followPostgresLog } from './logs.ts';
import { positionsIn } from './records.ts';
import { type Ballot, cast, truthOf } from './votes.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

/** Casts five votes while Postgres logs every statement, and returns its log. */
async function castLogged(changes: Record<string, string>): Promise<{ entries: Entry[]; ballots: Ballot[] }> {
  await configureLogging(database, { log_statement: 'all', ...changes });
  const log = followPostgresLog();
  const server = await startServer(testEnvironment(database));
  const opine = { url: server.url, database, stop: server.stop };
  const ada = await hubReadyPerson(opine, 'Ada');
  const post = await aSlider(ada);
  const voters: Person[] = await Promise.all(POSITIONS.map(() => registeredPerson(opine)));
  const ballots = voters.map(
    (voter, index): Ballot => ({ voter, post, position: POSITIONS[index] ?? 'left' }),
  );
  await cast(ballots);
  const processes = new Set(await backendPidsOf(database));
  await server.stop();
  return { entries: log.since().filter(({ pid }) => processes.has(pid)), ballots };
}

/** Counts the votes that the log reveals. */
function countRevealed(entries: readonly Entry[], ballots: readonly Ballot[]): number {
  const users = ballots.map(({ voter }) => voter.id);
  const post = ballots[0]?.post.id ?? '';
  const tally = { post, users, counts: POSITIONS.map(() => 1) };
  const theories = alone(byLog(entries, post, users).flat());
  return countCorrect(claimsOf([tally], theories), truthOf(ballots));
}

describe('the log of Postgres with log_statement = all', () => {
  test('the log names no position, because positions are parameters', async () => {
    const { entries, ballots } = await castLogged({ log_parameter_max_length: '0' });
    expect(entries.filter(({ text }) => text.includes('gateway.cast_vote')).length).toBeGreaterThanOrEqual(5);
    expect(entries.filter(({ text }) => positionsIn(text).length > 0)).toEqual([]);
    expect(countRevealed(entries, ballots)).toBe(0);
  });

  test('the log reveals every vote if Postgres logs parameters', async () => {
    const { entries, ballots } = await castLogged({ log_parameter_max_length: '-1' });
    expect(countRevealed(entries, ballots)).toBe(POSITIONS.length);
  });

  test('the log reveals a position in the text of a statement', async () => {
    await configureLogging(database, { log_statement: 'all', log_parameter_max_length: '0' });
    const log = followPostgresLog();
    const user = '01990000-0000-7000-8000-0000000000aa';
    await withClient(database.superuserUrl, async (client) => {
      await client.query(`select '{"sub": "${user}"}'::jsonb, '{"position": "right"}'::jsonb`);
    });
    expect(byLog(log.since(), 'a post', [user])).toHaveLength(1);
  });
});

test('no function builds a statement with a position, which pg_stat_statements would keep', async () => {
  // pg_stat_statements has to be preloaded, so this test reads the functions instead.
  const { rows } = await sql<{ name: string }>`
    select p.oid::regproc::text as name
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('app', 'api', 'gateway') and p.prosrc ~* '\\mexecute\\M' and p.prosrc ~* 'position'
  `.execute(database.superuser);
  expect(rows).toEqual([]);
});
