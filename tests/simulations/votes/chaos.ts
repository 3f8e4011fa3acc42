import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { ApiError } from '../../../src/contract/errors.ts';
import { isSerializationFailure, translate } from '../../../src/db/errors.ts';
import { castVote } from '../../support/votes.ts';
import { type Act, type Ask, deviceOf, isLost, outcomeOf, type Window } from './chaos-acts.ts';
import type { Crash, CrashingDatabase } from './chaos-cluster.ts';
import type { KillableService } from './chaos-service.ts';
import type { World } from './chaos-world.ts';

/** What hits the service: it is killed itself, or its Postgres crashes. */
export type Strike = 'the service' | Crash;

/** How much is done in a fire, and what happens meanwhile, one strike after the other. */
export interface Plan {
  readonly seed: number;
  readonly actsOfEach: number;
  readonly strikes: readonly Strike[];
}

/** When something was away, by the count of what was asked and answered. */
export interface Outage extends Window {
  readonly what: 'the service' | 'Postgres';
}

/** A fold that came to nothing. */
export interface FailedFold extends Window {
  readonly error: string;
  /** Whether it says that Postgres was away. */
  readonly isLost: boolean;
}

/** Everything that was done in a fire. */
export interface History {
  readonly acts: readonly Act[];
  readonly outages: readonly Outage[];
  readonly failedFolds: readonly FailedFold[];
}

const DEVICES = 2;
const ACTS_BETWEEN_FOLDS = 110;

/**
 * Each of the people of `world` acts on two devices at once, while `plan` strikes.
 * @param foldVotes folds votes as a worker does
 */
export async function burn(
  world: World,
  database: CrashingDatabase,
  service: KillableService,
  { seed, actsOfEach, strikes }: Plan,
  foldVotes: () => Promise<void>,
): Promise<History> {
  const acts: Act[] = [];
  const outages: Outage[] = [];
  const failedFolds: FailedFold[] = [];
  let time = 0;
  const tick = () => {
    time += 1;
    return time;
  };
  let calm: Promise<void> = Promise.resolve();
  let folds: Promise<void> = Promise.resolve();
  const ask: Ask = async (asked, send) => {
    const askedAt = tick();
    const outcome = await outcomeOf(send);
    const act = { ...asked, askedAt, answeredAt: tick(), ...outcome };
    acts.push(act);
    return act;
  };
  const strike = async (what: Strike) => {
    const askedAt = tick();
    if (what === 'the service') {
      await service.kill();
      const orphans = await orphansIn(database);
      await service.start();
      await orphans.gone();
    } else {
      await database.crash(what);
      await askInVain(world, ask);
      await database.recover();
      await service.ready();
    }
    outages.push({ what: what === 'the service' ? what : 'Postgres', askedAt, answeredAt: tick() });
  };
  const fold = async () => {
    const askedAt = tick();
    try {
      await foldVotes();
    } catch (error) {
      const isAway = translate(error) instanceof ApiError && !isSerializationFailure(error);
      failedFolds.push({ error: String(error), isLost: isAway, askedAt, answeredAt: tick() });
    }
  };
  // As workers of two processes do.
  const foldTwice = async () => {
    await Promise.all([fold(), fold()]);
  };
  const clients = world.actors.flatMap((actor) => Array(DEVICES).fill(actor));
  const total = clients.length * actsOfEach;
  const moments = strikes.map((_, index) => Math.round((total * (index + 1)) / (strikes.length + 1)));
  let count = 0;
  const proceed = () => {
    count += 1;
    const next = strikes[moments.indexOf(count)];
    if (next !== undefined) {
      calm = calm.then(() => strike(next));
      // Whoever waits for it is told.
      calm.catch(() => {});
    }
    if (count % ACTS_BETWEEN_FOLDS === 0) folds = folds.then(foldTwice);
  };
  await Promise.all(
    clients.map(async (actor, index) => {
      const act = deviceOf(world, actor, seed * 1000 + index, ask);
      for (let done = 0; done < actsOfEach; done += 1) {
        const isOver = isLost(await act());
        proceed();
        if (isOver) await calm;
      }
    }),
  );
  await calm;
  await folds;
  return { acts, outages, failedFolds };
}

/** What the connections of a killed service are still about: Postgres notices its end with their answers. */
async function orphansIn({ superuser }: CrashingDatabase): Promise<{ gone(): Promise<void> }> {
  const find = async () => {
    const { rows } = await sql<{ name: string }>`
      select concat(pid, ' since ', backend_start) as name from pg_stat_activity
      where application_name like 'opine-api%'`.execute(superuser);
    return rows.map(({ name }) => name);
  };
  const orphans = await find();
  return {
    gone: async () => {
      for (let left = orphans; left.some((name) => orphans.includes(name)); left = await find())
        await pause(20);
    },
  };
}

/** While Postgres is away, a vote is answered, and somebody has to come back. */
async function askInVain({ steward, targets }: World, ask: Ask): Promise<void> {
  const [post] = targets;
  if (post === undefined) throw new Error('There is no post.');
  const who = steward.id;
  const { told } = await ask({ deed: 'vote', who, postId: post.id, position: 'neutral' }, () =>
    castVote(steward, post, 'neutral'),
  );
  if (told !== 'unavailable') throw new Error(`A vote without Postgres was answered: ${told}`);
}
