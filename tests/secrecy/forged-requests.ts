import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { type Client, clientOf, type Json, NONEXISTENT, withQuery } from '../support/client.ts';
import { changedAt, formerCursorOf, plainCursorOf } from '../support/cursors.ts';
import type { Opine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import type { Post } from '../support/posts.ts';
import { LONG_AGO } from '../support/replicas.ts';

const AT_ONCE = 6;
const DAY = 86_400_000;
/** A page one so late that whatever waits for its moment counts in the quiet part of a trending feed. */
const DAYS_AHEAD = 13;

/** Where a forger looks for the vote of a person. */
type Channel = 'feed' | 'profile';

/** What somebody knows who forges all parameters of the reads that may show the vote of a person on a post. */
export class Forger {
  readonly #opine: Pick<Opine, 'url'>;
  readonly #voter: Person;
  readonly #post: Post;
  /** Genuine cursors of the own lists, from before the vote and from the last look. */
  readonly #first = new Map<string, string>();
  readonly #last = new Map<string, string>();
  #looks = 0;

  /** Creates a forger, who keeps the cursors of `account` from before the vote. */
  static async begin(opine: Pick<Opine, 'url'>, account: Person, voter: Person, post: Post): Promise<Forger> {
    const forger = new Forger(opine, voter, post);
    await forger.#keepCursors(account);
    return forger;
  }

  private constructor(opine: Pick<Opine, 'url'>, voter: Person, post: Post) {
    this.#opine = opine;
    this.#voter = voter;
    this.#post = post;
  }

  /** Sends every forged request. Returns the channels in which an answer showed the vote. */
  async look({ session }: Person, now: Date): Promise<Set<Channel>> {
    // A new client, because one that has written sends its own position.
    const client = clientOf(this.#opine.url, session.accessToken);
    await this.#keepCursors(client);
    const limited = pLimit(AT_ONCE);
    const requests = [
      ...this.#withForgedCursors(now),
      ...this.#withGenuineCursors(),
      ...this.#withoutCursor(),
    ];
    const shown = await Promise.all(
      requests.map(({ path, headers }) =>
        limited(async () => {
          const { status, data } = await client.get(path, { headers: headers ?? {} });
          return status === 200 ? this.#channelOf(path, data) : null;
        }),
      ),
    );
    this.#looks += 1;
    return new Set(shown.filter((channel) => channel !== null));
  }

  get #lists(): string[] {
    const { id } = this.#voter;
    const post = this.#post.id;
    return [
      '/posts',
      '/posts?sort=trending',
      `/users/${id}/feed`,
      `/posts/${post}/frames`,
      '/search/posts?q=so',
      '/notifications',
    ];
  }

  async #keepCursors(client: Client): Promise<void> {
    for (const path of this.#lists) {
      const { data } = await client.get(withMore(path, { limit: 1 }));
      const cursor = data?.nextCursor ?? null;
      if (cursor === null) continue;
      if (!this.#first.has(path)) this.#first.set(path, cursor);
      this.#last.set(path, cursor);
    }
  }

  /** Cursors in the plain formats, for a page one that is still to come. */
  *#withForgedCursors(now: Date): Generator<Request> {
    const later = new Date(now.getTime() + DAYS_AHEAD * DAY);
    for (const seen of ['1:1:', '999999999:999999999:']) {
      for (const part of ['active', 'quiet', 'recent']) {
        const place = { at: new Date(later.getTime() + DAY), beganAt: later, seen, part };
        for (const list of ['/posts', '/posts?sort=trending', `/users/${this.#voter.id}/feed`]) {
          const feed = list.startsWith('/posts') ? 'home' : this.#voter.id;
          yield { path: withMore(list, { cursor: formerCursorOf({ ...place, feed }) }) };
          yield { path: withMore(list, { cursor: plainCursorOf(place) }) };
        }
      }
    }
  }

  /** Own cursors from before the vote and of the last look: as they are, changed, in other lists and orders. */
  *#withGenuineCursors(): Generator<Request> {
    for (const kept of [this.#first, this.#last]) {
      for (const [path, cursor] of kept) {
        yield { path: withMore(path, { cursor }) };
        yield { path: withMore(path, { cursor: changedAt(cursor, (7 * this.#looks) % cursor.length) }) };
        for (const list of ['/posts', '/posts?sort=trending']) yield { path: withMore(list, { cursor }) };
      }
    }
  }

  /** Other parameters and headers. */
  *#withoutCursor(): Generator<Request> {
    const { id } = this.#voter;
    for (const path of [...this.#lists, `/users/${id}/profile`]) {
      for (const position of ['x', LONG_AGO, `${LONG_AGO},${LONG_AGO}`]) {
        yield { path, headers: { 'X-Opine-Position': position } };
      }
    }
    for (const sort of ['recent', 'trending', 'upcoming']) {
      for (const limit of [1, 50, 51]) yield { path: withQuery('/posts', { sort, limit }) };
    }
    for (const hubId of [id, this.#post.id, NONEXISTENT.id, randomUUID(), '']) {
      yield { path: withQuery('/posts', { hubId }) };
      yield { path: withQuery(`/posts/${this.#post.id}/frames`, { hubId }) };
      yield { path: withQuery(`/users/${id}/profile`, { hubId }) };
    }
    yield { path: `/users/${id}/profile?limit=50&cursor=x&sort=trending` };
    yield { path: '/notifications?unreadOnly=true&limit=100' };
  }

  /** Returns the channel in which an answer shows the vote, or null. */
  #channelOf(path: string, data: Json): Channel | null {
    if (path.startsWith(`/users/${this.#voter.id}/profile`))
      return data.activity.votes > 0 ? 'profile' : null;
    const items = data.items.filter(({ id, postId }: Json) => [id, postId].includes(this.#post.id));
    // Everybody finds the post itself; what a feed adds is why it is there.
    const isFeed = path.startsWith('/posts?') || path === '/posts' || path.includes('/feed');
    const shown = items.some(({ feedContext, postId }: Json) => isFeed || feedContext || postId);
    return shown ? 'feed' : null;
  }
}

interface Request {
  readonly path: string;
  readonly headers?: Record<string, string>;
}

function withMore(path: string, query: object): string {
  return path.includes('?') ? `${path}&${withQuery('', query).slice(1)}` : withQuery(path, query);
}
