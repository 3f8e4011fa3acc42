/** The output of one stream. */
export interface Sink {
  /** Bytes that the reader has not taken yet. */
  backlog(): number;
  write(bytes: Uint8Array): void;
  /** Ends the stream after the bytes written so far. */
  end(): void;
  /** Ends the stream at once. */
  cut(): void;
}

/** Subscribes the sink of an open stream. @returns unsubscribes it, when its client is gone */
export type Subscribe = (sink: Sink) => () => void;

/** Returns the body of a stream as a web stream, with its sink subscribed. */
export function createStreamBody(subscribe: Subscribe): ReadableStream<Uint8Array> {
  let unsubscribe: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        unsubscribe = subscribe({
          backlog: () => -(controller.desiredSize ?? 0),
          write: (bytes) => controller.enqueue(bytes),
          end: () => controller.close(),
          cut: () => controller.error(new Error('The reader is too slow.')),
        });
      },
      cancel: () => unsubscribe?.(),
    },
    // desiredSize, and so backlog(), counts bytes.
    { highWaterMark: 0, size: (bytes) => bytes.byteLength },
  );
}
