import { expect, test } from 'vitest';
import { configureLogging, followPostgresLog } from '../secrecy/logs.ts';
import { contend, wrongCounts } from '../support/contending-writers.ts';
import { scaled } from '../support/depth.ts';
import { anOpine } from '../support/opine.ts';

const ROUNDS = 60;
const seeds = Array.from({ length: scaled(16) }, (_, index) => index + 1);

test.each(seeds)(
  'concurrent votes, folds, shares, memberships, blocks, merges and deletions never deadlock, and counts stay right (seed %i)',
  async (seed) => {
    const opine = await anOpine();
    // By its defaults Postgres logs both statements of a deadlock.
    await configureLogging(opine.database);
    const log = followPostgresLog();
    const failures = await contend(opine, ROUNDS, seed);
    const { name } = opine.database;
    const deadlocks = log
      .since()
      .filter(({ database, text }) => database === name && text.startsWith('deadlock detected'));
    expect(deadlocks).toEqual([]);
    expect(failures).toEqual([]);
    expect(await wrongCounts(opine)).toEqual([]);
  },
);
