import type { EdgeOptions } from '../../../scripts/local/edge-function.ts';
import type { Json } from '../../support/client.ts';
import { startEdgeWorker } from '../../support/edge-worker.ts';
import { votesAreFolded } from '../../support/fold.ts';
import { requestPlace } from '../../support/frames.ts';
import { granted } from '../../support/graph.ts';
import { testEnvironment } from '../../support/opine.ts';
import { castVote, countsOf, myVote } from '../../support/votes.ts';
import { burn, type History, type Plan } from './chaos.ts';
import { type Act, outcomeOf } from './chaos-acts.ts';
import { aCrashingDatabase } from './chaos-cluster.ts';
import { aKillableService } from './chaos-service.ts';
import { aWorldToBurn, type World } from './chaos-world.ts';
import { callObserver, type Observation, observationOf } from './tally-observer.ts';
import { type Receipt, type Stored, scopeOf, storedIn } from './tally-stored.ts';

/** What a voter is told after the fire: of their vote, and when they try to vote again. */
export interface Afterwards {
  readonly receipt: Receipt;
  readonly mine: Pick<Act, 'told' | 'data'>;
  readonly again: Pick<Act, 'told'>;
}

/** A fire, and what is left after it. */
export interface Aftermath {
  readonly world: World;
  readonly history: History;
  /** What the service has logged of what went wrong. */
  readonly complaints: readonly Json[];
  /** What was committed before the fire, and in the end. */
  readonly initially: Observation;
  readonly testimony: Observation;
  readonly voters: readonly Afterwards[];
  readonly unfolded: Stored;
  readonly folded: Stored;
  /** When every post that can be has been shared into every Hub. */
  readonly shared: Stored;
  /** The counts of `shared` as the steward, who is in every Hub, is shown them. */
  readonly shown: ReadonlyMap<string, readonly number[]>;
}

/**
 * What is left of a service where sixty-four clients act at once while `plan` strikes.
 * @param deno where edge functions fold the votes; by default a worker does
 */
export async function afterFire(plan: Plan, deno?: EdgeOptions['deno']): Promise<Aftermath> {
  const database = await aCrashingDatabase();
  const worker = deno === undefined ? null : await startEdgeWorker(testEnvironment(database), deno);
  try {
    const service = await aKillableService({ ...testEnvironment(database), LOG_LEVEL: 'error' });
    try {
      const opine = { url: service.url, database };
      const foldVotes = async () => {
        if (worker === null) return votesAreFolded(opine);
        await worker.call('upkeep');
        await worker.call('push');
      };
      await callObserver(opine);
      const world = await aWorldToBurn(opine);
      const initially = await observationOf(opine);
      const history = await burn(world, database, service, plan, foldVotes);
      const testimony = await observationOf(opine);
      const unfolded = await storedIn(opine);
      const voters = await votersOf(world, unfolded);
      await foldVotes();
      const folded = await storedIn(opine);
      await shareAll(world, folded);
      await foldVotes();
      const [shared, shown] = [await storedIn(opine), await shownTo(world, folded)];
      const complaints = service.logged();
      return { world, history, complaints, initially, testimony, voters, unfolded, folded, shared, shown };
    } finally {
      await service.kill();
    }
  } finally {
    await worker?.stop();
    await database.drop();
  }
}

async function votersOf({ actors }: World, { receipts }: Stored): Promise<Afterwards[]> {
  const afterwards = actors.map(async ({ person }) => {
    const own: Afterwards[] = [];
    for (const receipt of receipts.filter(({ userId }) => userId === person.id)) {
      const post = { id: receipt.postId };
      const again = await outcomeOf(() => castVote(person, post, 'strong_right'));
      own.push({ receipt, again, mine: await outcomeOf(() => myVote(person, post)) });
    }
    return own;
  });
  return (await Promise.all(afterwards)).flat();
}

async function shareAll({ steward, camps, targets }: World, { posts }: Stored): Promise<void> {
  const shareable = targets.filter(({ id, isShareable }) => posts.has(id) && isShareable);
  const hubs = camps.map(({ hub }) => hub);
  await Promise.all(shareable.map((target) => granted(requestPlace(steward, target, hubs))));
}

async function shownTo({ steward, camps, targets }: World, { posts }: Stored): Promise<Aftermath['shown']> {
  const shown = targets
    .filter(({ id }) => posts.has(id))
    .flatMap((target) => [
      ...(target.isPrivate ? [] : [{ target, hub: undefined }]),
      ...camps.map(({ hub }) => ({ target, hub })),
    ])
    .map(async ({ target, hub }) => {
      return [scopeOf(target.id, hub?.id ?? null), await countsOf(steward, target, hub)] as const;
    });
  return new Map(await Promise.all(shown));
}
