import { POSITIONS, type Position } from '../support/votes.ts';
import { impliedBy, type Known, type Tally } from './implied.ts';

/** What an attack found: the votes of these people on this post make these counts, and by what it knows so. */
export interface Finding extends Tally {
  readonly how: string;
}

/** Findings that stand or fall together, as those of an order that is right or wrong. */
export type Theory = readonly Finding[];

/** That this person voted so on this post. */
export interface Claim {
  readonly user: string;
  readonly post: string;
  readonly position: Position;
  readonly how: string;
}

/** The key of a person's vote on a post. */
export const voteOf = (post: string, user: string): string => `${post} ${user}`;

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** A finding about one person. */
export function oneVote(how: string, post: string, user: string, position: number): Finding {
  return { how, post, users: [user], counts: POSITIONS.map((_, index) => Number(index === position)) };
}

/**
 * What somebody knows by `theories` that they did not know by `tallies` alone: the totals of every scope and whose
 * votes are in them. A theory that contradicts what is known by then is dropped, as whoever attacks would do.
 */
export function claimsOf(tallies: readonly Tally[], theories: readonly Theory[]): Claim[] {
  const posts = [...new Set(theories.flat().map(({ post }) => post))];
  return posts.flatMap((post) => {
    let accepted = tallies.filter((tally) => tally.post === post);
    let known = knownBy(accepted);
    const claims: Claim[] = [];
    for (const theory of theories) {
      const told = theory.filter((finding) => finding.post === post);
      const after = told.length > 0 && impliedBy([...accepted, ...told]);
      if (!after) continue;
      const how = [...new Set(told.map((finding) => finding.how))].join(', ');
      for (const [user, position] of after) if (!known.has(user)) claims.push({ user, post, position, how });
      accepted = [...accepted, ...told];
      known = after;
    }
    return claims;
  });
}

/** What `tallies` of one post imply. @throws Error where they contradict each other, which only a fault explains */
export function knownBy(tallies: readonly Tally[]): Known {
  const known = impliedBy(tallies);
  if (known === null) throw new Error('The totals do not fit the receipts.');
  return known;
}

/** Each finding as a theory of its own. */
export function alone(findings: readonly Finding[]): Theory[] {
  return findings.map((finding) => [finding]);
}
