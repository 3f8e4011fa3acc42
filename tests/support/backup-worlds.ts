import { sql } from 'kysely';
import { SCHEMAS_WITH_ROWS } from '../../scripts/db/backup.ts';
import { aTown, OPEN, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { clientOf, expectOk, type Json } from './client.ts';
import type { TestDatabase } from './database.ts';
import { discussionsOf } from './discussions.ts';
import { follow, unfollow } from './graph.ts';
import { aHubPost, aMessage, anInvitation, discussionOf } from './hubs.ts';
import { inboxOf, notificationsOf, requestMarkRead } from './inbox.ts';
import type { Instance } from './instances.ts';
import type { Opine } from './opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from './people.ts';
import { aPng } from './pictures.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  requestCommentDeletion,
  shareToFeed,
  shareToHubs,
} from './posts.ts';
import { aDeviceOf } from './pushes.ts';
import { anUpload } from './uploads.ts';
import { castVote, countsOf } from './votes.ts';
import { foldAllVotes } from './worker.ts';

/** Two Hubs with activity of every kind, some of it still pending. */
export interface LivelyWorld extends Town {
  /** Author of the public posts; in no Hub. */
  readonly ada: Person;
  /** Public and in no Hub: votes of Hub members on it are pending and sealed. */
  readonly square: Json;
  /** Like `square`, unused until the next day. */
  readonly fountain: Json;
  /** Has a deleted account that left data behind. */
  readonly gone: Person;
  /** An asset of Ada's. */
  readonly photo: Json;
}

/** Creates the world. Half of its votes are folded with `keys`. */
export async function aLivelyWorld(instance: Instance, keys: string): Promise<LivelyWorld> {
  const town = await aTown(instance);
  const { amara, jonas, noor, lena, maya, hub, other } = town;
  const [ada, gone] = [await confirmedPerson(instance, 'Ada'), await confirmedPerson(instance, 'Gone')];
  await aDeviceOf(ada);
  await follow(amara, ada);
  await follow(maya, ada, jonas);
  const [square, fountain] = [await aSlider(ada), await aSlider(ada)];
  const photo = await anUpload(ada, await aPng());
  await expectOk(ada.patch('/users/me/profile', { profileAssetId: photo.assetId }));
  const locked = await aHubPost(amara, [hub], SLIDER);
  const placed = await aHubPost(jonas, [hub, other], OPEN);
  await aThought(gone);
  for (const post of [square, fountain, placed]) await vote(jonas, post, 'strong_left');
  await vote(noor, square, 'right');
  await vote(noor, locked, 'neutral');
  await foldAllVotes(instance, { PENDING_VOTE_KEY: keys });
  const root = await aComment(maya, square);
  await aComment(ada, square, 'And I as I said.', { parentCommentId: root.id });
  await aRepost(jonas, square, { sliderText: 'Or so?' });
  await shareToFeed(maya, square);
  // A feed cursor from before the deletion stays valid for a day.
  await expectOk(requestCommentDeletion(jonas, await aComment(jonas, square, 'No, wait.')));
  await unfollow(maya, jonas);
  await expectOk(noor.post(`/posts/${square.id}/save`));
  await aMessage(noor, await discussionOf(noor, hub, placed));
  await anInvitation(amara, hub, await hubReadyPerson(instance, 'Invited'));
  const [notification] = await notificationsOf(ada);
  await expectOk(requestMarkRead(ada, { id: notification?.id }));
  await sql`insert into staff.allowed_emails (email) values ('staff@example.org')`.execute(
    instance.database.superuser,
  );
  await expectOk(gone.delete('/users/me'));
  for (const post of [square, fountain]) await vote(lena, post, 'strong_right');
  await vote(maya, square, 'left');
  return { ...town, ada, gone, square, fountain, photo };
}

/** Returns `world` with its people calling `opine` with their existing sessions. */
export function worldIn(opine: Pick<Opine, 'url'>, world: LivelyWorld): LivelyWorld {
  const people = NAMES.map((name) => {
    const person: Person = world[name];
    return [name, { ...person, ...clientOf(opine.url, person.session.accessToken) }];
  });
  return { ...world, ...Object.fromEntries(people) };
}

const NAMES = ['amara', 'jonas', 'noor', 'lena', 'maya', 'ada', 'gone'] as const;

const VIEWS = [
  '/posts',
  '/posts?sort=trending',
  '/users/me/profile',
  '/users/me/hubs',
  '/users/me/saved-posts',
  '/notifications',
];

/** Returns what each person reads from every view. */
export async function viewsOf(world: LivelyWorld): Promise<Json> {
  const { hub, other, square, fountain } = world;
  const views: Json = {};
  for (const name of NAMES) {
    const viewer = world[name];
    const paths = [...VIEWS, ...[hub, other].map(({ id }) => `/hubs/${id}/feed`)];
    paths.push(...[square, fountain].flatMap(({ id }) => [`/posts/${id}`, `/posts/${id}/comments`]));
    views[name] = [];
    // One after another, because a feed counts its reader among the active users of the Hub that a list shows.
    for (const path of paths) {
      const { status, data, error } = await viewer.get(path);
      views[name].push({ status, data, code: error?.code });
    }
  }
  views.discussions = await discussionsOf(world.noor, hub);
  return views;
}

/** Makes second and first votes, and shares the square into both Hubs of Amara. */
export async function nextDay({ amara, maya, ada, square, hub, other }: LivelyWorld): Promise<Json> {
  const second = await castVote(maya, square, 'strong_right');
  await shareToHubs(amara, square, hub, other);
  await vote(amara, square, 'neutral');
  return {
    second: [second.status, second.error.code],
    counts: [
      await countsOf(ada, square),
      await countsOf(amara, square, hub),
      await countsOf(amara, square, other),
    ],
    unread: (await inboxOf(ada)).unreadCount,
  };
}

/** A new person follows Ada, who is notified. */
export async function somebodyFollows(opine: Opine, { ada }: LivelyWorld): Promise<void> {
  await follow(await registeredPerson(opine, 'Newcomer'), ada);
}

/** Lists our columns of transaction ids, snapshots or row addresses that hold a value. */
export async function transactionsIn({ superuser }: TestDatabase): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.oid::regclass::text as table, a.attname as column
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid and c.relkind = 'r'
    where c.relnamespace::regnamespace::text = any(${SCHEMAS_WITH_ROWS}::text[])
      and a.attnum > 0 and a.atttypid::regtype::text in ('xid', 'xid8', 'pg_snapshot', 'pg_lsn', 'tid')`.execute(
    superuser,
  );
  const named: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql`
      select from ${sql.raw(table)} where ${sql.ref(column)} is not null limit 1`.execute(superuser);
    if (rows.length > 0) named.push(`${table}.${column}`);
  }
  return named;
}
