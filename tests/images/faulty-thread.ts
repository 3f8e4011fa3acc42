import { parentPort, threadId } from 'node:worker_threads';
import type { ImageTask } from '../../src/images/image-thread.ts';

/** A fake image thread: it does what the content type says and answers its thread id in `width`. */
parentPort?.on('message', ({ bytes, contentType }: ImageTask) => {
  if (contentType === 'ends') process.exit(1);
  if (contentType === 'hangs') for (;;);
  if (contentType === 'fills its memory') fillMemory();
  if (contentType === 'fails') parentPort?.postMessage({ failure: new Error('requested failure') });
  else parentPort?.postMessage({ prepared: { bytes, width: threadId, height: 1, blurhash: null } });
});

function fillMemory(): never {
  const kept: object[] = [];
  for (;;) kept.push({ at: kept.length });
}
