import type { Json } from '../../support/client.ts';
import type { Somebody } from '../../support/graph.ts';
import type { Hub } from '../../support/hubs.ts';

const MUTED = ['hub_post_created', 'post_shared_to_hub', 'post_reposted'];
/** What is told of a Hub to those who are not in it (docs/product.md N8). */
const TO_OUTSIDERS = ['hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'];

const pairOf = ({ id }: Somebody, other: Somebody) => `${id} ${other.id}`;

/** What everybody has done that decides who may be told of what, by what Opine answered to them. */
export class Ledger {
  readonly #members = new Set<string>();
  readonly #muted = new Set<string>();
  readonly #blocks = new Set<string>();
  readonly #read = new Set<string>();
  readonly #authors = new Map<string, string>();

  hasJoined(person: Somebody, hub: Hub): void {
    this.#members.add(pairOf(person, hub));
  }

  hasLeft(person: Somebody, hub: Hub): void {
    this.#members.delete(pairOf(person, hub));
  }

  hasMuted(person: Somebody, hub: Hub, isMuted: boolean): void {
    if (isMuted) this.#muted.add(pairOf(person, hub));
    else this.#muted.delete(pairOf(person, hub));
  }

  hasBlocked(blocker: Somebody, blocked: Somebody): void {
    this.#blocks.add(pairOf(blocker, blocked));
  }

  hasUnblocked(blocker: Somebody, blocked: Somebody): void {
    this.#blocks.delete(pairOf(blocker, blocked));
  }

  hasRead(person: Somebody, ids: readonly string[]): void {
    for (const id of ids) this.#read.add(pairOf(person, { id }));
  }

  hasPublished(author: Somebody, post: Json): void {
    this.#authors.set(post.id, author.id);
  }

  /** Whether `person` has muted what a notification is of. */
  isMuted(person: Somebody, { type, hubId }: { readonly type: string; readonly hubId?: string }): boolean {
    return hubId !== undefined && MUTED.includes(type) && this.#muted.has(pairOf(person, { id: hubId }));
  }

  /** Why `person` must not be told what an payload says; null where they may. */
  objectionTo(person: Somebody, payload: Json): string | null {
    const { notificationId, recipientUserId, type, actorId, postId, hubId } = payload;
    if (recipientUserId !== person.id) return 'it is for somebody else';
    if (this.#read.has(pairOf(person, { id: notificationId }))) return 'they have read it';
    if (this.isMuted(person, payload)) return 'they have muted the Hub';
    const isInside = hubId === undefined || this.#members.has(pairOf(person, { id: hubId }));
    if (!isInside && !TO_OUTSIDERS.includes(type)) return 'they are not in the Hub';
    const others = [actorId, this.#authors.get(postId)].filter((id) => id !== undefined);
    return others.some((id) => this.#areEstranged(person, { id })) ? 'a block is between them' : null;
  }

  #areEstranged(one: Somebody, other: Somebody): boolean {
    return this.#blocks.has(pairOf(one, other)) || this.#blocks.has(pairOf(other, one));
  }
}
