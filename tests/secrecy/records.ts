import { sql } from 'kysely';
import { idempotencyOf } from '../../src/http/idempotency.ts';
import { POSITIONS } from '../support/votes.ts';
import { type Finding, oneVote, sumOf, type Theory } from './evidence.ts';
import type { Spoils } from './spoils.ts';

/** A row as text, its bytes readable. */
interface Text {
  readonly table: string;
  readonly text: string;
}

/** The rows of everything but the catalogue, each as text with what is in it of any type. */
async function textsOf({ opine, heaps }: Spoils): Promise<Text[]> {
  const selects = heaps.map(({ table, columns }) => {
    const fields = columns.map(({ name, type }) =>
      type === 'bytea' ? `encode(t."${name}", 'escape')` : `t."${name}"::text`,
    );
    return `select '${table}' as table, concat_ws(' | ', ${fields.join()}) as text from ${table} as t`;
  });
  const { rows } = await sql.raw<Text>(selects.join(' union all ')).execute(opine.database.superuser);
  return rows;
}

/** By rows that name a voter beside a position, in words or as five counts of which one is one. */
export async function byWords(spoils: Spoils): Promise<Theory[]> {
  const texts = await textsOf(spoils);
  return spoils.receipts.flatMap(({ post, user }) =>
    texts
      .filter(({ text }) => text.includes(user))
      .flatMap(({ table, text }) =>
        positionsIn(text.replaceAll(user, '')).map((position) => [
          oneVote(`a word in ${table}`, post, user, position),
        ]),
      ),
  );
}

/** The positions that a text names, or shows as the one of five counts at the end of a list that is one. */
export function positionsIn(text: string): number[] {
  const named = POSITIONS.flatMap((position, index) =>
    new RegExp(`(?<![a-z_])${position}(?![a-z_])`, 'i').test(text) ? [index] : [],
  );
  const counted = [...text.matchAll(/(?:\d+, ?){4,}\d+(?=[\])}])/g)].flatMap(([list]) => {
    const counts = list.split(',').slice(-5).map(Number);
    return sumOf(counts) === 1 ? [counts.indexOf(1)] : [];
  });
  return [...new Set([...named, ...counted])];
}

/** By fingerprints of requests: those of a vote are five, and can all be made. */
export async function byFingerprints({ opine, receipts }: Spoils): Promise<Theory[]> {
  const { rows } = await sql<{ user: string; fingerprint: string }>`
    select user_id as user, fingerprint from gateway.idempotent_answers`.execute(opine.database.superuser);
  return receipts.flatMap(({ post, user }) =>
    POSITIONS.flatMap((position, index): Finding[][] => {
      const { fingerprint } = idempotencyOf('a-key', 'cast_vote', { postId: post, position }) ?? {};
      const isKept = rows.some((row) => row.user === user && row.fingerprint === fingerprint);
      return isKept ? [[oneVote('a fingerprint', post, user, index)]] : [];
    }),
  );
}
