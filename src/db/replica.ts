import { ApiError } from '../contract/errors.ts';
import type { StaleRead } from '../contract/stale-reads.ts';
import type { PoolUse, ReplicaRead } from '../observability/watch.ts';
import { isSerializationFailure, translate } from './errors.ts';
import type { Answer, Gateway, GatewayCall } from './gateway.ts';
import { createPool, query, useOf } from './pool.ts';

const TIMEOUT_MS = 2_000;
const REST_MS = 5_000;

/** A copy of the database that is a moment behind it. */
export interface Replica {
  /** What it answers; null where the primary is to be asked. */
  answer(call: GatewayCall): Promise<Answer | null>;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

/** How to reach a replica, and what for. */
export interface ReplicaOptions {
  readonly url: string;
  /** What it is asked. */
  readonly reads: readonly StaleRead[];
  readonly poolSize: number;
  /** As `GatewayOptions` has it. */
  readonly photosUrl: string;
  /** Told of a connection lost while nobody used it. */
  readonly onIdleError: () => void;
  /** Told what came of each read that it may answer. */
  readonly onRead: (outcome: ReplicaRead) => void;
  /** Told why it is asked nothing for now: it is away, too far behind, or broken. */
  readonly onRest: (error: unknown) => void;
}

/** Connects when first asked something. */
export function createReplica({
  reads,
  photosUrl,
  onRead,
  onRest,
  poolSize,
  ...rest
}: ReplicaOptions): Replica {
  const pool = createPool({ ...rest, size: poolSize, name: 'opine-replica', timeoutMs: TIMEOUT_MS });
  // Until when it is asked nothing; null while it serves.
  let restsUntil: number | null = null;

  /** While it rests one request alone tries it, each time that the rest is over. */
  function isResting(): boolean {
    if (restsUntil === null) return false;
    if (performance.now() < restsUntil) return true;
    restsUntil = performance.now() + REST_MS;
    return false;
  }

  async function ask({ operation, args, requestId }: GatewayCall): Promise<Answer> {
    const { rows } = await query<{ answer: string }>(
      pool,
      `select answer from gateway.call('guest', $1, $2, null, false, $3, $4)`,
      [operation, args, photosUrl, requestId],
    );
    return { json: rows[0]?.answer ?? 'null', isReplayed: false };
  }

  /** Whether it failed, and rests now, or the primary is to be asked this alone. */
  function judged(error: unknown): ReplicaRead {
    const isToRest = !isPassing(error);
    if (isToRest && restsUntil === null) onRest(error);
    restsUntil = isToRest ? performance.now() + REST_MS : null;
    return isToRest ? 'failed' : 'passed';
  }

  return {
    answer: async (call) => {
      const { claims, reads: read } = call;
      if (claims !== null || read === undefined || !reads.includes(read)) return null;
      if (isResting()) {
        onRead('resting');
        return null;
      }
      try {
        const answer = await ask(call);
        restsUntil = null;
        onRead('answered');
        return answer;
      } catch (error) {
        onRead(judged(error));
        return null;
      }
    },
    poolUse: () => useOf(pool, 'replica'),
    close: () => pool.end(),
  };
}

/** Whether the next request may fare better: this one was refused, which the primary may know better, or was in the way of what came. */
function isPassing(error: unknown): boolean {
  const translated = translate(error);
  const isRefusal = translated instanceof ApiError && translated.code !== 'SERVICE_UNAVAILABLE';
  return isRefusal || isSerializationFailure(error);
}

/** The same gateway, with `replica` answering guests what it can. */
export function withReplica(gateway: Gateway, replica: Replica): Gateway {
  return {
    ...gateway,
    call: async (call) => (await replica.answer(call)) ?? gateway.call(call),
    poolUse: () => [...gateway.poolUse(), replica.poolUse()],
    close: async () => {
      await Promise.all([gateway.close(), replica.close()]);
    },
  };
}
