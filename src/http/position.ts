import type { Context } from 'hono';
import type { ReplicaReadOptions } from '../db/gateway.ts';
import type { Services } from '../services.ts';

/** The header by which people read their own writes from replicas (docs/decisions/018-replicas.md). */
export const POSITION_HEADER = 'X-Opine-Position';

/** Every replica that answers has the writes that are older than this, even where the clocks of servers differ. */
const SETTLED_MS = 10_000;

/** Puts the position of a write into the answer. It is sealed: positions would show how many writes all people make. */
export function showPosition(c: Context, position: string, { secrets }: Services): void {
  c.header(POSITION_HEADER, secrets.sealPosition(`${position} ${Date.now()}`));
}

/** The most positions that a request may name. No client has more writes under way. */
const MAX_POSITIONS = 16;

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
  if (header === undefined) return isMember ? null : { positions: [] };
  const sealed = header.split(',', MAX_POSITIONS + 1);
  if (sealed.length > MAX_POSITIONS) return null;
  const positions: string[] = [];
  for (const each of sealed) {
    const [position, at] = secrets.openPosition(each.trim())?.split(' ') ?? [];
    if (position === undefined || at === undefined) return null;
    if (Date.now() - Number(at) <= SETTLED_MS) positions.push(position);
  }
  return { positions };
}
