import type { ApiResult, Ask } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { answerOf } from '../../support/model-answers.ts';
import type { FeedModel } from './model.ts';
import { CAST, type Entry, HUBS, LEVELS, type Name } from './things.ts';
import { labelOf, type Naming } from './views.ts';

/** A feed of somebody's. */
interface Path {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  /** Where everything in it has its place in this walk. */
  readonly places: () => Entry[];
  /** What may be shown. */
  readonly present: () => Entry[];
}

/** Somebody walks through a feed page by page, while others go on with what they do. */
export class Walk {
  readonly #path: Path;
  readonly #size: number;
  readonly #shown: string[] = [];
  #cursor: string | null = null;
  /** What was there when they began, and is since then at the same place. */
  #unmoved: Entry[];

  private constructor(path: Path, size: number) {
    this.#path = path;
    this.#size = size;
    this.#unmoved = path.places();
  }

  /** Somebody begins to walk, by lot. Null where there is nothing to walk through. */
  static begin(model: FeedModel, luck: number): Walk | null {
    const paths = CAST.filter((who) => !model.ended.has(who)).flatMap((who) => pathsOf(model, who));
    const path = paths[luck % paths.length];
    const isOpen = path !== undefined && answerOf(200, path.places).status === 200;
    return isOpen && path.places().length > 1 ? new Walk(path, 1 + (luck % 3)) : null;
  }

  /** The next page. */
  get ask(): Ask<Name> {
    const { who, route, args } = this.#path;
    return {
      who,
      route,
      args: { ...args, limit: String(this.#size), ...(this.#cursor && { cursor: this.#cursor }) },
    };
  }

  /** Something was done meanwhile. @returns whether one still may walk here */
  goesOn({ ended }: FeedModel): boolean {
    const { who, places } = this.#path;
    if (ended.has(who) || answerOf(200, places).status !== 200) return false;
    const now = places();
    this.#unmoved = this.#unmoved.filter(({ post, at }) =>
      now.some((entry) => entry.post === post && entry.at === at),
    );
    return true;
  }

  /** What is wrong with a page; null where nothing is. */
  look({ data }: ApiResult, nameOf: Naming): string | null {
    const page: string[] = data.items.map(({ id }: Json) => nameOf(id));
    const there = this.#path.present().map(({ post }) => labelOf.post(post));
    const stray = page.find((label) => this.#shown.includes(label) || !there.includes(label));
    this.#shown.push(...page);
    this.#cursor = data.nextCursor;
    if (stray !== undefined) return `${this}: has ${stray} twice, or by mistake`;
    if (!this.isOver) return null;
    const unmoved = this.#unmoved.map(({ post }) => labelOf.post(post));
    const walked = this.#shown.filter((label) => unmoved.includes(label));
    return `${walked}` === `${unmoved}` ? null : `${this}: lacks some of ${unmoved}, or has another order`;
  }

  get isOver(): boolean {
    return this.#cursor === null;
  }

  toString(): string {
    const { who, route, args } = this.#path;
    return `${who} walks ${route} ${JSON.stringify(args)} by ${this.#size}: ${this.#shown}`;
  }
}

function pathsOf(model: FeedModel, who: Name): Path[] {
  const { now: began } = model;
  const path = (route: string, args: object, places: () => Entry[], present = places): Path => {
    return { who, route, args, places, present };
  };
  const home = (until?: number) => model.homeFeed(who, until);
  const trending = { sort: 'trending' };
  const homes = [
    path('GET /posts', {}, () => home()),
    path(
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
      path(
        'GET /posts',
        { hubId },
        () => feed(began),
        () => feed(),
      ),
      path('GET /posts', { hubId, ...trending }, ranked, () => feed()),
    ];
  });
  const profiles = CAST.filter((name) => LEVELS[name] >= 2).map((owner) =>
    path('GET /users/{userId}/feed', { userId: owner }, () => model.profileFeed(who, owner)),
  );
  // Most of what moves is at home.
  return [...homes, ...homes, ...homes, ...hubs, ...profiles.slice(0, 2)];
}
