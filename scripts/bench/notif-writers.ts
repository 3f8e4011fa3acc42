import pg from 'pg';
import { PHOTOS_URL, POOL_SIZE } from './api.ts';
import { claimsOf } from './bearers.ts';
import { idOf, READERS } from './population.ts';

const TICK_MS = 10;
const FOLLOWERS = 10_000;
const FOLLOWED = 9_000;

// So that a machine which is too slow says so by the number, and not by a queue that nobody waits for.
const MOST_WAITING = 500;

/** What the writers are told when they start. */
export interface Writing {
  /** Connection URL of opine_gateway. */
  readonly url: string;
  readonly perSecond: number;
}

/** Follow number `n` by the statement that the API sends: no pair is there twice in 90 million. */
function follow(pool: pg.Pool, n: number): Promise<unknown> {
  const followee = (n + Math.floor(n / FOLLOWERS)) % FOLLOWED;
  return pool.query(`select answer from gateway.call('caller', $1, $3, $2, $4, $5)`, [
    'follow_user',
    claimsOf(READERS + (n % FOLLOWERS)),
    { userId: idOf(READERS + FOLLOWERS + followee) },
    false,
    PHOTOS_URL,
  ]);
}

function fail(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Lets people follow others at an even pace, and answers each message with how many have done so. */
function write({ url, perSecond }: Writing): void {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  const begun = performance.now();
  let done = 0;
  let sent = 0;
  let missed = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond) - missed;
    while (sent < due) {
      if (pool.waitingCount >= MOST_WAITING) {
        missed += due - sent;
        return;
      }
      follow(pool, sent).then(() => {
        done += 1;
      }, fail);
      sent += 1;
    }
  }, TICK_MS);
  process.on('message', () => process.send?.(done));
  process.on('disconnect', () => process.exit());
}

write(JSON.parse(process.argv[2] ?? '') as Writing);
