import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Gateway, GatewayCall } from '../../src/db/gateway.ts';
import { withReplicas } from '../../src/db/replicas.ts';
import type { ReplicaRead } from '../../src/observability/watch.ts';
import { waitWithoutClock } from '../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A database whose answers as a replica depend on the operation. */
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { superuser } = database;
  await sql`
    create or replace function gateway.call_replica(
      p_operation text, p_args jsonb, p_claims jsonb, p_transaction_ids xid8[], p_max_age interval, p_photos_url text,
      p_request_id text, out answer text, out visited_hub uuid
    ) returns record language plpgsql as $$
    begin
      case p_operation
        when 'wait' then
          perform pg_advisory_xact_lock_shared(1);
          answer := '"replica"';
        when 'answer' then answer := '"replica"';
        when 'visit' then
          answer := '"replica"';
          visited_hub := '01990000-0000-7000-8000-000000000001';
        when 'lag' then return;
        when 'refuse' then raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
        when 'conflict' then raise exception using errcode = '40001';
        when 'break' then raise exception using errcode = '42703';
        when 'fall behind' then raise exception using errcode = 'PT503', message = 'SERVICE_UNAVAILABLE';
      end case;
    end
    $$`.execute(superuser);
  await sql`create table gateway.applied_of_test (id xid8)`.execute(superuser);
  await sql`grant select on gateway.applied_of_test to opine_gateway`.execute(superuser);
  await sql`
    create or replace function gateway.applied(p_transaction_ids xid8[], p_timeout interval) returns setof xid8
    language sql as $$
      select a.id from gateway.applied_of_test as a where a.id = any (p_transaction_ids)
    $$`.execute(superuser);
});

afterAll(() => database.drop());

/** The operations of the database above. */
type Behaviour = 'wait' | 'answer' | 'visit' | 'lag' | 'refuse' | 'conflict' | 'break' | 'fall behind';

const CALL = {
  args: {},
  claims: null,
  mode: 'reader',
  treatsEndedSessionAsGuest: false,
  isWrite: false,
  revokesAccess: false,
  idempotency: null,
  addressHash: null,
  requestId: 'a read',
} as const;

let outcomes: ReplicaRead[];
let opened: unknown[];
let presences: string[];
let gateway: Gateway;

beforeEach(() => {
  [outcomes, opened, presences] = [[], [], []];
  gateway = replicated(1);
});

/** Creates a gateway with replicas, whose primary answers all alike. */
function replicated(count: number): Gateway {
  const primary = {
    call: async ({ isWrite }: GatewayCall) => ({
      json: '"primary"',
      transactionId: isWrite ? '7' : null,
      isReplayed: false,
    }),
    callSerializable: async () => ({ json: '"primary"', transactionId: '7', isReplayed: false }),
    recordPresence: async (_: object | null, hubId: string) => void presences.push(hubId),
    poolUse: () => [],
    close: async () => {},
  };
  const created = withReplicas(primary as unknown as Gateway, {
    urls: Array(count).fill(database.urlAs('opine_gateway')),
    poolSize: 4,
    namesStatements: false,
    photosUrl: 'https://photos.example/',
    onIdleError: () => {},
    onRead: (outcome) => void outcomes.push(outcome),
    onOpen: (error) => void opened.push(error),
  });
  onTestFinished(() => created.close());
  return created;
}

/** Reads what a replica may answer. Returns who answered. */
async function read(behaviour: Behaviour): Promise<string> {
  const call = { ...CALL, operation: behaviour as never, replicaRead: { transactionIds: [] } };
  return JSON.parse((await gateway.call(call)).json);
}

describe('a read that a replica may answer', () => {
  test.each([
    ['answer', 'replica', 'answered'],
    ['lag', 'primary', 'behind'],
    ['refuse', 'primary', 'passed'],
    ['conflict', 'primary', 'passed'],
    ['fall behind', 'primary', 'failed'],
    ['break', 'primary', 'failed'],
  ] as const)(
    'a replica that makes %s of it lets the %s answer, and counts as %s',
    async (behaviour, by, outcome) => {
      expect([await read(behaviour), outcomes]).toEqual([by, [outcome]]);
      expect(opened).toHaveLength(outcome === 'failed' ? 1 : 0);
    },
  );

  test('a read that no replica may answer goes to the primary', async () => {
    const call = { ...CALL, operation: 'answer' as never, replicaRead: null };
    expect([(await gateway.call(call)).json, outcomes]).toEqual(['"primary"', []]);
  });

  test('the visit of a Hub is recorded on the primary', async () => {
    await read('visit');
    expect(presences).toEqual(['01990000-0000-7000-8000-000000000001']);
  });
});

describe('the circuit of a replica that failed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  test('the circuit of a replica that failed is open for five seconds, and closes with an answer', async () => {
    await read('break');
    vi.advanceTimersByTime(4_999);
    expect(await read('answer')).toBe('primary');
    vi.advanceTimersByTime(1);
    expect([await read('answer'), await read('answer')]).toEqual(['replica', 'replica']);
    expect(outcomes).toEqual(['failed', 'open', 'answered', 'answered']);
  });

  test('an open circuit lets one request try after five seconds, which opens it again or closes it', async () => {
    await read('break');
    vi.advanceTimersByTime(5_000);
    const trial = read('break');
    expect(await read('answer')).toBe('primary');
    await trial;
    vi.advanceTimersByTime(4_999);
    await read('answer');
    vi.advanceTimersByTime(1);
    await read('refuse');
    expect(await read('answer')).toBe('replica');
    expect(outcomes).toEqual(['failed', 'open', 'failed', 'open', 'passed', 'answered']);
    // The second failure came while it was open.
    expect(opened).toHaveLength(1);
  });

  test('an open circuit leaves the reads to the other replica', async () => {
    gateway = replicated(2);
    await read('break');
    for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await read('answer')).toBe('replica');
    expect(outcomes).toEqual(['failed', ...Array(8).fill('answered')]);
  });
});

test('the replica with fewer reads under way answers', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  gateway = replicated(2);
  const connections = () =>
    gateway
      .poolUse()
      .filter(({ pool }) => pool.endsWith('guests'))
      .map(({ total }) => total);
  // Reads one after the other are no load.
  for (const _ of [1, 2, 3]) await read('answer');
  expect(connections()).toEqual([1, 0]);
  const { waiting } = await database.superuser.transaction().execute(async (holder) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(holder);
    const waiting = [1, 2, 3, 4].map(() => read('wait'));
    await waitWithoutClock(() => connections().join() === '2,2');
    return { waiting };
  });
  await Promise.all(waiting);
});

describe('a write that ends rights', () => {
  const write = { ...CALL, isWrite: true, revokesAccess: true, operation: 'x' as never, replicaRead: null };

  /** Runs a write. Returns a function that tells whether it is answered. */
  function answering(call: () => Promise<unknown>): () => boolean {
    let isAnswered = false;
    void call().then(() => {
      isAnswered = true;
    });
    return () => isAnswered;
  }

  test('each write is answered when the replica has it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const call of [() => gateway.call(write), () => gateway.callSerializable(write)]) {
      const isAnswered = answering(call);
      for (const round of [1, 2, 3]) {
        await sql`select ${round}`.execute(database.superuser);
        expect(isAnswered()).toBe(false);
      }
      await sql`insert into gateway.applied_of_test values ('7')`.execute(database.superuser);
      await waitWithoutClock(isAnswered);
      await sql`delete from gateway.applied_of_test`.execute(database.superuser);
    }
  });

  test('a write is answered after four seconds without the replica, which refuses reads by then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const isAnswered = answering(() => gateway.call(write));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(isAnswered()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waitWithoutClock(isAnswered);
  });

  test('a write that ends no rights does not wait', async () => {
    const isAnswered = answering(() => gateway.call({ ...write, revokesAccess: false }));
    await new Promise(setImmediate);
    expect(isAnswered()).toBe(true);
  });
});
