import fc from 'fast-check';
import { pick as pickFrom, pickLatest, weighted } from '../random.ts';
import {
  CAST,
  type Comment,
  HUBS,
  type Hub,
  hasVoted,
  hubsOf,
  isPrivate,
  isRepostable,
  isShareable,
  LEVELS,
  type Name,
  type Post,
  type Visibility,
} from './entities.ts';
import type { FeedModel } from './model.ts';
import { labelOf } from './views.ts';

/** A request with labels instead of ids, and its effect on the model. */
export interface Request {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  /** @returns what the request creates or is answered */
  readonly apply: () => unknown;
}

/** Something that happens without a request. */
export type SystemEvent =
  | { readonly event: 'join' | 'leave'; readonly who: Name; readonly hub: Hub }
  | { readonly event: 'fold votes' }
  | { readonly event: 'finish account deletions' }
  | { readonly event: 'pass'; readonly seconds: number };

/** The random numbers of a step; `interpret` turns them into a request or a system event. */
export interface Choice {
  readonly action: ActionName;
  readonly who: Name;
  readonly pick: number;
  readonly other: number;
  readonly luck: number;
}

const MAX_LUCK = 11;
const MINUTE = 60;
// Later, the first activity adds less than a microsecond to a score.
const LATEST = 14 * 24 * 60 * MINUTE;
// The last two are longer than a week, after which a post no longer trends.
const PAUSES = [7, 55, 390, 1150, 4330, 8650, 10_085, 11_500].map((minutes) => minutes * MINUTE);
const VISIBILITIES: readonly Visibility[] = ['public', 'public', 'public_hub', 'private_locked_hub'];

type Interpreter = (model: FeedModel, choice: Choice) => Request | SystemEvent | null;
type ActionName = keyof typeof WEIGHTS;

/** How often each action is drawn. */
const WEIGHTS = {
  ...{ publish: 10, repost: 7, comment: 6, reply: 6, deleteComment: 7, deletePost: 2, vote: 6, fold: 2 },
  ...{ shareToFeed: 6, shareToHubs: 10, shareAgain: 7, save: 5, unsave: 3, follow: 5, unfollow: 2, block: 2 },
  ...{ unblock: 2, join: 4, leave: 4, removeFromHub: 4, end: 2, finish: 2, pass: 6 },
};

/** The level that an action requires, if any. */
const REQUIRED_LEVELS: Partial<Record<ActionName, number>> = {
  ...{ publish: 3, repost: 3, comment: 2, reply: 2, vote: 2, shareToFeed: 2, shareToHubs: 4, shareAgain: 4 },
  ...{ save: 2, follow: 2, join: 4, leave: 4, removeFromHub: 4, end: 2 },
};

/** Returns a request about a post; null without a post. */
function about(
  who: Name,
  route: string,
  post: Post | null,
  apply: (post: Post) => unknown,
  args: object = {},
): Request | null {
  return post && { who, route, args: { postId: labelOf.post(post), ...args }, apply: () => apply(post) };
}

const ACTIONS: Record<ActionName, Interpreter> = {
  publish: (model, { who, pick, other, luck }) => {
    const { visibility, hubIds } = destination(model, who, pick, other, luck === MAX_LUCK);
    const texts = { thoughtText: 'So I think.', sliderText: 'Is it so?' };
    const args = { ...texts, visibility, ...(hubIds && { hubIds }) };
    return { who, route: 'POST /posts', args, apply: () => model.publish(who, visibility, hubIds ?? []) };
  },
  repost: (model, { who, pick, other, luck }) => {
    const source = mostlyVisible(model, { who, pick, luck }, isRepostable);
    if (!source) return null;
    const isAllowed = model.sees(who, source) && isRepostable(source);
    const { visibility, hubIds } = destination(model, who, pick, other, luck === MAX_LUCK - 1 && isAllowed);
    const apply = () => model.publish(who, visibility, hubIds ?? [], source);
    const args = { sliderText: 'Is it?', visibility, ...(hubIds && { hubIds }) };
    return about(who, 'POST /posts/{postId}/reposts', source, apply, args);
  },
  comment: (model, choice) => commentOn(model, choice.who, mostlyVisible(model, choice, isOpen), null),
  reply: (model, { who, pick, luck }) => {
    const isSeen = (one: Comment) => model.seesComment(who, one) && (luck < 4 || !one.isDeleted);
    const isOfThread = (one: Comment) => one.root === null || model.seesComment(who, one.root);
    const parent = pickLatest(mostly(model.comments.filter(isOfThread), isSeen, luck), pick);
    return parent && commentOn(model, who, parent.post, parent);
  },
  deleteComment: (model, { who, pick, other, luck }) => {
    const present = mostly(model.comments, (one) => !one.isDeleted, luck < 3 ? 0 : luck);
    const inThreads = present.filter((one) => one.root !== null || model.repliesTo(one).length > 0);
    const comment = pickLatest(inThreads.length > 0 && other % 3 > 0 ? inThreads : present, pick);
    if (!comment) return null;
    const caller = luck > 7 ? who : luck > 4 ? comment.post.by : comment.by;
    const args = { commentId: labelOf.comment(comment) };
    const apply = () => model.deleteComment(caller, comment);
    return { who: caller, route: 'DELETE /comments/{commentId}', args, apply };
  },
  deletePost: (model, choice) => {
    const post = mostlyVisible(model, choice);
    const caller = choice.luck > 8 || !post ? choice.who : post.by;
    return about(caller, 'DELETE /posts/{postId}', post, (it) => model.deletePost(caller, it));
  },
  vote: (model, choice) => {
    const { who } = choice;
    const post = mostlyVisible(model, choice, (one) => !hasVoted(who, one));
    const apply = (it: Post) => model.vote(who, it);
    return about(who, 'POST /posts/{postId}/vote', post, apply, { position: 'left' });
  },
  fold: () => ({ event: 'fold votes' }),
  shareToFeed: (model, choice) =>
    about(choice.who, 'POST /posts/{postId}/share/feed', mostlyVisible(model, choice), (post) =>
      model.shareToFeed(choice.who, post),
    ),
  shareToHubs: (model, { who, pick, other, luck }) => {
    const post = mostlyVisible(model, { who, pick, luck }, isShareable);
    if (!post) return null;
    const isAllowed = model.sees(who, post) && isShareable(post);
    const hubIds = hubsFor(model, who, other, luck === MAX_LUCK - 1 && isAllowed);
    return hubIds.length === 0 ? null : shareToHubs(model, who, post, hubIds);
  },
  shareAgain: (model, { who, pick }) => {
    const ownHubs = (post: Post) => hubsOf(post).filter((hub) => model.isIn(who, hub));
    const isThere = (post: Post) => model.sees(who, post) && isShareable(post) && ownHubs(post).length > 0;
    const post = pickLatest(model.posts.filter(isThere), pick);
    return post && shareToHubs(model, who, post, ownHubs(post));
  },
  save: (model, choice) =>
    about(choice.who, 'POST /posts/{postId}/save', mostlyVisible(model, choice), (post) =>
      model.save(choice.who, post),
    ),
  unsave: (model, { who, pick }) => {
    const saved = model.posts.filter(({ saves }) => saves.has(who));
    return about(who, 'DELETE /posts/{postId}/save', pickLatest(saved, pick), (post) =>
      model.unsave(who, post),
    );
  },
  follow: (model, { who, pick }) => {
    const isFree = (whom: Name) => !model.isBlockedPair(who, whom) && !model.isFollowing(who, whom);
    const userId = pickFrom(others(model, who, 2).filter(isFree), pick);
    if (!userId || LEVELS[who] < 2) return null;
    const apply = () => model.follows.push([who, userId]);
    return { who, route: 'POST /users/{userId}/follow', args: { userId }, apply };
  },
  unfollow: (model, { pick }) => {
    const pair = pickLatest(model.follows.filter(isPresent(model)), pick);
    if (!pair) return null;
    const apply = () => {
      model.follows = model.follows.filter((one) => one !== pair);
    };
    return { who: pair[0], route: 'DELETE /users/{userId}/follow', args: { userId: pair[1] }, apply };
  },
  block: (model, { who, pick }) => {
    const free = others(model, who, 2).filter((name) => !model.isBlockedPair(who, name));
    const userId = pickFrom(free, pick);
    if (!userId || LEVELS[who] < 1 || model.blocks.length > 3) return null;
    return {
      who,
      route: 'POST /users/{userId}/block',
      args: { userId },
      apply: () => model.block(who, userId),
    };
  },
  unblock: (model, { pick }) => {
    const pair = pickLatest(model.blocks.filter(isPresent(model)), pick);
    if (!pair) return null;
    const apply = () => {
      model.blocks = model.blocks.filter((one) => one !== pair);
    };
    return { who: pair[0], route: 'DELETE /users/{userId}/block', args: { userId: pair[1] }, apply };
  },
  join: (model, { who, pick }) => {
    const otherHubs = HUBS.filter((one) => !model.isIn(who, one));
    const hub = pickFrom(otherHubs, pick);
    return hub && LEVELS[who] === 4 ? { event: 'join', who, hub } : null;
  },
  leave: (model, { who, pick }) => {
    const hub = pickFrom(hubsWithOthers(model, who), pick);
    return hub && { event: 'leave', who, hub };
  },
  removeFromHub: (model, { who, pick, luck }) => {
    // Somebody whom the model does not know may follow a founder who has left or ended their account.
    const led = HUBS.filter((hub) => CAST.some((name) => model.isAdmin(name, hub)));
    const posts = model.posts.filter((post) => hubsOf(post).some((hub) => led.includes(hub)));
    const post = pickLatest(
      mostly(posts, (one) => model.exists(one), luck),
      pick,
    );
    const hubId = pickFrom(
      led.filter((hub) => luck === 1 || (post && hubsOf(post).includes(hub))),
      pick,
    );
    const admin = CAST.find((name) => hubId && model.isAdmin(name, hubId));
    const caller = luck > 8 || !admin ? who : admin;
    if (!hubId) return null;
    const apply = (it: Post) => model.removeFromHub(caller, hubId, it);
    return about(caller, 'DELETE /hubs/{hubId}/posts/{postId}', post, apply, { hubId });
  },
  end: (model, { who }) => {
    const isAlone = hubsWithOthers(model, who).length < hubsIn(model, who).length;
    if (isAlone || LEVELS[who] < 2 || model.ended.size > 1 || model.posts.length < 7) return null;
    return { who, route: 'DELETE /users/me', args: {}, apply: () => model.ended.add(who) };
  },
  finish: ({ ended }) => (ended.size > 0 ? { event: 'finish account deletions' } : null),
  pass: (model, { other }) => {
    const seconds = pickFrom(PAUSES, other) ?? MINUTE;
    return model.now + seconds < LATEST ? { event: 'pass', seconds } : null;
  },
};

function commentOn(model: FeedModel, who: Name, post: Post | null, parent: Comment | null): Request | null {
  const args = { text: 'Well.', ...(parent && { parentCommentId: labelOf.comment(parent) }) };
  return about(who, 'POST /posts/{postId}/comments', post, (it) => model.comment(who, it, parent), args);
}

function shareToHubs(model: FeedModel, who: Name, post: Post, hubIds: readonly Hub[]): Request | null {
  const apply = () => {
    const added = model.shareToHubs(who, post, hubIds);
    return { created: hubIds.map((hub) => `${hub} ${added.includes(hub)}`) };
  };
  return about(who, 'POST /posts/{postId}/share/hubs', post, apply, { hubIds });
}

/** Returns where `who` publishes: in public without a Hub. */
function destination(model: FeedModel, who: Name, pick: number, other: number, isForeign: boolean) {
  const hubs = hubsFor(model, who, pick, isForeign);
  const visibility: Visibility = (hubs.length > 0 && pickFrom(VISIBILITIES, other)) || 'public';
  return { visibility, hubIds: visibility === 'public' ? null : hubs };
}

/** Returns one or two Hubs of `who`, and with `isForeign` one of others. */
function hubsFor(model: FeedModel, who: Name, pick: number, isForeign: boolean): Hub[] {
  const own = hubsIn(model, who);
  const rotated = [...own.slice(pick % 3), ...own.slice(0, pick % 3)];
  const foreign = isForeign ? HUBS.filter((hub) => !own.includes(hub)).slice(0, 1) : [];
  return [...rotated.slice(0, 1 + (pick % 2)), ...foreign];
}

function hubsIn(model: FeedModel, who: Name): Hub[] {
  return HUBS.filter((hub) => model.isIn(who, hub));
}

function hubsWithOthers(model: FeedModel, who: Name): Hub[] {
  return hubsIn(model, who).filter((hub) => CAST.some((name) => name !== who && model.isIn(name, hub)));
}

function others(model: FeedModel, who: Name, level: number): Name[] {
  return CAST.filter((name) => name !== who && LEVELS[name] >= level && !model.ended.has(name));
}

const isPresent = (model: FeedModel) => (names: readonly Name[]) =>
  !names.some((name) => model.ended.has(name));

/** Picks a post that mostly is visible to the caller and fits. */
function mostlyVisible(
  model: FeedModel,
  { who, pick, luck }: Pick<Choice, 'who' | 'pick' | 'luck'>,
  fits = (_: Post) => true,
): Post | null {
  const isSeen = (post: Post) => model.sees(who, post) && (luck === 1 || fits(post));
  return pickLatest(mostly(model.posts, isSeen, luck), pick);
}

function isOpen(post: Post): boolean {
  return !isPrivate(post);
}

/** Returns the fitting items, and for one value of `luck` all items. */
function mostly<T>(items: readonly T[], fits: (item: T) => boolean, luck: number): readonly T[] {
  return luck === 0 ? items : items.filter(fits);
}

/** Returns what `choice` means in the present state; null if it means nothing. */
export function interpret(model: FeedModel, choice: Choice): Request | SystemEvent | null {
  const { action, luck, other } = choice;
  const level = luck > 9 ? 1 : (REQUIRED_LEVELS[action] ?? 1);
  const isAble = (name: Name) => !model.ended.has(name) && LEVELS[name] >= level;
  const who = isAble(choice.who) ? choice.who : pickFrom(CAST.filter(isAble), other);
  const meaning = who && ACTIONS[action](model, { ...choice, who });
  return meaning && 'who' in meaning && model.ended.has(meaning.who) ? null : meaning;
}

/** The creators of the Hubs, and the other first members. */
export const FOUNDERS = { Elm: 'Maya', Oak: 'Ines', Ash: 'Amara' } as const satisfies Record<Hub, Name>;
export const FIRST_MEMBERS: readonly (readonly [Name, Hub])[] = [
  ['Amara', 'Elm'],
  ['Jonas', 'Elm'],
  ['Maya', 'Oak'],
  ['Ines', 'Ash'],
];

/** The first steps of every history: a post of each visibility, one of them by a person without a Hub. */
export const OPENING: readonly Choice[] = [
  { action: 'publish', who: 'Jonas', pick: 0, other: 3, luck: 5 },
  { action: 'publish', who: 'Ines', pick: 1, other: 3, luck: 5 },
  { action: 'publish', who: 'Maya', pick: 0, other: 2, luck: 5 },
  { action: 'publish', who: 'Tariq', pick: 0, other: 0, luck: 5 },
];

const people: Record<Name, number> = {
  ...{ Maya: 5, Amara: 5, Jonas: 5, Ines: 4, Tariq: 3, Nora: 2, Anonymous: 1, Guest: 0 },
};
const index = fc.nat({ max: MAX_LUCK });

/** Draws a choice: most are allowed, and most are about one of the newest items. */
export const choice: fc.Arbitrary<Choice> = fc.record({
  action: weighted(WEIGHTS),
  who: weighted(people),
  pick: fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: index }),
  other: index,
  luck: index,
});
