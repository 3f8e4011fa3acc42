import { sql } from 'kysely';
import { POSITIONS } from '../support/votes.ts';
import type { AttackerView } from './attacker-view.ts';
import { oneVote, type Theory } from './evidence.ts';

/** Planner statistics of a column of counts. */
interface ColumnStatistics {
  readonly table: string;
  readonly values: string;
}

/** Reads the planner statistics of columns of counts: values of the last analyze. */
export async function readCountStatistics({
  opine,
}: Pick<AttackerView, 'opine'>): Promise<ColumnStatistics[]> {
  const { rows } = await sql<ColumnStatistics>`
    select format('%I.%I', schemaname, tablename) as table,
      concat_ws(',', most_common_vals::text, histogram_bounds::text, most_common_elems::text) as values
    from pg_stats
    where attname = 'counts'`.execute(opine.database.superuser);
  return rows;
}

/** Attacks by stale totals in planner statistics: the position that grew since then is that of a single new voter. */
export async function byStatistics(view: AttackerView): Promise<Theory[]> {
  const statistics = await readCountStatistics(view);
  const kept = statistics.flatMap(({ values }) => [...values.matchAll(/\(([\d,]+)\)/g)]);
  const totals = kept.map(([, counts = '']) => counts.split(','));
  const valuesAt = (index: number) => new Set(totals.map((counts) => counts[index]));
  return view.tallies
    .filter(({ hub }) => hub === null)
    .flatMap(({ post, users, counts }) => {
      const [last, ...others] = latestVoters(view, post, users);
      if (last === undefined || others.length > 0) return [];
      const grown = POSITIONS.flatMap((_, index) => {
        const values = valuesAt(index);
        const count = counts[index] ?? 0;
        return values.has(String(count - 1)) && !values.has(String(count)) ? [index] : [];
      });
      return grown.length === 1 ? [[oneVote('statistics', post, last, grown[0] ?? 0)]] : [];
    });
}

/** Returns the voters of the post whose receipts the latest transaction wrote. */
function latestVoters({ visible }: AttackerView, post: string, voters: readonly string[]): string[] {
  const receipts = visible.filter(
    ({ table, posts }) => table === 'app.vote_receipts' && posts.includes(post),
  );
  const last = Math.max(...receipts.map(({ xmin }) => xmin));
  const users = receipts.filter(({ xmin }) => xmin === last).flatMap((receipt) => receipt.users);
  return users.filter((user) => voters.includes(user));
}

/** Returns the queries in pg_stat_activity that name a position. */
export async function positionsInActivity({ opine }: Pick<AttackerView, 'opine'>): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and query ~* '(strong_left|strong_right|neutral|"left"|"right")'`.execute(opine.database.superuser);
  return rows.map(({ query }) => query);
}
