import type { Json } from '../../support/client.ts';
import type { Hub } from '../../support/hubs.ts';
import type { UserRef } from '../../support/people.ts';

const MUTED = ['hub_post_created', 'post_shared_to_hub', 'post_reposted'];
/** The notifications about a Hub that non-members get (docs/product.md N8). */
const TO_NON_MEMBERS = ['hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'];

const pairOf = ({ id }: UserRef, other: UserRef) => `${id} ${other.id}`;

/** Records accepted actions, and decides from them who may be notified of what. */
export class NotificationRules {
  readonly #members = new Set<string>();
  readonly #muted = new Set<string>();
  readonly #blocks = new Set<string>();
  readonly #read = new Set<string>();
  readonly #authors = new Map<string, string>();

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

  /** Returns whether `person` has muted the Hub of a notification. */
  isMuted(person: UserRef, { type, hubId }: { readonly type: string; readonly hubId?: string }): boolean {
    return hubId !== undefined && MUTED.includes(type) && this.#muted.has(pairOf(person, { id: hubId }));
  }

  /** Returns why `person` must not get a payload, or null. */
  objectionTo(person: UserRef, payload: Json): string | null {
    const { notificationId, recipientUserId, type, actorId, postId, hubId } = payload;
    if (recipientUserId !== person.id) return 'it is for another user';
    if (this.#read.has(pairOf(person, { id: notificationId }))) return 'it is read';
    if (this.isMuted(person, payload)) return 'the Hub is muted';
    const isMember = hubId === undefined || this.#members.has(pairOf(person, { id: hubId }));
    if (!isMember && !TO_NON_MEMBERS.includes(type)) return 'the recipient is no member of the Hub';
    const others = [actorId, this.#authors.get(postId)].filter((id) => id !== undefined);
    return others.some((id) => this.#isBlockedPair(person, { id })) ? 'it is about a blocked pair' : null;
  }

  #isBlockedPair(one: UserRef, other: UserRef): boolean {
    return this.#blocks.has(pairOf(one, other)) || this.#blocks.has(pairOf(other, one));
  }
}
