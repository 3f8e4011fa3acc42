import type { ApiCall } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { type Answer, answerOf } from '../../support/models.ts';
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
} from './entities.ts';
import type { FeedModel } from './model.ts';

/** Returns the label of an id. */
export type LabelOf = (id: unknown) => string;

/** A read with labels instead of ids, its expected answer, and the same rendering of the actual answer. */
export interface Read extends ApiCall<Name> {
  readonly kind: keyof typeof RARITY;
  readonly expect: () => Answer;
  readonly render: (data: Json, labelFor: LabelOf) => unknown;
}

/** One of so many reads of each kind is compared, chosen by a hash. */
export const RARITY = {
  ...{ home: 3, homeTrending: 7, profile: 23, hub: 23, hubTrending: 23, saved: 4 },
  ...{ detail: 23, frames: 23, comments: 13, thread: 7, search: 41 },
};

const SIZES = [[1], [2], [3, 1], [4], [7], [20], [50], [1, 50, 2]];

/** The labels of posts and comments. */
export const labelOf = {
  post: ({ id }: Pick<Post, 'id'>) => `post ${id}`,
  comment: ({ id }: Pick<Comment, 'id'>) => `comment ${id}`,
};

/** Renders posts and comments of the model and of the API as the same texts. */
export class Renderer {
  readonly #model: FeedModel;
  readonly #hasCounts: boolean;

  /** @param hasCounts whether to compare counts, which are exact only after account deletions have finished */
  constructor(model: FeedModel, hasCounts: boolean) {
    this.#model = model;
    this.#hasCounts = hasCounts;
  }

  /** Renders the card that `who` must see. @param showsPhone whether its list shows phone numbers */
  card(who: Name, post: Post, showsPhone = true): string {
    const model = this.#model;
    const { source } = post;
    // A source may lose all but one of its target Hubs after the repost.
    const shown = source && isShareable(source) ? 'shown' : 'locked';
    const visibility = source && (model.sees(who, source) ? shown : 'hidden');
    return this.#cardLine(labelOf.post(post), {
      by: post.by,
      source: source ? `${labelOf.post(source)} ${visibility}` : 'none',
      counts: [model.countedOn(post).length, model.repostsOf(post).length],
      isSaved: post.saves.has(who),
      hubs: hubsOf(post).filter((hub) => model.isIn(who, hub)),
      hasPhone: showsPhone && model.showsPhone(who, post),
    });
  }

  cardFromApi(card: Json, labelFor: LabelOf): string {
    const { author, sourcePost, sourcePostId } = card;
    const visibility = sourcePost === null ? 'hidden' : sourcePost.isShareable ? 'shown' : 'locked';
    return this.#cardLine(labelFor(card.id), {
      by: labelFor(author.id),
      source: sourcePostId === null ? (sourcePost ?? 'none') : `${labelFor(sourcePostId)} ${visibility}`,
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

  detailFromApi({ permissions, ...card }: Json, labelFor: LabelOf): object {
    const { canVote, canComment, canRepost, canShareToHubs, canDelete } = permissions;
    return {
      card: this.cardFromApi(card, labelFor),
      canVote,
      canComment,
      canRepost,
      canShareToHubs,
      canDelete,
    };
  }

  comment(who: Name, comment: Comment): string {
    const by = this.#model.isAnonymised(who, comment) ? 'nobody' : comment.by;
    const root = comment.root ? labelOf.comment(comment.root) : 'none';
    return this.#commentLine(labelOf.comment(comment), by, root, this.#model.repliesTo(comment).length);
  }

  commentFromApi(comment: Json, labelFor: LabelOf): string {
    const { id, author, isDeleted, text, parentCommentId, replyCount } = comment;
    if (isDeleted !== (text === null && author.id === ''))
      throw new Error(`${labelFor(id)} is half deleted.`);
    const root = parentCommentId === null ? 'none' : labelFor(parentCommentId);
    return this.#commentLine(labelFor(id), isDeleted ? 'nobody' : labelFor(author.id), root, replyCount);
  }

  #commentLine(label: string, by: string, root: string, replies: number): string {
    return `${label} by ${by}, under ${root}, ${this.#hasCounts ? replies : 'some'} replies`;
  }

  /** Returns the items of a paginated list and the lengths of its pages. */
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

  /** Returns every read of every person. */
  reads(luck: number): Read[] {
    const { posts, comments, ended } = this.#model;
    const viewers = CAST.filter((who) => !ended.has(who));
    return viewers.flatMap((who) => [
      ...this.#feedReads(who, SIZES[luck % SIZES.length] ?? [1]),
      ...posts.flatMap((post) => this.#postReads(who, post, SIZES[(luck + post.id) % SIZES.length] ?? [1])),
      ...comments.flatMap((comment) => this.#threadRead(who, comment, [1 + (luck % 3)])),
      ...CAST.filter((name) => LEVELS[name] >= 2 && name !== who).map((name) => this.#search(who, name)),
    ]);
  }

  #feedReads(who: Name, sizes: readonly number[]): Read[] {
    const model = this.#model;
    const render = (data: Json, labelFor: LabelOf) => ({
      ...data,
      items: data.items.map((card: Json) => `${card.feedContext ?? ''} ${this.cardFromApi(card, labelFor)}`),
    });
    const read = (kind: Read['kind'], route: string, args: object, feed: () => Entry[]): Read => {
      const lines = () =>
        feed().map(({ post, context }) => `${context ?? ''} ${this.card(who, post, kind !== 'profile')}`);
      const expect = () => answerOf(200, () => this.pages(lines(), sizes));
      return { kind, who, route, args, sizes, expect, render };
    };
    const home = () => model.homeFeed(who);
    return [
      read('home', 'GET /posts', {}, home),
      read('homeTrending', 'GET /posts', { sort: 'trending' }, () => model.trending(home())),
      ...(LEVELS[who] >= 2 ? [read('saved', 'GET /users/me/saved-posts', {}, () => model.savedBy(who))] : []),
      ...CAST.filter((name) => LEVELS[name] >= 1).map((owner) =>
        read('profile', 'GET /users/{userId}/feed', { userId: owner }, () => model.profileFeed(who, owner)),
      ),
      ...HUBS.flatMap((hubId) => {
        const feed = () => model.hubFeed(who, hubId);
        const asHub = read('hub', 'GET /hubs/{hubId}/feed', { hubId }, feed);
        return [
          read('hub', 'GET /posts', { hubId }, feed),
          read('hubTrending', 'GET /posts', { hubId, sort: 'trending' }, () => model.trending(feed())),
          ...(LEVELS[who] >= 1 ? [asHub] : []),
        ];
      }),
    ];
  }

  #postReads(who: Name, post: Post, sizes: readonly number[]): Read[] {
    const model = this.#model;
    const args = { postId: labelOf.post(post) };
    const path = 'GET /posts/{postId}';
    const detail = () => {
      model.requireVisible(who, post);
      return this.detail(who, post);
    };
    const frames = () =>
      this.pages(
        model.frames(who, post).map((frame) => this.card(who, frame)),
        sizes,
      );
    const comments = () => this.#commentPages(who, post, null, sizes);
    const cards = (data: Json, labelFor: LabelOf) => ({
      ...data,
      items: data.items.map((card: Json) => this.cardFromApi(card, labelFor)),
    });
    return [
      {
        kind: 'detail',
        who,
        route: path,
        args,
        expect: () => answerOf(200, detail),
        render: (...answer) => this.detailFromApi(...answer),
      },
      {
        kind: 'frames',
        who,
        route: `${path}/frames`,
        args,
        sizes,
        expect: () => answerOf(200, frames),
        render: cards,
      },
      {
        ...{ kind: 'comments', who, route: `${path}/comments`, args, sizes },
        expect: () => answerOf(200, comments),
        render: (...answer) => this.#commentsFromApi(...answer),
      },
    ];
  }

  #threadRead(who: Name, comment: Comment, sizes: readonly number[]): Read {
    return {
      ...{ kind: 'thread', who, route: 'GET /posts/{postId}/comments', sizes },
      args: { postId: labelOf.post(comment.post), parentCommentId: labelOf.comment(comment) },
      expect: () => answerOf(200, () => this.#commentPages(who, comment.post, comment, sizes)),
      render: (...answer) => this.#commentsFromApi(...answer),
    };
  }

  #commentPages(who: Name, post: Post, root: Comment | null, sizes: readonly number[]): object {
    return this.pages(
      this.#model.commentsSeenBy(who, post, root).map((comment) => this.comment(who, comment)),
      sizes,
    );
  }

  #commentsFromApi(data: Json, labelFor: LabelOf): object {
    return { ...data, items: data.items.map((comment: Json) => this.commentFromApi(comment, labelFor)) };
  }

  #search(who: Name, name: Name): Read {
    return {
      ...{ kind: 'search', who, route: 'GET /search/users', args: { q: name } },
      expect: () => answerOf(200, () => ({ finds: this.#model.finds(who, name) })),
      render: ({ items }, labelFor) => ({ finds: items.some(({ id }: Json) => labelFor(id) === name) }),
    };
  }
}
