import type { Json } from '../../support/client.ts';
import type { Hub } from '../../support/hubs.ts';
import type { UserRef } from '../../support/people.ts';

const MUTED = ['hub_post_created', 'post_shared_to_hub', 'post_reposted'];
/** The notifications of a new post, beside shares into Hubs, which may follow later. */
const PUBLICATIONS = ['user_mentioned', 'hub_post_created', 'followed_user_posted', 'post_reposted'];
/** The notifications about a Hub that non-members get (docs/product.md N8). */
const TO_NON_MEMBERS = ['hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'];

/** The notifications that are unread again, with the newest actor, when they repeat within a day (docs/product.md N33). */
const RENEWED = ['hub_invite_received', 'hub_role_changed'];

const pairOf = ({ id }: UserRef, other: UserRef) => `${id} ${other.id}`;

/** Records accepted actions, and decides from them who may be notified of what. */
export class NotificationRules {
  readonly #members = new Set<string>();
  readonly #muted = new Set<string>();
  readonly #blocks = new Set<string>();
  readonly #read = new Set<string>();
  readonly #authors = new Map<string, string>();
  /** The author of the thread of each reply. */
  readonly #threadAuthors = new Map<string, string>();
  readonly #types = new Map<string, string>();
  readonly #silentTypes = new Set<string>();
  readonly #quiet = new Set<string>();

  hasJoined(person: UserRef, hub: Hub): void {
    this.#members.add(pairOf(person, hub));
  }

  hasLeft(person: UserRef, hub: Hub): void {
    this.#members.delete(pairOf(person, hub));
  }

  hasMuted(person: UserRef, hub: Hub, isMuted: boolean): void {
    if (isMuted) this.#muted.add(pairOf(person, hub));
    else this.#muted.delete(pairOf(person, hub));
  }

  hasBlocked(blocker: UserRef, blocked: UserRef): void {
    this.#blocks.add(pairOf(blocker, blocked));
  }

  hasUnblocked(blocker: UserRef, blocked: UserRef): void {
    this.#blocks.delete(pairOf(blocker, blocked));
  }

  hasRead(person: UserRef, ids: readonly string[]): void {
    for (const id of ids) this.#read.add(pairOf(person, { id }));
  }

  hasPublished(author: UserRef, post: Json): void {
    this.#authors.set(post.id, author.id);
  }

  hasReplied(reply: Json, root: Json): void {
    this.#threadAuthors.set(reply.id, root.author.id);
  }

  hasChangedPreferences(person: UserRef, types: Readonly<Record<string, boolean>>, isQuiet: boolean): void {
    for (const [type, isPushed] of Object.entries(types)) {
      if (isPushed) this.#silentTypes.delete(pairOf(person, { id: type }));
      else this.#silentTypes.add(pairOf(person, { id: type }));
    }
    if (isQuiet) this.#quiet.add(person.id);
    else this.#quiet.delete(person.id);
  }

  /** Records an inbox. @throws Error if it notifies its reader twice of one text */
  hasSeen(person: UserRef, items: readonly Json[]): void {
    for (const { id, type, read } of items) {
      this.#types.set(id, type);
      if (!read && RENEWED.includes(type)) this.#read.delete(pairOf(person, { id }));
    }
    const texts = items.filter(({ type, commentId }) => commentId !== null || PUBLICATIONS.includes(type));
    for (const [text, rows] of Map.groupBy(texts, ({ postId, commentId }) => commentId ?? postId)) {
      const types = rows.map(({ type }) => type);
      // A post may have a row for each of its Hubs, and one for followers beside them.
      const isOneText = types.includes('user_mentioned') || rows.some(({ commentId }) => commentId !== null);
      if (isOneText && types.length > 1) throw new Error(`${person.id} is notified of ${text} by ${types}`);
    }
  }

  /** Returns whether a notification may come again as a newer one. */
  isRenewable(id: string): boolean {
    return RENEWED.includes(this.#types.get(id) ?? '');
  }

  /** Returns whether the preferences of a person let a notification through to devices at the moment. */
  isPushed(person: UserRef, id: string): boolean {
    const type = this.#types.get(id) ?? '';
    return !this.#quiet.has(person.id) && !this.#silentTypes.has(pairOf(person, { id: type }));
  }

  /** Returns whether `person` has muted the Hub of a notification. */
  isMuted(person: UserRef, { type, hubId }: { readonly type: string; readonly hubId?: string }): boolean {
    return hubId !== undefined && MUTED.includes(type) && this.#muted.has(pairOf(person, { id: hubId }));
  }

  /** Returns why `person` must not get a payload, or null. */
  objectionTo(person: UserRef, payload: Json): string | null {
    const { notificationId, recipientUserId, type, actorId, postId, commentId, hubId } = payload;
    if (recipientUserId !== person.id) return 'it is for another user';
    if (this.#read.has(pairOf(person, { id: notificationId }))) return 'it is read';
    if (this.isMuted(person, payload)) return 'the Hub is muted';
    const isMember = hubId === undefined || this.#members.has(pairOf(person, { id: hubId }));
    if (!isMember && !TO_NON_MEMBERS.includes(type)) return 'the recipient is no member of the Hub';
    const authors = [this.#authors.get(postId), this.#threadAuthors.get(commentId)];
    const others = [actorId, ...authors].filter((id) => id !== undefined);
    return others.some((id) => this.#isBlockedPair(person, { id })) ? 'it is about a blocked pair' : null;
  }

  #isBlockedPair(one: UserRef, other: UserRef): boolean {
    return this.#blocks.has(pairOf(one, other)) || this.#blocks.has(pairOf(other, one));
  }
}
