import { Worker } from 'node:worker_threads';
import type { Images, PreparedImage } from './images.ts';

/** The message to the thread: a picture to prepare. */
export interface ImageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** The message from the thread. */
export type ImageResult = { readonly prepared: PreparedImage | null } | { readonly failure: unknown };

/** Images that are prepared in another thread. */
export interface ImageThread extends Images {
  /** Ends the thread. Rejects unfinished and later pictures. */
  close(): Promise<void>;
}

/** Options that tests override. */
export interface ImageThreadOptions {
  /** The module that the thread runs. */
  readonly entry?: URL;
  /** Ends an idle thread after this time, to free its memory. */
  readonly idleTimeoutMs?: number;
  /** Ends the thread if one picture takes longer. */
  readonly timeoutMs?: number;
}

/** Limits of the JavaScript heap. Files and pixels lie outside of it; the limit of decoded pixels bounds them. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * Prepares images in a worker thread, one at a time, because decoding would block the event loop. The thread starts with the
 * first image and ends when it is idle. A crash rejects the current image, and the next image starts a new thread.
 */
export function createImageThread(options: ImageThreadOptions = {}): ImageThread {
  const queue = new ThreadQueue(options);
  return {
    prepare: (bytes, contentType) => queue.add(bytes, contentType),
    close: () => queue.close(),
  };
}

interface QueuedTask {
  readonly task: ImageTask;
  readonly resolve: (prepared: PreparedImage | null) => void;
  readonly reject: (error: unknown) => void;
}

class ThreadQueue {
  readonly #entry: URL;
  readonly #idleTimeoutMs: number;
  readonly #timeoutMs: number;
  readonly #waiting: QueuedTask[] = [];
  #current: QueuedTask | null = null;
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ImageThreadOptions) {
    this.#entry = options.entry ?? new URL('./image-thread-entry.ts', import.meta.url);
    this.#idleTimeoutMs = options.idleTimeoutMs ?? 30_000;
    this.#timeoutMs = options.timeoutMs ?? 20_000;
  }

  add(bytes: Uint8Array, contentType: string): Promise<PreparedImage | null> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      // Copies the bytes, because transferring a buffer takes it from the caller.
      this.#waiting.push({ task: { bytes: new Uint8Array(bytes), contentType }, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    await this.#terminate(closedError());
  }

  #next(): void {
    if (this.#current !== null) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift() ?? null;
    if (this.#current === null) this.#idle();
    else this.#start(this.#current);
  }

  #start({ task, reject }: QueuedTask): void {
    try {
      const worker = this.#getWorker();
      worker.ref();
      worker.postMessage(task, [task.bytes.buffer]);
    } catch (error) {
      // The system may be out of threads.
      reject(error);
      this.#current = null;
      this.#next();
      return;
    }
    const timedOut = new Error('Preparing an image timed out.');
    this.#timer = setTimeout(() => void this.#terminate(timedOut), this.#timeoutMs);
  }

  /** Waits for the next image without keeping the process alive. */
  #idle(): void {
    if (this.#worker === null) return;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.#terminate(), this.#idleTimeoutMs).unref();
  }

  #getWorker(): Worker {
    if (this.#worker !== null) return this.#worker;
    // The environment holds secrets, and the thread needs neither it nor the process's flags.
    const options = { name: 'images', env: {}, execArgv: [], resourceLimits: RESOURCES };
    const worker = new Worker(this.#entry, options);
    let failure: unknown = new Error('The image thread ended.');
    worker.on('message', (result: ImageResult) => this.#onResult(worker, result));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#onExit(worker, failure));
    this.#worker = worker;
    return worker;
  }

  #onResult(worker: Worker, result: ImageResult): void {
    if (this.#worker !== worker) return;
    const current = this.#current;
    this.#current = null;
    if ('failure' in result) current?.reject(result.failure);
    else current?.resolve(result.prepared);
    this.#next();
  }

  #onExit(worker: Worker, failure: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#current?.reject(failure);
    this.#current = null;
    this.#next();
  }

  /** Ends the thread and rejects its current image. */
  async #terminate(failure?: unknown): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === null) return;
    this.#onExit(worker, failure);
    await worker.terminate();
  }
}

function closedError(): Error {
  return new Error('The image thread is closed.');
}
