import type { Client, Json, Reply } from './client.ts';
import { everyPage, granted, withQuery } from './graph.ts';
import type { Hub } from './hubs.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  discussionOf,
  requestLeave,
  requestRemove,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person } from './people.ts';

/** A Hub with two people in it, of whom Amara is admin. */
export interface Circle {
  readonly hub: Json;
  readonly amara: Person;
  readonly jonas: Person;
}

export async function aCircle(opine: Opine, fields: object = {}): Promise<Circle> {
  const amara = await aHubReady(opine, 'Amara Okafor');
  const hub = await aHub(amara, fields);
  return { hub, amara, jonas: await aMemberOf(opine, amara, hub, 'Jonas Weber') };
}

/** A circle with the discussion of a post of Amara's; `fields` are the post's. */
export async function aDiscussingCircle(
  opine: Opine,
  fields: object = {},
): Promise<Circle & { readonly post: Json; readonly discussion: Json }> {
  const circle = await aCircle(opine);
  const post = await aHubPost(circle.amara, [circle.hub], fields);
  return { ...circle, post, discussion: await discussionOf(circle.amara, circle.hub, post) };
}

/** Hub-ready people who are no active members of `admin`'s Hub, by what they are instead. */
export async function nonMembersOf(opine: Opine, admin: Person, hub: Hub): Promise<Map<string, Person>> {
  const [stranger, invited, pending] = [
    await aHubReady(opine),
    await aHubReady(opine),
    await aHubReady(opine),
  ];
  await anInvitation(admin, hub, invited);
  await aJoinRequest(admin, hub, pending);
  const [former, removed] = [await aMemberOf(opine, admin, hub), await aMemberOf(opine, admin, hub)];
  await granted(requestLeave(former, hub));
  await granted(requestRemove(admin, hub, removed));
  return new Map(Object.entries({ stranger, invited, pending, former, removed }));
}

/** The path of a discussion's messages, or of whether it is saved. */
export function pathOf({ id, hubId }: Json, rest: 'messages' | 'save'): string {
  return `/hubs/${hubId}/discussions/${id}/${rest}`;
}

export function listDiscussions(viewer: Client, { id }: Hub, query: object = {}): Promise<Reply> {
  return viewer.get(withQuery(`/hubs/${id}/discussions`, query));
}

/** The discussions of `hub`, in their order. */
export async function discussionsOf(member: Client, { id }: Hub, query: object = {}): Promise<Json[]> {
  return (await everyPage(member, `/hubs/${id}/discussions`, query)).flat();
}

/** The posts of the discussions in `hub`, in their order. */
export async function postsIn(member: Client, hub: Hub, query: object = {}): Promise<string[]> {
  return (await discussionsOf(member, hub, query)).map(({ postId }) => postId);
}

/** The messages at the top of a discussion, or those of a thread. */
export async function messagesOf(member: Client, discussion: Json, root?: Json): Promise<Json[]> {
  const query = root === undefined ? {} : { parentMessageId: root.id };
  return (await everyPage(member, pathOf(discussion, 'messages'), query)).flat();
}

/** `items` of messages as texts. */
export function textsOf(items: readonly Json[]): string[] {
  return items.map(({ text }) => text);
}

export function requestSave(member: Client, discussion: Json): Promise<Reply> {
  return member.post(pathOf(discussion, 'save'));
}

export function requestUnsave(member: Client, discussion: Json): Promise<Reply> {
  return member.delete(pathOf(discussion, 'save'));
}

/** What `person` has saved, in its order. */
export async function savedBy(person: Client, query: object = {}): Promise<Json[]> {
  return (await everyPage(person, '/users/me/saved-discussions', query)).flat();
}

/** An active member as the author of what they wrote. */
export function activeAuthor(
  { id, phoneNumber }: Person,
  displayName: string,
  profilePhotoUrl: string | null = null,
): Json {
  return {
    userId: id,
    displayName,
    profilePhotoUrl,
    phoneNumber,
    publicUsername: null,
    isAnonymous: false,
    isFormerMember: false,
  };
}

/** A former member as the author of what they wrote: by who they are in public. */
export function formerAuthor(
  { id, username }: Person,
  displayName: string,
  profilePhotoUrl: string | null = null,
): Json {
  return {
    userId: id,
    displayName,
    profilePhotoUrl,
    phoneNumber: null,
    publicUsername: username,
    isAnonymous: false,
    isFormerMember: true,
  };
}

/** The author of what somebody wrote whose account has ended. */
export const NOBODY_ANY_MORE: Json = {
  userId: '',
  displayName: '',
  profilePhotoUrl: null,
  phoneNumber: null,
  publicUsername: null,
  isAnonymous: true,
  isFormerMember: true,
};
