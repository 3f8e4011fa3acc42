import { allPages, type Client, expectOk, type Json, type Reply, withQuery } from './client.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  discussionOf,
  type Hub,
  requestLeave,
  requestRemove,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { hubReadyPerson, type Person } from './people.ts';

/** A Hub with an admin, Amara, and a member, Jonas. */
export interface HubOfTwo {
  readonly hub: Json;
  readonly amara: Person;
  readonly jonas: Person;
}

export async function aHubOfTwo(opine: Opine, fields: object = {}): Promise<HubOfTwo> {
  const amara = await hubReadyPerson(opine, 'Amara Okafor');
  const hub = await aHub(amara, fields);
  return { hub, amara, jonas: await aMemberOf(opine, amara, hub, 'Jonas Weber') };
}

/** Creates a Hub of two with a post of Amara's and its discussion; `fields` are the post's. */
export async function aHubWithDiscussion(
  opine: Opine,
  fields: object = {},
): Promise<HubOfTwo & { readonly post: Json; readonly discussion: Json }> {
  const circle = await aHubOfTwo(opine);
  const post = await aHubPost(circle.amara, [circle.hub], fields);
  return { ...circle, post, discussion: await discussionOf(circle.amara, circle.hub, post) };
}

/** Creates Hub-ready non-members of the Hub, by membership status. */
export async function nonMembersOf(opine: Opine, admin: Person, hub: Hub): Promise<Map<string, Person>> {
  const [uninvited, invited] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
  const pending = await hubReadyPerson(opine);
  await anInvitation(admin, hub, invited);
  await aJoinRequest(admin, hub, pending);
  const [former, removed] = [await aMemberOf(opine, admin, hub), await aMemberOf(opine, admin, hub)];
  await expectOk(requestLeave(former, hub));
  await expectOk(requestRemove(admin, hub, removed));
  return new Map(Object.entries({ uninvited, invited, pending, former, removed }));
}

export function pathOf({ id, hubId }: Json, rest: 'messages' | 'save'): string {
  return `/hubs/${hubId}/discussions/${id}/${rest}`;
}

export function listDiscussions(viewer: Client, { id }: Hub, query: object = {}): Promise<Reply> {
  return viewer.get(withQuery(`/hubs/${id}/discussions`, query));
}

/** Lists the discussions of `hub`. */
export async function discussionsOf(member: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return (await allPages(member, `/hubs/${id}/discussions`, query)).flat();
}

/** Lists the post ids of the discussions in `hub`. */
export async function postsIn(member: Client, hub: Hub, query: object = {}): Promise<string[]> {
  return (await discussionsOf(member, hub, query)).map(({ postId }) => postId);
}

/** Lists the top-level messages of a discussion, or the replies to `root`. */
export async function messagesOf(member: Client, discussion: Json, root?: Json): Promise<Json[]> {
  const query = root === undefined ? {} : { parentMessageId: root.id };
  return (await allPages(member, pathOf(discussion, 'messages'), query)).flat();
}

export function textsOf(items: readonly Json[]): string[] {
  return items.map(({ text }) => text);
}

export function requestSaveDiscussion(member: Client, discussion: Json): Promise<Reply> {
  return member.post(pathOf(discussion, 'save'));
}

export function requestUnsaveDiscussion(member: Client, discussion: Json): Promise<Reply> {
  return member.delete(pathOf(discussion, 'save'));
}

/** Lists the discussions saved by `person`. */
export async function savedDiscussions(person: Client, query: object = {}): Promise<Json[]> {
  return (await allPages(person, '/users/me/saved-discussions', query)).flat();
}

/** The author fields of an active member. */
export function activeAuthor(
  { id, phoneNumber }: Person,
  displayName: string,
  profilePhotoUrl: string | null = null,
): Json {
  const flags = { publicUsername: null, isAnonymous: false, isFormerMember: false };
  return { userId: id, displayName, profilePhotoUrl, phoneNumber, ...flags };
}

/** The author fields of a former member, who shows a public username. */
export function formerAuthor(person: Person, displayName: string, photoUrl: string | null = null): Json {
  const author = activeAuthor(person, displayName, photoUrl);
  return { ...author, phoneNumber: null, publicUsername: person.username, isFormerMember: true };
}

/** The author fields of a deleted account. */
export const DELETED_AUTHOR: Json = {
  userId: '',
  displayName: '',
  profilePhotoUrl: null,
  phoneNumber: null,
  publicUsername: null,
  isAnonymous: true,
  isFormerMember: true,
};
