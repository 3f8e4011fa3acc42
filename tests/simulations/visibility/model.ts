import type { Json } from '../../support/client.ts';
import { NO_ACTOR } from '../../support/notification-worlds.ts';
import type { Person } from '../../support/people.ts';

/** How a viewer sees a person: by name, as an anonymous entry, or not at all. */
export type Appearance = 'named' | 'anonymous' | 'absent';

/** The people whom a stored notification is about. */
export type NotifiedPeople = Readonly<
  Record<
    'actor_id' | 'author_id' | 'thread_author_id' | 'comment_author_id' | 'post_author_id',
    string | null
  >
>;

/** A person, or null for a guest. */
export type Viewer = Person | null;

/** Records follows, blocks and the like, and derives how people appear to others. */
export class VisibilityModel {
  readonly people: readonly Person[];
  readonly follows = new Set<string>();
  readonly blocks = new Set<string>();
  readonly suspended = new Set<string>();
  readonly ended = new Set<string>();
  readonly members = new Set<string>();

  constructor(people: readonly Person[]) {
    this.people = people;
  }

  static pair(one: Pick<Person, 'id'>, other: Pick<Person, 'id'>): string {
    return `${one.id} ${other.id}`;
  }

  /** Returns whether the account is neither suspended nor ended. */
  isLive({ id }: Pick<Person, 'id'>): boolean {
    return !this.suspended.has(id) && !this.ended.has(id);
  }

  block(one: Person, other: Person): void {
    this.blocks.add(VisibilityModel.pair(one, other));
    this.follows.delete(VisibilityModel.pair(one, other));
    this.follows.delete(VisibilityModel.pair(other, one));
  }

  end(person: Person): void {
    this.ended.add(person.id);
    this.members.delete(person.id);
  }

  isBlockedPair(one: Viewer, other: Pick<Person, 'id'>): boolean {
    if (one === null) return false;
    return (
      this.blocks.has(VisibilityModel.pair(one, other)) || this.blocks.has(VisibilityModel.pair(other, one))
    );
  }

  /** Returns whether a block hides from everybody what a person wrote under the post of the other. */
  isHiddenComment(author: Pick<Person, 'id'> | null, postAuthor: Pick<Person, 'id'> | null): boolean {
    return (
      author !== null &&
      postAuthor !== null &&
      (this.blocks.has(VisibilityModel.pair(author, postAuthor)) ||
        this.blocks.has(VisibilityModel.pair(postAuthor, author)))
    );
  }

  /** Returns the status of a report: blocks do not count, and one's own content is no target. */
  report(viewer: Person, author: Pick<Person, 'id'>, isSeen: boolean): number {
    if (viewer.id === author.id) return 422;
    return isSeen ? 201 : 404;
  }

  /** Returns how a person appears in lists of people, and as the author of posts and comments. */
  inPublic(viewer: Viewer, person: Pick<Person, 'id'>): Appearance {
    return this.isLive(person) && !this.isBlockedPair(viewer, person) ? 'named' : 'absent';
  }

  /** Returns how the profile appears: a blocker still sees the profile of the blocked person. */
  profile(viewer: Viewer, person: Person): Appearance {
    const isBlocked = viewer !== null && this.blocks.has(VisibilityModel.pair(person, viewer));
    return this.isLive(person) && !isBlocked ? 'named' : 'absent';
  }

  /** Returns how a person appears in a Hub: blocks do not apply. */
  inHub(person: Pick<Person, 'id'>): Appearance {
    return this.isLive(person) ? 'named' : 'absent';
  }

  /** Returns how the author of a message appears: messages outlive the account. */
  message(person: Pick<Person, 'id'>): Appearance {
    if (this.suspended.has(person.id)) return 'absent';
    return this.ended.has(person.id) ? 'anonymous' : 'named';
  }

  /** Returns how the actor of a notification appears; a block of the author of the post or thread hides it too. */
  notification(viewer: Person, row: NotifiedPeople): Appearance {
    const { actor_id, author_id, thread_author_id, comment_author_id, post_author_id } = row;
    const person = (id: string | null) => (id === null ? null : { id });
    if (this.isHiddenComment(person(comment_author_id), person(post_author_id))) return 'absent';
    const others = [actor_id, author_id, thread_author_id].filter((id) => id !== null);
    if (others.some((id) => this.isBlockedPair(viewer, { id }))) return 'absent';
    return actor_id !== null && this.isLive({ id: actor_id }) ? 'named' : 'anonymous';
  }

  /** Returns the followers or followed people as `viewer` sees them; null if the person is hidden. */
  followsOf(viewer: Person, person: Person, side: 'followers' | 'following'): string[] | null {
    if (this.profile(viewer, person) === 'absent') return null;
    if (this.isBlockedPair(viewer, person)) return [];
    return this.ids((other) => {
      const [follower, followed] = side === 'followers' ? [other, person] : [person, other];
      return (
        this.follows.has(VisibilityModel.pair(follower, followed)) && this.inPublic(viewer, other) === 'named'
      );
    });
  }

  /** Returns the sorted ids of the people who fit. */
  ids(fits: (person: Person) => boolean): string[] {
    return idsSorted(this.people.filter(fits));
  }

  /** Returns the actor of a notification as the API renders it. */
  actor(appearance: Appearance, id: string | null): Json {
    const person = this.people.find((one) => one.id === id);
    if (appearance !== 'named' || person === undefined) return NO_ACTOR;
    return { id, username: person.username, profilePhotoUrl: null, isAnonymous: false };
  }
}

export function idsSorted(items: readonly Pick<Person, 'id'>[]): string[] {
  return items.map(({ id }) => id).sort();
}
