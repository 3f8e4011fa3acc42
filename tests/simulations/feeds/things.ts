import { forbidden, Refusal } from '../../support/model-answers.ts';

/** Everybody, by their level. */
export const LEVELS = {
  Maya: 4,
  Amara: 4,
  Jonas: 4,
  Ines: 4,
  Tariq: 3,
  Nora: 2,
  Anonymous: 1,
  Guest: 0,
} as const;
export type Name = keyof typeof LEVELS;
export const CAST = Object.keys(LEVELS) as Name[];
export const HUBS = ['Elm', 'Oak', 'Ash'] as const;
export type Hub = (typeof HUBS)[number];
export type Visibility = 'public' | 'public_hub' | 'private_locked_hub';
/** Whose posts are shown to whoever has nothing of their own. */
export const DEFAULT_FEED_USERS: readonly Name[] = ['Amara', 'Tariq'];

/** After how many seconds a vote begins to count in the feeds of others. */
export const VOTE_DELAY = 600;

/** Somebody did something. */
export interface Deed {
  readonly by: Name;
  readonly at: number;
}

/** A post, and what was done with it. */
export interface Post extends Deed {
  readonly id: number;
  readonly visibility: Visibility;
  /** What it is a repost of, deleted or not. */
  readonly source: Post | null;
  isDeleted: boolean;
  readonly targets: readonly Hub[];
  /** Shares into Hubs, oldest first; also those of what was there already. */
  readonly hubShares: (Deed & { readonly hub: Hub })[];
  readonly reposts: Post[];
  readonly comments: Comment[];
  readonly votes: (Deed & { foldedAt?: number })[];
  readonly feedShares: Deed[];
  readonly saves: Map<Name, number>;
}

export interface Comment extends Deed {
  readonly id: number;
  readonly post: Post;
  /** What it replies to. */
  readonly root: Comment | null;
  isDeleted: boolean;
}

/** A post in a feed. */
export interface Entry {
  readonly post: Post;
  readonly at: number;
  readonly context?: string;
}

/** Whether they have voted on it. */
export function hasVoted(who: Name, { votes }: Post): boolean {
  return votes.some(({ by }) => by === who);
}

/** Whether only members of its Hubs see it. */
export function isPrivate({ visibility }: Post): boolean {
  return visibility === 'private_locked_hub';
}

/** Whether it has a public destination, or more than one. */
export function isShareable(post: Post): boolean {
  return !isPrivate(post) || post.targets.length > 1;
}

/** Whether whoever sees it may repost it. */
export function isRepostable(post: Post): boolean {
  return post.source === null && isShareable(post);
}

/** Every Hub that it is in. */
export function hubsOf({ targets, hubShares }: Post): Hub[] {
  return [...new Set([...targets, ...hubShares.map(({ hub }) => hub)])];
}

/** When something was done. */
export function timesOf(deeds: readonly Deed[]): number[] {
  return deeds.map(({ at }) => at);
}

/** Refuses whoever has not come so far. */
export function requireLevel(who: Name, level: number): void {
  if (level > 0 && LEVELS[who] === 0) throw new Refusal(401, 'UNAUTHORIZED');
  if (LEVELS[who] < level) throw forbidden();
}
