import { sql } from 'kysely';
import { expect } from 'vitest';
import { allPages, type Client, clientOf, expectOk, type Json, type Reply } from './client.ts';
import {
  aJoinRequest,
  aMemberOf,
  anInvitation,
  type Hub,
  hubPreview,
  hubSeenBy,
  requestDecide,
  requestLeave,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { hubReadyPerson, type Person, signIn, type UserRef } from './people.ts';

let count = 0;

/** Signs up with `phoneNumber`, up to level 4. */
export async function signUp(opine: Opine, phoneNumber: string, fullName = 'Newcomer'): Promise<Person> {
  count += 1;
  const username = `newcomer_${count}`;
  const session = await signIn(opine, phoneNumber);
  const client = clientOf(opine.url, session.accessToken);
  const basics = { fullName, username, termsAccepted: true };
  await expectOk(client.put('/users/me/onboarding/profile-basics', basics));
  await expectOk(client.put('/users/me/onboarding/media', {}));
  await expectOk(client.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return { ...client, id: session.user.id, username, phoneNumber, session };
}

/** Creates one non-member of `hub` per membership status. */
export async function nonMembersOf(opine: Opine, admin: Client, hub: Hub): Promise<Record<string, Person>> {
  const [uninvited, invited] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
  const [pending, rejected] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
  const former = await aMemberOf(opine, admin, hub);
  await anInvitation(admin, hub, invited);
  await aJoinRequest(admin, hub, pending);
  await expectOk(requestDecide(admin, hub, await aJoinRequest(admin, hub, rejected), 'reject'));
  await expectOk(requestLeave(former, hub));
  return { uninvited, invited, pending, rejected, former };
}

/** Returns what a non-member sees of `hub`; `fields` override or add. */
export function previewOf(hub: Json, fields: object = {}): Json {
  return hubPreview(hub, hub.memberCount, { viewerStatus: 'none', ...fields });
}

export async function statusOf(viewer: Client, hub: Hub): Promise<string> {
  return (await hubSeenBy(viewer, hub)).viewerStatus;
}

export function requestInviteLink(viewer: Client, { token }: Json): Promise<Reply> {
  return viewer.get(`/hub-invite-links/${token}`);
}

export function requestInvitationByToken(viewer: Client, token: string): Promise<Reply> {
  return viewer.get(`/hub-invitations/by-token/${token}`);
}

export function invitationsOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/invitations`, query);
}

export async function stateOf(viewer: Client, hub: Hub, invitation: Json): Promise<string | undefined> {
  return (await invitationsOf(viewer, hub)).find(({ id }) => id === invitation.id)?.state;
}

export function linksOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/invite-links`, query);
}

export function openRequestsOf(viewer: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return whole(viewer, `/hubs/${id}/join-requests`, query);
}

/** Lists the Hubs of `person`, invitations and requests included. */
export function hubsOf(person: Client): Promise<Json[]> {
  return whole(person, '/users/me/hubs', {});
}

async function whole(viewer: Client, path: string, query: object): Promise<Json[]> {
  return (await allPages(viewer, path, { limit: 100, ...query })).flat();
}

/** Returns the events about `person` in `hub`, in order. */
export async function eventsAbout({ database }: Opine, hub: Hub, { id }: UserRef): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select type::text as type, actor_id as "actorId", join_request_id as "joinRequestId"
    from app.events where hub_id = ${hub.id} and subject_id = ${id}
    order by occurred_at, type::text`.execute(database.superuser);
  return rows;
}

export async function typesAbout(opine: Opine, hub: Hub, person: UserRef): Promise<string[]> {
  return (await eventsAbout(opine, hub, person)).map(({ type }) => type).sort();
}

/** An open Hub has an admin and a correct member count; a closed Hub has no members. */
export async function expectConsistentHub(
  { database }: Opine,
  { id }: Hub,
  memberCount: number,
): Promise<void> {
  const { rows } = await sql<Json>`
    select closed_at is not null as "isClosed", member_count as "memberCount",
      (select count(*)::int from app.memberships where hub_id = h.id) as members,
      exists (select from app.memberships where hub_id = h.id and role::text = 'admin') as "hasAdmin"
    from app.hubs as h where id = ${id}`.execute(database.superuser);
  const isOpen = memberCount > 0;
  // The worker deletes closed Hubs.
  if (!isOpen && rows.length === 0) return;
  expect(rows).toEqual([{ isClosed: !isOpen, memberCount, members: memberCount, hasAdmin: isOpen }]);
}

/** Returns the tables with a row that contains `text`. */
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
