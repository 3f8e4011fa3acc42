import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { type ApiCall, type ApiResult, callOverHttp, entryOf } from '../support/api-calls.ts';
import { type Client, clientOf, type Json } from '../support/client.ts';
import type { Opine } from '../support/opine.ts';
import {
  afterAnOldWrite,
  type ReplicatedOpine,
  startReplicatedOpine,
  untilReplayed,
} from '../support/replicas.ts';
import type { Calls, Cast } from './drivers.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Fields that differ from answer to answer, or show visits, which are recorded after the answer. */
const VARYING = ['nextCursor', 'url', 'expiresAt', 'activeUsers24h'];

/** Calls whose reads replicas answer. */
export interface ReplicatedCalls<Name extends string> extends Calls<Name> {
  /** Waits until the replicas have what the test wrote past the API, which waits for nobody. */
  settle(): Promise<void>;
  /** Lets the replicas replay, and throws if they answered less than a quarter of the looks. */
  end(): Promise<void>;
}

/**
 * Calls over HTTP, with replicas that replay late. Each look is taken twice, through the replicas and at the primary, and returns
 * the answer of the primary. It throws if the replicas showed an id that the primary hides, or answered what it refuses, or if the
 * person of the last write saw anything else than the primary shows.
 */
export function callsOverReplicas<Name extends string>(
  opine: ReplicatedOpine,
  { tokens }: Cast<Name>,
): ReplicatedCalls<Name> {
  const clientsOf = (url: string) => {
    const clients = new Map<string, Client>([['Guest', clientOf(url)]]);
    for (const [name, token] of tokens) clients.set(name, afterAnOldWrite(clientOf(url, token)));
    return clients;
  };
  const [throughReplicas, atPrimary] = [clientsOf(opine.url), clientsOf(opine.primaryUrl)];
  const disturbance = disturb(opine);
  let lastWriter: string | null = null;
  let looks = 0;

  async function call(request: ApiCall<Name>): Promise<ApiResult> {
    const { who, route } = request;
    if (!route.startsWith('GET ')) {
      const answer = await callOverHttp(entryOf(throughReplicas, who), request);
      // A refused request wrote nothing, and has no position.
      lastWriter = answer.status < 300 ? who : null;
      return answer;
    }
    looks += 1;
    const shown = await callOverHttp(entryOf(throughReplicas, who), request);
    const expected = await callOverHttp(entryOf(atPrimary, who), request);
    const look = `${who}: ${route} ${JSON.stringify(request.args)}`;
    if (who === lastWriter)
      expect(steady(shown.data), `${look}, after their own write`).toEqual(steady(expected.data));
    if (expected.status !== 200) expect(shown.status, look).toBe(expected.status);
    const others = new Set(idsIn(shown)).difference(new Set(idsIn(expected)));
    const elsewhere = others.size > 0 ? await shownElsewhere(request, others) : new Set();
    expect([...others.difference(elsewhere)], `${look}: ids that the primary hides`).toEqual([]);
    return expected;
  }

  /** Returns the ids that the primary shows on another page of a list, or of which it shows the post, profile or Hub. */
  async function shownElsewhere(request: ApiCall<Name>, ids: ReadonlySet<string>): Promise<Set<string>> {
    const client = entryOf(atPrimary, request.who);
    const { cursor, ...args } = { cursor: undefined, ...request.args };
    const list = await callOverHttp(client, { ...request, args: { ...args, limit: 100 } });
    const shown = new Set(idsIn(list));
    for (const id of ids) {
      for (const path of [`/posts/${id}`, `/users/${id}/profile`, `/hubs/${id}`]) {
        if ((await client.get(path)).status === 200) shown.add(id);
      }
    }
    return shown;
  }

  return {
    call,
    callAll: (requests) => Promise.all(requests.map(call)),
    settle: async () => {
      lastWriter = null;
      await untilReplayed(opine);
    },
    end: async () => {
      await disturbance.stop();
      expect(await opine.reads('answered')).toBeGreaterThan(looks / 4);
    },
  };
}

function idsIn(answer: ApiResult): readonly string[] {
  return JSON.stringify(answer.data ?? null).match(UUID) ?? [];
}

function steady(data: Json): Json {
  return data === undefined
    ? undefined
    : JSON.parse(JSON.stringify(data, (key, value) => (VARYING.includes(key) ? undefined : value)));
}

/** Starts an Opine whose replicas replay late until it stops. @param environment of its server */
export async function startLateReplicas(environment: Environment): Promise<Opine> {
  const opine = await startReplicatedOpine(2, environment);
  const disturbance = disturb(opine);
  return {
    ...opine,
    stop: async () => {
      await disturbance.stop();
      expect(await opine.reads('answered')).toBeGreaterThan(1_000);
      await opine.stop();
    },
  };
}

/** Pauses and resumes the replay of replicas at random, sometimes for longer than a replica may be behind, until it is stopped. */
function disturb({ replicas }: ReplicatedOpine): { stop(): Promise<void> } {
  let isStopped = false;
  const loops = replicas.map(async (replica) => {
    while (!isStopped) {
      await pause(Math.random() * 40);
      const duration = Math.random() < 0.01 ? 3_000 + Math.random() * 2_000 : Math.random() * 400;
      await replica.whilePaused(() => pause(duration));
    }
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}
