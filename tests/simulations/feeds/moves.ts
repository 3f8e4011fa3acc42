import fc from 'fast-check';
import type { FeedModel } from './model.ts';
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
} from './things.ts';
import { labelOf } from './views.ts';

/** Somebody asks for something: a request by names, and the same in the model. */
export interface Request {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  /** @returns what it made, or is answered */
  readonly act: () => unknown;
}

/** What happens without a request. */
export type Chore =
  | { readonly chore: 'join' | 'leave'; readonly who: Name; readonly hub: Hub }
  | { readonly chore: 'fold votes' }
  | { readonly chore: 'finish account deletions' }
  | { readonly chore: 'pass'; readonly seconds: number };

/** What a move is drawn as; what it means depends on what there is by then. */
export interface Choice {
  readonly move: MoveName;
  readonly who: Name;
  readonly pick: number;
  readonly other: number;
  readonly luck: number;
}

const MAX_LUCK = 11;
const MINUTE = 60;
// Beyond that, activity of the beginning adds less to a score than a microsecond.
const LATEST = 14 * 24 * 60 * MINUTE;
// The last two are longer than a week, after which a post no longer trends.
const PAUSES = [7, 55, 390, 1150, 4330, 8650, 10_085, 11_500].map((minutes) => minutes * MINUTE);
const VISIBILITIES: readonly Visibility[] = ['public', 'public', 'public_hub', 'private_locked_hub'];

type Move = (model: FeedModel, choice: Choice) => Request | Chore | null;
type MoveName = keyof typeof WEIGHTS;

/** How often each move is drawn. */
const WEIGHTS = {
  ...{ publish: 10, repost: 7, comment: 6, reply: 6, deleteComment: 7, deletePost: 2, vote: 6, fold: 2 },
  ...{
    shareToFeed: 6,
    shareToHubs: 10,
    shareAgain: 7,
    save: 5,
    unsave: 3,
    follow: 5,
    unfollow: 2,
    block: 2,
    unblock: 2,
  },
  ...{ join: 4, leave: 4, end: 2, finish: 2, pass: 6 },
};

/** The level that each takes, where it takes any. */
const TAKES: Partial<Record<MoveName, number>> = {
  ...{ publish: 3, repost: 3, comment: 2, reply: 2, vote: 2, shareToFeed: 2, shareToHubs: 4, shareAgain: 4 },
  ...{ save: 2, follow: 2, join: 4, leave: 4, end: 2 },
};

const about = (post: Post) => ({ postId: labelOf.post(post) });

const MOVES: Record<MoveName, Move> = {
  publish: (model, { who, pick, other, luck }) => {
    const { visibility, hubIds } = destination(model, who, pick, other, luck === MAX_LUCK);
    const args = {
      thoughtText: 'So I think.',
      sliderText: 'Is it so?',
      visibility,
      ...(hubIds && { hubIds }),
    };
    return { who, route: 'POST /posts', args, act: () => model.publish(who, visibility, hubIds ?? []) };
  },
  repost: (model, { who, pick, other, luck }) => {
    const source = mostlySeen(model, who, pick, luck, isRepostable);
    if (!source) return null;
    const isFaultless = model.sees(who, source) && isRepostable(source);
    const { visibility, hubIds } = destination(model, who, pick, other, luck === MAX_LUCK - 1 && isFaultless);
    const args = { ...about(source), sliderText: 'Is it?', visibility, ...(hubIds && { hubIds }) };
    const act = () => model.publish(who, visibility, hubIds ?? [], source);
    return { who, route: 'POST /posts/{postId}/reposts', args, act };
  },
  comment: (model, { who, pick, luck }) => {
    const post = mostlySeen(model, who, pick, luck, isOpen);
    return post && commenting(model, who, post, null);
  },
  reply: (model, { who, pick, luck }) => {
    const isSeen = (one: Comment) => model.seesComment(who, one) && (luck < 4 || !one.isDeleted);
    const isOfThread = (one: Comment) => one.root === null || model.seesComment(who, one.root);
    const parent = latest(mostly(model.comments.filter(isOfThread), isSeen, luck), pick);
    return parent && commenting(model, who, parent.post, parent);
  },
  deleteComment: (model, { who, pick, other, luck }) => {
    const present = mostly(model.comments, (one) => !one.isDeleted, luck < 3 ? 0 : luck);
    const inThreads = present.filter((one) => one.root !== null || model.repliesTo(one).length > 0);
    const comment = latest(inThreads.length > 0 && other % 3 > 0 ? inThreads : present, pick);
    if (!comment) return null;
    const actor = luck > 7 ? who : luck > 4 ? comment.post.by : comment.by;
    const args = { commentId: labelOf.comment(comment) };
    const act = () => model.deleteComment(actor, comment);
    return { who: actor, route: 'DELETE /comments/{commentId}', args, act };
  },
  deletePost: (model, { who, pick, luck }) => {
    const post = mostlySeen(model, who, pick, luck);
    if (!post) return null;
    const actor = luck > 8 ? who : post.by;
    const act = () => model.deletePost(actor, post);
    return { who: actor, route: 'DELETE /posts/{postId}', args: about(post), act };
  },
  vote: (model, { who, pick, luck }) => {
    const post = mostlySeen(model, who, pick, luck, (one) => !hasVoted(who, one));
    const act = (seen: Post) => () => model.vote(who, seen);
    const route = 'POST /posts/{postId}/vote';
    return post && { who, route, args: { ...about(post), position: 'left' }, act: act(post) };
  },
  fold: () => ({ chore: 'fold votes' }),
  shareToFeed: (model, { who, pick, luck }) => {
    const post = mostlySeen(model, who, pick, luck);
    const act = (seen: Post) => () => model.shareToFeed(who, seen);
    return post && { who, route: 'POST /posts/{postId}/share/feed', args: about(post), act: act(post) };
  },
  shareToHubs: (model, { who, pick, other, luck }) => {
    const post = mostlySeen(model, who, pick, luck, isShareable);
    if (!post) return null;
    const isFaultless = model.sees(who, post) && isShareable(post);
    const hubIds = hubsFor(model, who, other, luck === MAX_LUCK - 1 && isFaultless);
    return hubIds.length === 0 ? null : sharing(model, who, post, hubIds);
  },
  shareAgain: (model, { who, pick }) => {
    const isThere = (post: Post) => hubsOf(post).some((hub) => model.isIn(who, hub));
    const post = latest(
      model.posts.filter((one) => model.sees(who, one) && isShareable(one) && isThere(one)),
      pick,
    );
    return (
      post &&
      sharing(
        model,
        who,
        post,
        hubsOf(post).filter((hub) => model.isIn(who, hub)),
      )
    );
  },
  save: (model, { who, pick, luck }) => {
    const post = mostlySeen(model, who, pick, luck);
    const act = (seen: Post) => () => model.save(who, seen);
    return post && { who, route: 'POST /posts/{postId}/save', args: about(post), act: act(post) };
  },
  unsave: (model, { who, pick }) => {
    const post = latest(
      model.posts.filter(({ saves }) => saves.has(who)),
      pick,
    );
    const act = (saved: Post) => () => model.unsave(who, saved);
    return post && { who, route: 'DELETE /posts/{postId}/save', args: about(post), act: act(post) };
  },
  follow: (model, { who, pick }) => {
    const isFree = (whom: Name) => !model.areEstranged(who, whom) && !model.isFollowing(who, whom);
    const whom = among(others(model, who, 2).filter(isFree), pick);
    if (!whom || LEVELS[who] < 2) return null;
    const act = () => model.follows.push([who, whom]);
    return { who, route: 'POST /users/{userId}/follow', args: { userId: whom }, act };
  },
  unfollow: (model, { pick }) => {
    const pair = latest(
      model.follows.filter((names) => !names.some((name) => model.ended.has(name))),
      pick,
    );
    if (!pair) return null;
    const [who, userId] = pair;
    const act = () => {
      model.follows = model.follows.filter((one) => one !== pair);
    };
    return { who, route: 'DELETE /users/{userId}/follow', args: { userId }, act };
  },
  block: (model, { who, pick }) => {
    const whom = among(
      others(model, who, 2).filter((name) => !model.areEstranged(who, name)),
      pick,
    );
    if (!whom || LEVELS[who] < 1 || model.blocks.length > 3) return null;
    const act = () => model.block(who, whom);
    return { who, route: 'POST /users/{userId}/block', args: { userId: whom }, act };
  },
  unblock: (model, { pick }) => {
    const pair = latest(
      model.blocks.filter((names) => !names.some((name) => model.ended.has(name))),
      pick,
    );
    if (!pair) return null;
    const [who, userId] = pair;
    const act = () => {
      model.blocks = model.blocks.filter((one) => one !== pair);
    };
    return { who, route: 'DELETE /users/{userId}/block', args: { userId }, act };
  },
  join: (model, { who, pick }) => {
    const hub = among(
      HUBS.filter((one) => !model.isIn(who, one)),
      pick,
    );
    return hub && LEVELS[who] === 4 ? { chore: 'join', who, hub } : null;
  },
  leave: (model, { who, pick }) => {
    const hub = among(hubsWithOthers(model, who), pick);
    return hub && { chore: 'leave', who, hub };
  },
  end: (model, { who }) => {
    const isAlone =
      HUBS.some((hub) => model.isIn(who, hub)) &&
      hubsWithOthers(model, who).length < hubsIn(model, who).length;
    if (isAlone || LEVELS[who] < 2 || model.ended.size > 1 || model.posts.length < 7) return null;
    return { who, route: 'DELETE /users/me', args: {}, act: () => model.ended.add(who) };
  },
  finish: ({ ended }) => (ended.size > 0 ? { chore: 'finish account deletions' } : null),
  pass: (model, { other }) => {
    const seconds = among(PAUSES, other) ?? MINUTE;
    return model.now + seconds < LATEST ? { chore: 'pass', seconds } : null;
  },
};

function commenting(model: FeedModel, who: Name, post: Post, parent: Comment | null): Request {
  const parentCommentId = parent && labelOf.comment(parent);
  const args = { ...about(post), text: 'Well.', ...(parentCommentId && { parentCommentId }) };
  const act = () => model.comment(who, post, parent);
  return { who, route: 'POST /posts/{postId}/comments', args, act };
}

function sharing(model: FeedModel, who: Name, post: Post, hubIds: readonly Hub[]): Request {
  const act = () => {
    const added = model.shareToHubs(who, post, hubIds);
    return { created: hubIds.map((hub) => `${hub} ${added.includes(hub)}`) };
  };
  return { who, route: 'POST /posts/{postId}/share/hubs', args: { ...about(post), hubIds }, act };
}

/** Where `who` publishes; in public where they are in no Hub. */
function destination(model: FeedModel, who: Name, pick: number, other: number, isForeign: boolean) {
  const hubs = hubsFor(model, who, pick, isForeign);
  const visibility: Visibility = (hubs.length > 0 && among(VISIBILITIES, other)) || 'public';
  return { visibility, hubIds: visibility === 'public' ? null : hubs };
}

/** One or two Hubs of `who`; one of others where it `isForeign`. */
function hubsFor(model: FeedModel, who: Name, pick: number, isForeign: boolean): Hub[] {
  const own = hubsIn(model, who);
  const turned = [...own.slice(pick % 3), ...own.slice(0, pick % 3)];
  const foreign = isForeign ? HUBS.filter((hub) => !own.includes(hub)).slice(0, 1) : [];
  return [...turned.slice(0, 1 + (pick % 2)), ...foreign];
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

/** A post that `who` sees, and that is apt, mostly. */
function mostlySeen(
  model: FeedModel,
  who: Name,
  pick: number,
  luck: number,
  isApt = (_: Post) => true,
): Post | null {
  const isSeen = (post: Post) => model.sees(who, post) && (luck === 1 || isApt(post));
  return latest(mostly(model.posts, isSeen, luck), pick);
}

function isOpen(post: Post): boolean {
  return !isPrivate(post);
}

/** One of `things`, going round. */
function among<T>(things: readonly T[], place: number): T | null {
  return things[place % things.length] ?? null;
}

/** One of `things`, going round from the newest. */
function latest<T>(things: readonly T[], place: number): T | null {
  return things[things.length - 1 - (place % things.length)] ?? null;
}

/** Mostly those of `things` that are apt; now and then all. */
function mostly<T>(things: readonly T[], isApt: (thing: T) => boolean, luck: number): readonly T[] {
  return luck === 0 ? things : things.filter(isApt);
}

/** What `choice` means by now, null where it means nothing. */
export function meaningOf(model: FeedModel, choice: Choice): Request | Chore | null {
  const { move, luck, other } = choice;
  const level = luck > 9 ? 1 : (TAKES[move] ?? 1);
  const isAble = (name: Name) => !model.ended.has(name) && LEVELS[name] >= level;
  const who = isAble(choice.who) ? choice.who : among(CAST.filter(isAble), other);
  const meaning = who && MOVES[move](model, { ...choice, who });
  return meaning && 'who' in meaning && model.ended.has(meaning.who) ? null : meaning;
}

/** Who founds which Hub, and who is in it beside them. */
export const FOUNDERS = { Elm: 'Maya', Oak: 'Ines', Ash: 'Amara' } as const satisfies Record<Hub, Name>;
export const FIRST_MEMBERS: readonly (readonly [Name, Hub])[] = [
  ['Amara', 'Elm'],
  ['Jonas', 'Elm'],
  ['Maya', 'Oak'],
  ['Ines', 'Ash'],
];

/** How every history begins: with a post of each visibility, one of them by somebody who is in no Hub. */
export const OPENING: readonly Choice[] = [
  { move: 'publish', who: 'Jonas', pick: 0, other: 3, luck: 5 },
  { move: 'publish', who: 'Ines', pick: 1, other: 3, luck: 5 },
  { move: 'publish', who: 'Maya', pick: 0, other: 2, luck: 5 },
  { move: 'publish', who: 'Tariq', pick: 0, other: 0, luck: 5 },
];

const people: Record<Name, number> = {
  ...{ Maya: 5, Amara: 5, Jonas: 5, Ines: 4, Tariq: 3, Nora: 2, Anonymous: 1, Guest: 0 },
};
const place = fc.nat({ max: MAX_LUCK });
const drawn = <T extends string>(weights: Record<T, number>) =>
  fc.oneof(
    ...Object.entries<number>(weights)
      .filter(([, weight]) => weight > 0)
      .map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as T) })),
  );

/** A move of somebody's, mostly one that they may make. */
export const choice: fc.Arbitrary<Choice> = fc.record({
  move: drawn(WEIGHTS),
  who: drawn(people),
  // Mostly one of the newest, so that much happens to the same things.
  pick: fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: place }),
  other: place,
  luck: place,
});
