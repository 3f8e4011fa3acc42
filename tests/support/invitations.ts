import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Client, clientOf, type Json, type Reply } from './client.ts';
import { timePasses } from './clock.ts';
import { everyPage, granted, type Somebody } from './graph.ts';
import {
  aJoinRequest,
  aMemberOf,
  anInvitation,
  type Hub,
  hubSeenBy,
  requestDecide,
  requestLeave,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person, signIn } from './people.ts';

let count = 0;

/** Whoever signs up with `phoneNumber`, up to level 4. */
export async function signUp(opine: Opine, phoneNumber: string, fullName = 'Newcomer'): Promise<Person> {
  count += 1;
  const username = `newcomer_${count}`;
  const session = await signIn(opine, phoneNumber);
  const client = clientOf(opine.url, session.accessToken);
  const basics = { fullName, username, termsAccepted: true };
  await granted(client.put('/users/me/onboarding/profile-basics', basics));
  await granted(client.put('/users/me/onboarding/media', {}));
  await granted(client.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return { ...client, id: session.user.id, username, phoneNumber, session };
}

/** `people` after `interval`, each with an access token that is good by then. */
export async function later<People extends readonly Person[]>(
  opine: Opine,
  interval: string,
  ...people: People
): Promise<{ [Index in keyof People]: Person }> {
  await timePasses(opine, interval);
  const again = await Promise.all(people.map((person) => signedInAgain(opine, person)));
  return again as { [Index in keyof People]: Person };
}

async function signedInAgain({ url }: Opine, person: Person): Promise<Person> {
  const { refreshToken } = person.session;
  const session = await granted(clientOf(url).post('/auth/session/refresh', { refreshToken }));
  return { ...person, ...clientOf(url, session.accessToken), session };
}

/** One person for each way of not being a member of `hub`. */
export async function nonMembersOf(opine: Opine, admin: Client, hub: Hub): Promise<Record<string, Person>> {
  const [stranger, invited, pending, rejected] = [
    await aHubReady(opine),
    await aHubReady(opine),
    await aHubReady(opine),
    await aHubReady(opine),
  ];
  const former = await aMemberOf(opine, admin, hub);
  await anInvitation(admin, hub, invited);
  await aJoinRequest(admin, hub, pending);
  await granted(requestDecide(admin, hub, await aJoinRequest(admin, hub, rejected), 'reject'));
  await granted(requestLeave(former, hub));
  return { stranger, invited, pending, rejected, former };
}

/** What everybody but its members sees of `hub`; `fields` override or add. */
export function previewOf(hub: Json, fields: object = {}): Json {
  const { id, name, description, profilePhotoUrl, memberCount } = hub;
  const viewer = { viewerStatus: 'none', viewerRole: null };
  return { id, name, description, profilePhotoUrl, memberCount, ...viewer, ...fields };
}

/** How `viewer` stands to `hub`. */
export async function statusOf(viewer: Client, hub: Hub): Promise<string> {
  return (await hubSeenBy(viewer, hub)).viewerStatus;
}

/** What an invite link leads to. */
export function openLink(viewer: Client, { token }: Json): Promise<Reply> {
  return viewer.get(`/hub-invite-links/${token}`);
}

/** What a token of an invitation leads to. */
export function lookUp(viewer: Client, token: string): Promise<Reply> {
  return viewer.get(`/hub-invitations/by-token/${token}`);
}

/** The invitations of `hub` that `viewer` may see. */
export function invitationsOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/invitations`, query);
}

/** How far an invitation has come, as `viewer` sees it. */
export async function stateOf(viewer: Client, hub: Hub, invitation: Json): Promise<string | undefined> {
  return (await invitationsOf(viewer, hub)).find(({ id }) => id === invitation.id)?.state;
}

/** The links of `hub` that can still be used or are used up. */
export function linksOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/invite-links`, query);
}

/** The join requests of `hub` that nobody has decided. */
export function openRequestsOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/join-requests`, query);
}

/** The Hubs of `person`: those they are in, and those they may come into. */
export function hubsOf(person: Client): Promise<Json[]> {
  return whole(person, '/users/me/hubs', {});
}

async function whole(viewer: Client, path: string, query: object): Promise<Json[]> {
  return (await everyPage(viewer, path, { limit: 100, ...query })).flat();
}

/** What happened to `person` in `hub`, in order. */
export async function eventsAbout({ database }: Opine, hub: Hub, { id }: Somebody): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select type::text as type, actor_id as "actorId", join_request_id as "joinRequestId"
    from app.events where hub_id = ${hub.id} and subject_id = ${id}
    order by occurred_at, type::text`.execute(database.superuser);
  return rows;
}

/** How many of which events happened to `person` in `hub`. */
export async function typesAbout(opine: Opine, hub: Hub, person: Somebody): Promise<string[]> {
  return (await eventsAbout(opine, hub, person)).map(({ type }) => type).sort();
}

/** Where `hub` is open it has an admin and counts whom it has; where it is closed it has nobody. */
export async function expectSound({ database }: Opine, { id }: Hub, memberCount: number): Promise<void> {
  const { rows } = await sql<Json>`
    select closed_at is not null as "isClosed", member_count as "memberCount",
      (select count(*)::int from app.memberships where hub_id = h.id) as members,
      exists (select from app.memberships where hub_id = h.id and role::text = 'admin') as "hasAdmin"
    from app.hubs as h where id = ${id}`.execute(database.superuser);
  const isOpen = memberCount > 0;
  // The worker removes what is closed when it comes to it.
  if (!isOpen && rows.length === 0) return;
  expect(rows).toEqual([{ isClosed: !isOpen, memberCount, members: memberCount, hasAdmin: isOpen }]);
}

/** The tables of which a row holds `text`, or bytes that are written so. */
export async function tablesWith({ database }: Opine, text: string): Promise<string[]> {
  const { superuser } = database;
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('app', 'gateway', 'staff')`.execute(superuser);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.raw(name)} as t where strpos(row_to_json(t)::text, ${text}) > 0`.execute(superuser);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

export type Acts = readonly (() => Promise<Reply>)[];

/**
 * The answers to `acts`, all asked at once. In even rounds none of them can write before every one has come to where
 * it would; in the second half of four rounds they are asked from the last to the first.
 */
export async function atOnce<A extends Acts>(
  opine: Opine,
  round: number,
  ...acts: A
): Promise<{ [Index in keyof A]: Reply }> {
  const isReversed = round > 2;
  const order = isReversed ? acts.toReversed() : acts;
  const begun =
    round % 2 === 0 ? await begunBeforeAnyWrites(opine, order) : { replies: order.map((act) => act()) };
  const replies = await Promise.all(begun.replies);
  return (isReversed ? replies.toReversed() : replies) as { [Index in keyof A]: Reply };
}

function begunBeforeAnyWrites(
  { database }: Opine,
  acts: Acts,
): Promise<{ replies: readonly Promise<Reply>[] }> {
  return database.superuser.transaction().execute(async (holder) => {
    await sql`
      lock table app.hubs, app.memberships, app.hub_invitations, app.invite_links, app.join_requests, app.events
      in share mode`.execute(holder);
    let answered = 0;
    const replies = acts.map((act) =>
      act().finally(() => {
        answered += 1;
      }),
    );
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(database.superuser);
      return rows.length;
    };
    const stopped = async () => answered + (await waiting());
    await expect.poll(stopped, { timeout: 5_000 }).toBeGreaterThanOrEqual(acts.length);
    return { replies };
  });
}

/** What became of a request, in one word: its status, or the code of its refusal. */
export function outcomeOf({ status, error }: Reply): number | string {
  return error?.code ?? status;
}
