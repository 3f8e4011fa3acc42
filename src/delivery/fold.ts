import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';
import { type More, repeat } from './repeat.ts';

/**
 * Takes apart what each vote wrote in one transaction, so that nobody can pair who voted with what was voted
 * (docs/vote-secrecy.md): each step is a transaction of its own, and what the votes wrote is wiped behind them.
 * @param keys that open pending votes, of which the first seals them anew
 * @param runsOncePerMinute whether it runs too rarely to find each half of the slots at rest: then it folds both, and votes may wait for it
 */
export function foldVotes(db: Kysely<DB>, keys: readonly string[], runsOncePerMinute = false): Duty {
  const generations = runsOncePerMinute ? [0, 1] : [null];
  return {
    name: 'fold votes',
    everyMs: 10_000,
    run: async (stopping) => {
      const steps = [
        ...generations.map(
          (generation) => () => sql`select app.fold_pools(${generation}::smallint)`.execute(db),
        ),
        () => repeat(db, sql<More>`select app.fold_ballots(${keys}::text[]) as is_more`, stopping),
        () => repeat(db, sql<More>`select app.fold_receipts() as is_more`, stopping),
        () => wipe(db),
      ];
      const failures: unknown[] = [];
      // What one step cannot do must not keep the others from theirs.
      for (const step of steps) {
        if (stopping.aborted) break;
        await step().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures);
    },
  };
}

/** Sends what milestones there are on their way to those who are to be notified. */
export function fanOutMilestones(db: Kysely<DB>): Duty {
  return {
    name: 'fan out milestones',
    everyMs: 2_000,
    run: (stopping) => repeat(db, sql<More>`select app.fan_out_milestones() as is_more`, stopping),
  };
}

/** Frees the places of former versions of rows. What is emptied by the fold is cut off as a whole once nobody needs its rows. */
async function wipe(db: Kysely<DB>): Promise<void> {
  await sql`vacuum (index_cleanup on, truncate on, analyze off)
    app.vote_slots, app.pending_ballots, app.fresh_votes, app.promotions`.execute(db);
  await sql`vacuum app.vote_pools, app.pending_totals, app.vote_receipts`.execute(db);
}
