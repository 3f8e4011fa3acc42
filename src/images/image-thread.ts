import { Worker } from 'node:worker_threads';
import type { Images, PreparedImage } from './images.ts';

/** What the thread is told. */
export interface ImageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** What it says to it. */
export type ImageAnswer = { readonly prepared: PreparedImage | null } | { readonly failure: unknown };

/** Images that are prepared elsewhere. */
export interface ImageThread extends Images {
  /** Ends the thread; what is not prepared by then is rejected, as is what comes later. */
  close(): Promise<void>;
}

/** What tests set otherwise. */
export interface ImageThreadOptions {
  /** The module that the thread runs. */
  readonly entry?: URL;
  /** After how long without work the thread is ended, and the memory of its decoders freed. */
  readonly idleMilliseconds?: number;
  /** After how long with one picture the thread is ended. */
  readonly timeoutMs?: number;
}

/** The heap of its JavaScript; files and decoded pixels lie beside it, and are bounded by the pixels that are decoded. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * Prepares images in a thread of their own, one at a time, so that decoding keeps nobody waiting. The thread starts with
 * the first image and ends when there has been none for a while; where it crashes, the image that it had is rejected, and
 * the next starts another.
 */
export function createImageThread(options: ImageThreadOptions = {}): ImageThread {
  const queue = new ThreadQueue(options);
  return {
    prepare: (bytes, contentType) => queue.add(bytes, contentType),
    close: () => queue.close(),
  };
}

interface Waiting {
  readonly task: ImageTask;
  readonly resolve: (prepared: PreparedImage | null) => void;
  readonly reject: (error: unknown) => void;
}

class ThreadQueue {
  readonly #entry: URL;
  readonly #idleMilliseconds: number;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ImageThreadOptions) {
    this.#entry = options.entry ?? new URL('./image-thread-entry.ts', import.meta.url);
    this.#idleMilliseconds = options.idleMilliseconds ?? 30_000;
    this.#timeoutMs = options.timeoutMs ?? 20_000;
  }

  add(bytes: Uint8Array, contentType: string): Promise<PreparedImage | null> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      // A copy, which is handed over: the caller's own stays theirs.
      this.#waiting.push({ task: { bytes: new Uint8Array(bytes), contentType }, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await this.#end(closed());
  }

  #next(): void {
    if (this.#current !== null) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift() ?? null;
    if (this.#current === null) this.#rest();
    else this.#work(this.#current);
  }

  #work({ task, reject }: Waiting): void {
    try {
      const worker = this.#thread();
      worker.ref();
      worker.postMessage(task, [task.bytes.buffer]);
    } catch (error) {
      // The system may have no room for another thread now.
      reject(error);
      this.#current = null;
      this.#next();
      return;
    }
    const tooLong = new Error('An image took too long to prepare.');
    this.#timer = setTimeout(() => void this.#end(tooLong), this.#timeoutMs);
  }

  /** Waits for work without keeping the process alive. */
  #rest(): void {
    if (this.#worker === null) return;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.#end(), this.#idleMilliseconds).unref();
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    // It has no use for the environment, which holds secrets, nor for how the process was started.
    const options = { name: 'images', env: {}, execArgv: [], resourceLimits: RESOURCES };
    const worker = new Worker(this.#entry, options);
    let failure: unknown = new Error('The thread for images ended.');
    worker.on('message', (answer: ImageAnswer) => this.#take(worker, answer));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#lose(worker, failure));
    this.#worker = worker;
    return worker;
  }

  #take(worker: Worker, answer: ImageAnswer): void {
    if (this.#worker !== worker) return;
    const current = this.#current;
    this.#current = null;
    if ('failure' in answer) current?.reject(answer.failure);
    else current?.resolve(answer.prepared);
    this.#next();
  }

  #lose(worker: Worker, failure: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#current?.reject(failure);
    this.#current = null;
    this.#next();
  }

  /** Ends the thread; what it has is rejected. */
  async #end(failure?: unknown): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === null) return;
    this.#lose(worker, failure);
    await worker.terminate();
  }
}

function closed(): Error {
  return new Error('Images are no longer prepared.');
}
