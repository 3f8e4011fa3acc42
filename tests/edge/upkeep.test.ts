import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DENO_PACKAGES } from '../../scripts/local/edge-function.ts';
import type { Json } from '../support/client.ts';
import { type EdgeWorker, startEdgeWorker } from '../support/edge-worker.ts';
import { follow } from '../support/graph.ts';
import { advanceTime, type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import { anonymousPerson, confirmedPerson, signedInAfter } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

describe.each(DENO_PACKAGES)('the upkeep function on npm package %s', (deno) => {
  let opine: Opine;
  let worker: EdgeWorker;

  beforeAll(async () => {
    opine = await startOpine();
    const environment = {
      ...testEnvironment(opine.database),
      LOG_LEVEL: 'debug',
      NOTIFICATIONS_KEEP_DAYS: '30',
    };
    worker = await startEdgeWorker(environment, deno);
  });

  afterAll(async () => {
    await worker?.stop();
    await opine?.stop();
  });

  const rowsOf = async (table: string): Promise<Json[]> =>
    (await sql<Json>`select * from ${sql.table(table)}`.execute(opine.database.superuser)).rows;

  test('one call folds every vote that was cast before', async () => {
    const post = await aSlider(await confirmedPerson(opine, 'Maya'));
    for (const position of ['left', 'left', 'right'] as const) {
      expect((await castVote(await confirmedPerson(opine), post, position)).status).toBe(201);
    }
    await worker.call('upkeep');
    expect(await rowsOf('app.vote_slots')).toEqual([]);
    expect(await rowsOf('app.fresh_votes')).toEqual([]);
    expect(await rowsOf('app.vote_receipts')).toHaveLength(3);
    expect(await rowsOf('app.vote_pools')).toEqual([
      expect.objectContaining({ post_id: post.id, counts: '(0,2,0,1,0)' }),
    ]);
  });

  test('repeated calls delete an ended account to the last row', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await aSlider(maya);
    expect((await maya.delete('/users/me')).status).toBe(200);
    expect(await rowsOf('app.account_deletions')).toHaveLength(1);
    for (let minute = 0; minute < 3; minute += 1) {
      await advanceTime(opine, '1 minute');
      await worker.call('upkeep');
    }
    expect(await rowsOf('app.account_deletions')).toEqual([]);
    const { rows } = await sql`select from app.posts where author_id = ${maya.id}`.execute(
      opine.database.superuser,
    );
    expect(rows).toEqual([]);
  });

  test('a task with an interval of five minutes runs once in five minutes, however often cron calls', async () => {
    await worker.call('upkeep');
    const createExpiredSession = async () => {
      const { id } = await anonymousPerson(opine);
      await sql`update app.refresh_tokens set expires_at = app.now() where session_id in (
        select id from app.sessions where user_id = ${id})`.execute(opine.database.superuser);
      return id;
    };
    const sessions = async (id: string) =>
      (await rowsOf('app.sessions')).filter((row) => row.user_id === id).length;
    const id = await createExpiredSession();
    await worker.call('upkeep');
    expect(await sessions(id)).toBe(1);
    await advanceTime(opine, '5 minutes');
    await worker.call('upkeep');
    expect(await sessions(id)).toBe(0);
  });

  test('repeated calls remove the uploads of an ended account', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const key = await worker.storage.keep(opine.database, maya.id);
    expect(await worker.storage.stored([key])).toEqual([key]);
    expect((await maya.delete('/users/me')).status).toBe(200);
    for (let minute = 0; minute < 5; minute += 1) {
      await advanceTime(opine, '5 minutes');
      await worker.call('upkeep');
    }
    expect(await worker.storage.stored([key])).toEqual([]);
  });

  test('a call deletes notifications older than NOTIFICATIONS_KEEP_DAYS', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    await follow(jonas, maya);
    const [later] = await signedInAfter(opine, '29 days', jonas);
    await worker.call('upkeep');
    expect(await rowsOf('app.notifications')).toHaveLength(1);
    await follow(later, await confirmedPerson(opine, 'Noor'));
    await advanceTime(opine, '2 days');
    await worker.call('upkeep');
    expect(await rowsOf('app.notifications')).toHaveLength(1);
    expect((await rowsOf('app.notifications'))[0]?.recipient_id).not.toBe(maya.id);
  });

  test('a call during a storage outage folds votes and answers 503', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const key = await worker.storage.keep(opine.database, maya.id);
    const post = await aSlider(await confirmedPerson(opine));
    await castVote(maya, post, 'left');
    await maya.delete('/users/me');
    await worker.storage.takeDown();
    try {
      await advanceTime(opine, '10 minutes');
      await expect(worker.call('upkeep')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      await worker.storage.bringBack();
    }
    expect(await rowsOf('app.fresh_votes')).toEqual([]);
    await advanceTime(opine, '10 minutes');
    await worker.call('upkeep');
    expect(await worker.storage.stored([key])).toEqual([]);
  });

  test('a call during a database outage answers 503, and the next call folds the votes', async () => {
    const post = await aSlider(await confirmedPerson(opine, 'Maya'));
    await castVote(await confirmedPerson(opine), post, 'left');
    await expect(withoutDatabase(opine.database, () => worker.call('upkeep'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await worker.call('upkeep');
    expect(await rowsOf('app.fresh_votes')).toEqual([]);
  });
});
