import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settle } from '../../scripts/bench/population.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { maxPagesRead } from '../support/inbox.ts';
import { type AccountWithData, anAccountWithData } from '../support/own-data.ts';
import { keepAutovacuumAway } from '../support/plans.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { foldAllVotes } from '../support/worker.ts';

/** Other users at first, and in the end. */
const [FEW, MANY] = [2_500, 10_000];

/** A plan may change with the size of a table, and an index may grow by a level. */
const MULTIPLE = 2;

// From the sixth execution on, Postgres may choose a generic plan.
const EXECUTIONS = 8;

/** Reads that a person in Maya's place may not send, or not so often. */
const LEFT_OUT = [
  'export_own_data',
  'get_download_url',
  'get_invitation',
  'get_invite_link',
  'list_invite_links',
  'list_join_requests',
];

const READS = ROUTES.filter(
  ({ id, method, auth, gateway }) =>
    method === 'get' &&
    auth !== 'staff' &&
    auth !== 'none' &&
    gateway === undefined &&
    !LEFT_OUT.includes(id),
);

/** Returns SQL that adds users `first` to `last`, who act among themselves. */
const otherUsersSql = (first: number, last: number) => `
create function pg_temp.id(p_kind text, n bigint) returns uuid language sql immutable return md5(p_kind || n)::uuid;
-- People ${first} to ${last}, over and over.
create function pg_temp.person(n bigint) returns uuid language sql immutable
return pg_temp.id('person', ${first} + n % ${last - first + 1});
create temporary table numbers as select n from generate_series(${first}, ${last}) as n;
insert into app.users (id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)
select pg_temp.person(n), '+1303' || 2000000 + n, now(), '1', now(), now(), now() from numbers;
insert into app.profiles (user_id, username, full_name) select pg_temp.person(n), 'other_' || n, 'Other ' || n from numbers;
insert into app.sessions (id, user_id) select pg_temp.person(n), pg_temp.person(n) from numbers;
insert into app.follows (follower_id, followee_id)
select pg_temp.person(n), pg_temp.person(n + 13 * k) from numbers, generate_series(1, 4) as k;
insert into app.blocks (blocker_id, blocked_id)
select pg_temp.person(n), pg_temp.person(n + 17 * k) from numbers, generate_series(1, 4) as k;
insert into app.hubs (id, name) select pg_temp.id('hub', n), 'Other Street ' || n from numbers where n % 10 = 0;
insert into app.memberships (hub_id, user_id, role)
select pg_temp.id('hub', n - n % 10), pg_temp.person(n), case n % 10 when 0 then 'admin' else 'member' end::app.hub_role
from numbers
where exists (select from app.hubs as h where h.id = pg_temp.id('hub', n - n % 10));
insert into app.posts (id, author_id, thought_text, slider_text, left_label, right_label, visibility, created_at)
select
  pg_temp.id('post', n), pg_temp.person(n), 'Part ' || n, 'Is it?', 'No', 'Yes', 'public', now() - n * interval '1 minute'
from numbers;
insert into app.placements (post_id, hub_id, placed_by)
select pg_temp.id('post', n), m.hub_id, m.user_id from numbers join app.memberships as m on m.user_id = pg_temp.person(n);
insert into app.discussions (id, hub_id, post_id)
select pg_temp.id('discussion', n), p.hub_id, p.post_id from numbers join app.placements as p on p.post_id = pg_temp.id('post', n)
on conflict do nothing;
insert into app.messages (discussion_id, hub_id, author_id, body)
select d.id, d.hub_id, pg_temp.person(n), 'Message ' || n
from numbers
join app.discussions as d on d.post_id = pg_temp.id('post', n)
cross join generate_series(1, 2);
insert into app.comments (post_id, author_id, body)
select pg_temp.id('post', n), pg_temp.person(n * k), 'Word ' || n from numbers, generate_series(7, 8) as k;
insert into app.saved_posts (user_id, post_id) select pg_temp.person(n * 3), pg_temp.id('post', n) from numbers;
insert into app.vote_receipts (post_id, user_id, voted_at, baseline)
select pg_temp.id('post', n), pg_temp.person(n + k), date_trunc('minute', now()), 1 from numbers, generate_series(1, 3) as k;
insert into app.reports (reporter_id, user_id, reason) select pg_temp.person(n), pg_temp.person(n + 1), 'spam' from numbers;
`;

let opine: OpineWithStorage;
let world: AccountWithData;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  await keepAutovacuumAway(opine.database);
  world = await anAccountWithData(opine);
  await addOtherUsers(1, FEW);
});

afterAll(() => opine.stop());

async function addOtherUsers(first: number, last: number): Promise<void> {
  await withClient(opine.database.superuserUrl, (client) => client.query(otherUsersSql(first, last)));
  // The worker does both every few seconds.
  await foldAllVotes(opine);
  await withClient(opine.database.superuserUrl, async (client) => {
    await client.query('select app.fold_inbox_counts()');
    await settle(client);
  });
}

const idOf = (kind: string, number: number) =>
  uuidOf(createHash('md5').update(`${kind}${number}`).digest('hex'));
const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Writes of Maya's, in their order, with the arguments of number `n`. What one does a later one undoes, where there is one. */
function writes({
  hub,
  discussion,
  liked,
}: AccountWithData): [operation: string, args: (n: number) => object][] {
  const userId = (n: number) => ({ userId: idOf('person', n) });
  const postId = (n: number) => ({ postId: idOf('post', n) });
  return [
    ['create_post', (n) => ({ thoughtText: `Maya's thought ${n}`, visibility: 'public' })],
    ['create_comment', (n) => ({ postId: liked.id, text: `Maya's comment ${n}` })],
    ['create_message', (n) => ({ hubId: hub.id, discussionId: discussion.id, text: `Maya's message ${n}` })],
    ['follow_user', userId],
    ['unfollow_user', userId],
    ['block_user', userId],
    ['unblock_user', userId],
    ['save_post', postId],
    ['unsave_post', postId],
    ['share_to_feed', postId],
    ['report_post', (n) => ({ ...postId(n), reason: 'spam' })],
    // With a new name each time, because a bio alone enters indexes only when its page has no room left.
    ['update_own_profile', (n) => ({ fullName: `Maya Version ${n}`, bio: `Version ${n}` })],
    ['mark_notifications_read', () => ({ all: true })],
  ];
}

/** Returns the pages that Maya's requests read, by operation. @param first the first of the other users that she acts on */
async function pagesRead(first: number): Promise<Map<string, number>> {
  const { maya, amara, hub, discussion, liked } = world;
  const ids = { userId: amara.id, username: amara.username, postId: liked.id, discussionId: discussion.id };
  const pages = new Map<string, number>();
  const measure = async (operation: string, argsOf: (n: number) => object) => {
    const requests = Array.from({ length: EXECUTIONS }, (_, n) => argsOf(first + n));
    pages.set(operation, await maxPagesRead(opine, maya, operation, requests));
  };
  for (const { id, path } of READS) {
    await measure(id, () => ({ ...ids, q: 'amara', ...(path.includes('{hubId}') && { hubId: hub.id }) }));
  }
  for (const [operation, argsOf] of writes(world)) await measure(operation, argsOf);
  return pages;
}

test('no request of a person costs twice as much because others do four times as much', async () => {
  const among = await pagesRead(1);
  await addOtherUsers(FEW + 1, MANY);
  const grown = await pagesRead(1 + EXECUTIONS);
  const costlier = [...grown].filter(([id, pages]) => pages > (among.get(id) ?? 0) * MULTIPLE);
  expect(costlier.map(([id, pages]) => `${id}: ${among.get(id)} pages, then ${pages}`)).toEqual([]);
});
