import type { ApiCall, ApiResult } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { answerOf } from '../../support/models.ts';
import { CAST, type Entry, HUBS, LEVELS, type Name, type Post } from './entities.ts';
import type { FeedModel } from './model.ts';
import { type LabelOf, labelOf } from './views.ts';

/** A feed and its reader. */
interface List {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  /** Returns the feed as it is now, in order. */
  readonly entries: () => Entry[];
  /** Returns whether the reader may see a post in this feed now. */
  readonly mayShow: (post: Post) => boolean;
}

/**
 * Reads a feed page by page while the history goes on. The pages together are the feed as it was at page one, without
 * the posts that their reader could not see when their page was read.
 */
export class Pagination {
  readonly #list: List;
  readonly #size: number;
  readonly #atPageOne: readonly Post[];
  readonly #shown: Post[] = [];
  /** The posts that the reader could see all the time. */
  #lasting: Post[];
  #cursor: string | null = null;

  private constructor(list: List, size: number) {
    this.#list = list;
    this.#size = size;
    this.#atPageOne = list.entries().map(({ post }) => post);
    this.#lasting = [...this.#atPageOne];
  }

  /** Returns a new pagination of a feed chosen by `luck`; null if the feed is short or refused. */
  static begin(model: FeedModel, luck: number): Pagination | null {
    const lists = CAST.filter((who) => !model.ended.has(who)).flatMap((who) => listsOf(model, who));
    const list = lists[luck % lists.length];
    const isOpen = list !== undefined && answerOf(200, list.entries).status === 200;
    return isOpen && list.entries().length > 1 ? new Pagination(list, 1 + (luck % 3)) : null;
  }

  /** The request of the next page. */
  get request(): ApiCall<Name> {
    const { who, route, args } = this.#list;
    return {
      who,
      route,
      args: { ...args, limit: String(this.#size), ...(this.#cursor && { cursor: this.#cursor }) },
    };
  }

  /** Updates after a step. @returns whether the reader may continue */
  update({ ended }: FeedModel): boolean {
    const { who, entries, mayShow } = this.#list;
    if (ended.has(who) || answerOf(200, entries).status !== 200) return false;
    this.#lasting = this.#lasting.filter(mayShow);
    return true;
  }

  /** Returns what is wrong with a page, or null. */
  check({ data }: ApiResult, labelFor: LabelOf): string | null {
    const labels: string[] = data.items.map(({ id }: Json) => labelFor(id));
    this.#cursor = data.nextCursor;
    for (const label of labels) {
      const post = this.#atPageOne.find((one) => labelOf.post(one) === label);
      if (!post) return `${this}: ${label} was not there at page one`;
      if (this.#shown.includes(post)) return `${this}: repeats ${label}`;
      if (!this.#list.mayShow(post)) return `${this}: must not show ${label}`;
      const last = this.#shown.at(-1);
      if (last && this.#atPageOne.indexOf(last) > this.#atPageOne.indexOf(post)) {
        return `${this}: shows ${label} too late`;
      }
      this.#shown.push(post);
    }
    const missing = this.isFinished ? this.#lasting.find((post) => !this.#shown.includes(post)) : undefined;
    return missing ? `${this}: lacks ${labelOf.post(missing)}` : null;
  }

  get isFinished(): boolean {
    return this.#cursor === null;
  }

  toString(): string {
    const { who, route, args } = this.#list;
    const [pages, first] = [this.#shown, this.#atPageOne].map((posts) => posts.map(labelOf.post));
    return `${who} paginates ${route} ${JSON.stringify(args)} by ${this.#size}: ${pages} of ${first}`;
  }
}

function listsOf(model: FeedModel, who: Name): List[] {
  const includes = (entries: readonly Entry[], post: Post) => entries.some((entry) => entry.post === post);
  const trending = { sort: 'trending' };
  const home = { who, route: 'GET /posts', mayShow: (post: Post) => model.sees(who, post) };
  const homes = [
    { ...home, args: {}, entries: () => model.homeFeed(who) },
    { ...home, args: trending, entries: () => model.trending(model.homeFeed(who)) },
  ];
  const hubs = HUBS.filter((hub) => model.isIn(who, hub)).flatMap((hubId) => {
    const entries = () => model.hubFeed(who, hubId);
    const hub = { who, route: 'GET /posts', mayShow: (post: Post) => includes(entries(), post) };
    return [
      { ...hub, args: { hubId }, entries },
      { ...hub, args: { hubId, ...trending }, entries: () => model.trending(entries()) },
    ];
  });
  const profiles = CAST.filter((name) => LEVELS[name] >= 2).map((owner) => {
    const entries = () => model.profileFeed(who, owner);
    const mayShow = (post: Post) => includes(entries(), post);
    return { who, route: 'GET /users/{userId}/feed', args: { userId: owner }, entries, mayShow };
  });
  // Home feeds change most often.
  return [...homes, ...homes, ...homes, ...hubs, ...profiles.slice(0, 2)];
}
