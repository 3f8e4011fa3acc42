import { conflict, forbidden, notFound, Refusal } from '../../support/models.ts';
import {
  type Activity,
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
} from './entities.ts';

const WEEK = 7 * 86_400;
const HALF_LIFE = 12 * 3600;

/**
 * The rules of posts and feeds (docs/product.md PO, F) in memory: who sees which post, where it is in which feed, and why.
 * It stores what people did and computes every view from that. Time counts in seconds.
 */
export class FeedModel {
  now = 0;
  readonly posts: Post[] = [];
  readonly comments: Comment[] = [];
  follows: (readonly [Name, Name])[] = [];
  blocks: (readonly [Name, Name])[] = [];
  members: (readonly [Name, Hub])[] = [];
  /** The founders of Hubs who have never left. */
  readonly admins = new Map<Hub, Name>();
  readonly ended = new Set<Name>();

  publish(by: Name, visibility: Visibility, targets: readonly Hub[], source: Post | null = null): Post {
    requireLevel(by, visibility === 'public' ? 3 : 4);
    if (source) this.requireVisible(by, source);
    if (source && !isRepostable(source)) throw conflict('REPOST_NOT_ALLOWED');
    if (!targets.every((hub) => this.isIn(by, hub))) throw forbidden();
    const done = { hubShares: [], reposts: [], comments: [], votes: [], feedShares: [], saves: new Map() };
    const id = this.posts.length + 1;
    const post = {
      id,
      by,
      at: this.now,
      visibility,
      targets,
      source,
      isDeleted: false,
      ...done,
    };
    this.posts.push(post);
    source?.reposts.push(post);
    return post;
  }

  deletePost(who: Name, post: Post): void {
    this.requireVisible(who, post, 1);
    if (post.by !== who) throw forbidden();
    post.isDeleted = true;
  }

  removeFromHub(who: Name, hub: Hub, post: Post): void {
    requireLevel(who, 4);
    if (!this.isIn(who, hub)) throw notFound('POST');
    if (!this.isAdmin(who, hub)) throw forbidden();
    // Neither blocks nor ended accounts keep an admin from it.
    if (post.isDeleted || !hubsOf(post).includes(hub)) throw notFound('POST');
    post.targets = post.targets.filter((target) => target !== hub);
    post.hubShares = post.hubShares.filter((share) => share.hub !== hub);
  }

  comment(by: Name, post: Post, parent: Comment | null): Comment {
    this.requireVisible(by, post, 2);
    if (isPrivate(post)) throw forbidden();
    if (parent && (parent.post !== post || this.isAnonymised(by, parent) || !this.seesComment(by, parent)))
      throw notFound('COMMENT');
    if (parent?.root && !this.isOpenThread(by, parent.root)) throw notFound('COMMENT');
    const id = this.comments.length + 1;
    const comment = { id, post, by, at: this.now, root: parent?.root ?? parent, isDeleted: false };
    this.comments.push(comment);
    post.comments.push(comment);
    return comment;
  }

  deleteComment(who: Name, comment: Comment): void {
    requireLevel(who, 1);
    const { by, post } = comment;
    // An author may delete a comment on a post that they no longer see.
    const isSeen = who === by || (!this.isAnonymised(who, comment) && this.seesComment(who, comment));
    if (comment.isDeleted || post.isDeleted || !isSeen) throw notFound('COMMENT');
    if (who !== by && who !== post.by) throw forbidden();
    comment.isDeleted = true;
  }

  vote(by: Name, post: Post): void {
    this.requireVisible(by, post, 2);
    if (!this.mayVote(by, post)) throw new Refusal(403, 'VOTE_NOT_ALLOWED');
    if (hasVoted(by, post)) throw conflict('VOTE_ALREADY_CAST');
    post.votes.push({ by, at: this.now + VOTE_DELAY });
  }

  /** Returns whether a vote of `who` counts in some scope. */
  mayVote(who: Name, post: Post): boolean {
    return !isPrivate(post) || hubsOf(post).some((hub) => this.isIn(who, hub));
  }

  foldVotes(): void {
    for (const vote of this.posts.flatMap(({ votes }) => votes)) vote.foldedAt ??= this.now;
  }

  shareToFeed(by: Name, post: Post): void {
    this.requireVisible(by, post, 2);
    post.feedShares.push({ by, at: this.now });
  }

  /**
   * Shares a post into Hubs; a repeated share moves it up unless `by` shared it last.
   * @returns the Hubs that the post is new in
   */
  shareToHubs(by: Name, post: Post, hubs: readonly Hub[]): Hub[] {
    this.requireVisible(by, post, 4);
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
    this.requireVisible(by, post, 2);
    post.saves.set(by, post.saves.get(by) ?? this.now);
  }

  unsave(by: Name, post: Post): void {
    requireLevel(by, 2);
    if (post.isDeleted) throw notFound('POST');
    if (!post.saves.delete(by) && isPrivate(post)) this.requireVisible(by, post);
  }

  block(who: Name, whom: Name): void {
    this.blocks.push([who, whom]);
    this.follows = this.follows.filter((pair) => !(pair.includes(who) && pair.includes(whom)));
  }

  isIn(who: Name, hub: Hub): boolean {
    return !this.ended.has(who) && this.members.some(([name, its]) => name === who && its === hub);
  }

  isAdmin(who: Name, hub: Hub): boolean {
    return this.isIn(who, hub) && this.admins.get(hub) === who;
  }

  isFollowing(who: Name, whom: Name): boolean {
    return !this.ended.has(whom) && this.follows.some(([one, other]) => one === who && other === whom);
  }

  shareAHub(one: Name, other: Name): boolean {
    return one !== other && HUBS.some((hub) => this.isIn(one, hub) && this.isIn(other, hub));
  }

  isBlockedPair(one: Name, other: Name): boolean {
    return one !== other && this.blocks.some((pair) => pair.includes(one) && pair.includes(other));
  }

  /** Returns whether a search by `who` finds `whom`. */
  finds(who: Name, whom: Name): boolean {
    return LEVELS[whom] >= 2 && !this.ended.has(whom) && !this.isBlockedPair(who, whom);
  }

  exists(post: Post): boolean {
    return !post.isDeleted && !this.ended.has(post.by);
  }

  sees(who: Name, post: Post): boolean {
    if (!this.exists(post) || this.isBlockedPair(who, post.by)) return false;
    return post.by === who || !isPrivate(post) || hubsOf(post).some((hub) => this.isIn(who, hub));
  }

  /** @throws Refusal unless `who` has the level and sees the post */
  requireVisible(who: Name, post: Post, level = 0): void {
    requireLevel(who, level);
    if (!this.sees(who, post)) throw notFound('POST');
  }

  /** Returns whether the card has the author's phone number: both are members of the only Hub of a private post. */
  showsPhone(who: Name, post: Post): boolean {
    return !isShareable(post) && post.targets.some((hub) => this.isIn(who, hub) && this.isIn(post.by, hub));
  }

  repostsOf(post: Post): Post[] {
    return post.reposts.filter((frame) => this.exists(frame));
  }

  frames(who: Name, seed: Post): Post[] {
    this.requireVisible(who, seed);
    const original = seed.source ?? seed;
    return [original, ...original.reposts].filter((frame) => this.sees(who, frame));
  }

  commentsOn(post: Post): Comment[] {
    return post.comments.filter(({ isDeleted }) => !isDeleted);
  }

  /** Returns the comments that count: a block hides comments of its pair under posts of each other from everybody. */
  countedOn(post: Post): Comment[] {
    return this.commentsOn(post).filter((comment) => !this.isHidden(comment));
  }

  repliesTo(root: Comment): Comment[] {
    return this.countedOn(root.post).filter((reply) => reply.root === root);
  }

  isHidden({ by, post, isDeleted }: Comment): boolean {
    return !isDeleted && this.isBlockedPair(by, post.by);
  }

  /** Returns whether a comment has neither author nor text for `who`: deleted, hidden, or by somebody hidden from them. */
  isAnonymised(who: Name, comment: Comment): boolean {
    const { by, isDeleted } = comment;
    return isDeleted || this.ended.has(by) || this.isHidden(comment) || this.isBlockedPair(who, by);
  }

  /** A deleted comment shows only above replies; any other anonymised one, above visible replies. */
  seesComment(who: Name, comment: Comment): boolean {
    const { post, root, isDeleted } = comment;
    if (!this.sees(who, post) || !this.seesThread(who, root ?? comment)) return false;
    if (isDeleted) return this.repliesTo(comment).length > 0;
    if (!this.isAnonymised(who, comment)) return true;
    return this.repliesTo(comment).some((reply) => this.seesComment(who, reply));
  }

  /** One's own words open a thread of the other person of a block. */
  seesThread(who: Name, root: Comment): boolean {
    return this.isOpenThread(who, root) || this.repliesTo(root).some(({ by }) => by === who);
  }

  isOpenThread(who: Name, root: Comment): boolean {
    return root.isDeleted || this.isHidden(root) || !this.isBlockedPair(who, root.by);
  }

  /** Returns the visible comments of a post, or the replies of one thread. */
  commentsSeenBy(who: Name, post: Post, root: Comment | null): Comment[] {
    this.requireVisible(who, post);
    if (isPrivate(post)) throw forbidden();
    if (root && (root.root || root.post !== post || !this.seesComment(who, root))) throw notFound('COMMENT');
    return post.comments.filter((comment) => comment.root === root && this.seesComment(who, comment));
  }

  savedBy(who: Name): Entry[] {
    requireLevel(who, 2);
    return this.#entries(who, ({ saves }) => [saves.get(who) ?? []].flat());
  }

  profileFeed(who: Name, owner: Name): Entry[] {
    const isBlocked = this.blocks.some(([blocker, blocked]) => blocker === owner && blocked === who);
    if (isBlocked || this.ended.has(owner) || LEVELS[owner] < 2) throw notFound('USER');
    return this.#entries(who, (post) => {
      const shares = this.#isInProfile(owner, post) ? post.feedShares.filter(({ by }) => by === owner) : [];
      return timesOf(post.by === owner && !isPrivate(post) ? [post, ...shares] : shares);
    });
  }

  /** A private post that somebody shared to their feed needs a Hub of theirs that has it. */
  #isInProfile(owner: Name, post: Post): boolean {
    return !isPrivate(post) || hubsOf(post).some((hub) => this.isIn(owner, hub));
  }

  hubFeed(who: Name, hub: Hub): Entry[] {
    requireLevel(who, 4);
    if (!this.isIn(who, hub)) throw forbidden();
    return this.#entries(
      who,
      (post) => this.#placings(post, hub),
      (post) => (post.targets.includes(hub) ? 'joined_hub_post' : 'shared_to_hub'),
    );
  }

  /** Returns the times at which a post was published or shared into a Hub. */
  #placings(post: Post, hub: Hub): number[] {
    const shares = timesOf(post.hubShares.filter((share) => share.hub === hub));
    return post.targets.includes(hub) ? [post.at, ...shares] : shares;
  }

  homeFeed(who: Name): Entry[] {
    if (this.#hasSources(who)) {
      return this.#entries(
        who,
        (post) => this.#homeTimes(who, post),
        (post) => this.#homeContext(who, post),
      );
    }
    const isChosen = (post: Post) => !isPrivate(post) && DEFAULT_FEED_USERS.includes(post.by);
    return this.#entries(
      who,
      (post) => (isChosen(post) ? [post.at] : []),
      () => 'default_feed_user',
    );
  }

  #hasSources(who: Name): boolean {
    const isAuthor = this.posts.some((post) => post.by === who && this.exists(post));
    const isMember = HUBS.some((hub) => this.isIn(who, hub));
    return isAuthor || isMember || this.follows.some(([one, other]) => one === who && !this.ended.has(other));
  }

  /** Returns the times that place a post in the home feed; own shares into Hubs count only without any other. */
  #homeTimes(who: Name, post: Post): number[] {
    const isTarget = post.targets.some((hub) => this.isIn(who, hub));
    const isByFriend = !isPrivate(post) && (post.by === who || this.#isSource(who, post.by));
    const [own, others] = [this.#sharesFor(who, post, true), this.#sharesFor(who, post, false)];
    const publications = isTarget || isByFriend ? [post.at] : [];
    const times = [...publications, ...this.#activityOfSources(who, post), ...others].filter(
      (at) => at <= this.now,
    );
    return times.length > 0 ? times : own;
  }

  /** Returns the first matching reason in the order of docs/product.md F10. */
  #homeContext(who: Name, post: Post): string {
    if (post.by === who) return 'own_post';
    if (!isPrivate(post) && this.isFollowing(who, post.by)) return 'followed_author';
    if (!isPrivate(post) && this.shareAHub(who, post.by)) return 'hub_co_member_author';
    if (post.targets.some((hub) => this.isIn(who, hub))) return 'joined_hub_post';
    if (this.#activityOfSources(who, post).some((at) => at <= this.now)) return 'friend_interaction';
    return post.hubShares.some(({ hub }) => this.isIn(who, hub)) ? 'shared_to_hub' : 'none';
  }

  /** Returns the times of activity by followed users and co-members. */
  #activityOfSources(who: Name, post: Post): number[] {
    if (isPrivate(post)) return [];
    // What authors do on their own posts moves nothing, except a share to their feed.
    const activities = [...post.votes, ...this.commentsOn(post), ...this.repostsOf(post)]
      .filter(({ by }) => by !== post.by)
      .concat(post.feedShares);
    return timesOf(activities.filter(({ by }) => !this.isBlockedPair(who, by) && this.#isSource(who, by)));
  }

  /** Returns the times of shares into Hubs of `who`, their own or those of others. */
  #sharesFor(who: Name, post: Post, isOwn: boolean): number[] {
    return timesOf(post.hubShares.filter(({ by, hub }) => this.isIn(who, hub) && (by === who) === isOwn));
  }

  #isSource(who: Name, other: Name): boolean {
    if (who === other || this.ended.has(other)) return false;
    return this.isFollowing(who, other) || this.shareAHub(who, other);
  }

  /** Returns every visible post that has a time, by time and then id, descending. */
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

  /** Returns `feed` in trending order: posts active in the last seven days by score (at: infinite), then the rest. */
  trending(feed: readonly Entry[]): Entry[] {
    const isActive = ({ post }: Entry) => activityOf(post).some(({ at }) => at > this.now - WEEK);
    const active = feed.filter(isActive).map((entry) => ({ ...entry, at: Number.POSITIVE_INFINITY }));
    const score = ({ post }: Entry) => scoreOf(post);
    active.sort((one, other) => score(other) - score(one) || other.post.id - one.post.id);
    return [...active, ...feed.filter((entry) => !isActive(entry))];
  }
}

/** Returns the weighted activity on a post that counts in its trending score: what is left, never the author's. */
function activityOf({ by, votes, comments, feedShares, reposts }: Post) {
  const weigh = (weight: number, times: readonly number[]) => times.map((at) => ({ at, weight }));
  const isLeft = (one: Activity & { readonly isDeleted?: boolean }) => one.by !== by && !one.isDeleted;
  return [
    ...weigh(
      1,
      votes.filter(isLeft).flatMap(({ foldedAt }) => foldedAt ?? []),
    ),
    ...weigh(2, timesByPerson(comments.filter(isLeft)).flatMap(firstsOfWeeks)),
    ...weigh(2, timesByPerson(feedShares.filter(isLeft)).flatMap(countedShares)),
    ...weigh(3, timesByPerson(reposts.filter(isLeft)).flatMap(firstsOfWeeks)),
  ];
}

/** Returns the times of activity of each person, ascending. */
function timesByPerson(activities: readonly Activity[]): number[][] {
  const people = new Set(activities.map(({ by }) => by));
  return [...people].map((name) => timesOf(activities.filter(({ by }) => by === name)).sort((a, b) => a - b));
}

/** Returns the times without another one in the seven days before. */
function firstsOfWeeks(times: readonly number[]): number[] {
  return times.filter((at, index) => index === 0 || at > Number(times[index - 1]) + WEEK);
}

/** Returns the shares that count. A later one replaces the one before, so only those that counted are remembered. */
function countedShares(times: readonly number[]): number[] {
  const counted: number[] = [];
  for (const at of times) {
    const last = counted.at(-1);
    if (last === undefined || at > last + WEEK) counted.push(at);
  }
  return counted;
}

/** Returns the trending score: an activity loses half of its weight in twelve hours. */
function scoreOf(post: Post): number {
  return activityOf(post).reduce((sum, { at, weight }) => sum + weight * 2 ** (at / HALF_LIFE), 0);
}
