import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openWorkerDatabase } from '../../../src/db/worker-database.ts';
import { createFcm } from '../../../src/push/fcm.ts';
import type { PushSender } from '../../../src/push/push.ts';
import { deliverOutbox, fanOut, foldInboxCounts, pushToDevices } from '../../../src/worker/tasks.ts';
import type { Task } from '../../../src/worker/worker.ts';
import { anAudience, type Voter } from '../../support/audience.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startEdgeWorker } from '../../support/edge-worker.ts';
import { type FakeFcm, startFcm } from '../../support/fcm.ts';
import { type Opine, testEnvironment } from '../../support/opine.ts';
import type { Person } from '../../support/people.ts';
import { dispatchOf } from '../../support/pushes.ts';
import { startStreamServer } from '../../support/streaming.ts';
import { eventually } from '../../support/streams.ts';
import { insertPeople, tokensOf } from './people.ts';

/** The tasks of a worker, run on demand. */
interface Tasks {
  fanOut(): Promise<void>;
  foldInboxCounts(): Promise<void>;
  publish(): Promise<void>;
  /** Sends waiting pushes; with `dies` the worker sends them and crashes before it records that. */
  sendPushes(dies: boolean): Promise<void>;
}

/** An Opine with a worker that runs on demand. */
export interface Harness extends Tasks {
  readonly opine: Opine;
  readonly fcm: FakeFcm;
  /** Whether `publish` also sends pushes. */
  readonly sendsAtOnce: boolean;
  /** Whether each run does all tasks, as the function `push`; after a crash comes another run. */
  readonly doesAllAtOnce: boolean;
  /** A hundred voters. */
  readonly audience: readonly Voter[];
  /** Creates Hub-ready people who cannot sign in by code, with two named exceptions. */
  people(names: readonly string[], but: { unready: string | null; withCode: string }): Promise<Person[]>;
  /** Describes failed and waiting pushes, for the message of a failing test. */
  explainPushes(notificationIds: readonly string[]): Promise<string>;
}

interface HarnessOptions {
  /**
   * Whether the worker fans out every event with several recipients, as it does for thousands, and sends pushes when it
   * publishes.
   */
  readonly isFannedOut: boolean;
  /** The npm package of the Deno that runs the worker as edge functions; undefined for Node. */
  readonly deno?: string | undefined;
}

export async function startHarness({ isFannedOut, deno }: HarnessOptions): Promise<Harness> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  // The setting applies to new connections only.
  if (isFannedOut)
    await sql`alter database ${sql.ref(database.name)} set app.recipient_count = 999`.execute(
      database.superuser,
    );
  const { url } = await startStreamServer({ database });
  const opine = { url, database, stop: () => Promise.resolve() };
  const fcm = await startFcm();
  onTestFinished(() => fcm.close());
  const failures: string[] = [];
  const tasks =
    deno === undefined
      ? nodeTasks({ database, fcm, failures, sendsAtOnce: isFannedOut })
      : await functionTasks({ database, fcm, deno });
  const tokens = await tokensOf(database);
  let worlds = 0;
  return {
    ...tasks,
    opine,
    fcm,
    sendsAtOnce: isFannedOut || deno !== undefined,
    doesAllAtOnce: deno !== undefined,
    audience: await anAudience(opine, 100),
    people: (names, { unready, withCode }) => {
      worlds += 1;
      const number = String(worlds).padStart(4, '0');
      const named = names.map((name, index) => {
        const phoneNumber = name === withCode ? `+1202555${number}` : `+49151${index}000${number}`;
        return { name, phoneNumber, isHubReady: name !== unready };
      });
      return insertPeople(opine, tokens, named);
    },
    explainPushes: async (notificationIds) => {
      const { rows } = await sql`
        select p.notification_id, p.attempt_count, p.due_at - app.now() as due_in
        from app.pushes as p
        where p.notification_id = any (${notificationIds})`.execute(database.superuser);
      return JSON.stringify({ failures, rows });
    },
  };
}

interface NodeOptions {
  readonly database: TestDatabase;
  readonly fcm: FakeFcm;
  readonly sendsAtOnce: boolean;
  /** Collects the reasons of failed pushes. */
  readonly failures: string[];
}

/** Returns the tasks of a Node worker. */
function nodeTasks({ database, fcm, sendsAtOnce, failures }: NodeOptions): Tasks {
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  const fcmSender = createFcm(fcm.account, fcm.agent());
  const sender: PushSender = {
    ...fcmSender,
    send: async (...sending) => {
      const results = await fcmSender.send(...sending);
      failures.push(...results.flatMap((result) => ('failure' in result ? [result.failure] : [])));
      return results;
    },
  };
  const dying: PushSender = {
    send: async (...sending) => {
      await sender.send(...sending);
      throw new Error('Killed.');
    },
    close: () => Promise.resolve(),
  };
  onTestFinished(async () => {
    await sender.close();
    await db.destroy();
  });
  const dispatch = dispatchOf(database, db, sender);
  return {
    fanOut: () => runTask(fanOut(db)),
    foldInboxCounts: () => runTask(foldInboxCounts(db)),
    publish: async () => {
      await runTask(deliverOutbox(db, sendsAtOnce ? dispatch : null));
      await dispatch.idle();
    },
    sendPushes: async (dies) => {
      await runTask(pushToDevices(db, dies ? dispatchOf(database, db, dying) : dispatch));
      if (dies) await expireLeases(database);
    },
  };
}

/** Returns tasks that each call the function `push`. */
async function functionTasks({
  database,
  fcm,
  deno,
}: Pick<NodeOptions, 'database' | 'fcm'> & { readonly deno: string }): Promise<Tasks> {
  const worker = await startEdgeWorker({ ...testEnvironment(database), ...fcm.environment }, deno, ['push']);
  onTestFinished(() => worker.stop());
  const call = () => worker.call('push');
  const callThatDies = async () => {
    const { length: from } = fcm.requests;
    fcm.answerAll('hang');
    let hasEnded = false;
    const ended = call()
      .catch(() => {})
      .finally(() => {
        hasEnded = true;
      });
    await eventually(() => hasEnded || fcm.requests.length > from).toBe(true);
    await worker.restart('push');
    await ended;
    fcm.answerAll(null);
    await expireLeases(database);
  };
  return {
    fanOut: () => Promise.resolve(),
    foldInboxCounts: () => Promise.resolve(),
    publish: call,
    sendPushes: async (dies) => {
      if (dies) await callThatDies();
      await call();
    },
  };
}

/**
 * Expires the leases of a crashed worker, so that the next one takes over. A push without an attempt is no lease: that of a renewed
 * notification waits for ten minutes (docs/product.md N33), which no schedule lasts.
 */
async function expireLeases({ superuser }: TestDatabase): Promise<void> {
  await sql`update app.pushes set due_at = app.now() where attempt_count > 0`.execute(superuser);
  await sql`update app.push_leases set lapses_at = app.now()`.execute(superuser);
}

function runTask(task: Task): Promise<void> {
  return task.run(new AbortController().signal);
}
