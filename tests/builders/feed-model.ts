/**
 * What the specification says of posts and feeds, in memory and by names: who sees what, where it stands in which feed,
 * and why. It keeps what people did and asks it anew each time. It knows seconds, and no other clock.
 */
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
} from './feed-things.ts';
import { conflict, forbidden, no, Refusal } from './model-answers.ts';

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
    if (parent && (parent.post !== post || parent.isDeleted || !this.seesComment(by, parent)))
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
    if (comment.isDeleted || post.isDeleted || (who !== by && !this.seesComment(who, comment)))
      throw no('COMMENT');
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

  /** @returns the Hubs in which it was not yet */
  shareToHubs(by: Name, post: Post, hubs: readonly Hub[]): Hub[] {
    this.see(by, post, 4);
    if (!hubs.every((hub) => this.isIn(by, hub))) throw forbidden();
    if (!isShareable(post)) throw conflict('POST_NOT_SHAREABLE');
    const added = hubs.filter((hub) => !hubsOf(post).includes(hub));
    for (const hub of added) post.hubShares.push({ by, at: this.now, hub });
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

  /** What was deleted is seen as long as it has replies, without its author. */
  seesComment(who: Name, comment: Comment): boolean {
    const { by, post, root, isDeleted } = comment;
    if (!this.sees(who, post) || (root && !this.seesComment(who, root))) return false;
    return isDeleted
      ? this.repliesTo(comment).length > 0
      : !this.ended.has(by) && !this.areEstranged(who, by);
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

  hubFeed(who: Name, hub: Hub): Entry[] {
    if (!this.isIn(who, hub)) throw forbidden();
    const isTarget = ({ targets }: Post) => targets.includes(hub);
    return this.#entries(
      who,
      (post) => (isTarget(post) ? [post.at] : timesOf(post.hubShares.filter((share) => share.hub === hub))),
      (post) => (isTarget(post) ? 'joined_hub_post' : 'shared_to_hub'),
    );
  }

  homeFeed(who: Name): Entry[] {
    if (this.#hasSources(who)) {
      return this.#entries(
        who,
        (post) => Object.values(this.#reasons(who, post)).flat(),
        (post) => this.#contextOf(who, post),
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
    const isAuthor = this.posts.some((post) => post.by === who && this.isThere(post));
    const isMember = HUBS.some((hub) => this.isIn(who, hub));
    return isAuthor || isMember || this.follows.some(([follower]) => follower === who);
  }

  /** Why a post is in the home feed of `who`, and since when: in the order of the reasons. */
  #reasons(who: Name, post: Post) {
    const acts = isPrivate(post)
      ? []
      : [...post.votes, ...this.commentsOn(post), ...this.repostsOf(post), ...post.feedShares];
    const shares = post.hubShares.filter(({ by, hub }) => by !== who && this.isIn(who, hub));
    const published = (isReason: boolean) => (isReason ? [post.at] : []);
    return {
      own_post: published(!isPrivate(post) && post.by === who),
      followed_author: published(!isPrivate(post) && this.isFollowing(who, post.by)),
      hub_co_member_author: published(!isPrivate(post) && this.shareAHub(who, post.by)),
      joined_hub_post: published(post.targets.some((hub) => this.isIn(who, hub))),
      friend_interaction: timesOf(acts.filter(({ by, at }) => at <= this.now && this.#isFriend(who, by))),
      shared_to_hub: timesOf(shares),
    };
  }

  #isFriend(who: Name, other: Name): boolean {
    if (who === other || this.ended.has(other) || this.areEstranged(who, other)) return false;
    return this.isFollowing(who, other) || this.shareAHub(who, other);
  }

  #contextOf(who: Name, post: Post): string {
    const reasons = Object.entries(this.#reasons(who, post)).filter(([, times]) => times.length > 0);
    return post.by === who ? 'own_post' : (reasons[0]?.[0] ?? 'none');
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

  /** What there was of `feed` in the last week, the hottest first. */
  trending(feed: readonly Entry[]): Entry[] {
    const recent = feed.filter(({ at }) => at > this.now - WEEK);
    return recent.sort((one, other) => heatOf(other.post) - heatOf(one.post));
  }
}

/** Of all that was ever done with a post in the open, also of what was undone: half of it is left after half a day. */
function heatOf({ at, votes, comments, feedShares, reposts }: Post): number {
  const folds = votes.flatMap(({ foldedAt }) => foldedAt ?? []);
  const [twos, threes] = [timesOf([...comments, ...feedShares]), timesOf(reposts)];
  const times = [at, ...folds, ...twos, ...twos, ...threes, ...threes, ...threes];
  return times.map((time) => 2 ** (time / HALF_LIFE)).reduce((sum, heat) => sum + heat);
}
