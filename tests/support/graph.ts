import { sql, type Transaction } from 'kysely';
import { expect } from 'vitest';
import type { DB } from '../../src/db/types.ts';
import { type Client, clientOf, type Json, type Reply } from './client.ts';
import { timePasses } from './clock.ts';
import type { TestRole } from './database.ts';
import type { Opine } from './opine.ts';
import { anAnonymous, type Person } from './people.ts';
import { enterCode, requestOtp } from './sign-in.ts';

/** Whoever is looked at, followed or blocked. */
export type Somebody = Pick<Person, 'id'>;

/** The id of nobody, and what is no id at all. */
export const NOBODY = { id: '01990000-0000-7000-8000-00000000dead' };
export const NO_IDS = ['no-uuid', '1', `${NOBODY.id}0`, '%00', '%25', "'%20or%201=1--", '🙂'];

/** `person` asks to follow `other`. */
export function requestFollow(person: Client, { id }: Somebody): Promise<Reply> {
  return person.post(`/users/${id}/follow`);
}

/** `person` asks to block `other`. */
export function requestBlock(person: Client, { id }: Somebody): Promise<Reply> {
  return person.post(`/users/${id}/block`);
}

/** `person` asks to have alerts of what `other` publishes, or none. */
export function requestMute(
  person: Client,
  { id }: Somebody,
  publicPostsMuted: unknown = true,
): Promise<Reply> {
  return person.patch(`/users/${id}/notification-settings`, { publicPostsMuted });
}

/** `person` follows `others`, one after the other. */
export async function follow(person: Client, ...others: Somebody[]): Promise<void> {
  for (const other of others) await granted(requestFollow(person, other));
}

export async function unfollow(person: Client, { id }: Somebody): Promise<void> {
  await granted(person.delete(`/users/${id}/follow`));
}

export async function block(person: Client, other: Somebody): Promise<void> {
  await granted(requestBlock(person, other));
}

export async function unblock(person: Client, { id }: Somebody): Promise<void> {
  await granted(person.delete(`/users/${id}/block`));
}

/** Somebody of level 2 with a name and a handle to look for. */
export async function aPersonNamed(opine: Opine, fullName: string, username: string): Promise<Person> {
  const person = await anAnonymous(opine);
  await granted(
    person.put('/users/me/onboarding/profile-basics', { fullName, username, termsAccepted: true }),
  );
  return { ...person, username };
}

/** The profile of `person` as `viewer` sees it. */
export async function profileSeenBy(viewer: Client, { id }: Somebody): Promise<Json> {
  return granted(viewer.get(`/users/${id}/profile`));
}

/** The list at `path` as `viewer` sees it, from page to page up to where there is no next one. */
export async function everyPage(viewer: Client, path: string, query: object = {}): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: object = {}; pages.length < 200; ) {
    const { items, nextCursor } = await granted(viewer.get(withQuery(path, { ...query, ...cursor })));
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = { cursor: nextCursor };
  }
  throw new Error(`${path} does not end.`);
}

/** The ids of everybody in the list at `path`, in its order. */
export async function everybodyIn(viewer: Client, path: string, query: object = {}): Promise<string[]> {
  return idsOf((await everyPage(viewer, path, query)).flat());
}

/** Who follows `person`, as `viewer` sees it. */
export function followersOf(viewer: Client, { id }: Somebody, query: object = {}): Promise<string[]> {
  return everybodyIn(viewer, `/users/${id}/followers`, query);
}

/** Whom `person` follows, as `viewer` sees it. */
export function followedBy(viewer: Client, { id }: Somebody, query: object = {}): Promise<string[]> {
  return everybodyIn(viewer, `/users/${id}/following`, query);
}

/** The people whom `viewer` finds by `q`. */
export function found(viewer: Client, q: string, query: object = {}): Promise<string[]> {
  return everybodyIn(viewer, '/search/users', { q, ...query });
}

export function withQuery(path: string, query: object): string {
  return `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
}

export function idsOf(items: readonly Json[]): string[] {
  return items.map(({ id }) => id);
}

/** Which of the two follow the other, as it is stored: follower and followed. */
export async function followsBetween(opine: Opine, one: Somebody, other: Somebody): Promise<string[][]> {
  const { rows } = await sql<{ pair: string[] }>`
    select array[follower_id::text, followee_id::text] as pair from app.follows
    where (follower_id, followee_id) in ((${one.id}, ${other.id}), (${other.id}, ${one.id}))
    order by follower_id, followee_id`.execute(opine.database.superuser);
  return rows.map(({ pair }) => pair);
}

/** `person`, who has no phone, verifies that of `owner` and becomes part of them: who that is from now on. */
export async function mergeInto(opine: Opine, person: Person, owner: Person): Promise<Person> {
  await timePasses(opine, '1 minute');
  await granted(requestOtp(person, owner.phoneNumber));
  const session = await granted(enterCode(person, owner.phoneNumber));
  if (session.user.id !== owner.id || !session.merged) throw new Error('Nobody was merged.');
  return { ...owner, ...clientOf(opine.url, session.accessToken), session };
}

/** What is answered to `act`, which comes when a merge of `person` into `owner` is done and not yet committed. */
export async function amidMerge(
  opine: Opine,
  person: Person,
  owner: Person,
  act: () => Promise<Reply>,
): Promise<Reply> {
  await timePasses(opine, '1 minute');
  await granted(requestOtp(person, owner.phoneNumber));
  let merging: Promise<Reply> | undefined;
  const reply = await amid(opine, act, async (holder) => {
    // The end of a merge is that of sessions: it waits there, and has moved what there is to move.
    await sql`lock table app.sessions in share mode`.execute(holder);
    merging = enterCode(person, owner.phoneNumber);
    // The worker's tasks may wait as well.
    await expect.poll(() => waiting(opine, 'opine_gateway')).toBe(1);
  });
  const merged = (await merging)?.data.merged;
  if (merged !== true) throw new Error('Nobody was merged.');
  return reply;
}

/** What is answered to `act`, which comes while `hold` is not yet committed: it is answered, or waits, before that. */
export async function amid<T = Reply>(
  { database }: Opine,
  act: () => Promise<T>,
  hold: (holder: Transaction<DB>) => Promise<void>,
): Promise<T> {
  let isAnswered = false;
  const acting: Promise<T>[] = [];
  await database.superuser.transaction().execute(async (holder) => {
    await hold(holder);
    const waitingBefore = await waiting({ database });
    acting.push(
      act().finally(() => {
        isAnswered = true;
      }),
    );
    await expect.poll(async () => isAnswered || (await waiting({ database })) > waitingBefore).toBe(true);
  });
  const [reply] = await Promise.all(acting);
  if (reply === undefined) throw new Error('Nothing was asked.');
  return reply;
}

/** How many connections wait for a lock: all, or those of a login. */
export async function waiting(
  { database }: Pick<Opine, 'database'>,
  login: TestRole | null = null,
): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and usename = coalesce(${login}, usename)
  `.execute(database.superuser);
  return rows.length;
}

/** The data of an answer that is a success. @throws Error where it is none, for a world that was not built */
export async function granted(reply: Promise<Reply>): Promise<Json> {
  const { status, data, error } = await reply;
  if (status >= 300) throw new Error(`Refused with ${status}: ${JSON.stringify(error)}`);
  return data;
}
