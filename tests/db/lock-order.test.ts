import { type Kysely, type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DB } from '../../src/db/types.ts';
import { expectOk, type Json } from '../support/client.ts';
import type { TestRole } from '../support/database.ts';
import { block, follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  discussionOf,
  type Hub,
  join,
  requestClose,
  requestLeave,
} from '../support/hubs.ts';
import { advanceTime, anOpine, type Opine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import {
  aSlider,
  aThought,
  requestComment,
  requestSavePost,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { countLockWaits } from '../support/races.ts';
import { castVote } from '../support/votes.ts';
import { countRows, foldAllVotes, withWorkerDatabase } from '../support/worker.ts';

/** Starts something that waits for `lock` of another transaction, looks at what it has locked by then, and awaits its end. */
async function whileWaiting(
  opine: Opine,
  {
    lock,
    login,
    start,
    look,
  }: {
    readonly lock: RawBuilder<unknown>;
    readonly login: TestRole;
    readonly start: () => Promise<unknown>;
    readonly look: (other: Kysely<DB>) => Promise<void>;
  },
): Promise<void> {
  let waiting: Promise<unknown> | undefined;
  await opine.database.superuser.transaction().execute(async (other) => {
    await lock.execute(other);
    waiting = start();
    // The await below reports a failure.
    waiting.catch(() => {});
    await expect.poll(() => countLockWaits(opine, login)).toBe(1);
    await look(other);
  });
  await waiting;
}

test('a share into a Hub that closes does not wait for the removal of what is in it', async () => {
  const opine = await anOpine();
  const { database } = opine;
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  await aHubPost(amara, [hub]);
  await expectOk(requestClose(amara, hub));
  await withWorkerDatabase(database, (db) =>
    whileWaiting(opine, {
      lock: sql`update app.placements set kind = kind where hub_id = ${hub.id}`,
      login: 'opine_worker',
      start: () => sql`select app.prune_closed_hubs()`.execute(db),
      // As the foreign keys of what a share inserts.
      look: async (sharing) => {
        await sql`select from app.hubs where id = ${hub.id} for key share nowait`.execute(sharing);
      },
    }),
  );
  const { rows } = await sql`select from app.placements where hub_id = ${hub.id}`.execute(database.superuser);
  expect(rows).toEqual([]);
});

/** Adds a vote that feeds show after a time, at the earliest. */
async function holdVote({ database }: Opine, { id }: Person, post: Json, after = '0 s'): Promise<void> {
  await sql`
    insert into app.held_votes (post_id, user_id, due_at) values (${post.id}, ${id}, app.now() + ${after}::interval)
  `.execute(database.superuser);
}

/** What waits for the deletion of a post before it locks rows of the post. */
const WAITING = [
  {
    what: 'a member who leaves a Hub',
    table: 'app.feed_events',
    column: 'actor_id',
    prepare: (noor: Person, post: Json) => expectOk(requestComment(noor, post, { text: 'Indeed.' })),
    end: (noor: Person, hub: Hub) => requestLeave(noor, hub),
  },
  {
    what: 'a person who deletes their account',
    table: 'app.saved_posts',
    column: 'user_id',
    prepare: (noor: Person, post: Json) => expectOk(requestSavePost(noor, post)),
    end: (noor: Person) => noor.delete('/users/me'),
  },
  {
    what: 'a person who deletes their account',
    table: 'app.held_votes',
    column: 'user_id',
    prepare: (noor: Person, post: Json, opine: Opine) => holdVote(opine, noor, post),
    end: (noor: Person) => noor.delete('/users/me'),
  },
];

test.each(WAITING)(
  '$what waits for the deletion of a post before they lock their rows of $table about it',
  async ({ table, column, prepare, end }) => {
    const opine = await anOpine();
    const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
    const hub = await aHub(amara);
    await join(amara, hub, [noor]);
    const post = await aThought(amara);
    await prepare(noor, post, opine);
    await whileWaiting(opine, {
      lock: sql`select from app.posts where id = ${post.id} for update`,
      login: 'opine_gateway',
      start: () => expectOk(end(noor, hub)),
      look: async (deletion) => {
        const { rows } = await sql`
          select from ${sql.table(table)} where ${sql.ref(column)} = ${noor.id} and post_id = ${post.id} for update nowait
        `.execute(deletion);
        expect(rows).not.toEqual([]);
        await sql`delete from app.posts where id = ${post.id}`.execute(deletion);
      },
    });
  },
);

test('the removal of an ended account leaves rows that another transaction has locked to its next batch', async () => {
  const opine = await anOpine();
  const { superuser } = opine.database;
  const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
  const hub = await aHub(amara);
  await join(amara, hub, [noor]);
  const post = await aSlider(amara);
  await shareToFeed(noor, post);
  await shareToHubs(noor, post, hub);
  await aMessage(noor, await discussionOf(noor, hub, post));
  await expectOk(requestLeave(noor, hub));
  await follow(amara, noor);
  await follow(noor, amara);
  await block(noor, await confirmedPerson(opine));
  await block(await confirmedPerson(opine), noor);
  await expectOk(noor.delete('/users/me'));
  const owned = [
    ['app.notifications', 'actor_id'],
    ['app.notifications', 'recipient_id'],
    ['app.events', 'actor_id'],
    ['app.events', 'subject_id'],
    ['app.follows', 'follower_id'],
    ['app.follows', 'followee_id'],
    ['app.blocks', 'blocker_id'],
    ['app.blocks', 'blocked_id'],
    ['app.feed_shares', 'user_id'],
    ['app.messages', 'author_id'],
    ['app.placements', 'placed_by'],
  ] as const;
  const left = async () => {
    const counts = await Promise.all(
      owned.map(([table, column]) => countRows(opine, table, column, noor.id)),
    );
    return owned.filter((_, index) => counts[index] !== 0);
  };
  const removeBatch = () => runWithoutWaiting(superuser, sql`app.finish_account_deletion(${noor.id})`);
  const allBut = (free: string) =>
    [...owned.map(([table]) => table), 'app.feed_events'].filter((table) => table !== free);
  // Events go after their notifications, and messages only with a lock of their discussion.
  for (const locked of [[...allBut('app.events'), 'app.discussions'], allBut('app.notifications')]) {
    await superuser.transaction().execute(async (other) => {
      for (const table of locked) await sql`select from ${sql.table(table)} for update`.execute(other);
      await removeBatch();
    });
    expect(await left()).toEqual(owned.filter(([table]) => table === 'app.events' || locked.includes(table)));
  }
  await removeBatch();
  expect(await left()).toEqual([]);
});

test('the removal of a closed Hub leaves rows that another transaction has locked to its next run', async () => {
  const opine = await anOpine();
  const { superuser } = opine.database;
  const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
  const hub = await aHub(amara);
  await join(amara, hub, [noor]);
  const post = await aHubPost(amara, [hub]);
  await aMessage(noor, await discussionOf(noor, hub, post));
  const shared = await aSlider(amara);
  await shareToHubs(amara, shared, hub);
  await expectOk(castVote(noor, shared));
  // This vote may still count in the Hub, should the post be shared into it.
  await expectOk(castVote(noor, await aSlider(amara)));
  await foldAllVotes(opine);
  await expectOk(requestClose(amara, hub));
  const run = () => runWithoutWaiting(superuser, sql`app.prune_closed_hubs()`);
  // A run removes rows of one table.
  for (const [table, column, locked] of [
    ['app.messages', 'hub_id', ['app.posts', 'app.messages']],
    ['app.placements', 'hub_id', ['app.posts']],
    ['app.feed_events', 'hub_id', ['app.posts', 'app.feed_events']],
    ['app.notifications', 'audience_id', ['app.notifications']],
    ['app.events', 'hub_id', ['app.events']],
    ['app.pending_totals', 'hub_id', ['app.pending_totals']],
    ['app.vote_pools', 'hub_id', ['app.vote_pools']],
  ] as const) {
    for (const each of locked) {
      await superuser.transaction().execute(async (other) => {
        await sql`select from ${sql.table(each)} for update`.execute(other);
        await run();
      });
      expect(await countRows(opine, table, column, hub.id)).toBeGreaterThan(0);
    }
    await run();
    expect(await countRows(opine, table, column, hub.id)).toBe(0);
  }
  await run();
  expect(await countRows(opine, 'app.hubs', 'id', hub.id)).toBe(0);
});

test('the removal of closed Hubs ends at once and removes nothing while another run is under way', async () => {
  const opine = await anOpine({ PROCESS: 'api' });
  const { superuser } = opine.database;
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  await expectOk(requestClose(amara, hub));
  await superuser.transaction().execute(async (other) => {
    await sql`select pg_advisory_xact_lock(hashtext('app.prune_closed_hubs'))`.execute(other);
    await runWithoutWaiting(superuser, sql`app.prune_closed_hubs()`);
  });
  expect(await countRows(opine, 'app.hubs', 'id', hub.id)).toBe(1);
  await runWithoutWaiting(superuser, sql`app.prune_closed_hubs()`);
  expect(await countRows(opine, 'app.hubs', 'id', hub.id)).toBe(0);
});

/** Runs a function of the worker, which fails if it waits for a lock. */
async function runWithoutWaiting(superuser: Kysely<DB>, call: RawBuilder<unknown>): Promise<void> {
  await superuser.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '1s'`.execute(transaction);
    await sql`select ${call}`.execute(transaction);
  });
}

/** What takes the two rows that `insert` puts first in the order of `key`, unless another transaction has locked one of them. */
const TAKEN = [
  {
    call: 'app.prune_rate_limits()',
    table: 'app.rate_limits',
    key: 'kind',
    insert: `select kind, '', app.now(), app.now() from unnest('{!,$}'::text[]) as kind`,
  },
  {
    call: 'app.prune_identity()',
    table: 'app.sessions',
    key: 'id',
    insert: `select app.first_id_at(to_timestamp(n)), u.id from generate_series(1, 2) as n cross join maya as u`,
  },
  {
    call: 'app.prune_identity()',
    table: 'app.refresh_tokens',
    key: 'token_hash',
    insert: `
      select decode(lpad(n::text, 64, '0'), 'hex'), s.id, app.now()
      from generate_series(1, 2) as n cross join app.sessions as s join maya as u on u.id = s.user_id`,
  },
  {
    call: 'app.claim_account_deletion()',
    table: 'app.account_deletions',
    key: 'due_at',
    insert: `
      select u.id, null, app.now(), app.now() + (row_number() over () - 9) * interval '1 second' from app.users as u`,
  },
  {
    call: 'app.claim_expired_objects(10)',
    table: 'app.stored_objects',
    key: 'id',
    insert: `select app.uuid_v7(), u.id, 'media', app.now() from generate_series(1, 2) cross join maya as u`,
  },
  {
    call: 'app.prune_feeds()',
    table: 'app.trending_activities',
    key: 'kind',
    insert: `
      select p.id, u.id, kind, app.now() - interval '30 days'
      from unnest('{commented,reposted}'::text[]) as kind cross join app.posts as p cross join maya as u`,
  },
  {
    call: "app.deliver_outbox('00000000-0000-0000-0000-000000000000', 10, 10)",
    table: 'app.outbox',
    key: 'notification_id',
    insert: 'select app.uuid_v7() from generate_series(1, 2)',
  },
  {
    call: 'app.claim_pushes(10)',
    table: 'app.pushes',
    key: 'notification_id',
    insert: `select app.uuid_v7(), '' from generate_series(1, 2)`,
  },
  {
    call: 'app.claim_pushes(10)',
    table: 'app.push_leases',
    key: 'id',
    insert: `select app.uuid_v7(), '{}'::uuid[], app.now() from generate_series(1, 2)`,
  },
];

test.each(TAKEN)(
  '$call takes no row of $table that another transaction has locked, does not wait for it, and takes others',
  async ({ call, table, key, insert }) => {
    const opine = await anOpine({ PROCESS: 'api' });
    const { superuser } = opine.database;
    await aThought(await confirmedPerson(opine, 'Maya'));
    await confirmedPerson(opine, 'Jonas');
    const maya = 'with maya as (select p.author_id as id from app.posts as p)';
    await sql.raw(`${maya} insert into ${table} ${insert}`).execute(superuser);
    const rows = async () => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(table)} as t order by ${sql.ref(key)}`.execute(superuser);
      return rows.map(({ row }) => row);
    };
    const [locked, free] = await rows();
    await superuser.transaction().execute(async (other) => {
      await sql`select from ${sql.table(table)} order by ${sql.ref(key)} limit 1 for update`.execute(other);
      await runWithoutWaiting(superuser, sql.raw(call));
    });
    const left = await rows();
    expect([left.includes(locked ?? ''), left.includes(free ?? '')]).toEqual([true, false]);
  },
);

test.each(['app.users', 'app.posts'])(
  'the release of held votes waits for another transaction with a row of %s before it locks the votes',
  async (table) => {
    const opine = await anOpine();
    const { database } = opine;
    const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
    const post = await aSlider(amara);
    await holdVote(opine, amara, post, '1 hour');
    await holdVote(opine, noor, post);
    await withWorkerDatabase(database, (db) =>
      whileWaiting(opine, {
        lock: sql`select from ${sql.table(table)} where id in (${post.id}, ${noor.id}) for update`,
        login: 'opine_worker',
        start: () => sql`select app.release_votes(1)`.execute(db),
        look: async (other) => {
          for (const { rows } of [
            await sql`select from app.held_votes where user_id = ${noor.id} for update nowait`.execute(other),
            // A vote that is not due locks nobody.
            await sql`select from app.users where id = ${amara.id} for update nowait`.execute(other),
          ]) {
            expect(rows).toHaveLength(1);
          }
        },
      }),
    );
    const { rows } =
      await sql`select user_id as id from app.held_votes where released_at is not null`.execute(
        database.superuser,
      );
    expect(rows).toEqual([{ id: noor.id }]);
  },
);

test('the release of held votes leaves the removal of a locked vote that feeds showed an hour ago to its next run', async () => {
  const opine = await anOpine();
  const { superuser } = opine.database;
  const noor = await confirmedPerson(opine);
  await holdVote(opine, noor, await aSlider(noor));
  await sql`update app.held_votes set released_at = app.now() - interval '61 minutes'`.execute(superuser);
  const votes = sql`select from app.held_votes for update`;
  const release = () => runWithoutWaiting(superuser, sql`app.release_votes(1)`);
  await superuser.transaction().execute(async (other) => {
    await votes.execute(other);
    await release();
    expect((await votes.execute(other)).rows).toHaveLength(1);
  });
  await release();
  expect((await votes.execute(superuser)).rows).toEqual([]);
});

test('the pruning of feeds skips an event that another transaction has locked, and deletes the others', async () => {
  const opine = await anOpine();
  const { superuser } = opine.database;
  const author = await confirmedPerson(opine);
  const [locked, free] = [await aThought(author), await aThought(author)];
  await sql`
    update app.feed_events set ended_at = app.now() - interval '2 days', ended_by = pg_current_xact_id()
  `.execute(superuser);
  await superuser.transaction().execute(async (deletion) => {
    await sql`select from app.feed_events where post_id = ${locked.id} for update`.execute(deletion);
    await runWithoutWaiting(superuser, sql`app.prune_feeds()`);
  });
  const { rows } = await sql`
    select post_id as id from app.feed_events where post_id in (${locked.id}, ${free.id})
  `.execute(superuser);
  expect(rows).toEqual([{ id: locked.id }]);
});

test('the pruning of notifications skips rows that another transaction has locked, and deletes the others', async () => {
  const opine = await anOpine();
  const { superuser } = opine.database;
  const [maya, jonas, noor] = [
    await confirmedPerson(opine),
    await confirmedPerson(opine),
    await confirmedPerson(opine),
  ];
  await follow(jonas, maya);
  await follow(noor, maya);
  await advanceTime(opine, '2 days');
  const pruneNow = () => runWithoutWaiting(superuser, sql`app.prune_notifications(1)`);
  const left = async (table: string) =>
    (await sql<Json>`select actor_id as id from ${sql.table(table)}`.execute(superuser)).rows.map(
      ({ id }) => id,
    );
  const tables = ['app.notifications', 'app.events'] as const;
  for (const locked of tables) {
    await superuser.transaction().execute(async (other) => {
      await sql`select from ${sql.table(locked)} where actor_id = ${jonas.id} for update`.execute(other);
      await pruneNow();
    });
    for (const table of tables)
      expect([locked, await left(table)]).toEqual([
        locked,
        table === 'app.events' || locked === table ? [jonas.id] : [],
      ]);
  }
  await pruneNow();
  expect(await left('app.events')).toEqual([]);
});
