import type { Ask } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { type Answer, answerOf } from '../../support/model-answers.ts';
import type { FeedModel } from './model.ts';
import {
  CAST,
  type Comment,
  type Entry,
  HUBS,
  hasVoted,
  hubsOf,
  isPrivate,
  isRepostable,
  isShareable,
  LEVELS,
  type Name,
  type Post,
} from './things.ts';

/** What Opine calls by an id, by name. */
export type Naming = (id: unknown) => string;

/** A request by names, what it has to be answered, and the same out of what it is answered. */
export interface Look extends Ask<Name> {
  readonly kind: keyof typeof RARITY;
  readonly expect: () => Answer;
  readonly tell: (data: Json, nameOf: Naming) => unknown;
}

/** Of so many looks of a kind one is taken, by lot. */
export const RARITY = {
  ...{ home: 3, homeTrending: 7, profile: 23, hub: 23, hubTrending: 23, saved: 4 },
  ...{ detail: 23, frames: 23, comments: 13, thread: 7, search: 41 },
};

const SIZES = [[1], [2], [3, 1], [4], [7], [20], [50], [1, 50, 2]];

/** The names of things, as the model tells of them. */
export const labelOf = {
  post: ({ id }: Pick<Post, 'id'>) => `post ${id}`,
  comment: ({ id }: Pick<Comment, 'id'>) => `comment ${id}`,
};

/** What a model and Opine tell of posts and comments in the same words. */
export class Words {
  readonly #model: FeedModel;
  readonly #hasCounts: boolean;

  /** @param hasCounts whether numbers are told, which are settled only when an ended account is gone */
  constructor(model: FeedModel, hasCounts: boolean) {
    this.#model = model;
    this.#hasCounts = hasCounts;
  }

  /** A card as `who` has to see it. */
  card(who: Name, post: Post): string {
    const model = this.#model;
    const { source } = post;
    const sight = source && (model.sees(who, source) ? 'shown' : 'hidden');
    return this.#cardLine(labelOf.post(post), {
      by: post.by,
      source: source ? `${labelOf.post(source)} ${sight}` : 'none',
      counts: [model.commentsOn(post).length, model.repostsOf(post).length],
      isSaved: post.saves.has(who),
      hubs: hubsOf(post).filter((hub) => model.isIn(who, hub)),
      hasPhone: model.showsPhone(who, post),
    });
  }

  toldCard(card: Json, nameOf: Naming): string {
    const { author, sourcePost, sourcePostId } = card;
    const sight = sourcePost === null ? 'hidden' : sourcePost.isShareable ? 'shown' : 'locked';
    return this.#cardLine(nameOf(card.id), {
      by: nameOf(author.id),
      source: sourcePostId === null ? (sourcePost ?? 'none') : `${nameOf(sourcePostId)} ${sight}`,
      counts: [card.commentCount, card.repostCount],
      isSaved: card.viewerSaved,
      hubs: card.hubs.map(({ name }: Json) => name),
      hasPhone: Object.hasOwn(card, 'authorPhoneNumber'),
    });
  }

  #cardLine(label: string, { by, source, counts, isSaved, hubs, hasPhone }: Json): string {
    const [comments, reposts] = this.#hasCounts ? counts : ['some', 'some'];
    const marks = [isSaved && 'saved', hasPhone && 'phone', ...hubs.toSorted()].filter(
      (mark) => mark !== false,
    );
    return `${label} by ${by}, source ${source}, ${comments} comments, ${reposts} reposts, ${marks.join(' ')}`;
  }

  detail(who: Name, post: Post): object {
    const level = LEVELS[who];
    return {
      card: this.card(who, post),
      canVote: level >= 2 && !hasVoted(who, post) && this.#model.mayVote(who, post),
      canComment: level >= 2 && !isPrivate(post),
      canRepost: level >= 3 && isRepostable(post),
      canShareToHubs: level >= 4 && isShareable(post),
      canDelete: post.by === who,
    };
  }

  toldDetail({ permissions, ...card }: Json, nameOf: Naming): object {
    const { canVote, canComment, canRepost, canShareToHubs, canDelete } = permissions;
    return { card: this.toldCard(card, nameOf), canVote, canComment, canRepost, canShareToHubs, canDelete };
  }

  comment(comment: Comment): string {
    const by = this.#model.isNameless(comment) ? 'nobody' : comment.by;
    const root = comment.root ? labelOf.comment(comment.root) : 'none';
    return this.#commentLine(labelOf.comment(comment), by, root, this.#model.repliesTo(comment).length);
  }

  toldComment(comment: Json, nameOf: Naming): string {
    const { id, author, isDeleted, text, parentCommentId, replyCount } = comment;
    if (isDeleted !== (text === null && author.id === '')) throw new Error(`${nameOf(id)} is half deleted.`);
    const root = parentCommentId === null ? 'none' : nameOf(parentCommentId);
    return this.#commentLine(nameOf(id), isDeleted ? 'nobody' : nameOf(author.id), root, replyCount);
  }

  #commentLine(label: string, by: string, root: string, replies: number): string {
    return `${label} by ${by}, under ${root}, ${this.#hasCounts ? replies : 'some'} replies`;
  }

  /** A list that is walked in pages of `sizes`, and how many each of them has. */
  pages(items: readonly string[], sizes: readonly number[]): object {
    const pages: number[] = [];
    let left = items.length;
    do {
      const size = sizes[pages.length % sizes.length] ?? 1;
      pages.push(Math.min(left, size));
      left -= size;
    } while (left > 0);
    return { items, pages };
  }

  /** Everything that anybody may look at. */
  looks(luck: number): Look[] {
    const { posts, comments, ended } = this.#model;
    const viewers = CAST.filter((who) => !ended.has(who));
    return viewers.flatMap((who) => [
      ...this.#feedLooks(who, SIZES[luck % SIZES.length] ?? [1]),
      ...posts.flatMap((post) => this.#postLooks(who, post, SIZES[(luck + post.id) % SIZES.length] ?? [1])),
      ...comments.flatMap((comment) => this.#threadLook(who, comment, [1 + (luck % 3)])),
      ...CAST.filter((name) => LEVELS[name] >= 2 && name !== who).map((name) => this.#search(who, name)),
    ]);
  }

  #feedLooks(who: Name, sizes: readonly number[]): Look[] {
    const model = this.#model;
    const tell = (data: Json, nameOf: Naming) => ({
      ...data,
      items: data.items.map((card: Json) => `${card.feedContext ?? ''} ${this.toldCard(card, nameOf)}`),
    });
    const look = (kind: Look['kind'], route: string, args: object, feed: () => Entry[]): Look => {
      const lines = () => feed().map(({ post, context }) => `${context ?? ''} ${this.card(who, post)}`);
      const expect = () => answerOf(200, () => this.pages(lines(), sizes));
      return { kind, who, route, args, sizes, expect, tell };
    };
    const home = () => model.homeFeed(who);
    return [
      look('home', 'GET /posts', {}, home),
      look('homeTrending', 'GET /posts', { sort: 'trending' }, () => model.trending(home())),
      ...(LEVELS[who] >= 2 ? [look('saved', 'GET /users/me/saved-posts', {}, () => model.savedBy(who))] : []),
      ...CAST.filter((name) => LEVELS[name] >= 1).map((owner) =>
        look('profile', 'GET /users/{userId}/feed', { userId: owner }, () => model.profileFeed(who, owner)),
      ),
      ...HUBS.flatMap((hubId) => {
        const feed = () => model.hubFeed(who, hubId);
        const asHub = look('hub', 'GET /hubs/{hubId}/feed', { hubId }, feed);
        return [
          look('hub', 'GET /posts', { hubId }, feed),
          look('hubTrending', 'GET /posts', { hubId, sort: 'trending' }, () => model.trending(feed())),
          ...(LEVELS[who] >= 1 ? [asHub] : []),
        ];
      }),
    ];
  }

  #postLooks(who: Name, post: Post, sizes: readonly number[]): Look[] {
    const model = this.#model;
    const args = { postId: labelOf.post(post) };
    const path = 'GET /posts/{postId}';
    const detail = () => {
      model.see(who, post);
      return this.detail(who, post);
    };
    const frames = () =>
      this.pages(
        model.frames(who, post).map((frame) => this.card(who, frame)),
        sizes,
      );
    const comments = () => this.#commentPages(who, post, null, sizes);
    const told = (data: Json, nameOf: Naming) => ({
      ...data,
      items: data.items.map((card: Json) => this.toldCard(card, nameOf)),
    });
    return [
      {
        kind: 'detail',
        who,
        route: path,
        args,
        expect: () => answerOf(200, detail),
        tell: (...it) => this.toldDetail(...it),
      },
      {
        kind: 'frames',
        who,
        route: `${path}/frames`,
        args,
        sizes,
        expect: () => answerOf(200, frames),
        tell: told,
      },
      {
        ...{ kind: 'comments', who, route: `${path}/comments`, args, sizes },
        expect: () => answerOf(200, comments),
        tell: (...it) => this.#toldComments(...it),
      },
    ];
  }

  #threadLook(who: Name, comment: Comment, sizes: readonly number[]): Look {
    return {
      ...{ kind: 'thread', who, route: 'GET /posts/{postId}/comments', sizes },
      args: { postId: labelOf.post(comment.post), parentCommentId: labelOf.comment(comment) },
      expect: () => answerOf(200, () => this.#commentPages(who, comment.post, comment, sizes)),
      tell: (...it) => this.#toldComments(...it),
    };
  }

  #commentPages(who: Name, post: Post, root: Comment | null, sizes: readonly number[]): object {
    return this.pages(
      this.#model.commentsSeenBy(who, post, root).map((comment) => this.comment(comment)),
      sizes,
    );
  }

  #toldComments(data: Json, nameOf: Naming): object {
    return { ...data, items: data.items.map((comment: Json) => this.toldComment(comment, nameOf)) };
  }

  #search(who: Name, name: Name): Look {
    return {
      ...{ kind: 'search', who, route: 'GET /search/users', args: { q: name } },
      expect: () => answerOf(200, () => ({ finds: this.#model.finds(who, name) })),
      tell: ({ items }, nameOf) => ({ finds: items.some(({ id }: Json) => nameOf(id) === name) }),
    };
  }
}
