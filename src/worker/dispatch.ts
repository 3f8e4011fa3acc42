import type { Kysely } from 'kysely';
import type { Secrets } from '../auth/secrets.ts';
import type { DB } from '../db/types.ts';
import { callFunction } from '../db/worker-database.ts';
import type { Log } from '../log.ts';
import type { Meters } from '../observability/watch.ts';
import type { Device, PushData } from '../push/message.ts';
import type { Push, PushResult, PushSender } from '../push/push.ts';
import { retry } from '../retry.ts';

const CAPACITY = 3_000;

// Sending must end before the lease does (app.push_lease).
const TIMEOUT_MS = 80_000;

/** A claimed push message, `app.push_message`. */
export interface ClaimedPush {
  /** SHA-256, hex. */
  readonly token_hash: string;
  readonly platform: Device['platform'];
  /** Base64. */
  readonly sealed_token: string;
  readonly badge: number;
  readonly payload: PushData;
}

/** Sends claimed messages and records the results. */
export interface Dispatch {
  /** How many more messages may be claimed. */
  room(): number;
  /**
   * Sends messages; resolves when their results are recorded. If recording fails, the failure is logged, and a worker sends the
   * messages again when their lease has ended, with the same ids.
   * @param leaseId of messages of `app.deliver_outbox`; null for those of `app.claim_pushes`
   */
  send(claimed: readonly ClaimedPush[], leaseId: string | null, stopping: AbortSignal): Promise<void>;
  /** Resolves when no message is in progress. */
  idle(): Promise<void>;
}

/** Creates a dispatch. @param sender null drops messages, in deployments without a push service */
export function createDispatch(
  db: Kysely<DB>,
  sender: PushSender | null,
  secrets: Secrets,
  log: Log,
  meters: Pick<Meters, 'pushed'>,
): Dispatch {
  const inProgress = new Set<Promise<void>>();
  let claimedCount = 0;

  async function sendAndSettle(
    claimed: readonly ClaimedPush[],
    leaseId: string | null,
    stopping: AbortSignal,
  ): Promise<void> {
    const timeout = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const results =
      sender === null ? claimed.map(() => DROPPED) : await sendAll(claimed, sender, secrets, timeout);
    const { done, refused } = settledBy(claimed, results);
    const settle = () =>
      leaseId === null
        ? callFunction(db, 'app.settle_pushes', { done, refused })
        : callFunction(db, 'app.settle_published', leaseId, { refused });
    // A message whose result is not recorded is sent twice.
    await retry(settle, { attempts: 6, firstMs: 200, stopping });
    for (const result of results) meters.pushed(result);
    logFailures(log, results);
  }

  return {
    room: () => Math.max(0, CAPACITY - claimedCount),
    send: async (claimed, leaseId, stopping) => {
      if (claimed.length === 0) return;
      claimedCount += claimed.length;
      const work = sendAndSettle(claimed, leaseId, stopping).catch((err: unknown) =>
        log.error({ err }, 'pushes were not settled'),
      );
      inProgress.add(work);
      await work;
      inProgress.delete(work);
      claimedCount -= claimed.length;
    },
    idle: async () => {
      await Promise.all(inProgress);
    },
  };
}

type Result = PushResult | typeof DROPPED;

const DROPPED = { outcome: 'dropped' } as const;

/** Returns the results as `app.settle_pushes` takes them. */
function settledBy(
  claimed: readonly ClaimedPush[],
  results: readonly Result[],
): { done: object[]; refused: object[] } {
  const [done, refused]: [object[], object[]] = [[], []];
  for (const [index, { token_hash: tokenHash, payload }] of claimed.entries()) {
    const push = { notificationId: payload.notificationId, tokenHash };
    const result = results[index];
    if (result === undefined || !('failure' in result)) done.push(push);
    else refused.push({ ...push, isGone: result.outcome === 'gone', failure: result.failure });
  }
  return { done, refused };
}

/** Logs failures by code, so that a wrong key shows before there are dead letters. */
function logFailures(log: Log, results: readonly Result[]): void {
  const failed = results.flatMap((result) => (result.outcome === 'failed' ? [result.failure] : []));
  if (failed.length === 0) return;
  const byFailure = Map.groupBy(failed, (failure) => failure);
  const failures = Object.fromEntries([...byFailure].map(([failure, all]) => [failure, all.length]));
  log.warn({ failures }, 'pushes failed');
}

async function sendAll(
  claimed: readonly ClaimedPush[],
  sender: PushSender,
  secrets: Secrets,
  stopping: AbortSignal,
): Promise<Result[]> {
  const opened = claimed.map((message) => openPush(message, secrets));
  const pushes = opened.filter((push) => 'device' in push);
  const sent = (await sender.send(pushes, stopping)).values();
  return opened.map((push) => ('device' in push ? (sent.next().value ?? DROPPED) : push));
}

function openPush(
  { platform, sealed_token: sealed, badge, payload }: ClaimedPush,
  secrets: Secrets,
): Push | PushResult {
  try {
    return { device: { platform, token: secrets.openDeviceToken(sealed) }, badge, payload };
  } catch {
    // The key that sealed the token is gone; the app registers its token again every day.
    return { outcome: 'gone', failure: 'sealed' };
  }
}
