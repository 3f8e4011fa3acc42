import pg from 'pg';
import { POOL_SIZE } from '../api.ts';
import { idOf, READERS } from '../population.ts';
import { answerParent, fail } from '../processes.ts';
import { callGateway } from '../requests.ts';

const TICK_MS = 10;
const FOLLOWERS = 10_000;
const FOLLOWED = 9_000;

// A machine that falls behind skips writes instead of queueing them, and reports the rate that it reached.
const MAX_WAITING = 500;

/** Sends follow number `n` by the statement that the API sends. No pair repeats within 90 million. */
function follow(pool: pg.Pool, n: number): Promise<unknown> {
  const followee = (n + Math.floor(n / FOLLOWERS)) % FOLLOWED;
  const userId = idOf(READERS + FOLLOWERS + followee);
  return callGateway(pool, 'follow_user', READERS + (n % FOLLOWERS), { userId });
}

/** Sends follows at an even pace. Answers each message of the parent with the number of committed follows. */
function write(url: string, perSecond: number): void {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  const began = performance.now();
  let done = 0;
  let sent = 0;
  let skipped = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - skipped;
    while (sent < due) {
      if (pool.waitingCount >= MAX_WAITING) {
        skipped += due - sent;
        return;
      }
      follow(pool, sent).then(() => {
        done += 1;
      }, fail);
      sent += 1;
    }
  }, TICK_MS);
  answerParent(() => done);
}

const [url = '', perSecond] = process.argv.slice(2);
write(url, Number(perSecond));
