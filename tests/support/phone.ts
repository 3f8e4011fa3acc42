import type { Json } from './client.ts';

/** A page of the inbox that a phone asks for: the first one, or the one behind a cursor. */
export interface PageAsk {
  readonly cursor: string | null;
}

/** What a phone shows, and how new it takes that to be. */
export interface Shown {
  readonly items: readonly Json[];
  readonly unreadCount: number;
  readonly inboxVersion: number;
}

/** A list that is read page by page, each of which has to be of the same version. */
interface Draft extends PageAsk {
  readonly version: number;
  readonly items: readonly Json[];
}

const FIRST: PageAsk = { cursor: null };

/**
 * The inbox of an app written by docs/product.md N1-N24 alone: it knows answers, frames and push messages, and nothing of what
 * is behind them. It does nothing by itself: of whatever comes to it, it tells what it asks for then.
 */
export class Phone {
  readonly #ownerId: string;
  #items: readonly Json[] = [];
  #unreadCount = 0;
  #version = -1;
  /** The version of which #items are the whole list; null where they are not. */
  #wholeAt: number | null = null;
  #draft: Draft | null = null;

  constructor(ownerId: string) {
    this.#ownerId = ownerId;
  }

  get shown(): Shown {
    return { items: this.#items, unreadCount: this.#unreadCount, inboxVersion: this.#version };
  }

  /** The app starts, or somebody pulls the list down. */
  refreshes(): PageAsk {
    return FIRST;
  }

  /** A stream has begun: what it says is enough where nothing has changed. */
  isReady({ unreadCount, inboxVersion }: Json): PageAsk | null {
    this.#learn(unreadCount, inboxVersion);
    return this.#isWhole() ? null : FIRST;
  }

  /** A hint has come by the stream. */
  hears({ recipientUserId, notificationId, inboxVersion }: Json): PageAsk | null {
    if (recipientUserId !== this.#ownerId) return null;
    return this.#knows(notificationId) && inboxVersion <= this.#version ? null : FIRST;
  }

  /** A push message has come, which says nothing of the version. */
  isPushed({ recipientUserId, notificationId }: Json): PageAsk | null {
    return recipientUserId !== this.#ownerId || this.#knows(notificationId) ? null : FIRST;
  }

  /** The answer to `ask` has come, however late. */
  gets({ cursor }: PageAsk, { items, nextCursor, unreadCount, inboxVersion }: Json): PageAsk | null {
    if (inboxVersion < this.#version) return null;
    this.#learn(unreadCount, inboxVersion);
    if (cursor === null) {
      return this.#isWhole() ? null : this.#read({ version: inboxVersion, items, cursor: nextCursor });
    }
    const draft = this.#draft;
    // Of a list that is not read any more.
    if (draft?.cursor !== cursor) return null;
    if (draft.version !== inboxVersion) return FIRST;
    return this.#read({ ...draft, items: [...draft.items, ...items], cursor: nextCursor });
  }

  /** Somebody marks one, or all, as read: it may show that before it is done. */
  marks(id: string | null, isShownAtOnce: boolean): void {
    if (!isShownAtOnce) return;
    const isMarked = (item: Json) => !item.read && (id === null || item.id === id);
    this.#unreadCount -= id === null ? this.#unreadCount : this.#items.filter(isMarked).length;
    this.#items = this.#items.map((item) => (isMarked(item) ? { ...item, read: true } : item));
    // No longer what any answer said.
    this.#wholeAt = null;
  }

  /** It is told what is unread after marking, but not as of which version. */
  isTold({ unreadCount }: Json): PageAsk {
    this.#unreadCount = unreadCount;
    this.#wholeAt = null;
    return FIRST;
  }

  #learn(unreadCount: number, version: number): void {
    if (version < this.#version) return;
    this.#version = version;
    if (!this.#isWhole()) this.#unreadCount = unreadCount;
  }

  #read(draft: Draft): PageAsk | null {
    this.#draft = draft;
    if (draft.cursor !== null) return draft;
    this.#items = draft.items;
    this.#wholeAt = draft.version;
    this.#draft = null;
    return null;
  }

  #isWhole(): boolean {
    return this.#wholeAt === this.#version;
  }

  #knows(id: string): boolean {
    return this.#isWhole() && this.#items.some((item) => item.id === id);
  }
}
