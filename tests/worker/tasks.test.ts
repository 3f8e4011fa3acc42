import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import type { Objects } from '../../src/storage/objects.ts';
import type { Dispatch } from '../../src/worker/dispatch.ts';
import { whenDue } from '../../src/worker/due.ts';
import {
  createTasks,
  deliverOutbox,
  fanOut,
  finishAccountDeletions,
  foldVotes,
  pushToDevices,
  removeExpiredObjects,
  sweepUploads,
} from '../../src/worker/tasks.ts';
import type { Task } from '../../src/worker/worker.ts';
import { stopClock, stopTimeouts } from '../support/clock.ts';
import { type FunctionCall, fakeDatabase } from '../support/fake-database.ts';

const NEVER = new AbortController().signal;

/** The calls of Postgres so far. */
let calls: FunctionCall[];
/** The answers to the next calls of a function; later ones are what tells that there is no more work. */
let answers: Record<string, unknown[]>;
/** The functions that fail. */
let broken: string[];

beforeEach(() => {
  [calls, answers, broken] = [[], {}, []];
});

const NOTHING: Readonly<Record<string, readonly unknown[]>> = {
  'app.deliver_outbox': [{ last: null, lease_id: null, messages: [] }],
  'app.claim_pushes': [{ is_more: false, messages: [] }],
  'app.claim_expired_objects': [],
  'app.dead_upload_keys': [],
};

const db = fakeDatabase((call) => {
  const [name] = call;
  calls.push(call);
  if (broken.some((each) => name.startsWith(each))) throw new Error(`${name} fails`);
  const next = answers[name]?.shift();
  return next === undefined ? (NOTHING[name] ?? [null]) : Array.isArray(next) ? next : [next];
});

const IDLE: Dispatch = { room: () => 3_000, send: async () => {}, idle: async () => {} };
const EMPTY: Objects = {
  open: async () => null,
  put: async () => {},
  remove: async () => {},
  list: async function* () {
    yield [];
  },
};

function tasksWith(changes: { runsOncePerMinute?: boolean; notificationDays?: number | null } = {}) {
  const options = { db, dispatch: IDLE, objects: EMPTY, keys: ['a key'], activityMinimum: 5 };
  return createTasks({ ...options, notificationDays: 30, runsOncePerMinute: false, ...changes });
}

const VACUUMS = [
  [
    'vacuum (index_cleanup on, truncate on, analyze off) app.vote_slots, app.pending_ballots, app.fresh_votes, app.promotions',
  ],
  ['vacuum app.vote_pools, app.pending_totals, app.vote_receipts, app.rate_limits'],
] as const;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Every task with its interval in seconds, and what it calls when there is no work. */
const TASKS: readonly (readonly [name: string, seconds: number, ...calls: FunctionCall[]])[] = [
  ['fan out milestones', 2, ['app.fan_out_milestones']],
  ['fan out', 0.5, ['app.fan_out']],
  ['fold inbox counts', 5, ['app.fold_inbox_counts']],
  ['deliver outbox', 0.2, ['app.deliver_outbox', FIRST_ID, 500, 3_000]],
  ['push to devices', 0.5, ['app.claim_pushes', 200]],
  [
    'fold votes',
    10,
    ['app.fold_pools', null],
    ['app.fold_ballots', ['a key']],
    ['app.fold_receipts'],
    ...VACUUMS,
  ],
  ['release votes', 60, ['app.release_votes', 5]],
  ['finish account deletions', 1, ['app.claim_account_deletion']],
  ['remove expired objects', 1, ['app.claim_expired_objects', 100]],
  ['sweep uploads', 5, ['app.dead_upload_keys', []]],
  ['record heartbeat', 1, ['gateway.record_heartbeat']],
  ['prune pending totals', 30, ['app.prune_pending_totals']],
  ['prune identity', 300, ['app.prune_identity']],
  ['prune uploads', 3_600, ['app.prune_uploads']],
  ['fold presence', 60, ['app.fold_presence']],
  ['prune closed hubs', 30, ['app.prune_closed_hubs']],
  ['prune feeds', 30, ['app.prune_feeds']],
  ['prune hubs', 300, ['app.prune_hubs']],
  ['prune rate limits', 300, ['app.prune_rate_limits']],
  ['prune sign-in places', 3_600, ['app.prune_sign_in_places']],
  ['prune removed contents', 3_600, ['app.prune_removed_contents']],
  ['prune evidence', 3_600, ['app.prune_evidence']],
  ['prune device tokens', 3_600, ['app.prune_device_tokens']],
  ['prune notifications', 60, ['app.prune_notifications', 30]],
  ['prune staff sessions', 3_600, ['staff.prune_sessions']],
  ['prune idempotent answers', 300, ['gateway.prune_idempotent_answers']],
];

describe('the tasks of a worker', () => {
  test('every task has its interval and calls its function, the most urgent ones first', async () => {
    const { push, upkeep } = tasksWith();
    const seen = [];
    for (const { name, everyMs, run } of [...push, ...upkeep]) {
      calls = [];
      await run(NEVER);
      seen.push([name, everyMs / 1_000, ...calls]);
    }
    expect(seen).toEqual(TASKS);
    expect(push.map(({ name }) => name)).toEqual(TASKS.slice(0, 5).map(([name]) => name));
  });

  test('notifications are kept for ever without a number of days', () => {
    const names = tasksWith({ notificationDays: null }).upkeep.map(({ name }) => name);
    expect(names).not.toContain('prune notifications');
  });
});

const REPEATED = [
  'fan out milestones',
  'fold inbox counts',
  'release votes',
  'prune pending totals',
  'prune notifications',
];

describe('a task that repeats its call', () => {
  const taskOf = (name: string) => {
    const { push, upkeep } = tasksWith();
    return {
      task: [...push, ...upkeep].find((each) => each.name === name) as Task,
      call: TASKS.find(([each]) => each === name)?.[2]?.[0] ?? '',
    };
  };

  test.each(REPEATED)('the task %s calls Postgres again while there is more work', async (name) => {
    const { task, call } = taskOf(name);
    answers = { [call]: [true, true, false, true] };
    await task.run(NEVER);
    expect(calls).toHaveLength(3);
  });

  test.each(REPEATED)('the task %s ends after 15 seconds, and when the worker stops', async (name) => {
    const { task, call } = taskOf(name);
    const passTime = stopTimeouts();
    const stopping = new AbortController();
    for (const end of [() => passTime(1), () => stopping.abort()]) {
      calls = [];
      answers = { [call]: Array(5).fill(true) };
      const running = task.run(stopping.signal);
      passTime(14_999);
      end();
      await running;
      expect(calls).toHaveLength(1);
    }
  });
});

describe('the fold of votes', () => {
  test('the edge function folds both generations of slots', async () => {
    await foldVotes(db, ['a key'], true).run(NEVER);
    expect(calls.slice(0, 3)).toEqual([
      ['app.fold_pools', 0],
      ['app.fold_pools', 1],
      ['app.fold_ballots', ['a key']],
    ]);
  });

  test('a step that fails does not stop the others, and the run reports each failure', async () => {
    broken = ['app.fold_pools', 'app.fold_receipts', 'vacuum (index'];
    const failure = await foldVotes(db, ['a key'])
      .run(NEVER)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      errors: [{ message: 'app.fold_pools fails' }, { message: 'app.fold_receipts fails' }, {}],
    });
    expect(calls.map(([name]) => name)).toEqual([
      'app.fold_pools',
      'app.fold_ballots',
      'app.fold_receipts',
      VACUUMS[0][0],
    ]);
  });

  test('a worker that stops begins no further step', async () => {
    const stopping = new AbortController();
    const running = foldVotes(db, ['a key']).run(stopping.signal);
    stopping.abort();
    await running;
    expect(calls).toEqual([['app.fold_pools', null]]);
  });
});

describe('the deletion of accounts', () => {
  test('every claimed account is finished, and a further part of the same one after a pause', async () => {
    stopClock();
    answers = { 'app.claim_account_deletion': ['maya', 'jonas', 'maya'] };
    const running = finishAccountDeletions(db).run(NEVER);
    await vi.advanceTimersByTimeAsync(49);
    const finished = () =>
      calls.filter(([name]) => name === 'app.finish_account_deletion').map(([, id]) => id);
    expect(finished()).toEqual(['maya', 'jonas']);
    await vi.advanceTimersByTimeAsync(1);
    await running;
    expect(finished()).toEqual(['maya', 'jonas', 'maya']);
  });
});

describe('the removal of objects', () => {
  const CLAIMED = [
    { id: 'one', bucket: 'media' },
    { id: 'two', bucket: 'photos' },
    { id: 'three', bucket: 'media' },
  ];

  test('objects and their thumbnails are removed from their buckets, before their rows', async () => {
    answers = { 'app.claim_expired_objects': [CLAIMED] };
    const removed: unknown[] = [];
    const remove: Objects['remove'] = async (bucket, keys) => {
      removed.push([bucket, keys, calls.filter(([name]) => name === 'app.delete_objects')]);
    };
    await removeExpiredObjects(db, { ...EMPTY, remove }).run(NEVER);
    expect(removed).toEqual([
      ['media', ['one', 'three', 'one-thumbnail', 'three-thumbnail'], []],
      ['photos', ['two', 'two-thumbnail'], []],
    ]);
    expect(calls).toEqual([
      ['app.claim_expired_objects', 100],
      ['app.delete_objects', ['one', 'three']],
      ['app.delete_objects', ['two']],
      ['app.claim_expired_objects', 100],
    ]);
  });

  test('a bucket that fails keeps its rows and fails the run, after the other buckets', async () => {
    answers = { 'app.claim_expired_objects': [CLAIMED] };
    const remove: Objects['remove'] = async (bucket) => {
      if (bucket === 'media') throw new Error('the bucket is away');
    };
    await expect(removeExpiredObjects(db, { ...EMPTY, remove }).run(NEVER)).rejects.toThrow(
      'the bucket is away',
    );
    expect(calls.slice(1)).toEqual([['app.delete_objects', ['two']]]);
  });

  test('files of no open upload are removed, a hundred at once', async () => {
    const keys = Array.from({ length: 150 }, (_, number) => `key ${number}`);
    answers = { 'app.dead_upload_keys': [keys.slice(0, 80), [...keys.slice(80), null]] };
    const removed: unknown[] = [];
    const remove: Objects['remove'] = async (...args) => void removed.push(args);
    const list: Objects['list'] = async function* () {
      yield ['a page'];
      yield ['another page'];
    };
    await sweepUploads(db, { ...EMPTY, remove, list }).run(NEVER);
    expect(calls).toEqual([
      ['app.dead_upload_keys', ['a page']],
      ['app.dead_upload_keys', ['another page']],
    ]);
    expect(removed).toEqual([
      ['uploads', keys.slice(0, 100)],
      ['uploads', keys.slice(100)],
    ]);
    answers = { 'app.dead_upload_keys': [keys] };
    await sweepUploads(db, { ...EMPTY, remove, list }).run(AbortSignal.abort());
    expect(removed).toHaveLength(2);
  });
});

describe('the delivery of pushes', () => {
  test('queued pushes are claimed 200 at once while there are more, and sent one batch after the other', async () => {
    answers = {
      'app.claim_pushes': [
        { is_more: true, messages: ['one'] },
        { is_more: true, messages: ['two'] },
      ],
    };
    const events: unknown[] = [];
    const dispatch: Dispatch = {
      room: () => 3_000,
      idle: async () => void events.push('idle'),
      send: async (...sent) => void events.push(sent),
    };
    await pushToDevices(db, dispatch).run(NEVER);
    expect(events).toEqual(['idle', [['one'], null, NEVER], [['two'], null, NEVER], [[], null, NEVER]]);
    expect(calls).toEqual(Array(3).fill(['app.claim_pushes', 200]));
  });

  test('no more pushes are claimed than there is room for, and none without room or when the worker stops', async () => {
    const rooms = [7, 0];
    answers = { 'app.claim_pushes': [{ is_more: true, messages: [] }] };
    await pushToDevices(db, { ...IDLE, room: () => rooms.shift() ?? 0 }).run(NEVER);
    await pushToDevices(db, IDLE).run(AbortSignal.abort());
    expect(calls).toEqual([['app.claim_pushes', 7]]);
  });

  test('the outbox is published in two lanes until it is empty, and each lease is sent with its messages', async () => {
    answers = {
      'app.deliver_outbox': [
        { last: 'id 1', lease_id: 'lease 1', messages: ['one'] },
        { last: 'id 2', lease_id: 'lease 2', messages: ['two'] },
      ],
    };
    const sent: unknown[] = [];
    const send: Dispatch['send'] = async (messages, lease) => void sent.push([messages, lease]);
    await deliverOutbox(db, { ...IDLE, room: () => 9, send }).run(NEVER);
    expect(calls.map(([, after, , room]) => [after, room])).toEqual([
      [FIRST_ID, 9],
      ['id 1', 9],
      ['id 1', 9],
      ['id 2', 9],
    ]);
    expect(sent.slice(0, 2)).toEqual([
      [['one'], 'lease 1'],
      [['two'], 'lease 2'],
    ]);
  });

  test('a worker without pushes claims none when it publishes', async () => {
    await deliverOutbox(db, null).run(NEVER);
    expect(calls).toEqual([['app.deliver_outbox', FIRST_ID, 500, 0]]);
  });

  test('the batches of a large event are fanned out in three lanes', async () => {
    answers = { 'app.fan_out': [true, true, true, true, false, false, false] };
    await fanOut(db).run(NEVER);
    // The first call, one lane that found two batches, two that found one, the ends of three, and the look for another event.
    expect(calls).toHaveLength(8);
  });
});

describe('a task of an edge function', () => {
  const taskOf = (everyMs: number, ran: string[]): Task => ({
    name: 'a task',
    everyMs,
    run: async () => void ran.push('ran'),
  });

  test('a task with the interval of the function, a minute, runs in each call', async () => {
    const task = taskOf(60_000, []);
    expect(whenDue(db, task)).toBe(task);
  });

  test('a task with a longer interval runs when Postgres says that it is due', async () => {
    const ran: string[] = [];
    const task = whenDue(db, taskOf(60_001, ran));
    answers = { 'app.start_task': [false, true] };
    await task.run(NEVER);
    expect(ran).toEqual([]);
    await task.run(NEVER);
    expect(ran).toEqual(['ran']);
    expect(calls).toEqual(Array(2).fill(['app.start_task', 'a task', '60001 ms']));
  });
});

test('the tasks with a queue are those that app.waiting_tasks names', () => {
  const schema = readFileSync(path.join(ROOT, 'supabase/schemas/82_monitoring/02_waiting_tasks.sql'), 'utf8');
  const named = [...schema.matchAll(/then '([^']+)' end/g)].map(([, name]) => name);
  const { push, upkeep } = tasksWith();
  const withQueue = [...push, ...upkeep].filter(({ idleMs }) => idleMs !== undefined);
  expect(withQueue.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
});
