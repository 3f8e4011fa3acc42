import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { ApiError } from '../../../src/contract/errors.ts';
import { isSerializationFailure, translate } from '../../../src/db/errors.ts';
import { castVote } from '../../support/votes.ts';
import type { Crash, CrashingDatabase } from './crashing-database.ts';
import type { KillableService } from './killable-service.ts';
import { type Call, deviceOf, isLost, outcomeOf, type Recorder, type Window } from './requests.ts';
import type { World } from './world.ts';

/** A kill of the service, or a crash of Postgres. */
export type Fault = 'the service' | Crash;

/** The size of the load, and the faults that are injected one after the other. */
export interface Plan {
  readonly seed: number;
  readonly callsPerDevice: number;
  readonly faults: readonly Fault[];
}

/** The logical time during which the service or Postgres was down. */
export interface Outage extends Window {
  readonly what: 'the service' | 'Postgres';
}

export interface FailedFold extends Window {
  readonly error: string;
  /** Whether the error says that Postgres was down. */
  readonly isLost: boolean;
}

/** Everything that happened under load. */
export interface History {
  readonly calls: readonly Call[];
  readonly outages: readonly Outage[];
  readonly failedFolds: readonly FailedFold[];
}

const DEVICES = 2;
const CALLS_BETWEEN_FOLDS = 110;

/**
 * Runs two devices of each person, and injects the faults of the plan meanwhile.
 * @param foldVotes folds votes as a worker does
 */
export async function runLoad(
  world: World,
  database: CrashingDatabase,
  service: KillableService,
  { seed, callsPerDevice, faults }: Plan,
  foldVotes: () => Promise<void>,
): Promise<History> {
  const calls: Call[] = [];
  const outages: Outage[] = [];
  const failedFolds: FailedFold[] = [];
  let time = 0;
  const tick = () => {
    time += 1;
    return time;
  };
  let recovery: Promise<void> = Promise.resolve();
  let folds: Promise<void> = Promise.resolve();
  const record: Recorder = async (request, send) => {
    const sentAt = tick();
    const result = await outcomeOf(send);
    const call = { ...request, sentAt, answeredAt: tick(), ...result };
    calls.push(call);
    return call;
  };
  const inject = async (what: Fault) => {
    const sentAt = tick();
    if (what === 'the service') {
      await service.kill();
      const orphans = await orphansIn(database);
      await service.start();
      await orphans.end();
    } else {
      await database.crash(what);
      await expectUnavailable(world, record);
      await database.recover();
      await service.ready();
    }
    outages.push({ what: what === 'the service' ? what : 'Postgres', sentAt, answeredAt: tick() });
  };
  const fold = async () => {
    const sentAt = tick();
    try {
      await foldVotes();
    } catch (error) {
      const isAway = translate(error) instanceof ApiError && !isSerializationFailure(error);
      failedFolds.push({ error: String(error), isLost: isAway, sentAt, answeredAt: tick() });
    }
  };
  // Workers of two processes fold at the same time.
  const foldTwice = async () => {
    await Promise.all([fold(), fold()]);
  };
  const clients = world.actors.flatMap((actor) => Array(DEVICES).fill(actor));
  const total = clients.length * callsPerDevice;
  const moments = faults.map((_, index) => Math.round((total * (index + 1)) / (faults.length + 1)));
  let count = 0;
  const proceed = () => {
    count += 1;
    const next = faults[moments.indexOf(count)];
    if (next !== undefined) {
      recovery = recovery.then(() => inject(next));
      // The awaits below report a failure.
      recovery.catch(() => {});
    }
    if (count % CALLS_BETWEEN_FOLDS === 0) folds = folds.then(foldTwice);
  };
  await Promise.all(
    clients.map(async (actor, index) => {
      const call = deviceOf(world, actor, seed * 1000 + index, record);
      for (let done = 0; done < callsPerDevice; done += 1) {
        const isOver = isLost(await call());
        proceed();
        if (isOver) await recovery;
      }
    }),
  );
  await recovery;
  await folds;
  return { calls, outages, failedFolds };
}

/** Returns the backends of a killed service: Postgres ends them only when it writes their answers. */
async function orphansIn({ superuser }: CrashingDatabase): Promise<{ end(): Promise<void> }> {
  const find = async () => {
    const { rows } = await sql<{ name: string }>`
      select concat(pid, ' since ', backend_start) as name from pg_stat_activity
      where application_name like 'opine-api%'`.execute(superuser);
    return rows.map(({ name }) => name);
  };
  const orphans = await find();
  return {
    end: async () => {
      for (let left = orphans; left.some((name) => orphans.includes(name)); left = await find())
        await pause(20);
    },
  };
}

/** Checks that a vote without Postgres is 503. */
async function expectUnavailable({ commonAdmin, targets }: World, record: Recorder): Promise<void> {
  const [post] = targets;
  if (post === undefined) throw new Error('There is no post.');
  const callerId = commonAdmin.id;
  const { outcome } = await record({ action: 'vote', callerId, postId: post.id, position: 'neutral' }, () =>
    castVote(commonAdmin, post, 'neutral'),
  );
  if (outcome !== 'unavailable') throw new Error(`A vote without Postgres was answered: ${outcome}`);
}
