import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import type { Duty } from '../../src/delivery/duty.ts';
import { publishHints } from '../../src/delivery/hints.ts';
import { fanOut, foldInboxCounts } from '../../src/delivery/inbox.ts';
import { pushToDevices } from '../../src/delivery/push.ts';
import { createFcm } from '../../src/delivery/push-fcm.ts';
import type { PushSender } from '../../src/delivery/push-sender.ts';
import { createTestDatabase } from '../harness/database.ts';
import { type FakeFcm, startFcm } from '../harness/fcm.ts';
import type { Opine } from '../harness/opine.ts';
import { aStreaming } from '../harness/streaming.ts';
import { aCrowd, type Voter } from './crowd.ts';
import type { Person } from './people.ts';
import { peopleNamed, tokensOf } from './phone-people.ts';
import { dispatchOf } from './pushes.ts';

/** An Opine whose worker takes a turn when somebody says so, and at no other time. */
export interface Stage {
  readonly opine: Opine;
  readonly fcm: FakeFcm;
  /** Whether devices are sent what is published, or that waits for whoever comes. */
  readonly sendsAtOnce: boolean;
  /** A hundred who only vote. */
  readonly crowd: readonly Voter[];
  /** New people of these names, in their order: all Hub-ready, and without a code to sign in by, but who is named. */
  people(names: readonly string[], but: { unready: string | null; withCode: string }): Promise<Person[]>;
  fansOut(): Promise<void>;
  folds(): Promise<void>;
  publishes(): Promise<void>;
  /** Sends what waits for devices; one that dies has sent it, and not noted that. */
  pushes(dies: boolean): Promise<void>;
  /** Why pushes failed, and what is left of those of these notifications: for the message of a test that fails. */
  explainPushes(notificationIds: readonly string[]): Promise<string>;
}

/**
 * @param isToldLater whether the worker tells of what several people are to be told, as it does for thousands; and then
 * sends to devices what it publishes, which else waits for whoever comes
 */
export async function aStage(isToldLater: boolean): Promise<Stage> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  // Before the first connection is made.
  if (isToldLater)
    await sql`alter database ${sql.ref(database.name)} set app.told_count = 999`.execute(database.superuser);
  const { url } = await aStreaming({ database });
  const opine = { url, database, stop: () => Promise.resolve() };
  const fcm = await startFcm();
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  const fcmSender = createFcm(fcm.account, fcm.agent());
  const failures: string[] = [];
  const sender: PushSender = {
    ...fcmSender,
    send: async (...sending) => {
      const results = await fcmSender.send(...sending);
      failures.push(...results.flatMap((result) => ('failure' in result ? [result.failure] : [])));
      return results;
    },
  };
  onTestFinished(async () => {
    await sender.close();
    await Promise.all([db.destroy(), fcm.close()]);
  });
  const dispatch = dispatchOf(database, db, sender);
  const dying: PushSender = {
    send: async (...sending) => {
      await sender.send(...sending);
      throw new Error('Killed.');
    },
    close: () => Promise.resolve(),
  };
  const tokens = await tokensOf(database);
  let worlds = 0;
  return {
    opine,
    fcm,
    sendsAtOnce: isToldLater,
    crowd: await aCrowd(opine, 100),
    people: (names, { unready, withCode }) => {
      worlds += 1;
      const number = String(worlds).padStart(4, '0');
      const named = names.map((name, place) => {
        const phoneNumber = name === withCode ? `+1202555${number}` : `+49151${place}000${number}`;
        return { name, phoneNumber, isHubReady: name !== unready };
      });
      return peopleNamed(opine, tokens, named);
    },
    fansOut: () => turnOf(fanOut(db)),
    folds: () => turnOf(foldInboxCounts(db)),
    publishes: async () => {
      await turnOf(publishHints(db, isToldLater ? dispatch : null));
      await dispatch.idle();
    },
    pushes: async (dies) => {
      await turnOf(pushToDevices(db, dies ? dispatchOf(database, db, dying) : dispatch));
      if (!dies) return;
      // Its claim runs out, and somebody else takes over.
      await sql`update app.pushes set due_at = app.now()`.execute(database.superuser);
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

function turnOf(duty: Duty): Promise<void> {
  return duty.run(new AbortController().signal);
}
