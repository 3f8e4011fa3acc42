import { sql } from 'kysely';
import { expect } from 'vitest';
import { fanOut } from '../../src/worker/tasks.ts';
import { anAudience, audienceVotes } from './audience.ts';
import { type Client, expectOk, type Json } from './client.ts';
import { follow } from './graph.ts';
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
import { currentTime, type Opine } from './opine.ts';
import { confirmedPerson, hubReadyPeople, type Person, type UserRef } from './people.ts';
import {
  aComment,
  aReply,
  aRepost,
  aSlider,
  aThought,
  type Post,
  shareToFeed,
  shareToHubs,
} from './posts.ts';
import { castVote } from './votes.ts';
import { foldAllVotes, withWorkerDatabase } from './worker.ts';

export type People = Readonly<Record<string, Client>>;

/** The result of an act and the new notifications by person. */
interface Notified<Made> {
  readonly made: Made;
  readonly notified: Readonly<Record<string, Json[]>>;
}

/** The actor of an anonymous notification. */
export const NO_ACTOR = { id: '', username: '', profilePhotoUrl: null, isAnonymous: true };

/** Returns the expected unread notification; `fields` override or add. */
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
    decisionId: null,
    milestoneTotal: null,
    milestoneCount: null,
    createdAt: expect.any(String),
    read: false,
    ...fields,
  };
}

export function hubField({ id, name }: Json): { readonly hub: Json } {
  return { hub: { id, name } };
}

/** Returns the notifications that `act` adds for each of `people`, ordered by type, Hub and total. */
export async function notificationsDuring<Made>(
  opine: Opine,
  people: People,
  act: () => Promise<Made>,
): Promise<Notified<Made>> {
  const before = await inboxesOf(people);
  const from = await currentTime(opine);
  const made = await act();
  const until = await currentTime(opine);
  const notified: Record<string, Json[]> = {};
  for (const [name, items] of await inboxesOf(people)) {
    const known = new Set(before.get(name)?.map(({ id }) => id));
    // A notification that was hidden before may reappear; it is not new.
    const fresh = items.filter(
      ({ id, createdAt }) => !known.has(id) && Date.parse(createdAt) >= from.getTime(),
    );
    for (const { createdAt } of fresh) expect(Date.parse(createdAt)).toBeLessThanOrEqual(until.getTime());
    if (fresh.length > 0) notified[name] = inOrder(fresh);
  }
  return { made, notified };
}

async function inboxesOf(people: People): Promise<Map<string, Json[]>> {
  const inboxes = new Map<string, Json[]>();
  for (const [name, person] of Object.entries(people)) inboxes.set(name, await wholeInboxOf(person));
  return inboxes;
}

/** Returns the entire inbox, newest first, and checks the unread count. */
export async function wholeInboxOf(reader: Client): Promise<Json[]> {
  const { items, nextCursor, unreadCount } = await inboxOf(reader, '?limit=100');
  expect(nextCursor).toBeNull();
  const unread = items.filter(({ read }: Json) => !read);
  expect(unreadCount).toBe(unread.length);
  expect((await inboxOf(reader, '?limit=100&unreadOnly=true')).items).toEqual(unread);
  return items;
}

// Notifications of one act share a time.
function inOrder(items: readonly Json[]): Json[] {
  return items.toSorted(
    (one, other) =>
      one.type.localeCompare(other.type) ||
      (one.hub?.name ?? '').localeCompare(other.hub?.name ?? '') ||
      (one.milestoneTotal ?? 0) - (other.milestoneTotal ?? 0),
  );
}

export function typesIn({ notified }: Notified<unknown>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(notified).map(([name, items]) => [name, items.map(({ type }) => type)]),
  );
}

/** Inserts `size` followers. */
export async function addFollowers(opine: Opine, { id }: UserRef, size: number): Promise<void> {
  const followers = (await anAudience(opine, size)).map((follower) => follower.id);
  await sql`
    insert into app.follows (follower_id, followee_id) select unnest(${followers}::uuid[]), ${id}
  `.execute(opine.database.superuser);
}

/** Fans out all events, as the worker does. */
export function runFanOut({ database }: Opine): Promise<void> {
  return withWorkerDatabase(database, (db) => fanOut(db).run(new AbortController().signal));
}

/** Counts all notifications about `post`, hidden ones included. */
export async function notifiedCount({ database }: Opine, { id }: Post): Promise<number> {
  const { rows } = await sql`
    select from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = ${id}
  `.execute(database.superuser);
  return rows.length;
}

export async function muteHub(member: Client, { id }: Hub, contentMuted = true): Promise<void> {
  await expectOk(member.patch(`/hubs/${id}/notification-settings`, { contentMuted }));
}

/** Two Hubs, Elm and Oak Street, and their people. */
export interface TwoHubs {
  readonly elm: Json;
  readonly oak: Json;
  readonly people: {
    /** Admin of both. */
    readonly amara: Person;
    /** Member of both. */
    readonly jonas: Person;
    /** Manager of Elm Street. */
    readonly noor: Person;
    /** Member of Oak Street. */
    readonly lena: Person;
    /** In neither; Hub-ready. */
    readonly sven: Person;
    /** In neither; not Hub-ready. */
    readonly maya: Person;
  };
}

export async function twoHubs(opine: Opine): Promise<TwoHubs> {
  const [amara, jonas, sven] = await hubReadyPeople(opine, 'Amara', 'Jonas', 'Sven');
  const maya = await confirmedPerson(opine, 'Maya');
  const [elm, oak] = [await aHub(amara, { name: 'Elm Street' }), await aHub(amara, { name: 'Oak Street' })];
  for (const hub of [elm, oak]) await join(amara, hub, [jonas]);
  const noor = await aMemberOf(opine, amara, elm, 'Noor', 'manager');
  const lena = await aMemberOf(opine, amara, oak, 'Lena');
  return { elm, oak, people: { amara, jonas, noor, lena, sven, maya } };
}

/** Creates two Hubs where Amara caused one notification of every type for Jonas, and Noor two. */
export async function aFullInbox(opine: Opine) {
  const hubs = await twoHubs(opine);
  const { elm, oak, people } = hubs;
  const { amara, jonas, noor } = people;
  const post = await aThought(jonas);
  await follow(amara, jonas);
  await aComment(amara, post);
  const ofNoor = await aThought(noor);
  await aReply(amara, ofNoor, await aComment(jonas, ofNoor));
  await aComment(amara, ofNoor, `Do you agree, @${jonas.username}?`);
  await aRepost(amara, post);
  await shareToFeed(amara, post);
  await follow(noor, jonas);
  await follow(jonas, amara);
  await addVoterMilestone(opine, amara, jonas);
  await aHubPost(amara, [elm]);
  await shareToHubs(amara, await aThought(noor), elm);
  await expectOk(requestAppoint(amara, elm, jonas, 'manager'));
  await expectOk(requestRemove(amara, oak, jonas));
  const birch = await aHub(amara, { name: 'Birch Street' });
  for (const verdict of ['reject', 'approve'] as const)
    await expectOk(requestDecide(amara, birch, await aJoinRequest(amara, birch, jonas), verdict));
  const own = await aHub(jonas, { name: 'Willow Street' });
  await expectOk(requestDecide(jonas, own, await aJoinRequest(jonas, own, amara), 'approve'));
  await aComment(noor, post);
  return { ...hubs, inbox: await wholeInboxOf(jonas) };
}

/** Makes `voter` vote early on a slider that gets five hundred more votes. */
async function addVoterMilestone(opine: Opine, author: Person, voter: Person): Promise<void> {
  const slider = await aSlider(author);
  await expectOk(castVote(voter, slider));
  await foldAllVotes(opine);
  await audienceVotes(opine, await anAudience(opine, 500), slider, 8);
  await foldAllVotes(opine);
}
