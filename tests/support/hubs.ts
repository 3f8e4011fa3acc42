import { sql } from 'kysely';
import { allPages, type Client, expectOk, type Json, NONEXISTENT, type Reply, refusal } from './client.ts';
import type { Opine } from './opine.ts';
import { hubReadyPeople, hubReadyPerson, type Person, type UserRef } from './people.ts';

export type Hub = Pick<Json, 'id'>;

export type Role = 'member' | 'manager' | 'admin';

export function requestHub(founder: Client, fields: object = {}): Promise<Reply> {
  return founder.post('/hubs', { name: 'Elm Street', ...fields });
}

/** Creates a Hub whose only member is `founder`. */
export function aHub(founder: Client, fields: object = {}): Promise<Json> {
  return expectOk(requestHub(founder, fields));
}

export function requestInvite(inviter: Client, { id }: Hub, ...phoneNumbers: string[]): Promise<Reply> {
  return inviter.post(`/hubs/${id}/invitations`, { phoneNumbers });
}

/** Invites one person. Returns the invitation with its URL. */
export async function anInvitation(
  inviter: Client,
  hub: Hub,
  { phoneNumber }: Pick<Person, 'phoneNumber'>,
): Promise<Json> {
  const { items } = await expectOk(requestInvite(inviter, hub, phoneNumber));
  return items[0];
}

export function requestAccept(invited: Client, { id }: Json): Promise<Reply> {
  return invited.post(`/hub-invitations/${id}/accept`);
}

export function requestDecline(invited: Client, { id }: Json): Promise<Reply> {
  return invited.post(`/hub-invitations/${id}/decline`);
}

/** Returns the token at the end of an invitation URL. */
export function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Makes `people` members with `role`. */
export async function join(
  admin: Client,
  hub: Hub,
  people: readonly Person[],
  role: Role = 'member',
): Promise<void> {
  for (const person of people) {
    await expectOk(requestAccept(person, await anInvitation(admin, hub, person)));
    if (role !== 'member') await expectOk(requestAppoint(admin, hub, person, role));
  }
}

/** Creates a person and makes them a member of `hub`. */
export async function aMemberOf(
  opine: Opine,
  admin: Client,
  hub: Hub,
  name = 'Somebody',
  role: Role = 'member',
): Promise<Person> {
  const person = await hubReadyPerson(opine, name);
  await join(admin, hub, [person], role);
  return person;
}

export function requestAppoint(
  admin: Client,
  { id }: Hub,
  { id: userId }: UserRef,
  role: 'admin' | 'manager' = 'admin',
): Promise<Reply> {
  return admin.post(`/hubs/${id}/admins`, { userId, role });
}

export function requestDismiss(admin: Client, { id }: Hub, person: UserRef): Promise<Reply> {
  return admin.delete(`/hubs/${id}/admins/${person.id}`);
}

export function requestRemove(
  admin: Client,
  { id }: Hub,
  person: UserRef,
  fields?: { readonly removePosts: unknown },
): Promise<Reply> {
  return admin.post(`/hubs/${id}/members/${person.id}/remove`, fields);
}

export function requestLeave(member: Client, { id }: Hub): Promise<Reply> {
  return member.delete(`/hubs/${id}/membership`);
}

export function anInviteLink(manager: Client, { id }: Hub, fields: object = {}): Promise<Json> {
  return expectOk(manager.post(`/hubs/${id}/invite-links`, fields));
}

export function requestJoin(person: Client, { token }: Json): Promise<Reply> {
  return person.post(`/hub-invite-links/${token}/join-requests`);
}

/** Creates a join request of `person` through an invite link of `manager`. */
export async function aJoinRequest(manager: Client, hub: Hub, person: Client): Promise<Json> {
  return expectOk(requestJoin(person, await anInviteLink(manager, hub)));
}

export function requestDecide(
  admin: Client,
  hub: Hub,
  { id }: Json,
  verdict: 'approve' | 'reject',
): Promise<Reply> {
  return admin.post(`/hubs/${hub.id}/join-requests/${id}/${verdict}`);
}

export function requestClose(admin: Client, { id }: Hub): Promise<Reply> {
  return admin.delete(`/hubs/${id}`);
}

export function requestPostRemoval(admin: Client, { id }: Hub, post: Pick<Json, 'id'>): Promise<Reply> {
  return admin.delete(`/hubs/${id}/posts/${post.id}`);
}

export function requestWithdraw(applicant: Client, hub: Hub, { id }: Json): Promise<Reply> {
  return applicant.delete(`/hubs/${hub.id}/join-requests/${id}`);
}

export function hubSeenBy(viewer: Client, { id }: Hub): Promise<Json> {
  return expectOk(viewer.get(`/hubs/${id}`));
}

/** Creates a private post in `hubs`; `fields` override or add. */
export function aHubPost(author: Client, hubs: readonly Hub[], fields: object = {}): Promise<Json> {
  const hubIds = hubs.map(({ id }) => id);
  return expectOk(
    author.post('/posts', { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds, ...fields }),
  );
}

/** Returns the discussion of `post` in `hub`. */
export async function discussionOf(member: Client, { id }: Hub, post: Json): Promise<Json> {
  const { items } = await expectOk(member.get(`/hubs/${id}/discussions?limit=100`));
  return items.find(({ postId }: Json) => postId === post.id);
}

export function requestMessage(member: Client, { id, hubId }: Json, fields: object): Promise<Reply> {
  return member.post(`/hubs/${hubId}/discussions/${id}/messages`, fields);
}

export function aMessage(
  member: Client,
  discussion: Json,
  text = 'Well said.',
  fields: object = {},
): Promise<Json> {
  return expectOk(requestMessage(member, discussion, { text, ...fields }));
}

export function markDiscussionRead(member: Client, { id, hubId }: Json): Promise<Json> {
  return expectOk(member.post(`/hubs/${hubId}/discussions/${id}/read`));
}

export function requestMessageDeletion(
  member: Client,
  { id, hubId }: Json,
  message: Pick<Json, 'id'>,
): Promise<Reply> {
  return member.delete(`/hubs/${hubId}/discussions/${id}/messages/${message.id}`);
}

/** Statuses that a Hub treats alike as non-members. */
export const NON_MEMBERS = ['invited', 'pending', 'former', 'uninvited'] as const;

/** Members without admin rights. */
export const NON_ADMINS = ['manager', 'member'] as const;

export const MEMBERS = ['admin', ...NON_ADMINS] as const;

type MembershipStatus = (typeof MEMBERS | typeof NON_MEMBERS)[number];

/** A Hub with one person per membership status. */
export type HubWorld = Readonly<Record<MembershipStatus, Person>> & {
  readonly hub: Json;
  readonly invitation: Json;
  readonly joinRequest: Json;
};

/** Creates a Hub of Amara's with one person per membership status; `fields` are the Hub's. */
export async function aHubWorld(opine: Opine, fields: object = {}): Promise<HubWorld> {
  const names = ['Amara', 'Benedikt', 'Carla', 'Dimitri', 'Edda', 'Farid', 'Greta'] as const;
  const people = await hubReadyPeople(opine, ...names);
  const [admin, manager, member, invited, pending, former, uninvited] = people;
  const hub = await aHub(admin, fields);
  await join(admin, hub, [manager], 'manager');
  await join(admin, hub, [member, former]);
  await expectOk(requestLeave(former, hub));
  const invitation = await anInvitation(admin, hub, invited);
  const joinRequest = await aJoinRequest(admin, hub, pending);
  return { hub, admin, manager, member, invited, pending, former, uninvited, invitation, joinRequest };
}

/** Creates a Hub with an admin, Amara, and a member, Jonas. */
export async function aHubWithMember(opine: Opine): Promise<{ hub: Json; amara: Person; jonas: Person }> {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  return { hub, amara, jonas: await aMemberOf(opine, amara, hub, 'Jonas') };
}

/** Adds Lena, a non-member, to `aHubWithMember`. */
export async function aHubWithMemberAndNonMember(opine: Opine) {
  return { ...(await aHubWithMember(opine)), lena: await hubReadyPerson(opine, 'Lena') };
}

export const FORBIDDEN = [403, 'FORBIDDEN', {}];
export const HUB_NOT_FOUND = [404, 'HUB_NOT_FOUND', {}];
export const MEMBER_NOT_FOUND = [404, 'MEMBER_NOT_FOUND', {}];
export const LAST_ADMIN = [409, 'LAST_ADMIN', {}];
export const LINK_TAKEN = [409, 'CUSTOM_LINK_TAKEN', {}];

/** Expects a validation error of `field`. */
export function invalid(field: string): Json {
  return refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });
}

export type HubOperation = readonly [method: string, path: string, body?: object];

/** Every operation below `/hubs/{hubId}`. */
export const HUB_OPERATIONS: readonly HubOperation[] = [
  ['PATCH', '', { name: 'Oak Street' }],
  ['DELETE', ''],
  ['DELETE', `/posts/${NONEXISTENT.id}`],
  ['PATCH', '/link', { customLink: 'oak-street' }],
  ['DELETE', '/membership'],
  ['GET', '/members'],
  ['POST', `/members/${NONEXISTENT.id}/remove`],
  ['GET', '/admins'],
  ['POST', '/admins', { userId: NONEXISTENT.id }],
  ['DELETE', `/admins/${NONEXISTENT.id}`],
  ['GET', '/notification-settings'],
  ['PATCH', '/notification-settings', { contentMuted: true }],
  ['GET', '/invitations'],
  ['POST', '/invitations', { phoneNumbers: ['+12025559999'] }],
  ['GET', '/invite-links'],
  ['POST', '/invite-links', {}],
  ['DELETE', `/invite-links/${NONEXISTENT.id}`],
  ['GET', '/join-requests'],
  ['POST', `/join-requests/${NONEXISTENT.id}/approve`],
  ['POST', `/join-requests/${NONEXISTENT.id}/reject`],
  ['DELETE', `/join-requests/${NONEXISTENT.id}`],
  ['GET', '/feed'],
  ['GET', '/discussions'],
  ['POST', `/discussions/${NONEXISTENT.id}/save`],
  ['DELETE', `/discussions/${NONEXISTENT.id}/save`],
  ['POST', `/discussions/${NONEXISTENT.id}/read`],
  ['GET', `/discussions/${NONEXISTENT.id}/messages`],
  ['POST', `/discussions/${NONEXISTENT.id}/messages`, { text: 'Well said.' }],
  ['DELETE', `/discussions/${NONEXISTENT.id}/messages/${NONEXISTENT.id}`],
];

export function callHubOperation(
  caller: Client,
  { id }: Hub,
  [method, path, body]: HubOperation,
): Promise<Reply> {
  const address = `/hubs/${id}${path}`;
  if (body === undefined) return caller.send(method, address);
  const headers = { 'content-type': 'application/json' };
  return caller.send(method, address, JSON.stringify(body), { headers });
}

export function requestChange(admin: Client, { id }: Hub, fields: unknown): Promise<Reply> {
  return admin.patch(`/hubs/${id}`, fields);
}

export function requestRelink(admin: Client, { id }: Hub, customLink: unknown): Promise<Reply> {
  return admin.patch(`/hubs/${id}/link`, { customLink });
}

export async function roleOf(person: Client, hub: Hub): Promise<string | null> {
  return (await hubSeenBy(person, hub)).viewerRole;
}

/** Returns the roles of the members of `hub` by display name. */
export async function rolesIn(viewer: Client, { id }: Hub): Promise<Record<string, string>> {
  const { items } = await expectOk(viewer.get(`/hubs/${id}/members`));
  return Object.fromEntries(items.map(({ displayName, role }: Json) => [displayName, role]));
}

/** Returns what a non-member sees of `hub`. */
export function hubPreview(
  { id, name, description, profilePhotoUrl }: Json,
  memberCount: number,
  fields: object = { viewerStatus: 'none' },
): Json {
  return { id, name, description, profilePhotoUrl, memberCount, viewerRole: null, ...fields };
}

/** Creates a member with a searchable name and username. */
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
  await expectOk(person.patch('/users/me/profile', { username }));
  return { ...person, username };
}

/** Returns the events emitted during `act`, without null fields, ordered by type. */
export async function eventsDuring({ database }: Opine, act: () => Promise<unknown>): Promise<Json[]> {
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

/** Creates a Hub of Amara's with `count` other members. `people` are in order of joining. */
export async function aHubWithMembers(
  opine: Opine,
  count: number,
  role?: 'manager',
): Promise<{ hub: Json; people: Person[]; amara: Person }> {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const others = await Promise.all(Array.from({ length: count }, () => hubReadyPerson(opine)));
  await join(amara, hub, others, role);
  return { hub, amara, people: [amara, ...others] };
}

export async function membersOf(
  viewer: Client,
  { id }: Hub,
  query: object = {},
  list = 'members',
): Promise<Json[]> {
  return (await allPages(viewer, `/hubs/${id}/${list}`, query)).flat();
}

export async function memberIds(
  viewer: Client,
  hub: Hub,
  query: object = {},
  list?: string,
): Promise<string[]> {
  return (await membersOf(viewer, hub, query, list)).map(({ userId }) => userId);
}

export function setHubProfile(person: Client, fields: object): Promise<Json> {
  return expectOk(person.patch('/users/me/hub-profile', fields));
}
