import { type Kysely, sql } from 'kysely';
import type { Secrets } from '../auth/secrets.ts';
import type { DB } from '../db/types.ts';
import type { Log } from '../log.ts';
import type { Meters } from '../observability/watch.ts';
import type { Device, PushData } from '../push/message.ts';
import type { PushResult, PushSender } from '../push/push.ts';
import { retry } from './worker.ts';

const ROOM = 3_000;

// What is not begun by then would end behind its lease (app.push_lease).
const TIMEOUT_MS = 80_000;

/** A message that is this worker's to send, as app.push_message says it. */
export interface Taken {
  /** Hex. */
  readonly token_hash: string;
  readonly platform: Device['platform'];
  /** Base64. */
  readonly sealed_token: string;
  readonly payload: PushData;
}

/** Where it is noted what came of messages: where their worker published them, or claimed what waited. */
export type Settle = 'settle_published' | 'settle_pushes';

/** Sends what was taken, and notes what came of it. */
export interface Dispatch {
  /** How many more may be taken at the moment. */
  room(): number;
  /**
   * Ends when what came of each is noted. Where that cannot be noted it is logged, and they are sent again by whoever
   * takes them when their lease has ended, with the same ids.
   */
  send(taken: readonly Taken[], settle: Settle, stopping: AbortSignal): Promise<void>;
  /** Ends when what is under way has been noted. */
  idle(): Promise<void>;
}

/** @param sender null where there is no push service: then nothing waits for it */
export function createDispatch(
  db: Kysely<DB>,
  sender: PushSender | null,
  secrets: Secrets,
  log: Log,
  meters: Pick<Meters, 'pushed'>,
): Dispatch {
  const underWay = new Set<Promise<void>>();
  let takenCount = 0;

  async function sendAndSettle(
    taken: readonly Taken[],
    settle: Settle,
    stopping: AbortSignal,
  ): Promise<void> {
    const timeout = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const results =
      sender === null ? taken.map(() => DROPPED) : await sendAll(taken, sender, secrets, timeout);
    const settled = JSON.stringify(settledBy(taken, results));
    // Whatever cannot be noted is sent again.
    await retry(() => sql`select ${sql.ref(`app.${settle}`)}(${settled}::jsonb)`.execute(db), stopping);
    for (const result of results) meters.pushed(result);
    tell(log, results);
  }

  return {
    room: () => Math.max(0, ROOM - takenCount),
    send: async (taken, settle, stopping) => {
      if (taken.length === 0) return;
      takenCount += taken.length;
      const work = sendAndSettle(taken, settle, stopping).catch((err: unknown) =>
        log.error({ err }, 'pushes were not settled'),
      );
      underWay.add(work);
      await work;
      underWay.delete(work);
      takenCount -= taken.length;
    },
    idle: async () => {
      await Promise.all(underWay);
    },
  };
}

type Result = PushResult | typeof DROPPED;

const DROPPED = { outcome: 'dropped' } as const;

/** What came of each, as it is settled. */
function settledBy(
  taken: readonly Taken[],
  results: readonly Result[],
): { done: object[]; refused: object[] } {
  const [done, refused]: [object[], object[]] = [[], []];
  for (const [place, { token_hash: tokenHash, payload }] of taken.entries()) {
    const push = { notificationId: payload.notificationId, tokenHash };
    const result = results[place];
    if (result === undefined || !('failure' in result)) done.push(push);
    else refused.push({ ...push, isGone: result.outcome === 'gone', failure: result.failure });
  }
  return { done, refused };
}

/** How many failed, by code: else nobody would know of a wrong key before there are dead letters. */
function tell(log: Log, results: readonly Result[]): void {
  const failed = results.flatMap((result) => (result.outcome === 'failed' ? [result.failure] : []));
  if (failed.length === 0) return;
  const byFailure = Map.groupBy(failed, (failure) => failure);
  const failures = Object.fromEntries([...byFailure].map(([failure, all]) => [failure, all.length]));
  log.warn({ failures }, 'pushes failed');
}

async function sendAll(
  taken: readonly Taken[],
  sender: PushSender,
  secrets: Secrets,
  stopping: AbortSignal,
): Promise<Result[]> {
  const opened = taken.map((message) => openPush(message, secrets));
  const pushes = opened.filter((push) => 'device' in push);
  const sent = (await sender.send(pushes, stopping)).values();
  return opened.map((push) => ('device' in push ? (sent.next().value ?? DROPPED) : push));
}

function openPush(
  { platform, sealed_token: sealed, payload }: Taken,
  secrets: Secrets,
): { readonly device: Device; readonly payload: PushData } | PushResult {
  try {
    return { device: { platform, token: secrets.openDeviceToken(sealed) }, payload };
  } catch {
    // Sealed by a key that is no longer there: the app registers its token anew every day.
    return { outcome: 'gone', failure: 'sealed' };
  }
}
