import { sql } from 'kysely';
import { POSITIONS } from '../support/votes.ts';
import { oneVote, type Theory } from './evidence.ts';
import type { Spoils } from './spoils.ts';

/** What the planner keeps of a column. */
interface Kept {
  readonly table: string;
  readonly column: string;
  readonly values: string;
}

/** What the planner keeps of columns that count by position: values of when it last looked. */
export async function keptCounts({ opine }: Pick<Spoils, 'opine'>): Promise<Kept[]> {
  const columns = POSITIONS.map((position) => `${position}_count`);
  const { rows } = await sql<Kept>`
    select format('%I.%I', schemaname, tablename) as table, attname as column,
      concat_ws(',', most_common_vals::text, histogram_bounds::text, most_common_elems::text) as values
    from pg_stats
    where attname = any(${columns}::text[])`.execute(opine.database.superuser);
  return rows;
}

/** By former totals that the planner still keeps: by whom a total has grown who came alone since then. */
export async function byStatistics(spoils: Spoils): Promise<Theory[]> {
  const kept = await keptCounts(spoils);
  const valuesOf = (position: string) =>
    new Set(
      kept
        .filter(({ column }) => column === `${position}_count`)
        .flatMap(({ values }) => values.match(/\d+/g) ?? []),
    );
  return spoils.tallies
    .filter(({ hub }) => hub === null)
    .flatMap(({ post, users, counts }) => {
      const [last, ...others] = lastOnes(spoils, post, users);
      if (last === undefined || others.length > 0) return [];
      const grown = POSITIONS.flatMap((position, index) => {
        const values = valuesOf(position);
        const count = counts[index] ?? 0;
        return values.has(String(count - 1)) && !values.has(String(count)) ? [index] : [];
      });
      return grown.length === 1 ? [[oneVote('statistics', post, last, grown[0] ?? 0)]] : [];
    });
}

/** Whose receipts were written last of those on a post, in one transaction. */
function lastOnes({ visible }: Spoils, post: string, voters: readonly string[]): string[] {
  const receipts = visible.filter(
    ({ table, posts }) => table === 'app.vote_receipts' && posts.includes(post),
  );
  const last = Math.max(...receipts.map(({ xmin }) => xmin));
  const users = receipts.filter(({ xmin }) => xmin === last).flatMap((receipt) => receipt.users);
  return users.filter((user) => voters.includes(user));
}

/** What Postgres tells of its sessions and statements that names a position. */
export async function positionsInActivity({ opine }: Pick<Spoils, 'opine'>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and query ~* '(strong_left|strong_right|neutral|"left"|"right")'`.execute(opine.database.superuser);
  return rows.map(({ query }) => query);
}
