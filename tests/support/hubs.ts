import type { Client, Json, Reply } from './client.ts';
import { granted } from './graph.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person } from './people.ts';

/** A Hub, by its id. */
export type Hub = Pick<Json, 'id'>;

export type Role = 'member' | 'manager' | 'admin';

/** `founder` asks for a Hub; `fields` override or add. */
export function requestHub(founder: Client, fields: object = {}): Promise<Reply> {
  return founder.post('/hubs', { name: 'Elm Street', ...fields });
}

/** A Hub of which `founder` is the only member. */
export function aHub(founder: Client, fields: object = {}): Promise<Json> {
  return granted(requestHub(founder, fields));
}

/** `inviter` invites `phoneNumbers` to `hub`. */
export function requestInvite(inviter: Client, { id }: Hub, ...phoneNumbers: string[]): Promise<Reply> {
  return inviter.post(`/hubs/${id}/invitations`, { phoneNumbers });
}

/** The invitation of one person, with its address. */
export async function anInvitation(
  inviter: Client,
  hub: Hub,
  { phoneNumber }: Pick<Person, 'phoneNumber'>,
): Promise<Json> {
  const { items } = await granted(requestInvite(inviter, hub, phoneNumber));
  return items[0];
}

export function requestAccept(invited: Client, { id }: Json): Promise<Reply> {
  return invited.post(`/hub-invitations/${id}/accept`);
}

export function requestDecline(invited: Client, { id }: Json): Promise<Reply> {
  return invited.post(`/hub-invitations/${id}/decline`);
}

/** The token at the end of an address that was sent. */
export function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** `admin` makes each of `people` a member, of `role`. */
export async function join(
  admin: Client,
  hub: Hub,
  people: readonly Person[],
  role: Role = 'member',
): Promise<void> {
  for (const person of people) {
    await granted(requestAccept(person, await anInvitation(admin, hub, person)));
    if (role !== 'member') await granted(requestAppoint(admin, hub, person, role));
  }
}

/** A new member of `hub`, whom `admin` invited. */
export async function aMemberOf(
  opine: Opine,
  admin: Client,
  hub: Hub,
  name = 'Somebody',
  role: Role = 'member',
): Promise<Person> {
  const person = await aHubReady(opine, name);
  await join(admin, hub, [person], role);
  return person;
}

export function requestAppoint(
  admin: Client,
  { id }: Hub,
  { id: userId }: Pick<Person, 'id'>,
  role: 'admin' | 'manager' = 'admin',
): Promise<Reply> {
  return admin.post(`/hubs/${id}/admins`, { userId, role });
}

export function requestDismiss(admin: Client, { id }: Hub, person: Pick<Person, 'id'>): Promise<Reply> {
  return admin.delete(`/hubs/${id}/admins/${person.id}`);
}

export function requestRemove(admin: Client, { id }: Hub, person: Pick<Person, 'id'>): Promise<Reply> {
  return admin.post(`/hubs/${id}/members/${person.id}/remove`);
}

export function requestLeave(member: Client, { id }: Hub): Promise<Reply> {
  return member.delete(`/hubs/${id}/membership`);
}

/** An invite link of `hub`, with its token. */
export function anInviteLink(manager: Client, { id }: Hub, fields: object = {}): Promise<Json> {
  return granted(manager.post(`/hubs/${id}/invite-links`, fields));
}

export function requestJoin(person: Client, { token }: Json): Promise<Reply> {
  return person.post(`/hub-invite-links/${token}/join-requests`);
}

/** The join request of `person`, through a link of `manager`'s. */
export async function aJoinRequest(manager: Client, hub: Hub, person: Client): Promise<Json> {
  return granted(requestJoin(person, await anInviteLink(manager, hub)));
}

export function requestDecide(
  admin: Client,
  hub: Hub,
  { id }: Json,
  verdict: 'approve' | 'reject',
): Promise<Reply> {
  return admin.post(`/hubs/${hub.id}/join-requests/${id}/${verdict}`);
}

/** `hub` as `viewer` sees it. */
export function hubSeenBy(viewer: Client, { id }: Hub): Promise<Json> {
  return granted(viewer.get(`/hubs/${id}`));
}

/** A post of `author` in `hubs`; `fields` override or add. */
export function aHubPost(author: Client, hubs: readonly Hub[], fields: object = {}): Promise<Json> {
  const hubIds = hubs.map(({ id }) => id);
  return granted(
    author.post('/posts', { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds, ...fields }),
  );
}

/** The discussion of `post` in `hub`, as `member` sees it. */
export async function discussionOf(member: Client, { id }: Hub, post: Json): Promise<Json> {
  const { items } = await granted(member.get(`/hubs/${id}/discussions?limit=100`));
  return items.find(({ postId }: Json) => postId === post.id);
}

/** `member` writes into a discussion. */
export function requestMessage(member: Client, { id, hubId }: Json, fields: object): Promise<Reply> {
  return member.post(`/hubs/${hubId}/discussions/${id}/messages`, fields);
}

/** A message of `member`'s; `fields` override or add. */
export function aMessage(
  member: Client,
  discussion: Json,
  text = 'Well said.',
  fields: object = {},
): Promise<Json> {
  return granted(requestMessage(member, discussion, { text, ...fields }));
}
