import type { Json } from '../../support/client.ts';
import { NO_ACTOR } from '../../support/notification-worlds.ts';
import type { Person } from '../../support/people.ts';

/** What a viewer may see of a person: who that is, an anonymous entry, or nothing. */
export type Look = 'named' | 'anonymous' | 'absent';

/** Somebody in a world, or a guest. */
export type Viewer = Person | null;

/** Who did what to whom so far, and by that alone what people look like to others. */
export class HiddenModel {
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

  /** Whether `person` is signed in and can act. */
  isLive({ id }: Pick<Person, 'id'>): boolean {
    return !this.suspended.has(id) && !this.ended.has(id);
  }

  block(one: Person, other: Person): void {
    this.blocks.add(HiddenModel.pair(one, other));
    this.follows.delete(HiddenModel.pair(one, other));
    this.follows.delete(HiddenModel.pair(other, one));
  }

  end(person: Person): void {
    this.ended.add(person.id);
    this.members.delete(person.id);
  }

  isBlockedBetween(one: Viewer, other: Pick<Person, 'id'>): boolean {
    if (one === null) return false;
    return this.blocks.has(HiddenModel.pair(one, other)) || this.blocks.has(HiddenModel.pair(other, one));
  }

  /** A person in lists of people, and as the author of posts and comments; one who replied keeps threads in their place. */
  inPublic(viewer: Viewer, person: Pick<Person, 'id'>): Look {
    return this.isLive(person) && !this.isBlockedBetween(viewer, person) ? 'named' : 'absent';
  }

  /** The profile of a person, which whoever blocked them sees all the same. */
  profile(viewer: Viewer, person: Person): Look {
    const isBlocked = viewer !== null && this.blocks.has(HiddenModel.pair(person, viewer));
    return this.isLive(person) && !isBlocked ? 'named' : 'absent';
  }

  /** A person in a Hub, which blocks do not touch. */
  inHub(person: Pick<Person, 'id'>): Look {
    return this.isLive(person) ? 'named' : 'absent';
  }

  /** The author of a message, which stays when the account ends. */
  message(person: Pick<Person, 'id'>): Look {
    if (this.suspended.has(person.id)) return 'absent';
    return this.ended.has(person.id) ? 'anonymous' : 'named';
  }

  /** The actor of a notification about a post by `authorId`, where that is somebody else. */
  notification(viewer: Person, actorId: string, authorId: string | null): Look {
    const others = [actorId, ...(authorId === null ? [] : [authorId])];
    if (others.some((id) => this.isBlockedBetween(viewer, { id }))) return 'absent';
    return this.isLive({ id: actorId }) ? 'named' : 'anonymous';
  }

  /** Who follows `person`, or whom they follow, as `viewer` sees it; null where `viewer` sees no such person. */
  followsOf(viewer: Person, person: Person, side: 'followers' | 'following'): string[] | null {
    if (this.profile(viewer, person) === 'absent') return null;
    if (this.isBlockedBetween(viewer, person)) return [];
    return this.ids((other) => {
      const [follower, followed] = side === 'followers' ? [other, person] : [person, other];
      return (
        this.follows.has(HiddenModel.pair(follower, followed)) && this.inPublic(viewer, other) === 'named'
      );
    });
  }

  /** The ids of those of the people who fit. */
  ids(fits: (person: Person) => boolean): string[] {
    return idsSorted(this.people.filter(fits));
  }

  /** The actor of a notification, by its look. */
  actor(look: Look, id: string): Json {
    const person = this.people.find((one) => one.id === id);
    if (look !== 'named' || person === undefined) return NO_ACTOR;
    return { id, username: person.username, profilePhotoUrl: null, isAnonymous: false };
  }
}

export function idsSorted(items: readonly Pick<Person, 'id'>[]): string[] {
  return items.map(({ id }) => id).sort();
}
