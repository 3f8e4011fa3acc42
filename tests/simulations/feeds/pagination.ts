import type { ApiCall, ApiResult } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { answerOf } from '../../support/models.ts';
import { CAST, type Entry, HUBS, LEVELS, type Name } from './entities.ts';
import type { FeedModel } from './model.ts';
import { type LabelOf, labelOf } from './views.ts';

/** A feed and its reader. */
interface List {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  /** Returns the entries by their positions in this pagination. */
  readonly entries: () => Entry[];
  /** Returns the entries that a page may show. */
  readonly visible: () => Entry[];
}

/** Reads a feed page by page while the history goes on. */
export class Pagination {
  readonly #list: List;
  readonly #size: number;
  readonly #shown: string[] = [];
  #cursor: string | null = null;
  /** The entries that kept their position since the first page. */
  #unmoved: Entry[];

  private constructor(list: List, size: number) {
    this.#list = list;
    this.#size = size;
    this.#unmoved = list.entries();
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
    const { who, entries } = this.#list;
    if (ended.has(who) || answerOf(200, entries).status !== 200) return false;
    const now = entries();
    this.#unmoved = this.#unmoved.filter(({ post, at }) =>
      now.some((entry) => entry.post === post && entry.at === at),
    );
    return true;
  }

  /** Returns what is wrong with a page, or null. */
  check({ data }: ApiResult, labelFor: LabelOf): string | null {
    const page: string[] = data.items.map(({ id }: Json) => labelFor(id));
    const visible = this.#list.visible().map(({ post }) => labelOf.post(post));
    const stray = page.find((label) => this.#shown.includes(label) || !visible.includes(label));
    this.#shown.push(...page);
    this.#cursor = data.nextCursor;
    if (stray !== undefined) return `${this}: repeats ${stray} or must not show it`;
    if (!this.isFinished) return null;
    const unmoved = this.#unmoved.map(({ post }) => labelOf.post(post));
    const shown = this.#shown.filter((label) => unmoved.includes(label));
    return `${shown}` === `${unmoved}` ? null : `${this}: lacks some of ${unmoved}, or has another order`;
  }

  get isFinished(): boolean {
    return this.#cursor === null;
  }

  toString(): string {
    const { who, route, args } = this.#list;
    return `${who} paginates ${route} ${JSON.stringify(args)} by ${this.#size}: ${this.#shown}`;
  }
}

function listsOf(model: FeedModel, who: Name): List[] {
  const { now: began } = model;
  const list = (route: string, args: object, entries: () => Entry[], visible = entries): List => {
    return { who, route, args, entries, visible };
  };
  const home = (until?: number) => model.homeFeed(who, until);
  const trending = { sort: 'trending' };
  const homes = [
    list('GET /posts', {}, () => home()),
    list(
      'GET /posts',
      trending,
      () => model.trending(home(began), began),
      () => home(),
    ),
  ];
  const hubs = HUBS.filter((hub) => model.isIn(who, hub)).flatMap((hubId) => {
    const feed = (until?: number) => model.hubFeed(who, hubId, until);
    const ranked = () => model.trending(feed(began), began);
    return [
      list(
        'GET /posts',
        { hubId },
        () => feed(began),
        () => feed(),
      ),
      list('GET /posts', { hubId, ...trending }, ranked, () => feed()),
    ];
  });
  const profiles = CAST.filter((name) => LEVELS[name] >= 2).map((owner) =>
    list('GET /users/{userId}/feed', { userId: owner }, () => model.profileFeed(who, owner)),
  );
  // Home feeds change most often.
  return [...homes, ...homes, ...homes, ...hubs, ...profiles.slice(0, 2)];
}
