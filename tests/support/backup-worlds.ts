import { sql } from 'kysely';
import { SCHEMAS_WITH_ROWS } from '../../scripts/db/dump.ts';
import { aTown, OPEN, SLIDER, type Town, vote } from '../simulations/votes/worlds.ts';
import { clientOf, type Json } from './client.ts';
import type { TestDatabase } from './database.ts';
import { discussionsOf } from './discussions.ts';
import { votesAreFolded } from './fold.ts';
import { aComment, aRepost, place, requestCommentDeletion, share } from './frames.ts';
import { follow, granted, unfollow } from './graph.ts';
import { aHubPost, aMessage, anInvitation, discussionOf } from './hubs.ts';
import { inboxOf, notificationsOf, requestMarkRead } from './inbox.ts';
import type { Instance } from './instances.ts';
import type { Opine } from './opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from './people.ts';
import { aPng } from './pictures.ts';
import { aSlider, aThought } from './posts.ts';
import { aDeviceOf } from './pushes.ts';
import { anUpload } from './uploads.ts';
import { castVote, countsOf } from './votes.ts';

/** Two Hubs and everything that people do, some of it not done with yet. */
export interface LivelyWorld extends Town {
  /** Who asks everybody, in no Hub. */
  readonly ada: Person;
  /** Public, and in no Hub: what members of Hubs voted is pending, sealed. */
  readonly square: Json;
  /** The same, for another day. */
  readonly fountain: Json;
  /** Whose account has ended, and of whom something is left. */
  readonly gone: Person;
  /** A picture of Ada's: its asset. */
  readonly photo: Json;
}

/** A world in `instance`, of which half of the votes are folded by `keys`. */
export async function aLivelyWorld(instance: Instance, keys: string): Promise<LivelyWorld> {
  const town = await aTown(instance);
  const { amara, jonas, noor, lena, maya, hub, other } = town;
  const [ada, gone] = [await aConfirmed(instance, 'Ada'), await aConfirmed(instance, 'Gone')];
  await aDeviceOf(ada);
  await follow(amara, ada);
  await follow(maya, ada, jonas);
  const [square, fountain] = [await aSlider(ada), await aSlider(ada)];
  const photo = await anUpload(ada, await aPng());
  await granted(ada.patch('/users/me/profile', { profileAssetId: photo.assetId }));
  const locked = await aHubPost(amara, [hub], SLIDER);
  const placed = await aHubPost(jonas, [hub, other], OPEN);
  await aThought(gone);
  for (const post of [square, fountain, placed]) await vote(jonas, post, 'strong_left');
  await vote(noor, square, 'right');
  await vote(noor, locked, 'neutral');
  await votesAreFolded(instance, { PENDING_VOTE_KEY: keys });
  const root = await aComment(maya, square);
  await aComment(ada, square, 'And I as I said.', { parentCommentId: root.id });
  await aRepost(jonas, square, { sliderText: 'Or so?' });
  await share(maya, square);
  // Which a walk through feeds that began before knows for a day.
  await granted(requestCommentDeletion(jonas, await aComment(jonas, square, 'No, wait.')));
  await unfollow(maya, jonas);
  await granted(noor.post(`/posts/${square.id}/save`));
  await aMessage(noor, await discussionOf(noor, hub, placed));
  await anInvitation(amara, hub, await aHubReady(instance, 'Invited'));
  const [told] = await notificationsOf(ada);
  await granted(requestMarkRead(ada, { id: told?.id }));
  await sql`insert into staff.allowed_emails (email) values ('staff@example.org')`.execute(
    instance.database.superuser,
  );
  await granted(gone.delete('/users/me'));
  for (const post of [square, fountain]) await vote(lena, post, 'strong_right');
  await vote(maya, square, 'left');
  return { ...town, ada, gone, square, fountain, photo };
}

/** The same world where `opine` has it: its people ask there, by the sessions that they have. */
export function worldIn(opine: Pick<Opine, 'url'>, world: LivelyWorld): LivelyWorld {
  const over = (person: Person): Person => ({
    ...person,
    ...clientOf(opine.url, person.session.accessToken),
  });
  const { amara, jonas, noor, lena, maya, ada, gone } = world;
  return {
    ...world,
    amara: over(amara),
    jonas: over(jonas),
    noor: over(noor),
    lena: over(lena),
    maya: over(maya),
    ada: over(ada),
    gone: over(gone),
  };
}

const VIEWS = [
  '/posts',
  '/posts?sort=trending',
  '/users/me/profile',
  '/users/me/hubs',
  '/users/me/saved-posts',
  '/notifications',
];

/** What each of the people sees of everything. */
export async function viewsOf(world: LivelyWorld): Promise<Json> {
  const { hub, other, square, fountain } = world;
  const views: Json = {};
  for (const name of ['amara', 'jonas', 'noor', 'lena', 'maya', 'ada', 'gone'] as const) {
    const somebody = world[name];
    const paths = [...VIEWS, ...[hub, other].map(({ id }) => `/hubs/${id}/feed`)];
    paths.push(...[square, fountain].flatMap(({ id }) => [`/posts/${id}`, `/posts/${id}/comments`]));
    const seen = await Promise.all(paths.map((path) => somebody.get(path)));
    views[name] = seen.map(({ status, data, error }) => ({ status, data, code: error?.code }));
  }
  views.discussions = await discussionsOf(world.noor, hub);
  return views;
}

/** What comes next: a second vote, a first one, and Amara brings the square into both of her Hubs. */
export async function nextDay({ amara, maya, ada, square, hub, other }: LivelyWorld): Promise<Json> {
  const second = await castVote(maya, square, 'strong_right');
  await place(amara, square, hub, other);
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

/** Somebody who was never here before follows Ada, who is told. */
export async function somebodyFollows(opine: Opine, { ada }: LivelyWorld): Promise<void> {
  await follow(await aRegistered(opine, 'Newcomer'), ada);
}

/** The columns of ours that name transactions, snapshots or places of rows, and do so in some row. */
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
