import { parentPort } from 'node:worker_threads';
import type { ImageResult, ImageTask } from './image-thread.ts';
import { createImages, type PreparedImage, SERVER_MAX_PIXELS } from './images.ts';
import { nodeCodecs } from './node-codecs.ts';

const images = createImages(nodeCodecs(), SERVER_MAX_PIXELS);

parentPort?.on('message', async ({ bytes, contentType }: ImageTask) => {
  try {
    post({ prepared: await images.prepare(bytes, contentType) });
  } catch (error) {
    post({ failure: error });
  }
});

function post(message: ImageResult): void {
  parentPort?.postMessage(message, 'prepared' in message ? buffersOf(message.prepared) : []);
}

/** Returns the buffers to transfer instead of copying them. */
function buffersOf(prepared: PreparedImage | null): ArrayBuffer[] {
  const buffers = [prepared?.bytes.buffer, prepared?.thumbnail?.buffer];
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer);
}
