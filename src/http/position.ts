import type { Context } from 'hono';
import type { ReplicaReadOptions } from '../db/gateway.ts';
import type { Services } from '../services.ts';

/** The header by which people read their own writes from replicas (docs/decisions/018-replicas.md): sealed ids of transactions. */
export const POSITION_HEADER = 'X-Opine-Position';

/** Every replica that answers has the writes that are older than this, even where the clocks of servers differ. */
const SETTLED_MS = 10_000;

/** Puts the transaction of a write into the answer. It is sealed: plain ids would show how many writes all people make. */
export function setPosition(c: Context, transactionId: string, { secrets }: Services): void {
  c.header(POSITION_HEADER, secrets.sealTransactionId(`${transactionId} ${Date.now()}`));
}

/** The most writes that a request may name. No client has more under way. */
const MAX_WRITES = 16;

/**
 * Returns what an answer from a replica must include: the latest writes of its caller, who sends their positions separated by
 * commas. Returns null if the primary must answer: for a member without a position, or with one that is not ours.
 */
export function parseReplicaRead(
  c: Context,
  isMember: boolean,
  { secrets }: Services,
): ReplicaReadOptions | null {
  const header = c.req.header(POSITION_HEADER);
  if (header === undefined) return isMember ? null : { transactionIds: [] };
  const positions = header.split(',', MAX_WRITES + 1);
  if (positions.length > MAX_WRITES) return null;
  const transactionIds: string[] = [];
  for (const position of positions) {
    const [id, at] = secrets.openTransactionId(position.trim())?.split(' ') ?? [];
    if (id === undefined || at === undefined) return null;
    if (Date.now() - Number(at) <= SETTLED_MS) transactionIds.push(id);
  }
  return { transactionIds };
}
