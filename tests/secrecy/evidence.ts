import { POSITIONS, type Position } from '../support/votes.ts';
import { impliedBy, type Known, type Tally } from './implied.ts';

/** A finding of an attack: the votes of these users on this post add up to these counts. */
export interface Finding extends Tally {
  readonly how: string;
}

/** Findings that are all correct or all wrong, such as those of one order. */
export type Theory = readonly Finding[];

/** The claim that a user voted at a position. */
export interface Claim {
  readonly user: string;
  readonly post: string;
  readonly position: Position;
  readonly how: string;
}

/** Returns the key of a user's vote on a post. */
export const voteOf = (post: string, user: string): string => `${post} ${user}`;

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Returns a finding about one user. */
export function oneVote(how: string, post: string, user: string, position: number): Finding {
  return { how, post, users: [user], counts: POSITIONS.map((_, index) => Number(index === position)) };
}

/**
 * Returns what `theories` imply beyond `tallies`, the totals of each scope with their voters. A theory that contradicts
 * the accepted ones is dropped, as an attacker would do.
 */
export function claimsOf(tallies: readonly Tally[], theories: readonly Theory[]): Claim[] {
  const posts = [...new Set(theories.flat().map(({ post }) => post))];
  return posts.flatMap((post) => {
    let accepted = tallies.filter((tally) => tally.post === post);
    let known = knownFrom(accepted);
    const claims: Claim[] = [];
    for (const theory of theories) {
      const findings = theory.filter((finding) => finding.post === post);
      const after = findings.length > 0 && impliedBy([...accepted, ...findings]);
      if (!after) continue;
      const how = [...new Set(findings.map((finding) => finding.how))].join(', ');
      for (const [user, position] of after) if (!known.has(user)) claims.push({ user, post, position, how });
      accepted = [...accepted, ...findings];
      known = after;
    }
    return claims;
  });
}

/** Returns the votes that `tallies` of one post imply. @throws Error if they contradict each other, which is a bug */
export function knownFrom(tallies: readonly Tally[]): Known {
  const known = impliedBy(tallies);
  if (known === null) throw new Error('The totals do not fit the receipts.');
  return known;
}

/** Wraps each finding as a theory of its own. */
export function alone(findings: readonly Finding[]): Theory[] {
  return findings.map((finding) => [finding]);
}
