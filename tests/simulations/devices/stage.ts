import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openWorkerDatabase } from '../../../src/db/worker-database.ts';
import { createFcm } from '../../../src/push/fcm.ts';
import type { PushSender } from '../../../src/push/push.ts';
import { fanOut, foldInboxCounts, publishSignals, pushToDevices } from '../../../src/worker/tasks.ts';
import type { Task } from '../../../src/worker/worker.ts';
import { anAudience, type Voter } from '../../support/audience.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startEdgeWorker } from '../../support/edge-worker.ts';
import { type FakeFcm, startFcm } from '../../support/fcm.ts';
import { type Opine, testEnvironment } from '../../support/opine.ts';
import type { Person } from '../../support/people.ts';
import { dispatchOf } from '../../support/pushes.ts';
import { aStreaming } from '../../support/streaming.ts';
import { eventually } from '../../support/streams.ts';
import { peopleNamed, tokensOf } from './people.ts';

/** What a worker does when somebody says so, and at no other time. */
interface Turns {
  fansOut(): Promise<void>;
  folds(): Promise<void>;
  publishes(): Promise<void>;
  /** Sends what waits for devices; one that dies has sent it, and not noted that. */
  pushes(dies: boolean): Promise<void>;
}

/** An Opine with such a worker. */
export interface Stage extends Turns {
  readonly opine: Opine;
  readonly fcm: FakeFcm;
  /** Whether devices are sent what is published, or that waits for whoever comes. */
  readonly sendsAtOnce: boolean;
  /** Whether each turn is all of them, as a call of the function `push`: one that dies is followed by another. */
  readonly doesAllAtOnce: boolean;
  /** A hundred who only vote. */
  readonly audience: readonly Voter[];
  /** New people of these names, in their order: all Hub-ready, and without a code to sign in by, but who is named. */
  people(names: readonly string[], but: { unready: string | null; withCode: string }): Promise<Person[]>;
  /** Why pushes failed, and what is left of those of these notifications: for the message of a test that fails. */
  explainPushes(notificationIds: readonly string[]): Promise<string>;
}

/** How a stage's worker works. */
interface StageOptions {
  /**
   * Whether the worker tells of what several people are to be told, as it does for thousands; and then sends to devices
   * what it publishes, which else waits for whoever comes.
   */
  readonly isToldLater: boolean;
  /** The npm package of the Deno that it is functions on; a process of Node if undefined. */
  readonly deno?: string | undefined;
}

export async function aStage({ isToldLater, deno }: StageOptions): Promise<Stage> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  // Before the first connection is made.
  if (isToldLater)
    await sql`alter database ${sql.ref(database.name)} set app.told_count = 999`.execute(database.superuser);
  const { url } = await aStreaming({ database });
  const opine = { url, database, stop: () => Promise.resolve() };
  const fcm = await startFcm();
  onTestFinished(() => fcm.close());
  const failures: string[] = [];
  const turns =
    deno === undefined
      ? turnsOfNode({ database, fcm, failures, sendsAtOnce: isToldLater })
      : await turnsOfFunction({ database, fcm, deno });
  const tokens = await tokensOf(database);
  let worlds = 0;
  return {
    ...turns,
    opine,
    fcm,
    sendsAtOnce: isToldLater || deno !== undefined,
    doesAllAtOnce: deno !== undefined,
    audience: await anAudience(opine, 100),
    people: (names, { unready, withCode }) => {
      worlds += 1;
      const number = String(worlds).padStart(4, '0');
      const named = names.map((name, place) => {
        const phoneNumber = name === withCode ? `+1202555${number}` : `+49151${place}000${number}`;
        return { name, phoneNumber, isHubReady: name !== unready };
      });
      return peopleNamed(opine, tokens, named);
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
  /** Takes why pushes fail. */
  readonly failures: string[];
}

/** A worker of Node, task by task. */
function turnsOfNode({ database, fcm, sendsAtOnce, failures }: NodeOptions): Turns {
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
    fansOut: () => turnOf(fanOut(db)),
    folds: () => turnOf(foldInboxCounts(db)),
    publishes: async () => {
      await turnOf(publishSignals(db, sendsAtOnce ? dispatch : null));
      await dispatch.idle();
    },
    pushes: async (dies) => {
      await turnOf(pushToDevices(db, dies ? dispatchOf(database, db, dying) : dispatch));
      if (dies) await leasesEnd(database);
    },
  };
}

/** Calls of the function `push`, each of which is every turn. */
async function turnsOfFunction({
  database,
  fcm,
  deno,
}: Pick<NodeOptions, 'database' | 'fcm'> & { readonly deno: string }): Promise<Turns> {
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
    await leasesEnd(database);
  };
  return {
    fansOut: () => Promise.resolve(),
    folds: () => Promise.resolve(),
    publishes: call,
    pushes: async (dies) => {
      if (dies) await callThatDies();
      await call();
    },
  };
}

/** Whatever a worker took and did not settle is taken over by the next. */
async function leasesEnd({ superuser }: TestDatabase): Promise<void> {
  await sql`update app.pushes set due_at = app.now()`.execute(superuser);
  await sql`update app.outbox set due_at = app.now()`.execute(superuser);
}

function turnOf(task: Task): Promise<void> {
  return task.run(new AbortController().signal);
}
