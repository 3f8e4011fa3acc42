import { sql } from 'kysely';
import { type Client, type Json, type Reply, refusal } from './client.ts';
import { timePasses } from './clock.ts';
import { granted, NOBODY } from './graph.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  type Hub,
  hubSeenBy,
  join,
  type Role,
  requestLeave,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { aConfirmed, aHubReady, anAnonymous, aRegistered, type Person } from './people.ts';
import { signedInAgain } from './uploads.ts';

/** What somebody may be to a Hub. */
export type MembershipStatus = 'admin' | 'manager' | 'member' | 'invited' | 'pending' | 'former' | 'stranger';

/** Who is no active member, and whom a Hub answers alike. */
export const NON_MEMBERS = ['invited', 'pending', 'former', 'stranger'] as const satisfies MembershipStatus[];

/** Who may not do what only admins may. */
export const SUBORDINATES = ['manager', 'member'] as const satisfies MembershipStatus[];

export const MEMBERS = ['admin', ...SUBORDINATES] as const satisfies MembershipStatus[];

/** A Hub, and somebody of every standing. */
export type HubWorld = Readonly<Record<MembershipStatus, Person>> & {
  readonly hub: Json;
  readonly invitation: Json;
  readonly joinRequest: Json;
};

/** A Hub of Amara's, and somebody of every standing; `fields` are the Hub's. */
export async function aHubWorld(opine: Opine, fields: object = {}): Promise<HubWorld> {
  const [admin, manager, member, invited, pending, former, stranger] = await Promise.all([
    aHubReady(opine, 'Amara'),
    aHubReady(opine, 'Benedikt'),
    aHubReady(opine, 'Carla'),
    aHubReady(opine, 'Dimitri'),
    aHubReady(opine, 'Edda'),
    aHubReady(opine, 'Farid'),
    aHubReady(opine, 'Greta'),
  ]);
  const hub = await aHub(admin, fields);
  await join(admin, hub, [manager], 'manager');
  await join(admin, hub, [member, former]);
  await granted(requestLeave(former, hub));
  const invitation = await anInvitation(admin, hub, invited);
  const joinRequest = await aJoinRequest(admin, hub, pending);
  return { hub, admin, manager, member, invited, pending, former, stranger, invitation, joinRequest };
}

/** A Hub of Amara's, and Jonas, who is a member. */
export async function aPair(opine: Opine): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  return { hub, amara, jonas: await aMemberOf(opine, amara, hub, 'Jonas') };
}

/** A pair with their Hub, and Lena, who is nobody in it. */
export async function aTrio(
  opine: Opine,
): Promise<{ hub: Json; amara: Person; jonas: Person; lena: Person }> {
  const pair = await aPair(opine);
  return { ...pair, lena: await aHubReady(opine, 'Lena') };
}

/** Who has not come to Hubs yet, by level, and what they are to do next. */
export const NOT_READY = [
  [1, anAnonymous, 'profile_basics'],
  [2, aRegistered, 'media'],
  [3, aConfirmed, 'contacts'],
] as const;

/** Everything that a refusal tells. */
export function refusalIn({ status, error }: Reply): unknown[] {
  return [status, error?.code, error?.details];
}

export const FORBIDDEN = [403, 'FORBIDDEN', {}];
export const HUB_NOT_FOUND = [404, 'HUB_NOT_FOUND', {}];
export const MEMBER_NOT_FOUND = [404, 'MEMBER_NOT_FOUND', {}];
export const LAST_ADMIN = [409, 'LAST_ADMIN', {}];
export const LINK_TAKEN = [409, 'CUSTOM_LINK_TAKEN', {}];

/** The refusal of what `field` holds. */
export function invalid(field: string): Json {
  return refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });
}

/** An operation: its method, its path and its body. */
export type Operation = readonly [method: string, path: string, body?: object];

/** Every operation at an address below a Hub's, with paths below it. */
export const HUB_OPERATIONS: readonly Operation[] = [
  ['PATCH', '', { name: 'Oak Street' }],
  ['PATCH', '/link', { customLink: 'oak-street' }],
  ['DELETE', '/membership'],
  ['GET', '/members'],
  ['POST', `/members/${NOBODY.id}/remove`],
  ['GET', '/admins'],
  ['POST', '/admins', { userId: NOBODY.id }],
  ['DELETE', `/admins/${NOBODY.id}`],
  ['GET', '/notification-settings'],
  ['PATCH', '/notification-settings', { contentMuted: true }],
  ['GET', '/invitations'],
  ['POST', '/invitations', { phoneNumbers: ['+12025559999'] }],
  ['GET', '/invite-links'],
  ['POST', '/invite-links', {}],
  ['DELETE', `/invite-links/${NOBODY.id}`],
  ['GET', '/join-requests'],
  ['POST', `/join-requests/${NOBODY.id}/approve`],
  ['POST', `/join-requests/${NOBODY.id}/reject`],
  ['GET', '/feed'],
  ['GET', '/discussions'],
  ['POST', `/discussions/${NOBODY.id}/save`],
  ['DELETE', `/discussions/${NOBODY.id}/save`],
  ['GET', `/discussions/${NOBODY.id}/messages`],
  ['POST', `/discussions/${NOBODY.id}/messages`, { text: 'Well said.' }],
];

/** `caller` asks for an operation of a Hub. */
export function call(caller: Client, { id }: Hub, [method, path, body]: Operation): Promise<Reply> {
  const address = `/hubs/${id}${path}`;
  if (body === undefined) return caller.send(method, address);
  const headers = { 'content-type': 'application/json' };
  return caller.send(method, address, JSON.stringify(body), { headers });
}

/** `admin` gives a Hub other fields, whatever they are. */
export function requestChange(admin: Client, { id }: Hub, fields: unknown): Promise<Reply> {
  return admin.patch(`/hubs/${id}`, fields);
}

export function requestRelink(admin: Client, { id }: Hub, customLink: unknown): Promise<Reply> {
  return admin.patch(`/hubs/${id}/link`, { customLink });
}

/** What `person` is in `hub`. */
export async function roleOf(person: Client, hub: Hub): Promise<string | null> {
  return (await hubSeenBy(person, hub)).viewerRole;
}

/** The roles of the members of `hub`, by their names. */
export async function rolesIn(viewer: Client, { id }: Hub): Promise<Record<string, string>> {
  const { items } = await granted(viewer.get(`/hubs/${id}/members`));
  return Object.fromEntries(items.map(({ displayName, role }: Json) => [displayName, role]));
}

/** What whoever is no active member sees of `hub`. */
export function previewOf(
  { id, name, description, profilePhotoUrl }: Json,
  memberCount: number,
  fields: object = { viewerStatus: 'none' },
): Json {
  return { id, name, description, profilePhotoUrl, memberCount, viewerRole: null, ...fields };
}

/** A new member of `hub` with a name and a handle to look for. */
export async function aNamedMember(
  opine: Opine,
  admin: Client,
  hub: Hub,
  fullName: string,
  username?: string,
  role?: Role,
): Promise<Person> {
  const person = await aMemberOf(opine, admin, hub, fullName, role);
  if (username === undefined) return person;
  await granted(person.patch('/users/me/profile', { username }));
  return { ...person, username };
}

/** `people` when the time of everybody has moved by `interval`, signed in again, as their tokens are too old by then. */
export async function later<People extends readonly Person[]>(
  opine: Opine,
  interval: string,
  ...people: People
): Promise<{ [Index in keyof People]: Person }> {
  await timePasses(opine, interval);
  const again = await Promise.all(people.map((person) => signedInAgain(opine, person)));
  return again as { [Index in keyof People]: Person };
}

/** What has been emitted while `act` was done, each without what it has not, in the order of their types. */
export async function eventsOf({ database }: Opine, act: () => Promise<unknown>): Promise<Json[]> {
  const before = await sql<{ id: string }>`select id::text from app.events`.execute(database.superuser);
  await act();
  const known = before.rows.map(({ id }) => id);
  const { rows } = await sql<{ event: Json }>`
    select jsonb_strip_nulls(jsonb_build_object('type', type, 'actor', actor_id, 'subject', subject_id, 'hub', hub_id,
      'post', post_id, 'invitation', invitation_id, 'joinRequest', join_request_id)) as event
    from app.events where id::text <> all (${known}) order by type::text collate "C", occurred_at, id
  `.execute(database.superuser);
  return rows.map(({ event }) => event);
}
