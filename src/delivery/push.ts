import type { Buffer } from 'node:buffer';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Log } from '../log.ts';
import type { Duty } from './duty.ts';
import type { Device, Envelope } from './push-message.ts';
import type { PushResult, PushSender } from './push-sender.ts';

const BATCH = 200;

/** A row of app.claim_pushes: without a platform where it is no longer to be sent. */
interface Claim {
  readonly notification_id: string;
  readonly token_hash: Buffer;
  readonly platform: Device['platform'] | null;
  readonly sealed_token: Buffer | null;
  readonly envelope: Envelope | null;
}

type Result = PushResult | typeof DROPPED;

const DROPPED = { outcome: 'dropped' } as const;

/**
 * Sends what waits for devices. Whatever dies in between is sent again by whoever claims it next, with the same id.
 * @param sender null where there is no push service: then nothing waits for it
 */
export function pushToDevices(db: Kysely<DB>, sender: PushSender | null, secrets: Secrets, log: Log): Duty {
  return {
    name: 'push to devices',
    everyMs: 500,
    run: async (stopping) => {
      while (!stopping.aborted) {
        const { rows } = await sql<Claim>`select * from app.claim_pushes(${BATCH})`.execute(db);
        if (rows.length === 0) return;
        const results =
          sender === null ? rows.map(() => DROPPED) : await sendAll(rows, sender, secrets, stopping);
        const settled = rows.map(({ notification_id, token_hash }, place) => ({
          notificationId: notification_id,
          tokenHash: token_hash.toString('hex'),
          ...results[place],
        }));
        await sql`select app.settle_pushes(${JSON.stringify(settled)}::jsonb)`.execute(db);
        tell(log, results);
      }
    },
  };
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
  claims: readonly Claim[],
  sender: PushSender,
  secrets: Secrets,
  stopping: AbortSignal,
): Promise<Result[]> {
  const opened = claims.map((claim) => openPush(claim, secrets));
  const pushes = opened.filter((push) => 'device' in push);
  const sent = (await sender.send(pushes, stopping)).values();
  return opened.map((push) => ('device' in push ? (sent.next().value ?? DROPPED) : push));
}

function openPush(
  { platform, sealed_token: sealed, envelope }: Claim,
  secrets: Secrets,
): { readonly device: Device; readonly envelope: Envelope } | Result {
  if (platform === null || sealed === null || envelope === null) return DROPPED;
  try {
    return { device: { platform, token: secrets.openDeviceToken(sealed.toString('base64')) }, envelope };
  } catch {
    // Sealed by a key that is no longer there: the app registers its token anew every day.
    return { outcome: 'gone', failure: 'sealed' };
  }
}
