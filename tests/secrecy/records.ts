import { sql } from 'kysely';
import { parseIdempotency } from '../../src/http/idempotency.ts';
import { POSITIONS } from '../support/votes.ts';
import type { AttackerView } from './attacker-view.ts';
import { type Finding, oneVote, sumOf, type Theory } from './evidence.ts';

/** A row as text, with readable bytes. */
interface Text {
  readonly table: string;
  readonly text: string;
}

/** Reads every row outside the catalogue as text. */
async function textsOf({ opine, heaps }: AttackerView): Promise<Text[]> {
  const selects = heaps.map(({ table, columns }) => {
    const fields = columns.map(({ name, type }) =>
      type === 'bytea' ? `encode(t."${name}", 'escape')` : `t."${name}"::text`,
    );
    return `select '${table}' as table, concat_ws(' | ', ${fields.join()}) as text from ${table} as t`;
  });
  const { rows } = await sql.raw<Text>(selects.join(' union all ')).execute(opine.database.superuser);
  return rows;
}

/** Attacks by rows that name a voter beside a position, by name or as five counts with a single vote. */
export async function byWords(view: AttackerView): Promise<Theory[]> {
  const texts = await textsOf(view);
  return view.receipts.flatMap(({ post, user }) =>
    texts
      .filter(({ text }) => text.includes(user))
      .flatMap(({ table, text }) =>
        positionsIn(text.replaceAll(user, '')).map((position) => [
          oneVote(`a word in ${table}`, post, user, position),
        ]),
      ),
  );
}

/** Returns the positions that `text` names, or shows as the single vote in the last five counts of a list. */
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

/** Attacks by request fingerprints: a vote has five possible ones, and an attacker can compute them all. */
export async function byFingerprints({ opine, receipts }: AttackerView): Promise<Theory[]> {
  const { rows } = await sql<{ user: string; fingerprint: string }>`
    select user_id as user, fingerprint from gateway.idempotent_answers`.execute(opine.database.superuser);
  return receipts.flatMap(({ post, user }) =>
    POSITIONS.flatMap((position, index): Finding[][] => {
      const { fingerprint } = parseIdempotency('a-key', 'cast_vote', { postId: post, position }) ?? {};
      const isStored = rows.some((row) => row.user === user && row.fingerprint === fingerprint);
      return isStored ? [[oneVote('a fingerprint', post, user, index)]] : [];
    }),
  );
}
