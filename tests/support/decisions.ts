import { allPages, type Client, expectOk, type Json, type Reply } from './client.ts';
import { messagesOf } from './discussions.ts';
import { homeFeed, profileFeedOf, trendingFor } from './feeds.ts';
import { follow, profileSeenBy } from './graph.ts';
import { aHub, aHubPost, aMemberOf, aMessage, discussionOf } from './hubs.ts';
import { idpEnvironment, type OpineWithIdp, staffIdpEnvironment } from './id-tokens.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { notificationsOf } from './inbox.ts';
import { aGuest, hubReadyPerson, type Person, type UserRef } from './people.ts';
import {
  aComment,
  aReply,
  aRepost,
  commentsOn,
  framesOf,
  repliesTo,
  requestSavePost,
  savedPosts,
  seenBy,
  shareToFeed,
} from './posts.ts';
import { requestReport } from './reports.ts';
import { aStaffMember, type StaffMember } from './staff.ts';
import { type OpineWithStorage, startOpineWithStorage } from './storage.ts';
import { castVote, countsOf, hubVotesOf, myVote } from './votes.ts';

/** An Opine with storage and staff. */
export interface OpineWithStaff extends OpineWithIdp, OpineWithStorage {
  /** A moderator, who takes the decisions. */
  readonly nina: StaffMember;
  /** A moderator, who decides the appeals. */
  readonly otto: StaffMember;
  /** A member of staff with the role support. */
  readonly sam: StaffMember;
}

/** Starts an Opine with storage and three members of staff; `stop` stops all of it. */
export async function startOpineWithStaff(): Promise<OpineWithStaff> {
  const provider = await startIdentityProvider();
  const opine = await startOpineWithStorage({
    ...idpEnvironment(provider),
    ...staffIdpEnvironment(provider),
  });
  const started = {
    ...opine,
    provider,
    stop: async () => {
      await opine.stop();
      await provider.close();
    },
  };
  return {
    ...started,
    nina: await aStaffMember(started, 'moderator', 'nina'),
    otto: await aStaffMember(started, 'moderator', 'otto'),
    sam: await aStaffMember(started, 'support', 'sam'),
  };
}

/** The body of a removal or a suspension. */
export const SPAM = { reason: 'spam', statement: 'It sells pills.' } as const;

/** Bodies of a removal or a suspension that are not valid. */
export const INVALID_STATEMENTS: readonly object[] = [
  {},
  { reason: 'spam' },
  { statement: 'It sells pills.' },
  { reason: 'It sells pills.', statement: 'It sells pills.' },
  { reason: 'spam', statement: ' ' },
  { reason: 'spam', statement: '\u3164' },
  { reason: 'spam', statement: 'x'.repeat(2001) },
  { reason: null, statement: 'It sells pills.' },
];

export type Removable = 'posts' | 'comments' | 'messages';

/** Reports a post, comment or message as `reporter`, and removes it. Returns the report's id. */
export async function remove(
  member: StaffMember,
  reporter: Client,
  things: Removable,
  target: UserRef,
  fields: object = {},
): Promise<string> {
  const { reportId } = await expectOk(requestReport(reporter, things, target));
  await expectOk(member.post(`/admin/reports/${reportId}/remove`, { ...SPAM, ...fields }));
  return reportId;
}

/** Suspends a person or a Hub. */
export async function suspend(
  member: StaffMember,
  things: 'users' | 'hubs',
  { id }: UserRef,
  fields: object = {},
): Promise<void> {
  await expectOk(member.post(`/admin/${things}/${id}/suspend`, { ...SPAM, ...fields }));
}

/** Restores a person or a Hub. */
export async function restore(member: StaffMember, things: 'users' | 'hubs', { id }: UserRef): Promise<void> {
  await expectOk(member.post(`/admin/${things}/${id}/restore`, { reason: 'It was an error.' }));
}

/** Lists the decisions that `person` sees. */
export async function decisionsOf(person: Client): Promise<Json[]> {
  return (await allPages(person, '/users/me/moderation-decisions')).flat();
}

/**
 * Returns the newest decision about a target.
 * @throws Error if `person` sees none
 */
export async function decisionAbout(person: Client, { id }: UserRef): Promise<Json> {
  const decision = (await decisionsOf(person)).find(({ target }) => target.id === id);
  if (decision === undefined) throw new Error('They see no decision about that.');
  return decision;
}

/** Returns the notifications of decisions in the inbox of `person`. */
export function decisionNotificationsOf(person: Client): Promise<Json[]> {
  return notificationsOf(person, 'moderation_decided');
}

export function requestAppeal(person: Client, { id }: UserRef, text: unknown = 'It quotes.'): Promise<Reply> {
  return person.post(`/moderation-decisions/${id}/appeal`, { text });
}

export function appeal(person: Client, decision: UserRef, text?: string): Promise<Json> {
  return expectOk(requestAppeal(person, decision, text));
}

export type Outcome = 'upheld' | 'reversed';

export function requestOutcome(member: StaffMember, { id }: UserRef, outcome: unknown): Promise<Reply> {
  return member.post(`/admin/appeals/${id}/decide`, { outcome, statement: 'We looked again.' });
}

/** Decides an appeal. */
export async function decideAppeal(member: StaffMember, decision: UserRef, outcome: Outcome): Promise<void> {
  await expectOk(requestOutcome(member, decision, outcome));
}

/** Returns the entries of staff's queue of appeals by the id of their decision. */
export async function appealsSeenBy(member: StaffMember): Promise<Record<string, Json>> {
  const { items } = await expectOk(member.get('/admin/appeals?limit=100'));
  return Object.fromEntries(items.map((item: Json) => [item.decisionId, item]));
}

/** Returns the entry of the queue of reports about a target. */
export async function reportOf(member: StaffMember, { id }: UserRef): Promise<Json | undefined> {
  const { items } = await expectOk(member.get('/admin/reports?limit=100'));
  return items.find(({ target }: Json) => target.id === id);
}

/** A post of Maya's in a Hub of hers, with activity of Jonas, a member, and between other posts of hers. */
export interface PostInPlaces {
  readonly maya: Person;
  /** A member of the Hub, who follows Maya. */
  readonly jonas: Person;
  /** Follows Maya, and is no member of the Hub. */
  readonly lena: Person;
  readonly guest: Client;
  readonly hub: Json;
  readonly post: Json;
  /** Jonas's comment, which has a reply. */
  readonly comment: Json;
  /** Jonas's repost. */
  readonly repost: Json;
  readonly discussion: Json;
}

/** Creates a public post in a Hub with comments, votes, a repost, a feed share, saves and messages; `fields` are the post's. */
export async function aPostInPlaces(opine: OpineWithStaff, fields: object = {}): Promise<PostInPlaces> {
  const [maya, lena] = [await hubReadyPerson(opine, 'Maya'), await hubReadyPerson(opine, 'Lena')];
  const hub = await aHub(maya);
  const jonas = await aMemberOf(opine, maya, hub, 'Jonas');
  await Promise.all([follow(jonas, maya), follow(lena, maya)]);
  const texts = { thoughtText: 'The wisteria grows.', sliderText: 'Is the wisteria too high?' };
  const publishOne = (own: object = {}) =>
    aHubPost(maya, [hub], { visibility: 'public_hub', ...texts, ...own });
  await publishOne();
  const post = await publishOne(fields);
  await publishOne();
  const comment = await aComment(jonas, post);
  await aReply(maya, post, comment);
  const repost = await aRepost(jonas, post);
  await shareToFeed(jonas, post);
  for (const reader of [jonas, lena]) await expectOk(requestSavePost(reader, post));
  await expectOk(castVote(jonas, post, 'right'));
  await expectOk(castVote(lena, post, 'left'));
  const discussion = await discussionOf(jonas, hub, post);
  await aMessage(jonas, discussion, 'Cut it back.');
  return { maya, jonas, lena, guest: aGuest(opine), hub, post, comment, repost, discussion };
}

/** Returns every list in which `viewer` may find the post, as ids. */
export async function listsAround({ maya, hub, repost }: PostInPlaces, viewer: Client): Promise<Json> {
  const found = async (query: object) => {
    const pages = await allPages(viewer, '/search/posts', { q: 'wisteria', ...query });
    return pages.flat().filter(({ author }) => author.id === maya.id);
  };
  const ids = (cards: readonly Json[]) => cards.map(({ id }) => id);
  const isMember = (await viewer.get(`/hubs/${hub.id}/feed`)).status === 200;
  const isSignedIn = (await viewer.get('/users/me/saved-posts')).status === 200;
  return {
    home: await homeFeed(viewer),
    trending: await trendingFor(viewer),
    profile: await profileFeedOf(viewer, maya),
    search: ids(await found({})),
    frames: await framesOf(viewer, repost),
    ...(isSignedIn && { saved: await savedPosts(viewer) }),
    ...(isMember && {
      hub: ids((await allPages(viewer, `/hubs/${hub.id}/feed`)).flat()),
      searchInHub: ids(await found({ hubId: hub.id })),
    }),
  };
}

/** Returns all that `viewer` sees of the post: the card, its comments, votes and discussion, the source of its repost, and its places. */
export async function viewOf(world: PostInPlaces, viewer: Client): Promise<Json> {
  const { maya, jonas, lena, hub, post, comment, repost, discussion } = world;
  const isMember = viewer === maya || viewer === jonas;
  const isSignedIn = isMember || viewer === lena;
  return {
    card: await seenBy(viewer, post),
    comments: await commentsOn(viewer, post),
    replies: await repliesTo(viewer, post, comment),
    counts: await countsOf(viewer, post),
    ...(isSignedIn && { vote: (await myVote(viewer, post)).data }),
    ...(isMember && {
      hubVotes: (await hubVotesOf(viewer, post)).data,
      inHub: await countsOf(viewer, post, hub),
      discussion: await discussionOf(viewer, hub, post),
      messages: await messagesOf(viewer, discussion),
    }),
    source: (await seenBy(viewer, repost)).sourcePost,
    activity: [await activityOf(viewer, maya), await activityOf(viewer, jonas)],
    lists: await listsAround(world, viewer),
  };
}

/** Returns the activity counts of a profile, without votes, which others see late. */
export async function activityOf(viewer: Client, person: UserRef): Promise<Json> {
  const { activity } = await profileSeenBy(viewer, person);
  return { ...activity, votes: undefined };
}
