import { expect, inject, test } from 'vitest';
import { readingPostgresLog } from '../secrecy/logs.ts';
import { contend } from '../support/contending-writers.ts';
import { anOpine } from '../support/opine.ts';

const ROUNDS = 60;
const seeds = Array.from({ length: inject('depth') }, (_, index) => index + 1);

test.each(seeds)(
  'votes, folds, shares, deletions, Hub moves, merges and ended accounts at the same time never deadlock (seed %i)',
  async (seed) => {
    const opine = await anOpine();
    const log = readingPostgresLog();
    const failures = await contend(opine, ROUNDS, seed);
    const deadlocks = log.since().filter(({ text }) => text.startsWith('deadlock detected'));
    expect(deadlocks).toEqual([]);
    expect(failures).toEqual([]);
  },
);
