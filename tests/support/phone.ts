import type { Json } from './client.ts';

/** The first inbox page, or the page after a cursor. */
export interface PageRequest {
  readonly cursor: string | null;
}

/** A partly read list; all its pages must have one version. */
interface Draft extends PageRequest {
  readonly version: number;
  readonly items: readonly Json[];
}

const FIRST: PageRequest = { cursor: null };

/**
 * An inbox client written from docs/product.md N1-N24 alone.
 * It sends nothing: each input returns the request that the app would send next.
 */
export class Phone {
  readonly #ownerId: string;
  #items: readonly Json[] = [];
  #unreadCount = 0;
  #version = -1;
  /** The version at which #items is complete; null if it is not. */
  #wholeAt: number | null = null;
  #draft: Draft | null = null;

  constructor(ownerId: string) {
    this.#ownerId = ownerId;
  }

  get shown() {
    return { items: this.#items, unreadCount: this.#unreadCount, inboxVersion: this.#version };
  }

  /** The app starts or refreshes. */
  onRefresh(): PageRequest {
    return FIRST;
  }

  /** A stream has started; its state suffices if nothing changed. */
  onReady({ unreadCount, inboxVersion }: Json): PageRequest | null {
    this.#learn(unreadCount, inboxVersion);
    return this.#isWhole() ? null : FIRST;
  }

  /** A stream signal arrived. */
  onSignal({ recipientUserId, notificationId, inboxVersion }: Json): PageRequest | null {
    if (recipientUserId !== this.#ownerId) return null;
    return this.#knows(notificationId) && inboxVersion <= this.#version ? null : FIRST;
  }

  /** A push message arrived, which has no version. */
  onPush({ recipientUserId, notificationId }: Json): PageRequest | null {
    return recipientUserId !== this.#ownerId || this.#knows(notificationId) ? null : FIRST;
  }

  /** The reply to a page request arrived, however late. */
  onPage(
    { cursor }: PageRequest,
    { items, nextCursor, unreadCount, inboxVersion }: Json,
  ): PageRequest | null {
    if (inboxVersion < this.#version) return null;
    this.#learn(unreadCount, inboxVersion);
    if (cursor === null) {
      return this.#isWhole() ? null : this.#read({ version: inboxVersion, items, cursor: nextCursor });
    }
    const draft = this.#draft;
    // A page of an abandoned list.
    if (draft?.cursor !== cursor) return null;
    if (draft.version !== inboxVersion) return FIRST;
    return this.#read({ ...draft, items: [...draft.items, ...items], cursor: nextCursor });
  }

  /** Marks one or all as read, optionally before the server confirms. */
  onMark(id: string | null, isShownAtOnce: boolean): void {
    if (!isShownAtOnce) return;
    const isMarked = (item: Json) => !item.read && (id === null || item.id === id);
    this.#unreadCount -= id === null ? this.#unreadCount : this.#items.filter(isMarked).length;
    this.#items = this.#items.map((item) => (isMarked(item) ? { ...item, read: true } : item));
    // The list differs from any reply.
    this.#wholeAt = null;
  }

  /** A mark-read reply has an unread count but no version. */
  onMarked({ unreadCount }: Json): PageRequest {
    this.#unreadCount = unreadCount;
    this.#wholeAt = null;
    return FIRST;
  }

  #learn(unreadCount: number, version: number): void {
    if (version < this.#version) return;
    this.#version = version;
    if (!this.#isWhole()) this.#unreadCount = unreadCount;
  }

  #read(draft: Draft): PageRequest | null {
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
