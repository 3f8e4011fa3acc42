import { type Client, expectOk, type Json, type Reply } from './client.ts';
import { appeal, decisionsOf, remove } from './decisions.ts';
import { requestSaveDiscussion } from './discussions.ts';
import { block, follow } from './graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
} from './hubs.ts';
import type { OpineWithIdp } from './id-tokens.ts';
import {
  aGuest,
  hubReadyPeople,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from './people.ts';
import { aComment, aReply, aRepost, aThought, requestSavePost } from './posts.ts';
import { aDeadLetter, aReport, aStaffMember, type StaffMember } from './staff.ts';

/** Somebody who reads lists. */
export interface Reader {
  get(path: string): Promise<Reply>;
}

/** A world in which every list has two entries or more. */
export interface ListWorld {
  readonly guest: Client;
  /** Admin of both Hubs, whose own lists are full. */
  readonly maya: Person;
  /** Admin of both Hubs. */
  readonly jonas: Person;
  readonly lena: Person;
  /** Two members of staff, who may read every list of staff. */
  readonly nina: StaffMember;
  readonly otto: StaffMember;
  readonly elm: Json;
  readonly oak: Json;
  /** A post with comments and reposts. */
  readonly post: Json;
  readonly otherPost: Json;
  /** A comment with replies. */
  readonly comment: Json;
  readonly otherComment: Json;
  /** A discussion of elm with messages. */
  readonly discussion: Json;
  readonly otherDiscussion: Json;
  /** A discussion of oak. */
  readonly discussionInOak: Json;
  /** A message with replies. */
  readonly message: Json;
  readonly otherMessage: Json;
}

/** A list, as the address of its first page. */
export interface List {
  readonly name: string;
  /** The operation that answers it. */
  readonly operation: string;
  at(world: ListWorld): string;
  /** The same list with defaults written out. */
  written?(world: ListWorld): string;
  /** Whether guests may not read it, although its operation takes guests. */
  readonly isOfMembers?: true;
  /** Lists of the same operation that no other row has, and that the same caller may read. */
  beside?(world: ListWorld): readonly string[];
}

/** Every list that has a cursor. */
export const LISTS: readonly List[] = [
  {
    name: 'followers',
    operation: 'list_followers',
    at: ({ maya }) => `/users/${maya.id}/followers`,
    beside: ({ jonas }) => [`/users/${jonas.id}/followers`],
  },
  {
    name: 'followers by name',
    operation: 'list_followers',
    at: ({ maya }) => `/users/${maya.id}/followers?q=l`,
    beside: ({ maya, jonas }) => [`/users/${maya.id}/followers?q=le`, `/users/${jonas.id}/followers?q=l`],
  },
  {
    name: 'followed people',
    operation: 'list_following',
    at: ({ maya }) => `/users/${maya.id}/following`,
    beside: ({ jonas }) => [`/users/${jonas.id}/following`],
  },
  {
    name: 'followed people by name',
    operation: 'list_following',
    at: ({ maya }) => `/users/${maya.id}/following?q=l`,
    beside: ({ maya }) => [`/users/${maya.id}/following?q=le`],
  },
  { name: 'blocked people', operation: 'list_blocks', at: () => '/users/me/blocks' },
  {
    name: 'people found',
    operation: 'search_users',
    at: () => '/search/users?q=larsen',
    beside: () => ['/search/users?q=larse'],
  },
  {
    name: 'the home feed',
    operation: 'get_home_feed',
    at: () => '/posts',
    written: () => '/posts?sort=recent',
  },
  { name: 'the trending home feed', operation: 'get_home_feed', at: () => '/posts?sort=trending' },
  {
    name: 'the home feed of a Hub',
    operation: 'get_home_feed',
    at: ({ elm }) => `/posts?hubId=${elm.id}`,
    written: ({ elm }) => `/posts?sort=recent&hubId=${elm.id}`,
    beside: ({ oak }) => [`/posts?hubId=${oak.id}`],
  },
  {
    name: 'the trending feed of a Hub',
    operation: 'get_home_feed',
    at: ({ elm }) => `/posts?hubId=${elm.id}&sort=trending`,
    beside: ({ oak }) => [`/posts?hubId=${oak.id}&sort=trending`],
  },
  {
    name: 'frames',
    operation: 'list_frames',
    at: ({ post }) => `/posts/${post.id}/frames`,
    beside: ({ otherPost }) => [`/posts/${otherPost.id}/frames`],
  },
  {
    name: 'frames with the votes of a Hub',
    isOfMembers: true,
    operation: 'list_frames',
    at: ({ post, elm }) => `/posts/${post.id}/frames?hubId=${elm.id}`,
    beside: ({ post, oak }) => [`/posts/${post.id}/frames?hubId=${oak.id}`],
  },
  {
    name: 'posts found',
    operation: 'search_posts',
    at: () => '/search/posts?q=tram',
    beside: () => ['/search/posts?q=trams'],
  },
  {
    name: 'posts found in a Hub',
    isOfMembers: true,
    operation: 'search_posts',
    at: ({ elm }) => `/search/posts?q=tram&hubId=${elm.id}`,
    beside: ({ oak }) => [`/search/posts?q=tram&hubId=${oak.id}`],
  },
  {
    name: 'the feed of a profile',
    operation: 'get_profile_feed',
    at: ({ lena }) => `/users/${lena.id}/feed`,
    beside: ({ jonas }) => [`/users/${jonas.id}/feed`],
  },
  {
    name: 'comments',
    operation: 'list_comments',
    at: ({ post }) => `/posts/${post.id}/comments`,
    beside: ({ otherPost }) => [`/posts/${otherPost.id}/comments`],
  },
  {
    name: 'replies to a comment',
    operation: 'list_comments',
    at: ({ post, comment }) => `/posts/${post.id}/comments?parentCommentId=${comment.id}`,
    beside: ({ post, otherComment }) => [`/posts/${post.id}/comments?parentCommentId=${otherComment.id}`],
  },
  { name: 'saved posts', operation: 'list_saved_posts', at: () => '/users/me/saved-posts' },
  { name: 'own reports', operation: 'list_own_reports', at: () => '/users/me/reports' },
  {
    name: 'moderation decisions',
    operation: 'list_moderation_decisions',
    at: () => '/users/me/moderation-decisions',
  },
  { name: 'own Hubs', operation: 'list_my_hubs', at: () => '/users/me/hubs' },
  {
    name: 'Hubs found',
    operation: 'search_hubs',
    at: () => '/search/hubs?q=harbour',
    beside: () => ['/search/hubs?q=harb'],
  },
  {
    name: 'the feed of a Hub',
    operation: 'get_hub_feed',
    at: ({ elm }) => `/hubs/${elm.id}/feed`,
    beside: ({ oak }) => [`/hubs/${oak.id}/feed`],
  },
  {
    name: 'members',
    operation: 'list_members',
    at: ({ elm }) => `/hubs/${elm.id}/members`,
    beside: ({ oak }) => [`/hubs/${oak.id}/members`],
  },
  {
    name: 'members by name',
    operation: 'list_members',
    at: ({ elm }) => `/hubs/${elm.id}/members?q=l`,
    beside: ({ elm, oak }) => [`/hubs/${elm.id}/members?q=le`, `/hubs/${oak.id}/members?q=l`],
  },
  {
    name: 'admins',
    operation: 'list_admins',
    at: ({ elm }) => `/hubs/${elm.id}/admins`,
    beside: ({ oak }) => [`/hubs/${oak.id}/admins`],
  },
  {
    name: 'invitations',
    operation: 'list_invitations',
    at: ({ elm }) => `/hubs/${elm.id}/invitations`,
    beside: ({ oak }) => [`/hubs/${oak.id}/invitations`],
  },
  {
    name: 'invite links',
    operation: 'list_invite_links',
    at: ({ elm }) => `/hubs/${elm.id}/invite-links`,
    beside: ({ oak }) => [`/hubs/${oak.id}/invite-links`],
  },
  {
    name: 'join requests',
    operation: 'list_join_requests',
    at: ({ elm }) => `/hubs/${elm.id}/join-requests`,
    beside: ({ oak }) => [`/hubs/${oak.id}/join-requests`],
  },
  { name: 'saved discussions', operation: 'list_saved_discussions', at: () => '/users/me/saved-discussions' },
  {
    name: 'discussions',
    operation: 'list_discussions',
    at: ({ elm }) => `/hubs/${elm.id}/discussions`,
    beside: ({ oak }) => [`/hubs/${oak.id}/discussions`],
  },
  {
    name: 'messages',
    operation: 'list_messages',
    at: ({ discussion }) => messagesAt(discussion),
    beside: ({ otherDiscussion, discussionInOak }) => [
      messagesAt(otherDiscussion),
      messagesAt(discussionInOak),
    ],
  },
  {
    name: 'replies to a message',
    operation: 'list_messages',
    at: ({ discussion, message }) => `${messagesAt(discussion)}?parentMessageId=${message.id}`,
    beside: ({ discussion, otherMessage }) => [
      `${messagesAt(discussion)}?parentMessageId=${otherMessage.id}`,
    ],
  },
  {
    name: 'notifications',
    operation: 'list_notifications',
    at: () => '/notifications',
    written: () => '/notifications?unreadOnly=false',
  },
  {
    name: 'unread notifications',
    operation: 'list_notifications',
    at: () => '/notifications?unreadOnly=true',
  },
  { name: 'the queue of reports', operation: 'list_reports', at: () => '/admin/reports' },
  {
    name: 'reports of posts',
    operation: 'list_reports',
    at: () => '/admin/reports?kind=post',
    beside: () => ['/admin/reports?kind=user'],
  },
  {
    name: 'reports of spam',
    operation: 'list_reports',
    at: () => '/admin/reports?reason=spam',
    beside: () => ['/admin/reports?reason=hate'],
  },
  { name: 'closed reports', operation: 'list_closed_reports', at: () => '/admin/closed-reports' },
  { name: 'appeals', operation: 'list_appeals', at: () => '/admin/appeals' },
  { name: 'the audit log', operation: 'list_audit_log', at: () => '/admin/audit-log' },
  { name: 'dead letters', operation: 'list_dead_letters', at: () => '/admin/dead-letters' },
];

function messagesAt({ id, hubId }: Json): string {
  return `/hubs/${hubId}/discussions/${id}/messages`;
}

/** Adds a query to an address, which may have one. */
export function addressWith(address: string, query: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
}

export async function createListWorld(opine: OpineWithIdp): Promise<ListWorld> {
  const [maya, jonas] = await hubReadyPeople(opine, 'Maya Lindqvist', 'Jonas Weber');
  const [lena, leo] = await hubReadyPeople(opine, 'Lena Larsen', 'Leo Larsen');
  const nina = await aStaffMember(opine, 'admin', 'nina');
  const otto = await aStaffMember(opine, 'admin', 'otto');
  await createRelations(opine, maya, lena, leo);
  const hubs = await createHubs(opine, { maya, jonas, lena, leo });
  const posts = await createPosts({ maya, jonas, lena });
  const talk = await createDiscussions(maya, lena, hubs);
  await createModeration({ maya, lena, nina });
  for (const follower of [lena, leo]) await aDeadLetter(opine, follower, jonas);
  return { guest: aGuest(opine), maya, jonas, lena, nina, otto, ...hubs, ...posts, ...talk };
}

async function createRelations(opine: OpineWithIdp, maya: Person, lena: Person, leo: Person): Promise<void> {
  await follow(maya, lena, leo);
  await follow(lena, maya);
  await follow(leo, maya);
  for (const name of ['Blocked', 'Blocked too']) await block(maya, await registeredPerson(opine, name));
}

type Four = Readonly<Record<'maya' | 'jonas' | 'lena' | 'leo', Person>>;

/** Creates two Hubs, and what admins of the first see. */
async function createHubs(opine: OpineWithIdp, { maya, jonas, lena, leo }: Four) {
  const elm = await aHub(maya, { name: 'Harbour Choir' });
  const oak = await aHub(maya, { name: 'Harbour Rowers' });
  await join(maya, elm, [lena, leo]);
  for (const hub of [elm, oak]) await join(maya, hub, [jonas], 'admin');
  for (const name of ['One', 'Two']) {
    await anInvitation(maya, elm, { phoneNumber: newPhoneNumber() });
    await anInviteLink(maya, elm);
    await aJoinRequest(maya, elm, await hubReadyPerson(opine, name));
  }
  return { elm, oak };
}

/** Creates posts of Lena's with reposts and comments, which Maya saves. */
async function createPosts({ maya, jonas, lena }: Pick<Four, 'maya' | 'jonas' | 'lena'>) {
  const [post, otherPost] = [
    await aThought(lena, 'The tram is late.'),
    await aThought(lena, 'No tram today.'),
  ];
  for (const each of [post, otherPost]) await expectOk(requestSavePost(maya, each));
  await aRepost(jonas, post);
  const [comment, otherComment] = [await aComment(jonas, post), await aComment(lena, post)];
  for (const author of [jonas, lena]) await aReply(author, post, comment);
  return { post, otherPost, comment, otherComment };
}

/** Creates two posts in elm with their discussions, which Maya saves, and one in oak. */
async function createDiscussions(maya: Person, lena: Person, { elm, oak }: Record<'elm' | 'oak', Json>) {
  const talks: Json[] = [];
  for (const thoughtText of ['A tram for the choir?', 'We sing in the tram.']) {
    const talk = await discussionOf(maya, elm, await aHubPost(lena, [elm], { thoughtText }));
    await expectOk(requestSaveDiscussion(maya, talk));
    talks.push(talk);
  }
  const [discussion, otherDiscussion] = talks;
  const [message, otherMessage] = [await aMessage(lena, discussion), await aMessage(maya, discussion)];
  for (const author of [lena, maya]) {
    await aMessage(author, discussion, 'Quite.', { parentMessageId: message.id });
  }
  const discussionInOak = await discussionOf(maya, oak, await aHubPost(maya, [oak]));
  return { discussion, otherDiscussion, discussionInOak, message, otherMessage };
}

/** Creates open reports by Maya, and decisions about her posts with appeals. */
async function createModeration({ maya, lena, nina }: { maya: Person; lena: Person; nina: StaffMember }) {
  for (const text of ['Cheap pills.', 'More pills.']) {
    await aReport(maya, 'posts', await aThought(lena, text));
    await remove(nina, lena, 'posts', await aThought(maya, text));
  }
  for (const decision of await decisionsOf(maya)) await appeal(maya, decision);
}
