import { sql } from 'kysely';
import { expect } from 'vitest';
import { TIMEOUT } from './account-deletions.ts';
import { anAudience, audienceVotes } from './audience.ts';
import type { Client, Json } from './client.ts';
import { timeIn } from './clock.ts';
import { votesAreFolded } from './fold.ts';
import { aComment, aRepost, type Post, place, share } from './frames.ts';
import { follow, granted, type Somebody } from './graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  type Hub,
  join,
  requestAppoint,
  requestDecide,
  requestRemove,
} from './hubs.ts';
import { inboxOf } from './inbox.ts';
import type { Opine } from './opine.ts';
import { aConfirmed, aHubReady, type Person } from './people.ts';
import { aSlider, aThought } from './posts.ts';
import { castVote } from './votes.ts';

/** People by their names. */
export type People = Readonly<Record<string, Client>>;

/** What was made by an act, and what each of those who were told of it was told; whoever was not is not there. */
export interface Notified<Made> {
  readonly made: Made;
  readonly told: Readonly<Record<string, Json[]>>;
}

/** The actor of what nobody in particular did. */
export const NO_ACTOR = { id: '', username: '', profilePhotoUrl: null, isAnonymous: true };

/** A whole notification, not yet read, of what `actor` did; `fields` are what it names. */
export function notification(type: string, actor: Person | null, fields: object = {}): Json {
  return {
    id: expect.any(String),
    type,
    actor:
      actor === null
        ? NO_ACTOR
        : { id: actor.id, username: actor.username, profilePhotoUrl: null, isAnonymous: false },
    postId: null,
    sourcePostId: null,
    commentId: null,
    hub: null,
    invitationId: null,
    joinRequestId: null,
    milestoneTotal: null,
    milestoneCount: null,
    createdAt: expect.any(String),
    read: false,
    ...fields,
  };
}

/** How a notification names a Hub. */
export function inHub({ id, name }: Json): { readonly hub: Json } {
  return { hub: { id, name } };
}

/** What each of `people` is told of while `act` is done, by type, Hub and total. */
export async function notificationsDuring<Made>(
  opine: Opine,
  people: People,
  act: () => Promise<Made>,
): Promise<Notified<Made>> {
  const before = await inboxesOf(people);
  const from = await timeIn(opine);
  const made = await act();
  const until = await timeIn(opine);
  const told: Record<string, Json[]> = {};
  for (const [name, items] of await inboxesOf(people)) {
    const known = new Set(before.get(name)?.map(({ id }) => id));
    // What was told before and was hidden meanwhile is seen again, and not told.
    const fresh = items.filter(
      ({ id, createdAt }) => !known.has(id) && Date.parse(createdAt) >= from.getTime(),
    );
    for (const { createdAt } of fresh) expect(Date.parse(createdAt)).toBeLessThanOrEqual(until.getTime());
    if (fresh.length > 0) told[name] = inOrder(fresh);
  }
  return { made, told };
}

async function inboxesOf(people: People): Promise<Map<string, Json[]>> {
  const inboxes = new Map<string, Json[]>();
  for (const [name, person] of Object.entries(people)) inboxes.set(name, await wholeInboxOf(person));
  return inboxes;
}

/** All that `reader` sees in their inbox, newest first; their badge counts what of it is unread. */
export async function wholeInboxOf(reader: Client): Promise<Json[]> {
  const { items, nextCursor, unreadCount } = await inboxOf(reader, '?limit=100');
  expect(nextCursor).toBeNull();
  const unread = items.filter(({ read }: Json) => !read);
  expect(unreadCount).toBe(unread.length);
  expect((await inboxOf(reader, '?limit=100&unreadOnly=true')).items).toEqual(unread);
  return items;
}

// What comes of one act has one time.
function inOrder(items: readonly Json[]): Json[] {
  return items.toSorted(
    (one, other) =>
      one.type.localeCompare(other.type) ||
      (one.hub?.name ?? '').localeCompare(other.hub?.name ?? '') ||
      (one.milestoneTotal ?? 0) - (other.milestoneTotal ?? 0),
  );
}

/** Only the types of what was told, by whom it was told to. */
export function typesIn({ told }: Notified<unknown>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(told).map(([name, items]) => [name, items.map(({ type }) => type)]),
  );
}

/** So many people follow `followee`, with alerts. */
export async function audienceFollows(opine: Opine, { id }: Somebody, size: number): Promise<void> {
  const followers = (await anAudience(opine, size)).map((follower) => follower.id);
  await sql`
    insert into app.follows (follower_id, followee_id) select unnest(${followers}::uuid[]), ${id}
  `.execute(opine.database.superuser);
}

/** Waits until the worker has told everybody of what is told to many. */
export async function everyoneIsNotified({ database }: Opine): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`select from app.fan_outs`.execute(database.superuser);
    return rows.length;
  };
  await expect.poll(waiting, TIMEOUT).toBe(0);
}

/** How many notifications there are of `post`, whoever may see them. */
export async function notifiedCount({ database }: Opine, { id }: Post): Promise<number> {
  const { rows } = await sql`
    select from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = ${id}
  `.execute(database.superuser);
  return rows.length;
}

/** `member` has a Hub muted, or no longer. */
export async function muteHub(member: Client, { id }: Hub, contentMuted = true): Promise<void> {
  await granted(member.patch(`/hubs/${id}/notification-settings`, { contentMuted }));
}

/** Elm and Oak Street, two Hubs, and who is in which. */
export interface Quarter {
  readonly elm: Json;
  readonly oak: Json;
  readonly people: {
    /** Admin of both. */
    readonly amara: Person;
    /** A member of both. */
    readonly jonas: Person;
    /** In Elm Street, a manager. */
    readonly noor: Person;
    /** In Oak Street, a member. */
    readonly lena: Person;
    /** In neither, and Hub-ready. */
    readonly sven: Person;
    /** In neither, and not Hub-ready. */
    readonly maya: Person;
  };
}

export async function aQuarter(opine: Opine): Promise<Quarter> {
  const [amara, jonas, sven, maya] = [
    await aHubReady(opine, 'Amara'),
    await aHubReady(opine, 'Jonas'),
    await aHubReady(opine, 'Sven'),
    await aConfirmed(opine, 'Maya'),
  ];
  const [elm, oak] = [await aHub(amara, { name: 'Elm Street' }), await aHub(amara, { name: 'Oak Street' })];
  for (const hub of [elm, oak]) await join(amara, hub, [jonas]);
  const noor = await aMemberOf(opine, amara, elm, 'Noor', 'manager');
  const lena = await aMemberOf(opine, amara, oak, 'Lena');
  return { elm, oak, people: { amara, jonas, noor, lena, sven, maya } };
}

/** What Amara did that Jonas was told of, one of each type, and what Noor did. */
export interface Acquaintance extends Quarter {
  /** Jonas's whole inbox. */
  readonly inbox: readonly Json[];
}

/** A quarter where Jonas was told of everything that one person can do with another, by Amara; Noor did two things. */
export async function anAcquaintance(opine: Opine): Promise<Acquaintance> {
  const quarter = await aQuarter(opine);
  const { elm, oak, people } = quarter;
  const { amara, jonas, noor } = people;
  const post = await aThought(jonas);
  await follow(amara, jonas);
  await aComment(amara, post);
  await aRepost(amara, post);
  await share(amara, post);
  await follow(noor, jonas);
  await follow(jonas, amara);
  await beHeardOfIn(opine, amara, jonas);
  await aHubPost(amara, [elm]);
  await place(amara, await aThought(noor), elm);
  await granted(requestAppoint(amara, elm, jonas, 'manager'));
  await granted(requestRemove(amara, oak, jonas));
  const birch = await aHub(amara, { name: 'Birch Street' });
  for (const verdict of ['reject', 'approve'] as const)
    await granted(requestDecide(amara, birch, await aJoinRequest(amara, birch, jonas), verdict));
  const own = await aHub(jonas, { name: 'Willow Street' });
  await granted(requestDecide(jonas, own, await aJoinRequest(jonas, own, amara), 'approve'));
  await aComment(noor, post);
  return { ...quarter, inbox: await wholeInboxOf(jonas) };
}

/** `author` asks everybody; `voter` votes early and hears of five hundred votes since. */
async function beHeardOfIn(opine: Opine, author: Person, voter: Person): Promise<void> {
  const slider = await aSlider(author);
  await granted(castVote(voter, slider));
  await votesAreFolded(opine);
  await audienceVotes(opine, await anAudience(opine, 500), slider, 8);
  await votesAreFolded(opine);
}
