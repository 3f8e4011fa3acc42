import { forbidden, Refusal } from '../../support/models.ts';

/** People and their levels. */
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
/** The authors of the default feed. */
export const DEFAULT_FEED_USERS: readonly Name[] = ['Amara', 'Tariq'];

/** The delay in seconds until a vote counts in feeds. */
export const VOTE_DELAY = 600;

export interface Activity {
  readonly by: Name;
  readonly at: number;
}

export interface Post extends Activity {
  readonly id: number;
  readonly visibility: Visibility;
  /** The reposted post, deleted or not. */
  readonly source: Post | null;
  isDeleted: boolean;
  /** The Hubs that the post was published in, without those that it was taken out of. */
  targets: readonly Hub[];
  /** Shares into Hubs, oldest first, repeated ones included, without Hubs that the post was taken out of. */
  hubShares: (Activity & { readonly hub: Hub })[];
  readonly reposts: Post[];
  readonly comments: Comment[];
  readonly votes: (Activity & { foldedAt?: number })[];
  feedShares: Activity[];
  readonly saves: Map<Name, number>;
}

export interface Comment extends Activity {
  readonly id: number;
  readonly post: Post;
  readonly root: Comment | null;
  isDeleted: boolean;
}

/** A post in a feed. */
export interface Entry {
  readonly post: Post;
  readonly at: number;
  readonly context?: string;
}

export function hasVoted(who: Name, { votes }: Post): boolean {
  return votes.some(({ by }) => by === who);
}

export function isPrivate({ visibility }: Post): boolean {
  return visibility === 'private_locked_hub';
}

/** Returns whether the post is public or has several of its targets left. */
export function isShareable(post: Post): boolean {
  return !isPrivate(post) || post.targets.length > 1;
}

export function isRepostable(post: Post): boolean {
  return post.source === null && isShareable(post);
}

export function hubsOf({ targets, hubShares }: Post): Hub[] {
  return [...new Set([...targets, ...hubShares.map(({ hub }) => hub)])];
}

export function timesOf(activities: readonly Activity[]): number[] {
  return activities.map(({ at }) => at);
}

/** @throws Refusal if `who` is below `level` */
export function requireLevel(who: Name, level: number): void {
  if (level > 0 && LEVELS[who] === 0) throw new Refusal(401, 'UNAUTHORIZED');
  if (LEVELS[who] < level) throw forbidden();
}
