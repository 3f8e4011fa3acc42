import { parentPort } from 'node:worker_threads';
import type { ImageAnswer, ImageTask } from './image-thread.ts';
import { createImages, MANY_PIXELS, type PreparedImage } from './images.ts';
import { nodeCodecs } from './node-codecs.ts';

const images = createImages(nodeCodecs(), MANY_PIXELS);

parentPort?.on('message', async ({ bytes, contentType }: ImageTask) => {
  try {
    answer({ prepared: await images.prepare(bytes, contentType) });
  } catch (error) {
    answer({ failure: error });
  }
});

function answer(message: ImageAnswer): void {
  parentPort?.postMessage(message, 'prepared' in message ? buffersOf(message.prepared) : []);
}

/** What is handed over instead of being copied. */
function buffersOf(prepared: PreparedImage | null): ArrayBuffer[] {
  const buffer = prepared?.bytes.buffer;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
