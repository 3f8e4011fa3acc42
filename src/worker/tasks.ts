import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DB, WorkerFunctions } from '../db/types.ts';
import { callFunction, callRows } from '../db/worker-database.ts';
import { type Bucket, buildThumbnailKey } from '../storage/buckets.ts';
import type { Objects } from '../storage/objects.ts';
import type { ClaimedPush, Dispatch } from './dispatch.ts';
import type { Task } from './worker.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The longest pause of a task with a queue that `app.waiting_tasks` does not name. */
const IDLE_MS = 30 * SECOND;

/** Every task of the worker, grouped by the edge function that runs it in a deployment without a worker. */
export interface Tasks {
  /** Delivers notifications. */
  readonly push: readonly Task[];
  /** Everything else, most urgent first. */
  readonly upkeep: readonly Task[];
}

/** What tasks work with. */
export interface TaskOptions {
  readonly db: Kysely<DB>;
  readonly dispatch: Dispatch;
  readonly objects: Objects;
  /** Keys that open pending votes; the first also seals them. */
  readonly keys: readonly string[];
  /** How many votes on a post its feeds show at once, at least. */
  readonly activityMinimum: number;
  /** After how many days notifications are deleted; null for never. */
  readonly notificationDays: number | null;
  /** True in edge functions: cron calls the one that folds votes once a minute. */
  readonly runsOncePerMinute: boolean;
}

/** Lists every task with its interval and what it runs. */
export function createTasks({
  db,
  dispatch,
  objects,
  keys,
  activityMinimum,
  notificationDays,
  runsOncePerMinute,
}: TaskOptions): Tasks {
  const once = (name: Upkeep) => async () => void (await callFunction(db, name));
  return {
    push: [
      fanOutMilestones(db),
      fanOut(db),
      foldInboxCounts(db),
      deliverOutbox(db, dispatch),
      pushToDevices(db, dispatch),
    ],
    upkeep: [
      foldVotes(db, keys, runsOncePerMinute),
      {
        name: 'release votes',
        everyMs: MINUTE,
        run: (stopping) => repeat(() => callFunction(db, 'app.release_votes', activityMinimum), stopping),
      },
      finishAccountDeletions(db),
      removeExpiredObjects(db, objects),
      sweepUploads(db, objects),
      { name: 'record heartbeat', everyMs: SECOND, run: once('gateway.record_heartbeat') },
      {
        name: 'prune pending totals',
        everyMs: 30 * SECOND,
        run: (stopping) => repeat(() => callFunction(db, 'app.prune_pending_totals'), stopping),
      },
      { name: 'prune identity', everyMs: 5 * MINUTE, run: once('app.prune_identity') },
      { name: 'prune uploads', everyMs: HOUR, run: once('app.prune_uploads') },
      { name: 'fold presence', everyMs: MINUTE, run: once('app.fold_presence') },
      { name: 'prune closed hubs', everyMs: 30 * SECOND, run: once('app.prune_closed_hubs') },
      { name: 'prune feeds', everyMs: 30 * SECOND, run: once('app.prune_feeds') },
      { name: 'prune hubs', everyMs: 5 * MINUTE, run: once('app.prune_hubs') },
      { name: 'prune rate limits', everyMs: 5 * MINUTE, run: once('app.prune_rate_limits') },
      { name: 'prune sign-in places', everyMs: HOUR, run: once('app.prune_sign_in_places') },
      { name: 'prune removed contents', everyMs: HOUR, run: once('app.prune_removed_contents') },
      { name: 'prune evidence', everyMs: HOUR, run: once('app.prune_evidence') },
      { name: 'prune device tokens', everyMs: HOUR, run: once('app.prune_device_tokens') },
      ...(notificationDays === null ? [] : [pruneNotifications(db, notificationDays)]),
      { name: 'prune staff sessions', everyMs: HOUR, run: once('staff.prune_sessions') },
      {
        name: 'prune idempotent answers',
        everyMs: 5 * MINUTE,
        run: once('gateway.prune_idempotent_answers'),
      },
    ],
  };
}

/** Returns the look for work of `startWorker`. */
export function lookInto(db: Kysely<DB>): () => Promise<readonly string[]> {
  return async () => (await callFunction(db, 'app.waiting_tasks')) ?? [];
}

const REPEAT_LIMIT_MS = 15 * SECOND;

/** A function that removes what is no longer needed, all at once. */
type Upkeep = {
  [N in keyof WorkerFunctions]: WorkerFunctions[N] extends { args: []; answer: '' } ? N : never;
}[keyof WorkerFunctions];

/** Repeats a call until it reports no more work, for 15 seconds at most. */
async function repeat(call: () => Promise<boolean | null>, stopping: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(REPEAT_LIMIT_MS);
  while (!stopping.aborted && !timeout.aborted) if (!(await call())) return;
}

/** Creates the events of milestones that posts have reached. */
export function fanOutMilestones(db: Kysely<DB>): Task {
  return {
    name: 'fan out milestones',
    everyMs: 2 * SECOND,
    idleMs: IDLE_MS,
    run: (stopping) => repeat(() => callFunction(db, 'app.fan_out_milestones'), stopping),
  };
}

const FAN_OUT_LANES = 3;

/** Fans out events with too many recipients for the request that raised them. */
export function fanOut(db: Kysely<DB>): Task {
  const notifyBatch = () => callFunction(db, 'app.fan_out');
  return {
    name: 'fan out',
    everyMs: 500,
    idleMs: IDLE_MS,
    run: (stopping) =>
      repeat(async () => {
        // The first call may divide an event into batches, which each lane takes one by one.
        if (!(await notifyBatch())) return false;
        await Promise.all(Array.from({ length: FAN_OUT_LANES }, () => repeat(notifyBatch, stopping)));
        return true;
      }, stopping),
  };
}

/** Sums the unread counts that triggers have added one by one. */
export function foldInboxCounts(db: Kysely<DB>): Task {
  return {
    name: 'fold inbox counts',
    everyMs: 5 * SECOND,
    idleMs: IDLE_MS,
    run: (stopping) => repeat(() => callFunction(db, 'app.fold_inbox_counts'), stopping),
  };
}

/** Deletes notifications older than `days`, and events without notifications. */
export function pruneNotifications(db: Kysely<DB>, days: number): Task {
  return {
    name: 'prune notifications',
    everyMs: MINUTE,
    run: (stopping) => repeat(() => callFunction(db, 'app.prune_notifications', days), stopping),
  };
}

const PUBLISH_BATCH = 500;
const PUBLISH_LANES = 2;
const SWEEP_INTERVAL_MS = 5 * SECOND;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Publishes the outbox to event streams, and sends pushes to the devices. A run reads the newest rows; every five seconds
 * one sweeps the whole outbox, because a scan passes every dead row that an old snapshot keeps.
 * @param dispatch sends pushes; null leaves them to other workers
 */
export function deliverOutbox(db: Kysely<DB>, dispatch: Dispatch | null): Task {
  let sweepAt = 0;

  async function publishBatch(after: string | null, stopping: AbortSignal): Promise<string | null> {
    const room = dispatch?.room() ?? 0;
    const published = await callFunction(db, 'app.deliver_outbox', after, PUBLISH_BATCH, room);
    dispatch?.send(published.messages as ClaimedPush[], published.lease_id, stopping);
    return published.last;
  }

  async function publishRest(first: string, stopping: AbortSignal): Promise<void> {
    const timeout = AbortSignal.any([stopping, AbortSignal.timeout(REPEAT_LIMIT_MS)]);
    for (let after: string | null = first; after !== null && !timeout.aborted; )
      after = await publishBatch(after, stopping);
  }

  return {
    name: 'deliver outbox',
    everyMs: 200,
    idleMs: SWEEP_INTERVAL_MS,
    run: async (stopping) => {
      const isSweep = performance.now() >= sweepAt;
      if (isSweep) sweepAt = performance.now() + SWEEP_INTERVAL_MS;
      const last = await publishBatch(isSweep ? FIRST_ID : null, stopping);
      if (last === null) return;
      // Each lane skips the rows that another has locked.
      await Promise.all(Array.from({ length: PUBLISH_LANES }, () => publishRest(last, stopping)));
    },
  };
}

const PUSH_BATCH = 200;

/** Sends queued pushes: retries, and those that found no room when they were published. */
export function pushToDevices(db: Kysely<DB>, dispatch: Dispatch): Task {
  return {
    name: 'push to devices',
    everyMs: 500,
    idleMs: IDLE_MS,
    run: async (stopping) => {
      // A worker whose push service does not answer leaves the queue to other workers.
      await dispatch.idle();
      for (let isMore = true; isMore && !stopping.aborted; ) {
        const limit = Math.min(PUSH_BATCH, dispatch.room());
        if (limit === 0) return;
        const claimed = await callFunction(db, 'app.claim_pushes', limit);
        await dispatch.send(claimed.messages as ClaimedPush[], null, stopping);
        isMore = claimed.is_more === true;
      }
    },
  };
}

/**
 * Folds votes, each step in a transaction of its own, then vacuums their tables. Afterwards the database cannot pair a voter
 * with a position (docs/vote-secrecy.md).
 * @param keys open pending votes; the first seals them again
 * @param runsOncePerMinute folds both generations of slots. Otherwise a run folds the one in which no vote counts at the moment
 */
export function foldVotes(db: Kysely<DB>, keys: readonly string[], runsOncePerMinute = false): Task {
  const generations = runsOncePerMinute ? [0, 1] : [null];
  return {
    name: 'fold votes',
    everyMs: 10 * SECOND,
    run: async (stopping) => {
      const steps = [
        ...generations.map((generation) => () => callFunction(db, 'app.fold_pools', generation)),
        () => repeat(() => callFunction(db, 'app.fold_ballots', keys), stopping),
        () => repeat(() => callFunction(db, 'app.fold_receipts'), stopping),
        () => vacuumVotes(db),
      ];
      const failures: unknown[] = [];
      // A step that fails does not stop the others.
      for (const step of steps) {
        if (stopping.aborted) break;
        await step().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures);
    },
  };
}

/** Removes dead rows. `truncate` returns the space of emptied tables once no snapshot needs their rows. */
async function vacuumVotes(db: Kysely<DB>): Promise<void> {
  await sql`vacuum (index_cleanup on, truncate on, analyze off)
    app.vote_slots, app.pending_ballots, app.fresh_votes, app.promotions`.execute(db);
  await sql`vacuum app.vote_pools, app.pending_totals, app.vote_receipts, app.rate_limits`.execute(db);
}

/** Between two parts of an account, because a part leaves rows that others have locked to the next one. */
const BETWEEN_PARTS_MS = 50;

/** Removes what deleted accounts left behind, in parts. A part whose worker dies is claimed again when its lease ends. */
export function finishAccountDeletions(db: Kysely<DB>): Task {
  return {
    name: 'finish account deletions',
    everyMs: SECOND,
    idleMs: IDLE_MS,
    run: async (stopping) => {
      const begun = new Set<string>();
      while (!stopping.aborted) {
        const userId = await callFunction(db, 'app.claim_account_deletion');
        if (userId === null) return;
        if (begun.has(userId)) await pause(BETWEEN_PARTS_MS);
        begun.add(userId);
        await callFunction(db, 'app.finish_account_deletion', userId);
      }
    },
  };
}

const OBJECTS_BATCH = 100;

/**
 * Removes stored objects that belong to no asset: first from storage, then their rows. Objects whose worker dies are
 * claimed again when their lease ends.
 */
export function removeExpiredObjects(db: Kysely<DB>, objects: Objects): Task {
  return {
    name: 'remove expired objects',
    everyMs: SECOND,
    idleMs: IDLE_MS,
    run: async (stopping) => {
      while (!stopping.aborted) {
        const rows = await callRows(db, 'app.claim_expired_objects', OBJECTS_BATCH);
        if (rows.length === 0) return;
        const removals = [...Map.groupBy(rows, (row) => row.bucket)].map(async ([bucket, ofBucket]) => {
          const ids = ofBucket.map(({ id }) => id);
          await objects.remove(bucket as Bucket, [...ids, ...ids.map(buildThumbnailKey)]);
          await callFunction(db, 'app.delete_objects', ids);
        });
        // A bucket that fails does not stop the others.
        for (const result of await Promise.allSettled(removals)) {
          if (result.status === 'rejected') throw result.reason;
        }
      }
    },
  };
}

/**
 * Removes files of the upload bucket that belong to no open upload. It lists the bucket, because a file may still arrive
 * after its upload was completed or has expired.
 */
export function sweepUploads(db: Kysely<DB>, objects: Objects): Task {
  return {
    name: 'sweep uploads',
    everyMs: 5 * SECOND,
    run: async (stopping) => {
      const dead: string[] = [];
      for await (const keys of objects.list('uploads')) {
        dead.push(...(await callRows(db, 'app.dead_upload_keys', keys)).filter((key) => key !== null));
        if (stopping.aborted) return;
      }
      for (let from = 0; from < dead.length; from += OBJECTS_BATCH) {
        await objects.remove('uploads', dead.slice(from, from + OBJECTS_BATCH));
      }
    },
  };
}
