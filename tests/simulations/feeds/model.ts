/**
 * The rules of posts and feeds (docs/product.md PO, F), in memory and by names: who sees what, where it stands in which feed,
 * and why. It keeps what people did and asks it anew each time. It knows seconds, and no other clock.
 */

import { conflict, forbidden, no, Refusal } from '../../support/model-answers.ts';
import {
  type Comment,
  DEFAULT_FEED_USERS,
  type Entry,
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
  requireLevel,
  timesOf,
  type Visibility,
  VOTE_DELAY,
} from './things.ts';

const WEEK = 7 * 86_400;
const HALF_LIFE = 12 * 3600;

export class FeedModel {
  now = 0;
  readonly posts: Post[] = [];
  readonly comments: Comment[] = [];
  /** Who follows whom, who blocks whom, who is in which Hub. */
  follows: (readonly [Name, Name])[] = [];
  blocks: (readonly [Name, Name])[] = [];
  members: (readonly [Name, Hub])[] = [];
  readonly ended = new Set<Name>();

  publish(by: Name, visibility: Visibility, targets: readonly Hub[], source: Post | null = null): Post {
    requireLevel(by, visibility === 'public' ? 3 : 4);
    if (source) this.see(by, source);
    if (source && !isRepostable(source)) throw conflict('REPOST_NOT_ALLOWED');
    if (!targets.every((hub) => this.isIn(by, hub))) throw forbidden();
    const done = { hubShares: [], reposts: [], comments: [], votes: [], feedShares: [], saves: new Map() };
    const id = this.posts.length + 1;
    const post = { id, by, at: this.now, visibility, targets, source, isDeleted: false, ...done };
    this.posts.push(post);
    source?.reposts.push(post);
    return post;
  }

  deletePost(who: Name, post: Post): void {
    this.see(who, post, 1);
    if (post.by !== who) throw forbidden();
    post.isDeleted = true;
  }

  comment(by: Name, post: Post, parent: Comment | null): Comment {
    this.see(by, post, 2);
    if (isPrivate(post)) throw forbidden();
    if (parent && (parent.post !== post || this.isNameless(parent) || !this.seesComment(by, parent)))
      throw no('COMMENT');
    const id = this.comments.length + 1;
    const comment = { id, post, by, at: this.now, root: parent?.root ?? parent, isDeleted: false };
    this.comments.push(comment);
    post.comments.push(comment);
    return comment;
  }

  deleteComment(who: Name, comment: Comment): void {
    requireLevel(who, 1);
    const { by, post } = comment;
    // Everybody takes back their own words, wherever they are.
    const isSeen = who === by || (!this.isNameless(comment) && this.seesComment(who, comment));
    if (comment.isDeleted || post.isDeleted || !isSeen) throw no('COMMENT');
    if (who !== by && who !== post.by) throw forbidden();
    comment.isDeleted = true;
  }

  vote(by: Name, post: Post): void {
    this.see(by, post, 2);
    if (!this.mayVote(by, post)) throw new Refusal(403, 'VOTE_NOT_ALLOWED');
    if (hasVoted(by, post)) throw conflict('VOTE_ALREADY_CAST');
    post.votes.push({ by, at: this.now + VOTE_DELAY });
  }

  /** Whether a vote of theirs would count anywhere. */
  mayVote(who: Name, post: Post): boolean {
    return !isPrivate(post) || hubsOf(post).some((hub) => this.isIn(who, hub));
  }

  foldVotes(): void {
    for (const vote of this.posts.flatMap(({ votes }) => votes)) vote.foldedAt ??= this.now;
  }

  shareToFeed(by: Name, post: Post): void {
    this.see(by, post, 2);
    post.feedShares.push({ by, at: this.now });
  }

  /** Moves a post up in the Hubs in which it is, unless `by` shared it there last. @returns the Hubs in which it was not */
  shareToHubs(by: Name, post: Post, hubs: readonly Hub[]): Hub[] {
    this.see(by, post, 4);
    if (!hubs.every((hub) => this.isIn(by, hub))) throw forbidden();
    if (!isShareable(post)) throw conflict('POST_NOT_SHAREABLE');
    const added = hubs.filter((hub) => !hubsOf(post).includes(hub));
    const lastIn = (hub: Hub) => post.hubShares.findLast((share) => share.hub === hub) ?? post;
    for (const hub of hubs) {
      if (added.includes(hub) || lastIn(hub).by !== by) post.hubShares.push({ by, at: this.now, hub });
    }
    return added;
  }

  save(by: Name, post: Post): void {
    this.see(by, post, 2);
    post.saves.set(by, post.saves.get(by) ?? this.now);
  }

  unsave(by: Name, post: Post): void {
    this.see(by, post, 2);
    post.saves.delete(by);
  }

  block(who: Name, whom: Name): void {
    this.blocks.push([who, whom]);
    this.follows = this.follows.filter((pair) => !(pair.includes(who) && pair.includes(whom)));
  }

  isIn(who: Name, hub: Hub): boolean {
    return !this.ended.has(who) && this.members.some(([name, its]) => name === who && its === hub);
  }

  isFollowing(who: Name, whom: Name): boolean {
    return !this.ended.has(whom) && this.follows.some(([one, other]) => one === who && other === whom);
  }

  shareAHub(one: Name, other: Name): boolean {
    return one !== other && HUBS.some((hub) => this.isIn(one, hub) && this.isIn(other, hub));
  }

  areEstranged(one: Name, other: Name): boolean {
    return one !== other && this.blocks.some((pair) => pair.includes(one) && pair.includes(other));
  }

  /** Whether `who` finds `whom` by name. */
  finds(who: Name, whom: Name): boolean {
    return LEVELS[whom] >= 2 && !this.ended.has(whom) && !this.areEstranged(who, whom);
  }

  isThere(post: Post): boolean {
    return !post.isDeleted && !this.ended.has(post.by);
  }

  sees(who: Name, post: Post): boolean {
    if (!this.isThere(post) || this.areEstranged(who, post.by)) return false;
    return post.by === who || !isPrivate(post) || hubsOf(post).some((hub) => this.isIn(who, hub));
  }

  /** Refuses `who` a post that they do not see, or for which they lack the level. */
  see(who: Name, post: Post, level = 0): void {
    requireLevel(who, level);
    if (!this.sees(who, post)) throw no('POST');
  }

  /** Whether its author's phone number is on the card: both are in the one Hub in which it is locked. */
  showsPhone(who: Name, post: Post): boolean {
    return !isShareable(post) && post.targets.every((hub) => this.isIn(who, hub) && this.isIn(post.by, hub));
  }

  repostsOf(post: Post): Post[] {
    return post.reposts.filter((frame) => this.isThere(frame));
  }

  frames(who: Name, seed: Post): Post[] {
    this.see(who, seed);
    const original = seed.source ?? seed;
    return [original, ...original.reposts].filter((frame) => this.sees(who, frame));
  }

  commentsOn(post: Post): Comment[] {
    return post.comments.filter(({ isDeleted }) => !isDeleted);
  }

  repliesTo(root: Comment): Comment[] {
    return this.commentsOn(root.post).filter((reply) => reply.root === root);
  }

  /** Whether a comment has no author and no text any more: it was deleted, or the account of its author has ended. */
  isNameless({ by, isDeleted }: Comment): boolean {
    return isDeleted || this.ended.has(by);
  }

  /** A nameless comment is seen where it has replies: those one sees, as long as Opine still knows its author. */
  seesComment(who: Name, comment: Comment): boolean {
    const { by, post, root, isDeleted } = comment;
    if (!this.sees(who, post) || (root && !this.seesThread(who, root))) return false;
    if (isDeleted) return this.repliesTo(comment).length > 0;
    if (this.areEstranged(who, by)) return false;
    return !this.ended.has(by) || this.repliesTo(comment).some((reply) => this.seesComment(who, reply));
  }

  seesThread(who: Name, root: Comment): boolean {
    return root.isDeleted || !this.areEstranged(who, root.by);
  }

  /** The comments on a post, or those of one thread. */
  commentsSeenBy(who: Name, post: Post, root: Comment | null): Comment[] {
    this.see(who, post);
    if (isPrivate(post)) throw forbidden();
    if (root && (root.root || root.post !== post || !this.seesComment(who, root))) throw no('COMMENT');
    return post.comments.filter((comment) => comment.root === root && this.seesComment(who, comment));
  }

  savedBy(who: Name): Entry[] {
    requireLevel(who, 2);
    return this.#entries(who, ({ saves }) => [saves.get(who) ?? []].flat());
  }

  profileFeed(who: Name, owner: Name): Entry[] {
    const isBlocked = this.blocks.some(([blocker, blocked]) => blocker === owner && blocked === who);
    if (isBlocked || this.ended.has(owner) || LEVELS[owner] < 2) throw no('USER');
    return this.#entries(who, (post) => {
      const shares = post.feedShares.filter(({ by }) => by === owner);
      return timesOf(post.by === owner && !isPrivate(post) ? [post, ...shares] : shares);
    });
  }

  /** @param until when the last share counts: a walk through a Hub stays as it began */
  hubFeed(who: Name, hub: Hub, until = this.now): Entry[] {
    if (!this.isIn(who, hub)) throw forbidden();
    return this.#entries(
      who,
      (post) => this.#placings(post, hub).filter((at) => at <= until),
      (post) => (post.targets.includes(hub) ? 'joined_hub_post' : 'shared_to_hub'),
    );
  }

  /** When a post was placed in a Hub, and shared there. */
  #placings(post: Post, hub: Hub): number[] {
    const shares = timesOf(post.hubShares.filter((share) => share.hub === hub));
    return post.targets.includes(hub) ? [post.at, ...shares] : shares;
  }

  /** @param until when the last event counts: a trending walk stays as it began */
  homeFeed(who: Name, until = this.now): Entry[] {
    if (this.#hasSources(who)) {
      return this.#entries(
        who,
        (post) => this.#homeTimes(who, post, until),
        (post) => this.#homeContext(who, post),
      );
    }
    const isChosen = (post: Post) => !isPrivate(post) && DEFAULT_FEED_USERS.includes(post.by);
    return this.#entries(
      who,
      (post) => (isChosen(post) && post.at <= until ? [post.at] : []),
      () => 'default_feed_user',
    );
  }

  #hasSources(who: Name): boolean {
    const isAuthor = this.posts.some((post) => post.by === who && this.isThere(post));
    const isMember = HUBS.some((hub) => this.isIn(who, hub));
    return isAuthor || isMember || this.follows.some(([follower]) => follower === who);
  }

  /** What placed a post in the home feed of `who`; their own shares into Hubs only where nothing else did. */
  #homeTimes(who: Name, post: Post, until: number): number[] {
    const isTarget = post.targets.some((hub) => this.isIn(who, hub));
    const isByFriend = !isPrivate(post) && (post.by === who || this.#isSource(who, post.by));
    const [own, others] = [this.#sharesFor(who, post, true), this.#sharesFor(who, post, false)];
    const publications = isTarget || isByFriend ? [post.at] : [];
    const times = [...publications, ...this.#friendActs(who, post), ...others].filter((at) => at <= until);
    return times.length > 0 ? times : own.filter((at) => at <= until);
  }

  /** The first reason that applies, in the order of docs/product.md F10. */
  #homeContext(who: Name, post: Post): string {
    if (post.by === who) return 'own_post';
    if (!isPrivate(post) && this.isFollowing(who, post.by)) return 'followed_author';
    if (!isPrivate(post) && this.shareAHub(who, post.by)) return 'hub_co_member_author';
    if (post.targets.some((hub) => this.isIn(who, hub))) return 'joined_hub_post';
    if (this.#friendActs(who, post).some((at) => at <= this.now)) return 'friend_interaction';
    return post.hubShares.some(({ hub }) => this.isIn(who, hub)) ? 'shared_to_hub' : 'none';
  }

  /** When those whom `who` follows, or shares a Hub with, did something with a post. */
  #friendActs(who: Name, post: Post): number[] {
    if (isPrivate(post)) return [];
    const acts = [...post.votes, ...this.commentsOn(post), ...this.repostsOf(post), ...post.feedShares];
    return timesOf(acts.filter(({ by }) => !this.areEstranged(who, by) && this.#isSource(who, by)));
  }

  /** When a post was shared into Hubs of `who`, by themselves or by others. */
  #sharesFor(who: Name, post: Post, isOwn: boolean): number[] {
    return timesOf(post.hubShares.filter(({ by, hub }) => this.isIn(who, hub) && (by === who) === isOwn));
  }

  #isSource(who: Name, other: Name): boolean {
    if (who === other || this.ended.has(other)) return false;
    return this.isFollowing(who, other) || this.shareAHub(who, other);
  }

  /** Every post that has a time and that `who` sees, the newest first; of the same instant, the one of the higher id. */
  #entries(
    who: Name,
    timesOf: (post: Post) => readonly number[],
    contextOf?: (post: Post) => string,
  ): Entry[] {
    const seen = this.posts.filter((post) => this.sees(who, post) && timesOf(post).length > 0);
    const entries = seen.map((post) => ({
      post,
      at: Math.max(...timesOf(post)),
      ...(contextOf && { context: contextOf(post) }),
    }));
    return entries.sort((one, other) => other.at - one.at || other.post.id - one.post.id);
  }

  /** `feed` as it trends: first what had activity in the seven days before `began`, ranked (at: infinite), then the rest. */
  trending(feed: readonly Entry[], began = this.now): Entry[] {
    const isActive = ({ post }: Entry) => activityOf(post, began).some(({ at }) => at > began - WEEK);
    const active = feed.filter(isActive).map((entry) => ({ ...entry, at: Number.POSITIVE_INFINITY }));
    const score = ({ post }: Entry) => scoreOf(post, began);
    active.sort((one, other) => score(other) - score(one) || other.post.id - one.post.id);
    return [...active, ...feed.filter((entry) => !isActive(entry))];
  }
}

/** All that was done with a post up to `until`, also what was undone, and how much it weighs. */
function activityOf({ votes, comments, feedShares, reposts }: Post, until: number) {
  const weighing = (weight: number, times: readonly number[]) => times.map((at) => ({ at, weight }));
  return [
    ...weighing(
      1,
      votes.flatMap(({ foldedAt }) => foldedAt ?? []),
    ),
    ...weighing(2, timesOf([...comments, ...feedShares])),
    ...weighing(3, timesOf(reposts)),
  ].filter(({ at }) => at <= until);
}

/** Half of what an activity adds is left after half a day. */
function scoreOf(post: Post, until: number): number {
  return activityOf(post, until).reduce((sum, { at, weight }) => sum + weight * 2 ** (at / HALF_LIFE), 0);
}
