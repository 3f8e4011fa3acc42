import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { limitConcurrency } from '../../src/db/pool.ts';
import { type Json, type Reply, refusal } from '../support/client.ts';
import { waitWithoutClock } from '../support/clock.ts';
import { scrape, WITH_METRICS } from '../support/metrics.ts';
import { type StartedOpine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aThought, commentsOn, requestComment } from '../support/posts.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');
const TIMEOUT = { timeout: 60_000, interval: 10 };

let opine: StartedOpine;
let writers: Person[];

beforeAll(async () => {
  opine = await startOpine(WITH_METRICS);
  writers = await Promise.all(Array.from({ length: 25 }, () => registeredPerson(opine)));
});

afterAll(() => opine.stop());

/** Runs `use` while another transaction locks the row of `post`. */
function whileLocked<T>({ id }: Json, use: () => Promise<T>): Promise<T> {
  return opine.database.superuser.transaction().execute(async (transaction) => {
    await sql`select from app.posts where id = ${id} for update`.execute(transaction);
    return use();
  });
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename = 'opine_gateway' and wait_event_type = 'Lock'
  `.execute(opine.database.superuser);
  return rows.length;
}

/** Sends a comment of each writer on `post` concurrently. */
const commentByAll = (post: Json): Promise<Reply>[] =>
  writers.map((writer, index) => requestComment(writer, post, { text: `Comment ${index}` }));

async function textsOn(post: Json): Promise<string[]> {
  return (await commentsOn(aGuest(opine), post)).map(({ text }) => text).sort();
}

describe('a post whose row another transaction locks', () => {
  test('reads succeed while 25 comments wait for the lock, and no comment is lost or doubled', async () => {
    const author = await confirmedPerson(opine);
    const post = await aThought(author);
    const { comments } = await whileLocked(post, async () => {
      const comments = commentByAll(post);
      await vi.waitUntil(async () => (await countWaiting()) > 1, TIMEOUT);
      const reads = await Promise.all(
        [
          '/posts',
          `/posts/${post.id}`,
          `/posts/${post.id}/comments`,
          '/users/me/profile',
          '/notifications',
        ].flatMap((path) => [author.get(path), author.get(path)]),
      );
      expect(reads.map(({ status }) => status)).toEqual(Array(10).fill(200));
      return { comments };
    });
    const replies = await Promise.all(comments);
    const refused = replies.filter(({ status }) => status !== 201);
    for (const reply of refused) expect(reply).toMatchObject(UNAVAILABLE);
    const written = replies.flatMap(({ status, data }) => (status === 201 ? [data.text] : []));
    expect(await textsOn(post)).toEqual(written.sort());
    expect((await author.get(`/posts/${post.id}`)).data.commentCount).toBe(written.length);
  });

  test('a comment is 503 with Retry-After after the lock timeout, without a retry', async () => {
    const post = await aThought(await confirmedPerson(opine));
    const replies = await whileLocked(post, () => Promise.all(commentByAll(post)));
    for (const reply of replies) {
      expect(reply).toMatchObject(UNAVAILABLE);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(await textsOn(post)).toEqual([]);
    const { value } = await scrape(opine);
    expect(value('opine_database_retries_total', { pool: 'requests', sqlstate: '55P03' })).toBeFalsy();
    expect((await requestComment(writers[0] as Person, post, { text: 'Later.' })).status).toBe(201);
  });
});

describe('limitConcurrency', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a task that waits 10 seconds is refused and never runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const limit = limitConcurrency(1);
    const first = Promise.withResolvers<string>();
    const late = vi.fn(async () => 'late');
    const [running, waiting] = [limit.run(() => first.promise), limit.run(late)];
    const refused = expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await waitWithoutClock(() => limit.waitingCount() === 1);
    vi.advanceTimersByTime(10_000);
    await refused;
    first.resolve('done');
    expect(await running).toBe('done');
    expect(await limit.run(async () => 'next')).toBe('next');
    expect(late).not.toHaveBeenCalled();
  });

  test('a failed task does not block the next one', async () => {
    const limit = limitConcurrency(1);
    const failing = limit.run(() => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await limit.run(async () => 'next')).toBe('next');
  });
});
