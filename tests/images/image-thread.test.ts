import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createImageThread,
  type ImageThread,
  type ImageThreadOptions,
} from '../../src/images/image-thread.ts';
import { ALL_METADATA, aJpeg, aPng, aWebp, METADATA_TRACES } from '../support/pictures.ts';
import { images } from './decoding.ts';

const FAULTY = new URL('./faulty-thread.ts', import.meta.url);

const threads: ImageThread[] = [];

function aThread(options?: ImageThreadOptions): ImageThread {
  const thread = createImageThread(options);
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

describe('an image thread', () => {
  test('the thread answers the same as the calling thread', async () => {
    const thread = aThread();
    for (const [type, build] of [
      ['image/jpeg', aJpeg],
      ['image/png', aPng],
      ['image/webp', aWebp],
    ] as const) {
      const file = await build({ ...ALL_METADATA, orientation: 6 });
      expect(await thread.prepare(file, type)).toEqual(await images.prepare(file, type));
      expect(await thread.prepare(file.subarray(0, 60), type)).toBeNull();
    }
  });

  test('the thread leaves the buffer of the caller intact', async () => {
    const file = await aJpeg(ALL_METADATA);
    const around = Buffer.concat([METADATA_TRACES.comment, file, METADATA_TRACES.comment]);
    const inside = around.subarray(METADATA_TRACES.comment.length, -METADATA_TRACES.comment.length);
    const prepared = await aThread().prepare(inside, 'image/jpeg');
    expect(prepared).toEqual(await images.prepare(file, 'image/jpeg'));
    expect(Buffer.from(file).equals(inside)).toBe(true);
  });

  test('decoding does not block the event loop', async () => {
    const file = await aJpeg({ width: 4000, height: 3000 });
    const thread = aThread();
    await thread.prepare(await aJpeg(), 'image/jpeg');
    const delays = monitorEventLoopDelay({ resolution: 5 });
    const started = performance.now();
    delays.enable();
    await Promise.all([1, 2, 3, 4].map(() => thread.prepare(file, 'image/jpeg')));
    delays.disable();
    const took = performance.now() - started;
    expect(delays.max / 1e6).toBeLessThan(took / 4);
  });

  test('concurrent requests each get their own answer', async () => {
    const thread = aThread();
    const heights = Array.from({ length: 12 }, (_, index) => 10 + index);
    const files = await Promise.all(heights.map((height) => aPng({ height })));
    const prepared = await Promise.all(files.map((file) => thread.prepare(file, 'image/png')));
    expect(prepared.map((image) => image?.height)).toEqual(heights);
  });
});

describe('a failing image thread', () => {
  const nothing = new Uint8Array();

  test.each(['ends', 'fills its memory'])(
    'a thread that %s rejects its current request only',
    async (crash) => {
      const thread = aThread({ entry: FAULTY });
      const [first, lost, next] = await Promise.allSettled([
        thread.prepare(nothing, 'first'),
        thread.prepare(nothing, crash),
        thread.prepare(nothing, 'next'),
      ]);
      expect([first.status, lost.status, next.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      const [one, other] = [first, next].map((result) => 'value' in result && result.value?.width);
      expect(one).not.toBe(other);
      expect((await thread.prepare(nothing, 'later'))?.width).toBe(other);
    },
  );

  test('a failure rejects its request and keeps the thread', async () => {
    const thread = aThread({ entry: FAULTY });
    const before = await thread.prepare(nothing, 'before');
    await expect(thread.prepare(nothing, 'fails')).rejects.toThrow('requested failure');
    expect((await thread.prepare(nothing, 'after'))?.width).toBe(before?.width);
  });

  test('a thread that hangs is terminated after the timeout', async () => {
    const thread = aThread({ entry: FAULTY, timeoutMs: 3000 });
    await expect(thread.prepare(nothing, 'hangs')).rejects.toThrow('timed out');
    expect(await thread.prepare(nothing, 'next')).not.toBeNull();
  });

  test('a thread that cannot start rejects its request', async () => {
    const thread = aThread({ entry: new URL('./no-such-thread.ts', import.meta.url) });
    await expect(thread.prepare(nothing, 'anything')).rejects.toThrow('no-such-thread');
  });
});

describe('an idle image thread', () => {
  const nothing = new Uint8Array();

  test('an idle thread ends after idleTimeoutMs and not before', async () => {
    const longIdle = aThread({ entry: FAULTY });
    const shortIdle = aThread({ entry: FAULTY, idleTimeoutMs: 1 });
    const [before, other] = [await longIdle.prepare(nothing, 'one'), await shortIdle.prepare(nothing, 'one')];
    await expect
      .poll(async () => {
        await delay(20);
        return (await shortIdle.prepare(nothing, 'two'))?.width;
      })
      .not.toBe(other?.width);
    expect((await longIdle.prepare(nothing, 'two'))?.width).toBe(before?.width);
  });

  test('an idle thread does not keep the process alive', async () => {
    const module = new URL('../../src/images/image-thread.ts', import.meta.url);
    const script = `
      import { createImageThread } from ${JSON.stringify(module.href)};
      process.stdout.write(String(await createImageThread().prepare(new Uint8Array(9), 'image/png')));
    `;
    const started = performance.now();
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
    const [code] = await once(child, 'close');
    expect([code, written]).toEqual([0, 'null']);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('a thread that never started closes at once', async () => {
    await createImageThread().close();
  });
});

test('closing the thread rejects current, waiting and later requests', async () => {
  const thread = createImageThread({ entry: FAULTY });
  await thread.prepare(new Uint8Array(), 'first');
  const [current, waiting] = [
    thread.prepare(new Uint8Array(), 'hangs'),
    thread.prepare(new Uint8Array(), 'next'),
  ];
  const outcomes = Promise.allSettled([current, waiting]);
  await thread.close();
  for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
  await expect(thread.prepare(new Uint8Array(), 'later')).rejects.toThrow('is closed');
  await thread.close();
});
