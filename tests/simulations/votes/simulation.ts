/**
 * Simulation of votes under faults: 64 devices vote, share, join, leave and delete while the service and Postgres crash.
 * Model: a serial replay of the commits in snapshot order (replay.ts), and the state that a caller may observe
 * between its request and the answer (known-state.ts).
 * Random, by seed: the calls of each device (requests.ts). The plan fixes the faults (fault-injection.ts).
 * Compared: every answer, commit, receipt and count with the model, rule by rule (rules.ts).
 */

import type { EdgeOptions } from '../../../scripts/local/edge-function.ts';
import { expectOk, type Json } from '../../support/client.ts';
import { startEdgeWorker } from '../../support/edge-worker.ts';
import { testEnvironment, WITH_WORKER } from '../../support/opine.ts';
import { requestShareToHubs } from '../../support/posts.ts';
import { castVote, countsOf, myVote } from '../../support/votes.ts';
import { foldAllVotes } from '../../support/worker.ts';
import { type Commits, commitsIn, recordCommits } from './commits.ts';
import { createCrashingDatabase } from './crashing-database.ts';
import { type History, type Plan, runLoad } from './fault-injection.ts';
import { startKillableService } from './killable-service.ts';
import { type Call, outcomeOf } from './requests.ts';
import { type Receipt, type Stored, scopeOf, storedIn } from './stored-votes.ts';
import { createWorld, type World } from './world.ts';

/** The answers to a voter after the load: to `GET my vote` and to a second vote. */
export interface VoterCheck {
  readonly receipt: Receipt;
  readonly mine: Pick<Call, 'outcome' | 'data'>;
  readonly again: Pick<Call, 'outcome'>;
}

/** The load, and the state after it. */
export interface SimulationResult {
  readonly world: World;
  readonly history: History;
  /** The error log of the service. */
  readonly serviceLog: readonly Json[];
  /** The commits before the load, and all commits after it. */
  readonly commitsBefore: Commits;
  readonly commits: Commits;
  readonly voters: readonly VoterCheck[];
  readonly unfolded: Stored;
  readonly folded: Stored;
  /** The stored votes after every shareable post was shared into every Hub. */
  readonly shared: Stored;
  /** The counts of `shared` as the API shows them to the common admin. */
  readonly shown: ReadonlyMap<string, readonly number[]>;
}

/**
 * Runs the load of 64 devices with the faults of `plan`, and reads the state after it.
 * @param deno the Deno of the edge functions that fold votes; by default a worker folds them
 */
export async function simulateCrashes(plan: Plan, deno?: EdgeOptions['deno']): Promise<SimulationResult> {
  const database = await createCrashingDatabase();
  const worker = deno === undefined ? null : await startEdgeWorker(testEnvironment(database), deno);
  try {
    const service = await startKillableService({
      ...testEnvironment(database),
      ...WITH_WORKER,
      LOG_LEVEL: 'error',
    });
    try {
      const opine = { url: service.url, database };
      const foldVotes = async () => {
        if (worker === null) return foldAllVotes(opine);
        await worker.call('upkeep');
        await worker.call('push');
      };
      await recordCommits(opine);
      const world = await createWorld(opine);
      const commitsBefore = await commitsIn(opine);
      const history = await runLoad(world, database, service, plan, foldVotes);
      const commits = await commitsIn(opine);
      const unfolded = await storedIn(opine);
      const voters = await votersOf(world, unfolded);
      await foldVotes();
      const folded = await storedIn(opine);
      await shareAll(world, folded);
      await foldVotes();
      const [shared, shown] = [await storedIn(opine), await shownTo(world, folded)];
      const serviceLog = service.logged();
      return { world, history, serviceLog, commitsBefore, commits, voters, unfolded, folded, shared, shown };
    } finally {
      await service.kill();
    }
  } finally {
    await worker?.stop();
    await database.drop();
  }
}

async function votersOf({ actors }: World, { receipts }: Stored): Promise<VoterCheck[]> {
  const checks = actors.map(async ({ person }) => {
    const own: VoterCheck[] = [];
    for (const receipt of receipts.filter(({ userId }) => userId === person.id)) {
      const post = { id: receipt.postId };
      const again = await outcomeOf(() => castVote(person, post, 'strong_right'));
      own.push({ receipt, again, mine: await outcomeOf(() => myVote(person, post)) });
    }
    return own;
  });
  return (await Promise.all(checks)).flat();
}

async function shareAll({ commonAdmin, managedHubs, targets }: World, { posts }: Stored): Promise<void> {
  const shareable = targets.filter(({ id, isShareable }) => posts.has(id) && isShareable);
  const hubs = managedHubs.map(({ hub }) => hub);
  await Promise.all(shareable.map((target) => expectOk(requestShareToHubs(commonAdmin, target, hubs))));
}

async function shownTo(
  { commonAdmin, managedHubs, targets }: World,
  { posts }: Stored,
): Promise<SimulationResult['shown']> {
  const shown = targets
    .filter(({ id }) => posts.has(id))
    .flatMap((target) => [
      ...(target.isPrivate ? [] : [{ target, hub: undefined }]),
      ...managedHubs.map(({ hub }) => ({ target, hub })),
    ])
    .map(async ({ target, hub }) => {
      return [scopeOf(target.id, hub?.id ?? null), await countsOf(commonAdmin, target, hub)] as const;
    });
  return new Map(await Promise.all(shown));
}
