import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sink } from '../../src/stream/sink.ts';
import { createStreams, type Streams } from '../../src/stream/streams.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/streams.ts';

const RECONNECT = 'event: reconnect\ndata: {}\n\n';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

// Only the timers of streams are fake: the listener needs its own.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Creates streams whose sessions `liveSessions` knows. They close when the test ends. */
function streamsOf(liveSessions: (ids: readonly string[]) => Promise<Set<string>>): Streams {
  const streams = createStreams({
    gateway: { liveSessions, openSignals: async () => [] },
    listenUrl: database.urlAs('opine_gateway'),
  });
  onTestFinished(() => streams.close());
  return streams;
}

/** Prepares a stream of a session. Returns a function that opens it, and its text. */
async function aStream(streams: Streams, sessionId: string): Promise<{ open(): void; text(): string }> {
  const subscribe = await streams.prepare({ userId: crypto.randomUUID(), sessionId }, '{}');
  let text = '';
  const sink: Sink = {
    backlog: () => 0,
    write: (bytes) => {
      text += new TextDecoder().decode(bytes);
    },
    end: () => {
      text += '(end)';
    },
    cut: () => {},
  };
  return { open: () => void subscribe(sink), text: () => text };
}

async function openStream(streams: Streams, sessionId: string): Promise<() => string> {
  const { open, text } = await aStream(streams, sessionId);
  open();
  return text;
}

describe('the checks of sessions', () => {
  test('a stream ends at the check after the end of its session, five seconds later at most', async () => {
    const streams = streamsOf(async () => new Set(['a live session']));
    const [live, ended] = [
      await openStream(streams, 'a live session'),
      await openStream(streams, 'an old session'),
    ];
    vi.advanceTimersByTime(4_900);
    expect(streams.count).toBe(2);
    vi.advanceTimersByTime(100);
    await eventually(ended).toMatch(/^retry.*event: ready.*event: reconnect\ndata: \{\}\n\n\(end\)$/s);
    expect(live()).not.toContain('reconnect');
    expect(streams.count).toBe(1);
  });

  test('a check that Postgres does not answer ends no stream, and the next one does', async () => {
    let checks = 0;
    const streams = streamsOf(async () => {
      checks += 1;
      if (checks === 1) throw new Error('refused');
      return new Set();
    });
    const text = await openStream(streams, 'an old session');
    vi.advanceTimersByTime(5_000);
    await eventually(() => checks).toBe(1);
    await new Promise(setImmediate);
    expect(streams.count).toBe(1);
    vi.advanceTimersByTime(5_000);
    await eventually(text).toContain(RECONNECT);
  });

  test('a check asks for 5,000 sessions at once at most, and for each of them', async () => {
    const asked: (readonly string[])[] = [];
    const streams = streamsOf(async (ids) => {
      asked.push(ids);
      return new Set(ids);
    });
    const sessions = Array.from({ length: 5_001 }, (_, number) => `session ${number}`);
    for (const session of sessions) await openStream(streams, session);
    vi.advanceTimersByTime(5_000);
    await eventually(() => asked.flat()).toEqual(sessions);
    expect(asked.map(({ length }) => length)).toEqual([5_000, 1]);
  });
});

test('a stream that is about to open when the process stops ends at once', async () => {
  const streams = streamsOf(async () => new Set());
  const { open, text } = await aStream(streams, 'a session');
  await streams.close();
  open();
  expect(text()).toMatch(/event: reconnect\ndata: \{\}\n\n\(end\)$/);
  expect([streams.count, vi.getTimerCount()]).toEqual([0, 0]);
});

test('closed streams end, and leave no timer behind', async () => {
  const streams = streamsOf(async () => new Set());
  const text = await openStream(streams, 'a session');
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await streams.close();
  expect(text()).toContain(RECONNECT);
  expect([streams.count, vi.getTimerCount()]).toEqual([0, 0]);
});
