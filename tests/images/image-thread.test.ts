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
import { aJpeg, aPng, aWebp, TALKATIVE, theTraces } from '../support/pictures.ts';
import { images } from './decoding.ts';

const UNLUCKY = new URL('./an-unlucky-thread.ts', import.meta.url);

const threads: ImageThread[] = [];

function aThread(options?: ImageThreadOptions): ImageThread {
  const thread = createImageThread(options);
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

describe('a thread for images', () => {
  test('prepares as is done in place', async () => {
    const thread = aThread();
    for (const [type, build] of [
      ['image/jpeg', aJpeg],
      ['image/png', aPng],
      ['image/webp', aWebp],
    ] as const) {
      const file = await build({ ...TALKATIVE, orientation: 6 });
      expect(await thread.prepare(file, type)).toEqual(await images.prepare(file, type));
      expect(await thread.prepare(file.subarray(0, 60), type)).toBeNull();
    }
  });

  test('leaves the bytes to whom they belong', async () => {
    const file = await aJpeg(TALKATIVE);
    const around = Buffer.concat([theTraces.comment, file, theTraces.comment]);
    const inside = around.subarray(theTraces.comment.length, -theTraces.comment.length);
    const prepared = await aThread().prepare(inside, 'image/jpeg');
    expect(prepared).toEqual(await images.prepare(file, 'image/jpeg'));
    expect(Buffer.from(file).equals(inside)).toBe(true);
  });

  test('keeps nobody waiting while it decodes', async () => {
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

  test('prepares many that come at once, each as its own', async () => {
    const thread = aThread();
    const heights = Array.from({ length: 12 }, (_, index) => 10 + index);
    const files = await Promise.all(heights.map((height) => aPng({ height })));
    const prepared = await Promise.all(files.map((file) => thread.prepare(file, 'image/png')));
    expect(prepared.map((image) => image?.height)).toEqual(heights);
  });
});

describe('a thread that is unlucky', () => {
  const nothing = new Uint8Array();

  test.each(['ends', 'fills its memory'])('and %s loses what it had, and no more', async (crash) => {
    const thread = aThread({ entry: UNLUCKY });
    const [first, lost, next] = await Promise.allSettled([
      thread.prepare(nothing, 'first'),
      thread.prepare(nothing, crash),
      thread.prepare(nothing, 'next'),
    ]);
    expect([first.status, lost.status, next.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [one, other] = [first, next].map((result) => 'value' in result && result.value?.width);
    expect(one).not.toBe(other);
    expect((await thread.prepare(nothing, 'later'))?.width).toBe(other);
  });

  test('and fails says so, and goes on', async () => {
    const thread = aThread({ entry: UNLUCKY });
    const before = await thread.prepare(nothing, 'before');
    await expect(thread.prepare(nothing, 'fails')).rejects.toThrow('as it was told');
    expect((await thread.prepare(nothing, 'after'))?.width).toBe(before?.width);
  });

  test('and hangs is ended', async () => {
    const thread = aThread({ entry: UNLUCKY, timeoutMs: 3000 });
    await expect(thread.prepare(nothing, 'hangs')).rejects.toThrow('too long');
    expect(await thread.prepare(nothing, 'next')).not.toBeNull();
  });

  test('and cannot start says so', async () => {
    const thread = aThread({ entry: new URL('./no-such-thread.ts', import.meta.url) });
    await expect(thread.prepare(nothing, 'anything')).rejects.toThrow('no-such-thread');
  });
});

describe('a thread that has nothing to do', () => {
  const nothing = new Uint8Array();

  test('is ended after a while, and not before', async () => {
    const patient = aThread({ entry: UNLUCKY });
    const hasty = aThread({ entry: UNLUCKY, idleMilliseconds: 1 });
    const [before, other] = [await patient.prepare(nothing, 'one'), await hasty.prepare(nothing, 'one')];
    await expect
      .poll(async () => {
        await delay(20);
        return (await hasty.prepare(nothing, 'two'))?.width;
      })
      .not.toBe(other?.width);
    expect((await patient.prepare(nothing, 'two'))?.width).toBe(before?.width);
  });

  test('keeps no process alive', async () => {
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

  test('is closed at once', async () => {
    await createImageThread().close();
  });
});

test('what is not prepared when the thread is closed is rejected, as is what comes later', async () => {
  const thread = createImageThread({ entry: UNLUCKY });
  await thread.prepare(new Uint8Array(), 'first');
  const [current, waiting] = [
    thread.prepare(new Uint8Array(), 'hangs'),
    thread.prepare(new Uint8Array(), 'next'),
  ];
  const outcomes = Promise.allSettled([current, waiting]);
  await thread.close();
  for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
  await expect(thread.prepare(new Uint8Array(), 'later')).rejects.toThrow('no longer');
  await thread.close();
});
